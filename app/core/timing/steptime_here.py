"""The time of a step on this machine's own processor, from operations that were timed on it."""

from __future__ import annotations

from collections.abc import Callable

from app.core.simulate.optimizers import UpdateOptions
from app.core.timing.op_times import OpTimes
from app.core.timing.step_clock import COMPILED, Conditions, StepClock
from app.core.timing.steptime import StepTime
from app.core.types.machine import DeviceRates, TimedOperation
from app.core.types.stepgraph import StepGraph
from app.core.types.workload import Plan


class StepTimesHere:
    """Step times of one graph; what was computed is kept.

    Args:
        graph: The traced step.
    """

    def __init__(self, graph: StepGraph) -> None:
        self._graph = graph
        self._clocks: dict[tuple[str, int, bool, UpdateOptions], StepClock] = {}
        self._timed: tuple[TimedOperation, ...] = ()
        self._op_times = OpTimes(())
        self._known: dict[tuple[object, ...], dict[int, StepTime]] = {}

    def step_time(self, plan: Plan, rates: DeviceRates, *, xla: bool) -> StepTime | None:
        """Mean time of a step of a plan; None if too little was timed to tell."""
        at = self.at_any_batch(plan, rates, xla=xla)
        return at(plan.batch_size) if at else None

    def at_any_batch(self, plan: Plan, rates: DeviceRates, *, xla: bool) -> Callable[[int], StepTime] | None:
        """The same for every batch size of a plan.

        With gradient accumulation one step of a round updates the weights and the others do not.
        """
        how = self._conditions(plan, rates, xla=xla)
        if how is None:
            return None
        options, op_times, share = UpdateOptions.of(plan), self._op_times, 1 / plan.accumulate
        known = self._known.setdefault((plan.rule, plan.accumulate, options, how), {})

        def at(batch_size: int) -> StepTime:
            if batch_size not in known:
                last = self._clock(plan, options, updating=True).time(op_times, batch_size, how)
                if plan.accumulate > 1:
                    other = self._clock(plan, options, updating=False).time(op_times, batch_size, how)
                    last = _mean(last, other, share)
                known[batch_size] = last
            return known[batch_size]

        return at

    def _conditions(self, plan: Plan, rates: DeviceRates, *, xla: bool) -> Conditions | None:
        """How the step would run; None if that was not timed."""
        if rates.operations is not self._timed:
            self._timed = rates.operations
            self._op_times = OpTimes(rates.operations, rates.threads or 1, rates.vector_floats or 1)
            self._known.clear()
        variants = (*[COMPILED] * xla, *[plan.precision] * (plan.precision != "float32"))
        if not self._op_times or rates.threads is None or not self._op_times.knows(variants):
            return None
        overhead_s = rates.train_overhead_s if plan.mode == "train" else rates.step_overhead_s
        return Conditions(
            rates.launch_s or 0.0, overhead_s or 0.0, plan.threads or rates.threads, rates.threads, variants
        )

    def _clock(self, plan: Plan, options: UpdateOptions, *, updating: bool) -> StepClock:
        """The priced step of a plan."""
        key = (plan.rule, plan.accumulate, updating, options)
        if key not in self._clocks:
            self._clocks[key] = StepClock(
                self._graph, plan.rule, accumulate=plan.accumulate, updating=updating, options=options
            )
        return self._clocks[key]


def _mean(first: StepTime, second: StepTime, share: float) -> StepTime:
    """``share`` of the first and the rest of the second."""

    def mixed(a: float, b: float) -> float:
        return a * share + b * (1 - share)

    return StepTime(
        mixed(first.compute_s, second.compute_s),
        mixed(first.memory_s, second.memory_s),
        mixed(first.overhead_s, second.overhead_s),
        mixed(first.step_s, second.step_s),
    )
