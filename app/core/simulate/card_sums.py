"""Sums that Grappler rewrites on a card whose memory it thinks short (`app.core.simulate.sums`).

The same pass, with what the allocator may take for the device's memory.  It counts every result for itself, whether or
not it takes over an operand's place, and runs operations as soon as they could begin, so that it counts more than a
step takes: with a limit of 2,000 MiB a network of volumes is rewritten between 340 and 380 samples (1,283 and 1,434 MiB
in the order of the graph), one of one dimension between 240 and 280 (1,172 and 1,367).  `AHEAD` is what fits both.  The
zeros with which such a sum begins are a constant, which a card keeps from the first step on (allocator traces): what
should save memory takes as much again.
"""

from __future__ import annotations

import numpy as np

from app.core.simulate.program import VIEWS
from app.core.simulate.sums import SHORT_ABOVE, is_sum
from app.core.types.stepgraph import StepGraph

AHEAD = 1.2
"""What the pass counts over the tensors that are alive if operations run in the order of the graph; docs/evidence.md,
"The largest batch on a card"."""


class CardSums:
    """The sums of a graph of more than two tensors, and what the pass counts of it.

    Args:
        graph: The step as TensorFlow optimises it for a card.
    """

    def __init__(self, graph: StepGraph) -> None:
        self._graph = graph
        self._operations = [operation for operation in graph.operations if operation.kind != "Placeholder"]
        self._made = {t: number for number, operation in enumerate(self._operations) for t in operation.outputs}
        self._sums = tuple(n for n, made in enumerate(self._operations) if is_sum(made.kind, made.inputs))
        self._live = self._count() if self._sums else None

    def short(self, batch_size: int, allocator_bytes: int) -> frozenset[int]:
        """Which sums are rewritten at a batch size, by the number of their operation in the step.

        Args:
            batch_size: Samples per step.
            allocator_bytes: What the card's allocator may take.
        """
        if self._live is None:
            return frozenset()
        live = self._live[:, 0] + self._live[:, 1] * batch_size
        worst = int(live.argmax())
        if AHEAD * live[worst] <= SHORT_ABOVE * allocator_bytes:
            return frozenset()
        return frozenset(number for number in self._sums if self._begins(number) <= worst <= number)

    def _begins(self, number: int) -> int:
        """The operation that makes a sum's first term."""
        return min(self._made.get(tensor, number) for tensor in self._operations[number].inputs)

    def _count(self) -> np.ndarray:
        """Bytes alive while each operation runs, (operations, 2): fixed and for each sample."""
        last = {t: number for number, operation in enumerate(self._operations) for t in operation.inputs}
        changes = np.zeros((len(self._operations) + 1, 2))
        for tensor, number in self._made.items():
            if self._operations[number].kind in VIEWS:
                continue
            size = self._graph.sizes[tensor]
            changes[number] += size
            changes[last.get(tensor, number) + 1] -= size
        given = np.sum([self._graph.sizes[tensor] for tensor in self._graph.input_tensors], axis=0)
        live: np.ndarray = given + np.cumsum(changes, axis=0)[:-1]
        return live
