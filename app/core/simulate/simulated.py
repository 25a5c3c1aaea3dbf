"""What was simulated of a training, in a form that can be kept: the next start of the program answers from it.

A step's operations, in whichever order they run, and what replays of its requests have shown cost seconds to find out
and take a tenth of a megabyte.  Whoever holds one of these adds to it what is asked for the first time.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from app.core.simulate.eigen_kernels import Buffers
from app.core.simulate.execution import Execution

Overheads = tuple[float, float, float, float]
"""Of the peaks at one batch size: mean, lowest, highest and first, over the bytes that are alive."""


@dataclass
class SimulatedStep:
    """One step, simulated.

    Attributes:
        constants: Tensors that were computed beforehand (`app.core.simulate.folding`).
        one_by_one: Sums that were rewritten (`app.core.simulate.sums`).
        columns: What convolutions took for their columns (`app.core.simulate.eigen_kernels`).
        updating: The step by its order (`app.core.simulate.orders`), in those that somebody has asked for.
        waiting: With gradient accumulation, the step that leaves the weights as they are, likewise.
        sums: Its sums of many tensors.
        short_sums: Those that are rewritten at a batch size.
        overheads: By batch size.
    """

    constants: frozenset[int]
    one_by_one: frozenset[int]
    columns: Buffers = frozenset()
    updating: dict[int, Execution] = field(default_factory=dict)
    waiting: dict[int, Execution] = field(default_factory=dict)
    sums: frozenset[int] = frozenset()
    short_sums: dict[int, frozenset[int]] = field(default_factory=dict)
    overheads: dict[int, Overheads] = field(default_factory=dict)


@dataclass(eq=False)
class SimulatedTraining:
    """All that was simulated of one graph under one optimizer on one kind of device.

    Attributes:
        steps: What differs from batch to batch is another step.
        survivable: By batch size what an allocator must be allowed to take, over the upper end of the peak.
    """

    steps: list[SimulatedStep] = field(default_factory=list)
    survivable: dict[int, float] = field(default_factory=dict)

    def step(self, constants: frozenset[int], one_by_one: frozenset[int], columns: Buffers) -> SimulatedStep:
        """The step with these constants, these sums rewritten and these columns; a new one if nobody asked for it."""
        wanted = (constants, one_by_one, columns)
        for step in self.steps:
            if (step.constants, step.one_by_one, step.columns) == wanted:
                return step
        made = SimulatedStep(*wanted)
        self.steps.append(made)
        return made

    @property
    def answers(self) -> int:
        """How much is known; it only grows."""
        simulated = sum(len(step.updating) + len(step.waiting) for step in self.steps)
        told = sum(len(step.short_sums) + len(step.overheads) for step in self.steps)
        return simulated + told + len(self.survivable)
