from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.predict.correction import apply
from app.core.predict.corrections import (
    CALIBRATED_INTERVAL,
    REPEATED_INTERVAL,
    calibrate,
    combined,
    for_another_plan,
    of_another_step,
    scaled_width,
)
from app.core.types.measurement import (
    Doubt,
    MeasuredData,
    MeasuredMemory,
    MeasuredShares,
    MeasuredStep,
    Measurement,
    Problem,
    RunResult,
)
from app.core.types.workload import Plan
from tests.core.predict.lessons import calibration, of_time
from tests.core.predict.test_estimate import predict

MEASURED = Measurement(MeasuredStep(0.2, 0.19, 0.22, 40), 1.0, 160.0, 10.0, MeasuredMemory(10**9))
PLAN = Plan(batch_size=32)


def taught(result, plan=PLAN):
    then = predict(batch_size=32)
    found = calibrate(result, then.memory, then.time, run_plan=PLAN, plan=plan, run_id=3, on_card=False)
    return found, then


def test_factors_are_measured_over_predicted():
    found, then = taught(RunResult("succeeded", MEASURED))
    assert found.memory.factor == pytest.approx(10**9 / then.memory.allocator_peak_bytes)
    assert found.time.factor == pytest.approx(0.2 / then.time.step_s)
    assert found.memory.exact
    assert found.time.exact


def test_another_batch_is_not_exact_but_other_epochs_are():
    assert not taught(RunResult("succeeded", MEASURED), replace(PLAN, batch_size=64))[0].time.exact
    assert taught(RunResult("succeeded", MEASURED), replace(PLAN, epochs=9))[0].time.exact


def test_a_run_without_a_measurement_teaches_nothing():
    assert taught(RunResult("out_of_memory", problem=Problem("out_of_memory", "full")))[0] is None


@pytest.mark.parametrize(
    ("kind", "memory", "time"), [("gpu_throttled", True, False), ("partial", False, False), ("battery", True, True)]
)
def test_a_time_taken_in_bad_conditions_teaches_nothing(kind, memory, time):
    found = taught(RunResult("succeeded", replace(MEASURED, doubts=(Doubt(kind, "words"),))))[0]
    assert (found.memory is not None, found.time is not None) == (memory, time)
    assert found.teaches_time == time


def test_a_run_without_an_allocator_counter_teaches_time_only():
    found, _ = taught(RunResult("succeeded", replace(MEASURED, memory=MeasuredMemory())))
    assert found.memory is None
    assert found.time is not None


def test_what_the_users_files_take_when_cached_is_learnt():
    files, shares = MeasuredData(cached_sample_bytes=3000.0), MeasuredShares(0.2, 0.0, 0.8)
    learnt, _ = taught(RunResult("succeeded", replace(MEASURED, data=files, shares=shares)))
    assert learnt.stages.cached_sample_bytes == 3000.0
    assert of_another_step(learnt).stages.cached_sample_bytes is None


def of(factor, *, exact=True, run_id=1):
    return calibration(factor, factor, exact=exact, run_id=run_id)


def corrected(memory, found):
    return apply(memory, found.memory.correction())


def test_without_runs_there_is_nothing_to_combine():
    assert combined([]) is None


def test_one_run_is_worth_its_constant_and_repeats_show_their_own_scatter():
    memory = predict(batch_size=32).memory
    one = corrected(memory, combined([of(1.1)]))
    assert one.high_bytes / one.allocator_peak_bytes == pytest.approx(1 + REPEATED_INTERVAL, rel=1e-4)
    alike = corrected(memory, combined([of(1.1)] * 6))
    assert alike.allocator_peak_bytes == one.allocator_peak_bytes
    assert alike.high_bytes < one.high_bytes
    scattered = corrected(memory, combined([of(1.1), of(1.25), of(1.1)]))
    assert scattered.high_bytes >= one.allocator_peak_bytes * 1.25 / 1.1 * (1 - 1e-6)
    assert scattered.low_bytes <= scattered.allocator_peak_bytes


def test_other_plans_do_not_sharpen_the_very_same_plan():
    found = combined([of(1.1), of(2.0, exact=False)])
    assert found.memory.width == pytest.approx(REPEATED_INTERVAL)
    assert combined([of(1.1, exact=False), of(2.0, exact=False)]).memory.width > 0.5


def test_each_of_memory_and_time_is_learnt_from_the_first_run_that_measured_it():
    throttled, sound = replace(of(1.3, run_id=2), time=None), of(1.1)
    found = combined([throttled, sound])
    assert (found.memory.run_id, found.time.run_id) == (2, 1)
    assert combined([throttled]).time is None
    silent = replace(throttled, memory=None)
    assert combined([silent, of(1.1, exact=False)]).time.factor == 1.1
    assert combined([of(1.1, exact=True), of(2.0, exact=False)]).time.exact


def test_a_lesson_for_another_plan_loses_its_narrow_interval():
    carried = for_another_plan(combined([of(1.1)] * 5))
    memory = corrected(predict(batch_size=32).memory, carried)
    assert memory.basis == "calibrated"
    assert memory.high_bytes / memory.allocator_peak_bytes == pytest.approx(1 + CALIBRATED_INTERVAL, rel=1e-4)


@given(st.lists(st.floats(0.5, 2), min_size=1, max_size=12), st.booleans())
def test_the_interval_holds_nine_in_ten_of_the_repeats(factors, exact):
    memory = predict(batch_size=32).memory
    found = corrected(memory, combined([of(f, exact=exact) for f in factors]))
    held = sum(
        found.low_bytes * (1 - 1e-6) <= memory.allocator_peak_bytes * f <= found.high_bytes * (1 + 1e-6)
        for f in factors[1:]
    )
    assert held >= int(0.9 * len(factors[1:]))


def test_the_farther_a_run_is_carried_the_wider_its_interval():
    run = Plan(batch_size=16)
    near, far = (scaled_width(run, replace(run, batch_size=batch)) for batch in (32, 256))
    assert near < far
    assert scaled_width(run, run) < near
    assert scaled_width(run, replace(run, optimizer="sgd")) > near


@given(st.floats(0.19, 0.2), st.floats(0.2, 0.8), st.sampled_from([8, 32, 33, 128]))
def test_what_a_run_says_of_another_batch_is_never_narrower_than_what_it_says_of_its_own(low_s, high_s, batch):
    uneven = replace(MEASURED, step=MeasuredStep(0.2, low_s, high_s, 40))
    own = taught(RunResult("succeeded", uneven))[0].time
    other = taught(RunResult("succeeded", uneven), replace(PLAN, batch_size=batch))[0].time
    assert other.width >= own.width


def test_a_run_of_another_step_teaches_time_and_no_memory():
    lesson = of_another_step(calibration(1.1, 1.2, exact=False))
    assert lesson.memory is None
    assert lesson.time.factor == 1.2
    assert lesson.time.width > of_time(1.2, exact=False).width
