"""What a run teaches reaches every number that follows from it, and no number that it says nothing of."""

from dataclasses import replace

import pytest

from app.core.pipeline.waiting import waiting_words
from app.core.predict.corrections import calibrate, combined, for_another_plan
from app.core.predict.knowledge import Evidence, Knowledge
from app.core.predict.refined import Refined
from app.core.simulate.recorded_trace import StepPeaks
from app.core.timing.card_transfer import DATA_SHEET_INTERVAL
from app.core.types.measurement import (
    Doubt,
    MeasuredData,
    MeasuredMemory,
    MeasuredShares,
    MeasuredStep,
    Measurement,
    RunResult,
)
from app.core.types.units import MIB
from app.core.types.workload import Plan, Workload
from tests.core.machines import card, desktop
from tests.core.predict.lessons import known
from tests.core.predict.test_estimate import ARRAYS, ESTIMATOR, MODEL, PHOTOS, RATES


def predict(machine, dataset, batch=32, device="auto", calibration=None, refined=None):
    workload = Workload(MODEL, dataset, Plan(batch_size=batch, device=device, epochs=3))
    return ESTIMATOR.predict(workload, machine, known(RATES, batch, calibration=calibration, refined=refined))


def lesson(machine, dataset, step_s, *, batch=32, asked=32, device="auto", memory=None, run_id=1, **known):
    then = predict(machine, dataset, batch, device)
    found = Measurement(
        MeasuredStep(step_s, step_s, step_s, 40), step_s, batch / step_s, None, MeasuredMemory(memory), **known
    )
    plan = Plan(batch_size=batch, device=device, epochs=3)
    return calibrate(
        RunResult("succeeded", found),
        then.memory,
        then.time,
        run_plan=plan,
        plan=replace(plan, batch_size=asked),
        run_id=run_id,
        on_card=then.card is not None,
    )


def test_a_card_that_no_run_has_used_keeps_its_own_interval_where_the_input_was_what_it_waited_for():
    machine = desktop(card(), cores=1)
    before = predict(machine, PHOTOS).time
    assert before.bound_by in ("input", "disk")
    ran = lesson(machine, PHOTOS, 1.0, device="cpu", compute_only_step_s=0.99, data_only_step_s=1e-9)
    found = predict(machine, PHOTOS, calibration=combined([ran])).time
    assert found.bound_by not in ("input", "disk")
    assert found.high_s / found.step_s == pytest.approx(DATA_SHEET_INTERVAL[1], rel=1e-3)
    assert found.low_s / found.step_s == pytest.approx(DATA_SHEET_INTERVAL[0], rel=1e-3)


@pytest.mark.parametrize("factor", [0.8, 1.0, 1.5])
def test_decoding_beside_the_step_is_counted_once(factor):
    machine = desktop(cores=8)
    then = predict(machine, PHOTOS).time
    assert then.stages.contention * then.stages.decode_s > 0.05 * then.step_s
    ran = lesson(machine, PHOTOS, factor * then.step_s, asked=64, shares=MeasuredShares(0.0, 0.0, 1.0))
    before, found = predict(machine, PHOTOS, 64).time, predict(machine, PHOTOS, 64, calibration=combined([ran])).time
    assert found.step_s / before.step_s == pytest.approx(factor, rel=0.02)


@pytest.mark.parametrize("asked", [32, 64])
def test_the_stages_of_a_corrected_step_are_corrected_with_it(asked):
    machine = desktop()
    ran = lesson(machine, ARRAYS, 3 * predict(machine, ARRAYS).time.step_s, asked=asked)
    found = predict(machine, ARRAYS, asked, calibration=combined([ran])).time
    assert found.stages.step_s == pytest.approx(found.step_s)
    assert waiting_words(found, "CPU") != waiting_words(predict(machine, ARRAYS, asked).time, "CPU")


def test_all_epochs_take_the_first_and_the_later_ones_as_they_were_measured():
    machine = desktop()
    ran = lesson(machine, PHOTOS, 0.5, shares=MeasuredShares(0.2, 0.0, 0.8), data=MeasuredData(first_epoch_s=400.0))
    found = predict(machine, PHOTOS, calibration=combined([ran])).time
    assert found.first_epoch_s == pytest.approx(400.0)
    assert found.total_s == pytest.approx(400.0 + 2 * found.epoch_s)


def test_a_run_that_measured_memory_only_does_not_hide_the_time_of_another_batch():
    machine, throttled = desktop(), {"doubts": (Doubt("cpu_throttled", "hot"),)}
    before = predict(machine, None)
    peak = int(1.3 * before.memory.allocator_peak_bytes)
    same = lesson(machine, None, 9.0, memory=peak, run_id=2, **throttled)
    other = lesson(machine, None, 2 * predict(machine, None, 64).time.step_s, batch=64, asked=32, run_id=1)
    found = predict(machine, None, calibration=combined([same, other]))
    assert (found.memory.basis, found.time.basis) == ("measured", "scaled")
    assert found.memory.allocator_peak_bytes == pytest.approx(peak, abs=1)
    assert found.time.step_s / before.time.step_s == pytest.approx(2.0)
    assert "run 2" in found.memory.dominant_assumption
    assert "run 1" in found.time.dominant_assumption


def test_the_first_step_that_a_refinement_saw_is_the_one_that_is_told():
    refined = Refined(True, (32,), (StepPeaks(32, 300 * MIB, (200 * MIB, 200 * MIB, 200 * MIB)),))
    found = predict(desktop(), None, refined=refined)
    assert found.memory.allocator_peak_bytes == 200 * MIB
    assert found.memory.first_step_peak_bytes == 300 * MIB


def test_a_refined_first_step_counts_for_the_largest_batch_as_it_does_for_the_verdict():
    machine = desktop(card(gib=2, held_gib=0.5))
    allowed = predict(machine, None).fit.allowed_bytes
    first = int(1.5 * allowed)
    refined = Refined(True, (32,), (StepPeaks(32, first, (200 * MIB, 200 * MIB, 200 * MIB)),))
    found = predict(machine, None, refined=refined).fit
    assert found.verdict == "does_not_fit"
    assert found.max_batch_size < 32


def test_the_timeline_and_the_largest_layers_move_with_the_peak():
    machine = desktop()
    before = predict(machine, None).memory
    ran = lesson(machine, None, 1.0, memory=int(1.5 * before.allocator_peak_bytes))
    found = predict(machine, None, calibration=combined([ran])).memory
    share = found.parts.activations / before.parts.activations
    assert share > 1.4
    known = before.parts.weights + before.parts.optimizer_state + before.parts.inputs
    highest = [max(live for _, live in memory.timeline) for memory in (before, found)]
    assert (highest[1] - known) / (highest[0] - known) == pytest.approx(share, rel=0.01)
    layers = [memory.largest_layers[0] for memory in (before, found)]
    assert layers[1].activation_bytes / layers[0].activation_bytes == pytest.approx(share, rel=0.01)
    assert layers[1].weights_bytes == layers[0].weights_bytes


def test_a_batch_that_a_run_has_shown_is_drawn_as_it_was_measured():
    machine = desktop()
    slow_s = 9 * predict(machine, None, 64).time.step_s
    peak = int(1.3 * predict(machine, None, 64).memory.allocator_peak_bytes)
    runs = {
        32: lesson(machine, None, 2 * predict(machine, None).time.step_s, run_id=2),
        64: lesson(machine, None, slow_s, batch=64, asked=64, memory=peak),
    }
    shown = Knowledge(RATES, at=lambda batch: Evidence(runs.get(batch, for_another_plan(runs[32]))))
    found = ESTIMATOR.predict(Workload(MODEL, None, Plan(batch_size=32)), machine, shown)
    chart = {point.batch_size: point for point in found.batch_curve}
    assert chart[64].samples_per_s == pytest.approx(64 / slow_s)
    assert chart[64].allocator_peak_bytes == pytest.approx(peak, abs=1)
    assert chart[32].samples_per_s == pytest.approx(found.time.samples_per_s)
    assert found.fit.best_batch_size != 64
