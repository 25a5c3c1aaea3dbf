from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.predict.estimate import Estimator
from app.core.predict.knowledge import Knowledge
from app.core.predict.time import Rates
from app.core.simulate import orders
from app.core.simulate.device import choose_device
from app.core.simulate.replay import replayed_peaks
from app.core.simulate.xla.choice import uses_xla
from app.core.types.machine import Machine, TimedOperation
from app.core.types.workload import Dataset, ModelRef, Plan, Workload
from tests.core.graphs import chain_graph
from tests.core.machines import HOST_RATES, card, desktop
from tests.core.predict.lessons import calibration, known

ESTIMATOR = Estimator(chain_graph(sample_bytes=400_000))
MODEL = ModelRef("catalog", "chain")
ARRAYS = Dataset("arrays", "npz", samples=60_000, sample_shape=(100_000,), bytes_on_disk=10**9)
PHOTOS = Dataset("photos", "images", samples=10_000, sample_shape=(256, 256, 3), bytes_on_disk=10**9)
RATES = Rates(HOST_RATES)


def predict(machine=None, dataset=ARRAYS, calibration=None, **plan):
    workload = Workload(MODEL, dataset, Plan(**plan))
    return ESTIMATOR.predict(
        workload, machine or desktop(), known(RATES, workload.plan.batch_size, calibration=calibration)
    )


def test_a_host_prediction_has_every_number():
    found = predict(batch_size=32, epochs=3)
    assert found.fit.verdict == "fits"
    assert found.time.total_s == pytest.approx(3 * found.time.epoch_s)
    assert found.time.epoch_s == pytest.approx(1875 * found.time.step_s)
    assert found.time.low_s < found.time.step_s < found.time.high_s
    assert found.memory.host_bytes > found.memory.allocator_peak_bytes
    assert found.memory.wanted_workspace_bytes == 0


def test_the_largest_batch_fits_and_the_next_size_does_not():
    largest = predict(batch_size=1).fit.max_batch_size
    assert predict(batch_size=largest).fit.verdict in ("fits", "tight")
    assert predict(batch_size=int(largest * 1.02) + 1).fit.verdict == "does_not_fit"


def test_the_best_batch_fits_comfortably_and_is_a_power_of_two():
    best = predict(batch_size=1).fit.best_batch_size
    assert best & (best - 1) == 0
    assert predict(batch_size=best).fit.verdict == "fits"


def test_a_card_that_was_never_measured_is_predicted_from_its_data_sheet_with_a_wide_interval():
    found = predict(desktop(card()), batch_size=16)
    assert found.fit.device_name == "RTX 2060"
    assert found.time.high_s / found.time.low_s >= 4
    assert "data sheet" in found.time.dominant_assumption


def test_nothing_known_is_said_to_be_unknown():
    found = ESTIMATOR.predict(Workload(MODEL, None, Plan()), Machine(), Knowledge())
    assert found.fit.verdict == "unknown"
    assert found.time.step_s is None
    assert found.fit.max_batch_size is None


def test_reading_photos_can_be_what_it_waits_for():
    slow = predict(desktop(card(), cores=1), dataset=PHOTOS, batch_size=64)
    assert slow.time.bound_by in ("input", "disk")
    assert slow.time.bound_share > 0.5


def test_keras_auto_means_xla_on_a_card_only():
    graph = ESTIMATOR.graph
    host, gpu = (predict(m).fit.device_name for m in (desktop(), desktop(card())))
    assert (host, gpu) == ("Test CPU", "RTX 2060")
    assert not uses_xla(Plan(), choose_device(desktop(), "auto"), graph)
    assert uses_xla(Plan(), choose_device(desktop(card()), "auto"), graph)
    assert not uses_xla(Plan(), choose_device(desktop(card()), "auto"), replace(graph, jit_allowed=False))


@pytest.mark.parametrize("corrects", [True, False])
def test_what_error_correction_takes_of_a_simulated_card_is_said(corrects):
    told = predict(desktop(card(simulated=True, ecc_in_memory=corrects)))
    assert any("error correction" in words for words in told.assumptions) is corrects


def test_keras_compiles_on_a_card_only_what_it_can_even_if_asked():
    refused = Estimator(replace(ESTIMATOR.graph, jit_allowed=False))
    asked = Plan(batch_size=32, jit=True)
    on_card, on_host = choose_device(desktop(card()), "auto"), choose_device(desktop(), "auto")
    assert not uses_xla(asked, on_card, refused.graph)
    assert uses_xla(asked, on_host, refused.graph)
    told = refused.predict(Workload(MODEL, ARRAYS, asked), desktop(card()), known(RATES, 32))
    assert not told.xla
    assert any("although it is asked for" in str(text) for text in told.assumptions)


def test_a_run_of_the_same_plan_replaces_the_prediction():
    plain = predict(batch_size=32)
    exact = predict(batch_size=32, calibration=calibration(1.2, 2.0, run_id=7))
    assert (exact.memory.basis, exact.time.basis) == ("measured", "measured")
    assert exact.memory.allocator_peak_bytes == pytest.approx(1.2 * plain.memory.allocator_peak_bytes, rel=1e-6)
    assert exact.time.step_s == pytest.approx(2 * plain.time.step_s)
    assert exact.fit.max_batch_size < plain.fit.max_batch_size
    assert abs(sum(vars(exact.memory.parts).values()) - exact.memory.device_bytes) <= 8


def test_a_run_of_another_plan_scales_it():
    scaled = predict(batch_size=64, calibration=calibration(None, 2.0, exact=False, run_id=7))
    assert (scaled.memory.basis, scaled.time.basis) == ("traced", "scaled")


@given(batch=st.integers(1, 4096))
def test_a_larger_batch_never_needs_less(batch):
    one, two = predict(batch_size=batch), predict(batch_size=2 * batch)
    assert two.memory.allocator_peak_bytes >= one.memory.allocator_peak_bytes
    assert two.time.step_s >= one.time.step_s


def test_the_batch_curve_covers_what_fits():
    found = predict(batch_size=32)
    batches = [point.batch_size for point in found.batch_curve]
    assert batches == sorted(set(batches))
    assert batches[0] == 1
    assert batches[-1] >= 128


def test_an_answer_without_a_chart_says_the_same_and_simulates_only_what_it_searches(monkeypatch):
    replayed = []

    def replay(trainings, batch_size, **settings):
        replayed.append(batch_size)
        return replayed_peaks(trainings, batch_size, **settings)

    monkeypatch.setattr(orders, "replayed_peaks", replay)
    workload, knows = Workload(MODEL, ARRAYS, Plan(batch_size=64)), known(RATES, 64)
    without = Estimator(ESTIMATOR.graph).predict(workload, desktop(), knows, chart=False)
    searched = len(replayed)
    charted = Estimator(ESTIMATOR.graph).predict(workload, desktop(), knows)
    assert replace(charted, batch_curve=()) == without
    assert max(replayed[:searched]) < 2 * without.fit.max_batch_size < max(replayed)


@pytest.mark.parametrize("taught", [None, calibration(1.2, 2.0, run_id=7, on_card=True)])
@pytest.mark.parametrize("dataset", [None, PHOTOS])
def test_the_batch_curve_goes_through_what_is_told(taught, dataset):
    found = predict(desktop(card(), cores=1), dataset=dataset, batch_size=64, calibration=taught)
    own = next(point for point in found.batch_curve if point.batch_size == 64)
    assert own.samples_per_s == pytest.approx(found.time.samples_per_s)
    assert own.allocator_peak_bytes == pytest.approx(found.memory.allocator_peak_bytes, abs=1)


def test_with_operations_timed_here_threads_scale_and_a_busy_calibration_widens_the_interval():
    timed = (
        TimedOperation("Mul", (2.0**20, 1.0), 2.0**20, 2e-4, 4e-4),
        TimedOperation("product", (32.0, 1000.0, 1000.0), 6.4e7, 1e-3, 1.9e-3),
    )
    quiet = replace(HOST_RATES, operations=timed, threads=2, train_overhead_s=1e-3, spread=0.02)
    workload = Workload(MODEL, None, Plan(batch_size=32, device="cpu"))

    def time(rates, threads=None):
        asked = replace(workload, plan=replace(workload.plan, threads=threads))
        return ESTIMATOR.predict(asked, desktop(), Knowledge(Rates(rates))).time

    assert time(quiet, threads=1).step_s > time(quiet).step_s
    assert time(HOST_RATES, threads=1).step_s is None
    busy = time(replace(quiet, spread=0.4))
    assert busy.high_s / busy.low_s > time(quiet).high_s / time(quiet).low_s
    assert "timed on this machine" in time(quiet).explanation[1].name
