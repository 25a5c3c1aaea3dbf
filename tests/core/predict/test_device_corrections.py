from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.predict.device_corrections import DeviceLessons, Witness, slack_factor
from app.core.simulate.device import MEASURED_ONCE, allowed_memory, choose_device
from app.core.types.machine import DeviceProbe
from app.core.types.units import MIB
from app.core.types.workload import Plan, Workload
from tests.core.machines import card, desktop
from tests.core.predict.lessons import calibration as taught_by
from tests.core.predict.lessons import known
from tests.core.predict.test_estimate import ARRAYS, ESTIMATOR, MODEL, RATES

PROBE = DeviceProbe("cpu", "tensorflow 2.21", 700 * MIB, None, 3 * MIB, 1.004, 1.015)


def predict(lessons=None, machine=None, calibration=None):
    workload = Workload(MODEL, ARRAYS, Plan(batch_size=32))
    return ESTIMATOR.predict(workload, machine or desktop(), known(RATES, 32, calibration=calibration, lessons=lessons))


def witnesses(score, count, predicted):
    return tuple(Witness(f"model {n}", predicted, score) for n in range(count))


def test_the_probe_replaces_the_constant_of_the_host_process():
    before, after = predict(), predict(DeviceLessons(PROBE))
    assert after.fit.allowed_bytes - before.fit.allowed_bytes == (650 - 700) * MIB
    assert after.memory.host_bytes - before.memory.host_bytes == 50 * MIB
    assert MEASURED_ONCE in [line.source for line in after.fit.explanation]
    assert MEASURED_ONCE not in [line.source for line in before.fit.explanation]


def test_the_probe_replaces_the_constant_of_a_cards_context():
    probe = DeviceProbe("gpu:0", "tensorflow 2.21", None, 300 * MIB, 32 * MIB, 1.0, 1.0)
    machine = desktop(card())
    before, after = predict(machine=machine), predict(DeviceLessons(probe), machine)
    assert after.fit.allowed_bytes - before.fit.allowed_bytes == 120 * MIB
    assert after.memory.device_bytes - after.memory.allocator_peak_bytes == 300 * MIB
    assert after.memory.parts.framework == 300 * MIB
    assert after.memory.high_bytes - before.memory.high_bytes == 32 * MIB
    unknown = replace(probe, context_bytes=None)
    assert allowed_memory(machine, choose_device(machine, "auto"), unknown).bytes == before.fit.allowed_bytes


def test_an_allocator_that_counts_as_predicted_changes_no_number():
    before, after = predict(), predict(DeviceLessons(PROBE))
    assert slack_factor(PROBE) == 1
    assert after.memory.allocator_peak_bytes == before.memory.allocator_peak_bytes
    assert (after.memory.low_bytes, after.memory.high_bytes) == (before.memory.low_bytes, before.memory.high_bytes)
    assert "allocator over tiny steps of known size" in [line.name for line in after.memory.explanation]


@pytest.mark.parametrize(
    ("low", "high", "factor"), [(1.1, 1.2, 1.1), (0.99, 1.5, 1.0), (0.8, 0.9, 0.9), (1.0, 1.0, 1.0), (None, None, 1.0)]
)
def test_slack_counts_only_as_far_as_every_step_has_it(low, high, factor):
    probe = replace(PROBE, slack_low=low, slack_high=high)
    assert slack_factor(probe) == factor
    before, after = predict(), predict(DeviceLessons(probe))
    assert after.memory.allocator_peak_bytes == pytest.approx(before.memory.allocator_peak_bytes * factor, abs=2)
    assert after.uncalibrated.allocator_peak_bytes == after.memory.allocator_peak_bytes
    parts = after.memory.parts
    assert sum(vars(parts).values()) == pytest.approx(after.memory.allocator_peak_bytes, rel=0.02)


def test_hits_of_other_models_narrow_and_misses_widen():
    before = predict()
    peak, step_s = before.memory.allocator_peak_bytes, before.time.step_s

    def width(score):
        lessons = DeviceLessons(None, witnesses(score, 6, peak), witnesses(score, 6, step_s))
        found = predict(lessons)
        return found.memory.high_bytes / found.memory.low_bytes, found.time.high_s / found.time.low_s

    now = before.memory.high_bytes / before.memory.low_bytes, before.time.high_s / before.time.low_s
    assert width(0.0)[0] < now[0]
    assert width(0.0)[1] < now[1]
    assert width(1.5)[0] > now[0]
    assert width(1.5)[1] > now[1]


@given(score=st.floats(-3, 3), count=st.integers(1, 20))
def test_a_sharpened_prediction_is_whole(score, count):
    before = predict()
    lessons = DeviceLessons(
        None, witnesses(score, count, before.memory.allocator_peak_bytes), witnesses(score, count, before.time.step_s)
    )
    after = predict(lessons)
    memory, time = after.memory, after.time
    assert memory.low_bytes <= memory.allocator_peak_bytes <= memory.high_bytes
    assert time.low_s <= time.step_s <= time.high_s
    assert time.epoch_s / time.step_s == pytest.approx(before.time.epoch_s / before.time.step_s)
    assert memory.device_bytes == memory.allocator_peak_bytes + memory.parts.framework
    assert after.uncalibrated == before.uncalibrated
    assert memory.basis == "traced"


def test_models_of_another_size_say_nothing():
    before = predict()
    far = DeviceLessons(None, witnesses(2.0, 20, before.memory.allocator_peak_bytes * 11), witnesses(2.0, 5, 1e6))
    assert predict(far).memory == before.memory
    assert predict(far).time == before.time


def test_a_run_of_this_model_counts_for_more_than_all_others():
    before = predict()
    lessons = DeviceLessons(None, witnesses(2.0, 20, before.memory.allocator_peak_bytes))
    own = taught_by(1.1, 1.2)
    assert predict(lessons, calibration=own).memory == predict(None, calibration=own).memory
