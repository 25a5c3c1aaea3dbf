"""What was timed while the machine was slower than alone: divided by how much slower, or worth nothing."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.core.predict.corrections import calibrate, combined
from app.core.predict.disturbed import NEWEST, UNDISTURBED, Speed, slowdown, speed_of, undo, usual_reference_s
from app.core.predict.time import Rates, of_busy_measurement
from app.core.simulate.device import choose_device
from app.core.timing.host_prior import usual_rates
from app.core.types.basis import Range
from app.core.types.machine import DeviceRates
from app.core.types.measurement import Doubt, MeasuredMemory, MeasuredStep, Measurement, RunResult
from app.core.types.workload import Plan
from tests.core.machines import HOST_RATES, desktop
from tests.core.predict.test_learning_from_a_run import told, untaught

USUAL_S = 0.002
MACHINE = desktop()
BUSY = {"reference_s": None, "others_percent": 60.0}
ALONE = {"reference_s": USUAL_S, "others_percent": 2.0}

slower = st.floats(UNDISTURBED + 0.01, 5.0)


def run(step_s, **speed):
    memory = MeasuredMemory(allocator_peak_bytes=10**8)
    found = Measurement(MeasuredStep(step_s, step_s, step_s, 40), step_s, 32 / step_s, None, memory, **speed)
    return RunResult("succeeded", found)


def lesson(step_s, speed, *, batch=32, usual_s=USUAL_S):
    then = untaught(MACHINE, None)
    plan = Plan(batch_size=32)
    asked = replace(plan, batch_size=batch)
    return calibrate(
        run(step_s, **speed),
        then.memory,
        then.time,
        run_plan=plan,
        plan=asked,
        run_id=1,
        on_card=False,
        usual_reference_s=usual_s,
    )


@given(slower)
def test_a_slower_reference_tells_by_how_much(ratio):
    assert slowdown(Speed(ratio * USUAL_S, 50.0), USUAL_S) == pytest.approx(ratio)


@given(st.floats(0.5, UNDISTURBED), st.floats(0, 100))
def test_where_the_reference_took_its_usual_time_nothing_was_disturbed(ratio, others):
    assert slowdown(Speed(ratio * USUAL_S, others), USUAL_S) == 1


def test_beside_others_and_without_a_usual_time_nobody_can_tell():
    assert slowdown(Speed(USUAL_S, 60.0), None) is None
    assert slowdown(Speed(None, 60.0), USUAL_S) is None
    assert slowdown(Speed(None, None), None) == 1
    assert slowdown(Speed(USUAL_S, 3.0), None) == 1


def test_the_newest_runs_tell_the_usual_speed_and_replace_the_rates():
    slow = [Speed(3 * USUAL_S, 1.0)] * NEWEST
    assert usual_reference_s(slow, Speed(USUAL_S, None)) == 3 * USUAL_S
    assert usual_reference_s(slow[:1], Speed(USUAL_S, None)) == USUAL_S
    assert usual_reference_s([Speed(3 * USUAL_S, 70.0)], Speed(USUAL_S, 40.0)) is None
    assert usual_reference_s([Speed(3 * USUAL_S, 2.0)], Speed(USUAL_S, 40.0)) == USUAL_S  # others only delay


def test_a_run_stored_before_the_use_by_others_was_kept_tells_it_in_a_doubt():
    found = replace(run(0.1).measurement, doubts=(Doubt("busy_host", "others", 44.0),), reference_s=USUAL_S)
    assert speed_of(found, on_card=False) == Speed(USUAL_S, 44.0)


def test_a_busy_processor_says_nothing_of_a_card():
    found = replace(run(0.1).measurement, reference_s=USUAL_S, others_percent=90.0)
    assert not speed_of(found, on_card=True).beside_others
    shared = replace(found, doubts=(Doubt("card_shared", "others", 44.0),))
    assert speed_of(shared, on_card=True) == Speed(USUAL_S, 44.0)


def test_a_run_beside_others_of_which_nobody_knows_more_teaches_memory_only():
    found = lesson(0.1, BUSY, usual_s=None)
    assert found.time is None
    assert found.stages is None
    assert found.memory is not None
    assert found.memory.exact


@given(slower, st.sampled_from([8, 32, 64]), st.floats(0.5, 2.0))
@settings(deadline=None)
def test_a_run_beside_load_teaches_as_one_without_but_is_trusted_less(ratio, batch, factor):
    step_s = factor * untaught(MACHINE, None).time.step_s
    quiet = combined([lesson(step_s, ALONE, batch=batch)])
    loaded = combined([lesson(ratio * step_s, {"reference_s": ratio * USUAL_S, "others_percent": 60.0}, batch=batch)])
    one, other = told(MACHINE, None, quiet, batch).time, told(MACHINE, None, loaded, batch).time
    assert other.step_s == pytest.approx(one.step_s)
    assert other.high_s / other.low_s > one.high_s / one.low_s
    assert other.basis == "scaled"


@given(st.floats(15.0, 90.0))
def test_rates_measured_beside_others_hold_what_was_measured_and_what_was_left(others):
    told, rates = Range(1.0, 0.6, 1.6), DeviceRates("cpu", "test", others_percent=others)
    found = of_busy_measurement(told, rates).of(told)
    assert found == pytest.approx((1.0, 0.6 * (1 - others / 100), 1.6))


def test_a_processor_measured_mostly_beside_others_counts_as_not_measured():
    machine = replace(MACHINE, cpu=replace(MACHINE.cpu, max_clock_mhz=3000.0))
    device = choose_device(machine, "cpu")
    beside = replace(HOST_RATES, others_percent=70.0)
    rates, measured = Rates(beside).of(device, "float32", machine)
    assert not measured
    assert rates == usual_rates(machine, "float32")
    assert Rates(replace(beside, others_percent=40.0)).of(device, "float32", machine)[1]


def test_rates_measured_alone_are_told_as_they_are():
    told = Range(1.0, 0.6, 1.6)
    assert of_busy_measurement(told, DeviceRates("cpu", "test", others_percent=5.0)) is None
    assert of_busy_measurement(told, DeviceRates("cpu", "test")) is None
    assert of_busy_measurement(None, None) is None


@given(slower, st.booleans(), st.floats(0.2, 3.0))
def test_a_reference_that_moved_without_a_cause_here_leaves_open_whether_the_steps_were_slow(ratio, others, move):
    steady = undo(ratio, run(0.1, reference_move=0.05).measurement, beside_others=others)
    moved = undo(ratio, run(0.1, reference_move=move).measurement, beside_others=others)
    assert steady.slower == ratio
    assert (moved == steady) is others
    if not others:  # the interval about the middle reaches from "all of it" to "nothing"
        assert moved.slower * (1 + moved.width) == pytest.approx(ratio)
        assert moved.slower / (1 + moved.width) == pytest.approx(1)
