import itertools
from collections.abc import Callable, Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.worker.benchmark.timing import Series, StepTime, repeat, spread


class Clock:
    """Time that passes only when a step takes it."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s

    def steps(self, times_s: Iterable[float]) -> Callable[[], StepTime]:
        source = iter(times_s)

        def step() -> StepTime:
            taken = next(source)
            self.now_s += taken
            return StepTime(taken)

        return step


def measured(times_s: Iterable[float], budget_s: float, **keywords: object) -> tuple[Series, Clock]:
    clock = Clock()
    step = clock.steps(times_s)
    return repeat(step, budget_s=budget_s, on_step=lambda n, t: None, clock=clock, **keywords), clock


def test_a_steady_step_settles_and_leaves_time_over():
    series, clock = measured(itertools.repeat(0.01), 20.0)
    assert series.settled
    assert 0.35 * 20 <= clock.now_s < 15
    assert series.mean_s() == pytest.approx(0.01)


def test_a_step_that_drifts_uses_all_the_time_and_says_so():
    series, clock = measured((0.01 * 1.002**n for n in itertools.count()), 20.0)
    assert not series.settled
    assert 18 < clock.now_s <= 20.1


@given(step_s=st.floats(0.0005, 30), budget_s=st.floats(1, 20))
def test_the_time_is_kept_but_for_the_fewest_steps(step_s: float, budget_s: float):
    series, clock = measured(itertools.repeat(step_s), budget_s)
    assert clock.now_s <= max(budget_s, 2 * step_s) * (1 + 1e-9)
    assert len(series.steps) >= 2


def test_fewer_steps_can_be_allowed():
    series, _ = measured(itertools.repeat(30.0), 20.0, fewest=1)
    assert len(series.steps) == 1


def test_a_listener_can_stop_it():
    def stop(number: int, taken: StepTime) -> None:
        if number == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        repeat(lambda: StepTime(1e-9), budget_s=60, on_step=stop)


def test_accumulation_is_averaged_over_whole_groups():
    steps = tuple(StepTime(t) for t in (1.1, 1.1, 4.1, 1.1, 1.1, 4.1, 1.1))
    assert Series(steps, settled=True).total_s(3) == pytest.approx([2.1, 2.1])
    assert Series(steps[:2], settled=True).total_s(3) == pytest.approx([1.1, 1.1])


def test_the_start_of_a_pass_is_told_from_its_steps():
    steps = (StepTime(3.0, begins_pass=True), StepTime(1.0), StepTime(1.0), StepTime(5.0, begins_pass=True))
    series = Series(steps, settled=True)
    assert series.mean_s() == 1.0
    assert series.total_s() == [1.0, 1.0]
    assert series.pass_start_s() == pytest.approx(3.0)


def test_passes_of_one_step_have_no_start():
    series = Series((StepTime(2.0, begins_pass=True), StepTime(2.0, begins_pass=True)), settled=True)
    assert (series.mean_s(), series.pass_start_s()) == (2.0, 0.0)


def test_the_spread_of_a_hundred_steps():
    step = spread([n / 100 for n in range(101)])
    assert (step.median_s, step.low_s, step.high_s, step.n) == pytest.approx((0.5, 0.05, 0.95, 101))
