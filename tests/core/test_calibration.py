from dataclasses import replace

import pytest

from app.core.calibration import calibrate
from app.core.measurement import MeasuredMemory, MeasuredStep, Measurement, Problem, RunResult
from app.core.workload import Plan
from tests.core.test_estimate import predict

MEASURED = Measurement(MeasuredStep(0.2, 0.19, 0.22, 40), 1.0, 160.0, 10.0, MeasuredMemory(10**9))
PLAN = Plan(batch_size=32)


def taught(result, plan=PLAN):
    then = predict(batch_size=32)
    return calibrate(result, then.memory, then.time, run_plan=PLAN, plan=plan, run_id=3), then


def test_factors_are_measured_over_predicted():
    found, then = taught(RunResult("succeeded", MEASURED))
    assert found.memory_factor == pytest.approx(10**9 / then.memory.allocator_peak_bytes)
    assert found.time_factor == pytest.approx(0.2 / then.time.step_s)
    assert found.exact


def test_another_batch_is_not_exact_but_other_epochs_are():
    assert not taught(RunResult("succeeded", MEASURED), replace(PLAN, batch_size=64))[0].exact
    assert taught(RunResult("succeeded", MEASURED), replace(PLAN, epochs=9))[0].exact


def test_a_run_without_a_measurement_teaches_nothing():
    assert taught(RunResult("out_of_memory", problem=Problem("out_of_memory", "full")))[0] is None


def test_a_run_without_an_allocator_counter_teaches_time_only():
    found, _ = taught(RunResult("succeeded", replace(MEASURED, memory=MeasuredMemory())))
    assert found.memory_factor is None
    assert found.time_factor is not None
