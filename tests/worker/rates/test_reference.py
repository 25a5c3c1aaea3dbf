"""When the reference is timed beside a measurement; the work itself is a stand-in."""

import pytest

from app.worker.rates.reference import COST, SHORTEST_PAUSE_S, SpeedLog


class Work:
    """Takes as long as it is told, by a clock of its own."""

    def __init__(self, short_s: float) -> None:
        self.now_s = 0.0
        self.took_s = short_s
        self.times = iter([1.0, 1.1, 1.2, 1.3, 1.4, 1.5])

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
    assert log.times_s == [1.0, 1.1]


def test_drift_is_from_the_first_reading_to_the_last():
    work = Work(short_s=0.0)
    log = SpeedLog(work, clock=lambda: work.now_s)  # type: ignore[arg-type]
    assert log.drift() is None
    log.take()
    assert log.drift() == pytest.approx(0.1)
