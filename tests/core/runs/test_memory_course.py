"""Case S3: peaks at epoch start, chosen batches and epoch end, and two networks compared by them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.core.runs.memory_course import (
    CHOSEN_BATCHES,
    MOST_POINTS,
    MemoryLog,
    compare_peaks,
    seen_from_outside,
    telling,
)
from app.core.types.memory_over_time import MemoryPoint, OutsideView

MIB = 1024**2


def trained(steps, per_epoch, peak_mib=100, most=MOST_POINTS):
    """A network whose peak grows by 1 MiB with every step up to the tenth."""
    log = MemoryLog(per_epoch, most)
    log.begin(40 * MIB, 40 * MIB)
    for step in range(steps):
        log.step(0.1 * (step + 1), 41 * MIB, (peak_mib + min(step, 10)) * MIB)
    return log.points()


def names(points):
    return [point.name for point in points if point.moment != "step"]


def test_the_moments_of_case_s3_are_always_kept():
    points = trained(600, per_epoch=600)
    assert names(points) == [
        "epoch start",
        *(f"batch {batch}" for batch in CHOSEN_BATCHES),
        "epoch end",
        "end of the run",
    ]
    assert [p.batch for p in points if p.moment == "batch"] == list(CHOSEN_BATCHES)
    assert points[0].current_bytes == points[0].peak_bytes == 40 * MIB


def test_every_step_is_kept_while_there_are_few():
    points = trained(30, per_epoch=None)
    assert [p.batch for p in points] == list(range(31))
    assert points[-1].name == "end of the run"


def test_a_second_epoch_counts_its_batches_anew():
    points = trained(25, per_epoch=12)
    assert names(points) == [
        "epoch start",
        "batch 5",
        "batch 10",
        "epoch end",
        "epoch start 2",
        "epoch 2, batch 5",
        "epoch 2, batch 10",
        "epoch end 2",
        "epoch start 3",
        "end of the run",
    ]
    assert points[-1].epoch == 3


@given(steps=st.integers(0, 3000), per_epoch=st.one_of(st.none(), st.integers(1, 700)), most=st.integers(2, 50))
def test_a_long_run_keeps_few_points_in_order(steps, per_epoch, most):
    points = trained(steps, per_epoch, most=most)
    assert len(points) <= 2 * most + 2
    assert [p.t_s for p in points] == sorted(p.t_s for p in points)
    assert [p.peak_bytes for p in points] == sorted(p.peak_bytes for p in points)
    assert points[0].moment == "epoch start"


def test_readings_from_outside_are_the_nearest_in_time():
    points = [MemoryPoint(t_s, "step", 1, 1, 1, 1) for t_s in (0.0, 1.0, 2.4)]
    views = [OutsideView(-0.2, 10, None), OutsideView(0.8, 20, 5), OutsideView(2.0, 30, 6)]
    assert [p.process_bytes for p in seen_from_outside(points, views)] == [10, 20, 30]
    assert [p.seen_bytes for p in seen_from_outside(points, views)] == [None, 5, 6]
    assert seen_from_outside(points, []) == tuple(points)


def test_two_networks_are_compared_at_the_moments_of_the_case():
    compared = compare_peaks(["small", "large"], [trained(60, 50), trained(60, 50, peak_mib=250)])
    assert [row.name for row in compared.rows] == [
        "epoch start",
        "batch 5",
        "batch 10",
        "batch 25",
        "epoch end",
        "epoch start 2",
        "epoch 2, batch 5",
        "epoch 2, batch 10",
        "end of the run",
    ]
    assert compared.rows[1].peaks == (104 * MIB, 254 * MIB)
    assert compared.peaks == (110 * MIB, 260 * MIB)
    assert compared.largest == 1
    assert compared.more_bytes == 150 * MIB


def test_runs_that_know_no_memory_are_not_compared():
    compared = compare_peaks(["a", "b"], [trained(3, None), ()])
    assert compared.peaks == (102 * MIB, None)
    assert compared.largest is None
    assert compared.more_bytes is None
    assert compared.rows[0].peaks == (40 * MIB, None)


def test_of_many_epochs_a_table_shows_the_first_the_last_and_each_higher_peak():
    few = [point for point in trained(9, per_epoch=3) if point.moment != "step"]
    assert telling(few, lambda point: (point.peak_bytes,)) == few
    peaks = [100 * MIB] * 40
    peaks[20:] = [101 * MIB] * 20
    shown = telling(list(enumerate(peaks)), lambda row: (row[1], None))
    assert [number for number, _ in shown] == [0, 1, 2, 3, 4, 5, 6, 7, 20, 38, 39]
