"""When the reference is timed beside a measurement; the work itself is a stand-in."""

import pytest

from app.worker.rates.reference import COST, SHORTEST_PAUSE_S, SpeedLog


class Work:
    """Takes as long as it is told, by a clock of its own."""

    def __init__(self, short_s: float, readings: tuple[float, ...] = (1.0, 1.01, 1.02, 1.03, 1.04, 1.03)) -> None:
        self.now_s = 0.0
        self.took_s = short_s
        self.times = iter(readings)

    def time_s(self) -> float:
        return next(self.times)

    def short_s(self) -> float:
        self.now_s += self.took_s
        return next(self.times)


def test_short_readings_cost_a_hundredth_of_the_time_at_most():
    work = Work(short_s=0.05)
    log = SpeedLog(work, clock=lambda: work.now_s)  # type: ignore[arg-type]
    readings = 0
    while work.now_s < 20.0:
        work.now_s += 0.1
        before = len(log.times_s)
        log.beside()
        readings += len(log.times_s) - before
    assert 3 <= readings <= 20.0 * COST / 0.05


def test_the_first_reading_beside_waits():
    work = Work(short_s=0.001)
    log = SpeedLog(work, clock=lambda: work.now_s)  # type: ignore[arg-type]
    log.beside()
    assert log.times_s == [1.0]
    work.now_s = SHORTEST_PAUSE_S
    log.beside()
    assert log.times_s == [1.0, 1.01]


def test_drift_is_from_the_first_reading_to_the_last():
    work = Work(short_s=0.0)
    log = SpeedLog(work, clock=lambda: work.now_s)  # type: ignore[arg-type]
    assert log.drift() is None
    log.take()
    assert log.drift() == pytest.approx(0.01)


@pytest.mark.parametrize(("again", "kept"), [(1.0, 1.0), (1.9, 1.9), (2.5, 2.0)])
def test_a_slow_reading_is_taken_again_after_the_next_step_and_the_faster_counts(again, kept):
    work = Work(short_s=0.001, readings=(1.0, 2.0, again, 1.0))
    log = SpeedLog(work, clock=lambda: work.now_s)  # type: ignore[arg-type]
    work.now_s = SHORTEST_PAUSE_S
    log.beside()
    assert log.times_s == [1.0]
    log.beside()
    assert log.times_s == [1.0, kept]
    log.beside()
    assert log.times_s == [1.0, kept], "the next is due later"


def test_readings_that_are_taken_twice_cost_no_more_of_the_time():
    work = Work(short_s=0.05, readings=(1.0, *[2.0] * 40))
    log = SpeedLog(work, clock=lambda: work.now_s)  # type: ignore[arg-type]
    spent_s = 0.0
    while work.now_s < 60.0:
        work.now_s += 0.1
        before_s = work.now_s
        log.beside()
        spent_s += work.now_s - before_s
    assert spent_s <= 60.0 * COST + 2 * 0.05
