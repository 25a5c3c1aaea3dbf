from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.runs.bottleneck import StepEvidence, device_bound, first_epoch_s, with_device_bound, without_input
from app.core.types.measurement import MeasuredMemory, MeasuredStep, Measurement, RunResult
from app.core.types.predicted_time import StepParts

seconds = st.floats(1e-5, 100)
DECODING = StepEvidence(step_s=1.0, compute_s=0.2, data_s=0.9, read_s=0.1)


def run(bound: str | None, step_s: float = 1.0) -> RunResult:
    step = MeasuredStep(step_s, step_s, step_s, 10)
    return RunResult("succeeded", Measurement(step, 2.0, 8.0, None, MeasuredMemory(), bound_by=bound))


@given(seconds, seconds, seconds, st.floats(0, 100), st.floats(0, 100))
def test_shares_add_up_and_none_is_negative(
    step_s: float, compute_s: float, data_s: float, read_s: float, copy_s: float
):
    shares = StepEvidence(step_s, compute_s, data_s, read_s, copy_s).shares()
    parts = (shares.input, shares.copy, shares.compute, shares.disk, shares.decode)
    assert all(part is not None and -1e-9 <= part <= 1 + 1e-9 for part in parts)
    assert shares.input + shares.copy + shares.compute == pytest.approx(1)  # type: ignore[operator]
    assert shares.disk + shares.decode == pytest.approx(shares.input)  # type: ignore[operator]


def test_the_wait_for_input_is_what_a_step_takes_beyond_computing():
    shares = DECODING.shares()
    assert shares.input == pytest.approx(0.8)
    assert shares.disk == pytest.approx(0.8 / 9)
    assert DECODING.bound_by() == "input"


def test_reading_that_takes_most_of_the_input_is_the_disk():
    assert replace(DECODING, read_s=0.6).bound_by() == "disk"


def test_an_input_faster_than_the_device_does_not_bind():
    assert replace(DECODING, compute_s=0.95).bound_by() == "compute"


def test_without_the_other_runs_nothing_is_claimed():
    evidence = StepEvidence(1.0)
    assert evidence.bound_by() is None
    assert evidence.shares().input is None


def test_made_up_data_is_not_waited_for():
    evidence = without_input(1.0, copy_s=0.25)
    assert evidence.bound_by() == "compute"
    assert (evidence.shares().input, evidence.shares().copy, evidence.shares().compute) == (0.0, 0.25, 0.75)


@pytest.mark.parametrize(
    ("parts", "bound"),
    [
        (StepParts(0.1, 0.1, 0.8), "overhead"),
        (StepParts(0.2, 0.6, 0.2), "memory"),
        (StepParts(0.7, 0.2, 0.1), "compute"),
        (StepParts(0.0, 0.01, 0.2), "compute"),
        (StepParts(0.1, 8.0, 0.2), "memory"),
        (StepParts(0.1, 0.1, 8.0), "overhead"),
    ],
    ids=["launches", "bandwidth", "arithmetic", "explains too little", "merged", "launches merged"],
)
def test_the_operations_say_what_holds_the_device(parts: StepParts, bound: str):
    assert device_bound(1.0, parts) == bound


def test_launches_take_longer_on_a_busy_machine_and_stay_launches():
    assert device_bound(1.0, StepParts(0.01, 0.02, 0.3)) == "overhead"
    assert device_bound(1.0, StepParts(0.01, 0.02, 0.1)) == "compute"
    assert device_bound(1.0, StepParts(0.3, 0.02, 0.01)) == "compute"


def test_only_a_run_that_the_device_holds_is_explained_further():
    launches = StepParts(0.1, 0.1, 0.8)
    assert with_device_bound(run("compute"), launches).measurement.bound_by == "overhead"  # type: ignore[union-attr]
    assert with_device_bound(run("input"), launches).measurement.bound_by == "input"  # type: ignore[union-attr]
    assert with_device_bound(run("compute"), None) == run("compute")
    assert with_device_bound(RunResult("failed"), launches) == RunResult("failed")


def test_a_first_epoch_takes_at_least_the_time_to_read_all_files():
    assert first_epoch_s(10.0, 4_000, 100.0, 0.0) == 40.0
    assert first_epoch_s(50.0, 4_000, 100.0, 0.0) == 50.0
    assert first_epoch_s(10.0, 4_000, 100.0, 1.0) == 10.0
    assert first_epoch_s(10.0, 4_000, None, 0.0) is None
