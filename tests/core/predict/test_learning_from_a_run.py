"""What a run teaches, through the whole estimate: a correction and its interval go together."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.core.predict.corrections import calibrate, combined, for_another_plan
from app.core.predict.device_corrections import DeviceLessons, Witness
from app.core.types.measurement import MeasuredMemory, MeasuredShares, MeasuredStep, Measurement, RunResult
from app.core.types.workload import Plan, Workload
from tests.core.machines import card, desktop
from tests.core.predict.lessons import known, of_memory
from tests.core.predict.test_estimate import ARRAYS, ESTIMATOR, MODEL, PHOTOS, RATES

RUN_BATCH = 32
MACHINES = {"processor": desktop(), "card": desktop(card())}
SLOW_DISK = desktop(card(), cores=1, disk="hdd")
COMPUTING = {"shares": MeasuredShares(0.0, 0.0, 1.0)}
"""A run on data that was there: all of its step is the device's."""

machines = st.sampled_from(sorted(MACHINES))
datasets = st.sampled_from([None, ARRAYS, PHOTOS])
batches = st.sampled_from([8, 16, 32, 64, 128])
factors = st.floats(0.3, 3.0)
shown = st.sampled_from(
    [
        {},
        COMPUTING,
        {"shares": MeasuredShares(0.2, 0.05, 0.75)},
        {"compute_only_step_s": 0.05, "data_only_step_s": 0.01},
    ]
)


def untaught(machine, dataset, batch=RUN_BATCH, device="auto", lessons=None):
    return told(machine, dataset, None, batch, device, lessons)


def lesson(machine, dataset, factor, known, *, batch=RUN_BATCH, device="auto"):
    """What a run teaches a plan with another batch or device; (calibration, its step in seconds)."""
    then = untaught(machine, dataset, device=device)
    step_s, plan = factor * then.time.step_s, Plan(batch_size=RUN_BATCH, device=device)
    found = Measurement(
        MeasuredStep(step_s, step_s, step_s, 40), step_s, RUN_BATCH / step_s, None, MeasuredMemory(), **known
    )
    taught = calibrate(
        RunResult("succeeded", found),
        then.memory,
        then.time,
        run_plan=plan,
        plan=replace(plan, batch_size=batch),
        run_id=1,
        on_card=then.card is not None,
    )
    return combined([taught]), step_s


def told(machine, dataset, calibration, batch=RUN_BATCH, device="auto", lessons=None):
    workload = Workload(MODEL, dataset, Plan(batch_size=batch, device=device))
    return ESTIMATOR.predict(workload, machine, known(RATES, batch, calibration=calibration, lessons=lessons))


def width(time):
    return time.high_s / time.low_s


@given(machines, datasets, factors, shown)
@settings(deadline=None)
def test_the_same_run_asked_about_itself_is_told_as_measured(where, dataset, factor, known):
    machine = MACHINES[where]
    taught, step_s = lesson(machine, dataset, factor, known)
    found = told(machine, dataset, taught).time
    assert found.step_s == pytest.approx(step_s)
    assert found.basis == "measured"
    assert found.low_s <= step_s <= found.high_s


@given(machines, factors, batches, st.sampled_from([{}, COMPUTING]))
@settings(deadline=None)
def test_a_neighbours_answer_moves_by_the_runs_factor(where, factor, batch, known):
    machine = MACHINES[where]
    taught, _ = lesson(machine, None, factor, known, batch=batch)
    before, found = untaught(machine, None, batch).time, told(machine, None, taught, batch).time
    assert found.step_s / before.step_s == pytest.approx(factor)
    assert found.low_s <= found.step_s <= found.high_s


@given(machines, datasets, factors, batches, shown, st.sampled_from(["auto", "cpu"]))
@settings(deadline=None)
def test_an_interval_narrows_only_if_the_value_moved_with_it(where, dataset, factor, batch, known, asked_on):
    machine = MACHINES[where]
    taught, step_s = lesson(machine, dataset, factor, known, batch=batch)
    before = untaught(machine, dataset, batch, asked_on).time
    found = told(machine, dataset, taught, batch, asked_on).time
    of_the_input = taught.stages is not None and taught.stages.decode_known
    if width(found) >= width(before) * (1 - 1e-9) or of_the_input:
        return
    if taught.time.exact:
        assert found.step_s == pytest.approx(step_s)
    elif taught.stages is None:
        assert found.step_s / before.step_s == pytest.approx(factor)
    else:
        alone = before.stages.device_s + (
            before.stages.contention * before.stages.decode_s if taught.stages.contended else 0
        )
        assert found.stages.device_s / alone == pytest.approx(taught.stages.device_factor)


@pytest.mark.parametrize("known", [{}, COMPUTING])
@pytest.mark.parametrize("factor", [0.6, 1.7])
def test_a_run_on_the_processor_says_nothing_of_a_card_and_the_other_way_round(known, factor):
    machine = MACHINES["card"]
    for ran_on, asked_on in (("cpu", "auto"), ("auto", "cpu")):
        taught, _ = lesson(machine, None, factor, known, device=ran_on)
        found, before = (
            told(machine, None, for_another_plan(taught), 64, asked_on),
            untaught(machine, None, 64, asked_on),
        )
        assert found.time.step_s == pytest.approx(before.time.step_s)
        assert width(found.time) == pytest.approx(width(before.time))
        assert found.time.basis == "predicted"


def test_a_run_that_taught_no_time_leaves_what_other_models_have_shown():
    machine, lessons = MACHINES["processor"], DeviceLessons(time=tuple(Witness(f"m{i}", 0.1, 0.8) for i in range(6)))
    taught, _ = lesson(machine, None, 1.5, {}, batch=64)
    silent = replace(taught, time=None, stages=None)
    assert told(machine, None, silent, 64, lessons=lessons).time == untaught(machine, None, 64, lessons=lessons).time


@given(factors)
@settings(deadline=None)
def test_the_first_epoch_moves_with_the_rest(factor):
    taught, _ = lesson(SLOW_DISK, PHOTOS, factor, {}, batch=64)
    before, found = untaught(SLOW_DISK, PHOTOS, 64).time, told(SLOW_DISK, PHOTOS, taught, 64).time
    assert found.first_epoch_s / before.first_epoch_s == pytest.approx(found.step_s / before.step_s)
    assert found.total_s == pytest.approx(found.first_epoch_s + (Plan().epochs - 1) * found.epoch_s)


@given(factors, st.sampled_from(["processor", "card"]))
@settings(deadline=None)
def test_the_process_in_ram_grows_with_a_corrected_peak_where_the_tensors_are_in_ram(factor, where):
    machine = MACHINES[where]
    taught, _ = lesson(machine, None, 1.0, {})
    before = untaught(machine, None).memory
    found = told(machine, None, replace(taught, memory=of_memory(factor))).memory
    more = found.allocator_peak_bytes - before.allocator_peak_bytes
    assert found.host_bytes - before.host_bytes == (more if where == "processor" else 0)
