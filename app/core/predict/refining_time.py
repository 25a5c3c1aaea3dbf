"""How long a refinement takes: told stage by stage before it begins, and corrected by what its stages have taken."""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from dataclasses import dataclass

from app.core.predict.whole_times import COMPILED, IMPORT_S

STEPS, FEWEST_UPDATES, ENOUGH_S = 9, 4, 4.0
"""Steps at the first batch size: two in a row are one sample of what a training needs, and the median of seven counts.
Beyond so many updates none is begun after so long: steps that take long ask so often that no race of threads changes
much."""
OTHER_STEPS = 2
"""At the second batch size."""

TRACED_S = 0.0015
"""Tracing and optimising a step, for each operation of it and of the optimizer's update: 45 s for NASNetLarge's 29,000
(docs/evidence.md, "A step for any size")."""
RECORDED_S = 9e-5
"""Writing, reading and fitting what a recorded step asks for, likewise for each operation: 18 s for its seven steps."""
TIMED_SHARE, TIMED_S = 0.5, 4.0
"""A step is traced once more, without slots, for operations to be timed (13 s); and the timing itself."""
REPLAYED_S = 2.0
SLOWEST, QUICKEST = 4.0, 0.25
"""How many times as long as told a stage may take for that to be believed of the others too."""


def fewest_and_most_steps(turn: int, accumulate: int) -> tuple[int, int]:
    """How many steps are run at the first batch size or the second: at least four updates, and one.

    Args:
        turn: 0 or 1.
        accumulate: Steps that go into one update.
    """
    fewest = (FEWEST_UPDATES, 1)[turn] * accumulate + turn
    return fewest, max((STEPS, OTHER_STEPS)[turn], fewest)


@dataclass(frozen=True)
class Stage:
    """A stage of the ``refine`` job, by the progress with which it begins, and how long it is expected to take."""

    begins: float
    seconds: float


@dataclass(frozen=True)
class Refining:
    """What a refinement's time goes by.

    Attributes:
        operations: Of the training step.
        updates: Of the optimizer's update of all weights.
        step_s: At the first batch size; 0 if nobody knows.
        other_step_s: At the second.
        traced_once: One trace does for both.
        xla: The step is compiled and not run.
        import_s: Loading the framework; None where nobody measured it.
        accumulate: Steps that go into one update.
    """

    operations: int
    updates: int
    step_s: float = 0.0
    other_step_s: float = 0.0
    traced_once: bool = False
    xla: bool = False
    import_s: float | None = None
    accumulate: int = 1

    def stages(self) -> tuple[Stage, ...]:
        """What comes when (`app.worker.refining`)."""
        loading = Stage(0.02, self.import_s or IMPORT_S.value)
        every = self.operations + self.updates
        trace_s = TRACED_S * every
        if self.xla:
            return loading, Stage(0.3, trace_s), Stage(0.5, (COMPILED - 1) * trace_s), Stage(0.85, REPLAYED_S)
        fewest, most = fewest_and_most_steps(0, self.accumulate)
        steps = max(fewest, min(most, 1 + ENOUGH_S / self.step_s)) if self.step_s else most
        _, others = fewest_and_most_steps(1, self.accumulate)
        return (
            loading,
            Stage(0.2, trace_s + steps * self.step_s),
            Stage(0.6, others * self.other_step_s + (0.0 if self.traced_once else trace_s)),
            Stage(0.8, RECORDED_S * every * (steps + others)),
            Stage(0.85, REPLAYED_S),
            Stage(0.9, TIMED_SHARE * TRACED_S * self.operations + TIMED_S),
        )


def left_s(stages: Sequence[Stage], progress: float, elapsed_s: float) -> float:
    """Seconds until the end, by what is expected and how the stages so far kept to it.

    Args:
        stages: In their order.
        progress: 0 to 1.
        elapsed_s: Since the beginning.
    """
    ends = [*(stage.begins for stage in stages[1:]), 1.0]
    here = max(0, bisect.bisect_right([stage.begins for stage in stages], progress) - 1)
    stage = stages[here]
    share = min(1.0, max(0.0, (progress - stage.begins) / (ends[here] - stage.begins)))
    done_s = sum(before.seconds for before in stages[:here]) + share * stage.seconds
    total_s = sum(each.seconds for each in stages)
    pace = min(SLOWEST, max(QUICKEST, elapsed_s / done_s)) if done_s > 0.1 * total_s else 1.0
    return pace * (total_s - done_s)
