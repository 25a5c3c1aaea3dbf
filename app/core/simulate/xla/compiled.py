"""What XLA makes of a traced step: kernels in an order, and how long each of their results lives.

Operations become instructions (`app.core.simulate.xla.lowering`), instructions kernels
(`app.core.simulate.xla.fusion`), kernels an order (`app.core.simulate.xla.orders`), and results buffers
(`app.core.simulate.xla.assignment`).  On a card it is the card's compiler that is followed: its libraries and kernels
(`app.core.simulate.xla.card_expansions`), what it makes one kernel of (`app.core.simulate.xla.card_regions`,
`app.core.simulate.xla.merging`), the most frugal of three orders, and what it computes again where memory is short
(`app.core.simulate.xla.recomputation`).
"""

from __future__ import annotations

from app.core.simulate.optimizers import NOTHING_ADDED, UpdateOptions
from app.core.simulate.program import Program
from app.core.simulate.program_builder import LoweringOptions, build_program
from app.core.simulate.xla.assignment import Assignment, assign
from app.core.simulate.xla.card import CardCompiler
from app.core.simulate.xla.card_regions import fuse_for_card
from app.core.simulate.xla.fusion import TREE_WINDOW, fuse_instructions
from app.core.simulate.xla.lowering import lower, spatial_rank
from app.core.simulate.xla.merging import expanded, merged, seen_by_xla
from app.core.simulate.xla.orders import frugal_orders
from app.core.simulate.xla.recomputation import OrderedStep
from app.core.simulate.xla.replay import StepReplay
from app.core.simulate.xla.schedule import breadth_first, with_copies, with_ordered_copies
from app.core.types.stepgraph import StepGraph

SOME_SAMPLES = 16
MANY_SAMPLES = 64
"""A processor's compiler decides otherwise for one sample, for some, and for more than a window of its sums holds;
these stand for the two latter."""

FITTED_BITS = 6
"""Of a batch size, so many decide about the step that is fitted to a card: a search asks about many that are near."""


class CompiledSteps:
    """One program, compiled for the batches that are asked for, on every card that is compiled for alike.

    Args:
        graph: The traced step.
        optimizer: Key of `app.core.simulate.optimizer_recipes.RECIPES`.
        card: The compiler's idea of the card; None for the processor.
        accumulate: Steps whose gradients are added up before an update.
        options: What the training adds to the optimizer.

    Attributes:
        residents: Weights, slots and the batch.
        replay: Steps on the device's allocator.
    """

    def __init__(
        self,
        graph: StepGraph,
        optimizer: str,
        card: CardCompiler | None = None,
        *,
        accumulate: int = 1,
        options: UpdateOptions = NOTHING_ADDED,
    ) -> None:
        self.graph = graph
        self.card = card
        lowering = LoweringOptions(accumulate=accumulate, kernels="xla", update=options)
        self.program: Program = build_program(graph, optimizer, lowering)
        self.residents = self.program.buffers[: self.program.resident]
        self.replay = StepReplay(graph, self.residents, on_host=card is None)
        self._steps: dict[int, OrderedStep] = {}
        self._assignments: dict[int, Assignment] = {}
        self._fitted: dict[tuple[int, int, int], Assignment] = {}

    def like(self, batch_size: int) -> int:
        """The batch size whose compiled step stands for this one's.

        On a card it is the next power of two: sizes decide about kernels and their order.
        """
        if self.card is not None:
            return 1 << (batch_size - 1).bit_length()
        return 1 if batch_size == 1 else SOME_SAMPLES if batch_size <= TREE_WINDOW else MANY_SAMPLES

    def assignment(self, batch_size: int, card_bytes: int | None) -> Assignment:
        """The buffers of a batch.

        Args:
            batch_size: The batch.
            card_bytes: All memory of the card, to which the step is fitted; None for as much as it likes.
        """
        like = self.like(batch_size)
        if like not in self._steps:
            self._steps[like] = self._ordered(like) if self.card is None else self._ordered_for(self.card, like)
            self._assignments[like] = _assigned(self._steps[like], like)
        if card_bytes is None:
            return self._assignments[like]
        near = _rounded_down(batch_size)
        key = (like, near, card_bytes)
        if key not in self._fitted:
            step = self._steps[like].fitted(card_bytes, near)
            free = step is self._steps[like]
            self._fitted[key] = self._assignments[like] if free else _assigned(step, near)
        return self._fitted[key]

    def _ordered(self, batch_size: int) -> OrderedStep:
        """What a processor's compiler makes of the step."""
        module = lower(self.program, self.graph, batch_size=batch_size)
        kernels = fuse_instructions(module, batch_size=batch_size, spatial_rank=spatial_rank(self.graph))
        kernels = with_copies(kernels, module.resident)
        return OrderedStep(kernels, breadth_first(kernels), (), module)

    def _ordered_for(self, card: CardCompiler, batch_size: int) -> OrderedStep:
        """What a card's compiler does."""
        module = lower(self.program, self.graph, batch_size=batch_size, card=card)
        made = fuse_for_card(module, batch_size=batch_size, speed=card.speed)
        kernels, groups = made.kernels, merged(made, module.resident, speed=card.speed, batch_size=batch_size)
        seen = seen_by_xla(kernels, groups, module.resident)
        best, *_ = frugal_orders(seen.kernels, batch_size, seen.renewed, seen.results)
        order = [i for i in expanded(best, groups) if i in kernels]
        kernels, order = with_ordered_copies(kernels, order, groups.values())
        return OrderedStep(kernels, order, tuple(groups.values()), module)


def _rounded_down(batch_size: int) -> int:
    """The batch size whose fitted step stands for this one's: at most 3 % smaller, so that too little is made again."""
    step = 1 << max(0, batch_size.bit_length() - FITTED_BITS)
    return batch_size // step * step


def _assigned(step: OrderedStep, batch_size: int) -> Assignment:
    """Buffers for the results of a step, compared for one batch."""
    return assign(step.kernels, step.order, step.module, batch_size, step.together)
