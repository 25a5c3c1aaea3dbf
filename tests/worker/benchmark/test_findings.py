"""The arithmetic of a benchmark's findings; no framework is loaded."""

import pytest

from app.core.pipeline.input_cost import ARENA_GROWTH
from app.core.types.measurement import Measurement
from app.core.types.workload import Dataset, Plan
from app.worker.benchmark.findings import Findings
from app.worker.benchmark.timing import Series, StepTime
from app.worker.data.file_reads import FileReads

PHOTOS = Dataset("photos", "images", "photos", samples=1000, bytes_on_disk=10_000_000, real=True)
MADE_UP = Dataset("described", samples=1000)


def findings(dataset: Dataset | None, **found: object) -> Findings:
    """Ten-sample steps of 0.1 s, after a start of 2 s."""
    filled = Findings(Plan(batch_size=10), dataset, first_step_s=5.0, **found)  # type: ignore[arg-type]
    filled.times = [StepTime(0.1)] * 20
    return filled


def measured(found: Findings) -> Measurement:
    measurement = found.measurement()
    assert measurement is not None
    return measurement


def test_an_epoch_is_its_steps_and_the_start_of_its_pass():
    figures = measured(findings(PHOTOS, pass_starts=[StepTime(2.1, begins_pass=True)]))
    assert figures.step.median_s == pytest.approx(0.1)
    assert figures.data.pass_start_s == pytest.approx(2.0)
    assert figures.epoch_s == pytest.approx(100 * 0.1 + 2.0)
    assert figures.samples_per_s == pytest.approx(1000 / 12)


def test_made_up_data_has_no_start_and_waits_for_nothing():
    figures = measured(findings(MADE_UP))
    assert figures.epoch_s == pytest.approx(10.0)
    assert figures.shares.input == 0.0
    assert figures.data.pass_start_s is None
    assert figures.bound_by == "compute"


def test_the_length_of_the_users_own_pipeline_is_what_it_says():
    own = Dataset("mine.py:batches", "code", "mine.py", real=True)
    assert measured(findings(own)).epoch_s is None
    assert measured(findings(own, pipeline_samples=500)).epoch_s == pytest.approx(5.0)


def test_where_the_bytes_came_from_decides_between_disk_and_decoding():
    found = findings(
        PHOTOS, compute_only_step_s=0.02, data_only=Series((StepTime(0.09),), True), reads=FileReads(2e6, 1e9)
    )
    found.count_disk(0, 0, 20)
    assert measured(found).bound_by == "input"
    found.count_disk(0, 20 * 10 * 10_000, 20)
    figures = measured(found)
    assert figures.data.share_from_disk == pytest.approx(1.0)
    assert figures.bound_by == "disk"
    assert figures.shares.disk == pytest.approx(0.8 * 0.05 / 0.09)


def test_an_epoch_from_memory_is_told_from_one_from_the_disk():
    found = findings(PHOTOS, reads=FileReads(0.5e6, 1e9))
    found.count_disk(0, 0, 20)
    figures = measured(found)
    assert figures.epoch_s == pytest.approx(10.0)
    assert figures.data.first_epoch_s == pytest.approx(20.0)


def test_the_epoch_that_fills_the_cache_is_told_from_later_ones():
    found = findings(PHOTOS)
    found.times = []
    found.begin([StepTime(3.0, begins_pass=True)], filling=True)
    for _ in range(5):
        found.count(StepTime(0.5), cache_is_full=False)
    found.count(StepTime(0.2, begins_pass=True), cache_is_full=True)
    for _ in range(20):
        found.count(StepTime(0.1), cache_is_full=True)
    figures = measured(found)
    assert figures.epoch_s == pytest.approx(10.1)
    assert figures.data.first_epoch_s == pytest.approx(50.0)


def test_k_is_what_a_cached_sample_takes_over_what_it_takes_on_disk():
    assert measured(findings(PHOTOS, cached_sample_bytes=270_000.0)).data.expansion == pytest.approx(27.0)
    small = measured(findings(PHOTOS, cached_sample_bytes=27_000.0)).data.expansion
    assert small == pytest.approx(2.7 * ARENA_GROWTH)  # between the holes that decoding leaves
    assert measured(findings(PHOTOS)).data.expansion is None


def test_before_the_first_counted_step_there_are_no_figures():
    assert Findings(Plan(), PHOTOS, first_step_s=1.0).measurement() is None


@pytest.mark.parametrize("counted", [1, 2, 4, 5, 20])
def test_fewer_than_five_steps_are_told_and_leave_a_wide_interval(counted: int):
    found = findings(MADE_UP)
    found.times = found.times[:counted]
    figures = measured(found)
    few = counted < 5
    assert [one.kind for one in figures.doubts] == ["few_steps"] * few
    assert (figures.step.high_s > 1.1 * figures.step.median_s > 1.21 * figures.step.low_s) is few


def test_one_step_may_be_as_far_off_as_one_has_been():
    found = findings(MADE_UP)
    found.times = found.times[:1]
    step = measured(found).step
    assert step.high_s == pytest.approx(0.17)
    assert step.low_s == pytest.approx(0.1 / 1.7)
