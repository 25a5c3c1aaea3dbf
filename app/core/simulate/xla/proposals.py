"""New values of variables that are taken only if all gradients are finite.

Under a scaled loss Keras updates in a branch of a condition (keras/src/optimizers/loss_scale_optimizer.py).  XLA:CPU
computes it always and chooses in the end, as long as nothing in it is dear (``TryRemoveConditional`` in
xla/service/conditional_simplifier.cc).  A weight is then computed from the old slots again, when the new ones may
have been written, so that the old ones are copied (`app.core.simulate.xla.schedule.with_copies`), at the start of the
step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.core.simulate.program import PRODUCTS, Program
from app.core.types.stepgraph import StepGraph

if TYPE_CHECKING:
    from app.core.simulate.xla.lowering import Lowering

DEAR = PRODUCTS | {"UnsortedSegmentSum"}
"""Kinds that XLA does not compute in vain: an embedding's rows among them."""


class Proposals:
    """The new values, by variable, in the order in which they are made."""

    def __init__(self, program: Program, graph: StepGraph, on_host: bool) -> None:
        self.wanted = on_host and graph.precision == "mixed_float16" and not _has_dear_updates(program)
        self._values: dict[int, int] = {}

    def add(self, target: int, value: int) -> None:
        """Remember the newest value of a variable."""
        self._values[target] = value

    def choose(self, made: Lowering, finite: list[int]) -> None:
        """Make of each variable its new value or its old one."""
        for target, value in self._values.items():
            old = made.node(target)
            with made.items_of(old.item_bytes):
                chosen = made.add("map", [value, target, *finite], old.size)
            made.node(chosen).layer = old.layer
            made.become(target, chosen)


def _has_dear_updates(program: Program) -> bool:
    """Is there anything dear in the optimizer's update."""
    return any(s.kind in DEAR or "Scatter" in s.kind for s in program.steps if s.phase == "update")
