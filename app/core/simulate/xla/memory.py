"""Memory of a step that XLA compiles, from its traced graph: what the compiler would make of it.

::

    peak = weights, slots and the batch  +  one block for everything else,  as BFC hands them out

The block is found as XLA finds it (`app.core.simulate.xla.compiled`).  On the host this follows XLA:CPU of TensorFlow
2.21 closely, but for tensors of 16 bits, which it widens (`app.core.simulate.xla.widening`).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from app.core.simulate.model import LiveBuffer, Moment, Peak
from app.core.simulate.xla.assignment import Assignment
from app.core.simulate.xla.compiled import CompiledSteps
from app.core.simulate.xla.widening import Widening, widening
from app.core.types.stepgraph import PerBatch

BLOCK_BELOW, BLOCK_ABOVE = 0.10, 0.15
"""How far the block may be off: on 41 open rows of studies/accuracy/memory_xla in float32 it is off by 0.2 % in the
median and by 8 % at most.  It is one request: where a region of the allocator ends between two sizes, the peak
jumps."""

CARD_BLOCK_BELOW, CARD_BLOCK_ABOVE = 0.15, 0.16
"""The same on a card.  On 57 open rows of studies/accuracy/memory_card and 58 of other networks it is off by 2 % in the
median and by 10 % in 95 of 100; in one of 50 it is larger than this (docs/evidence.md, "Compiled for a card")."""
DILATED_ABOVE = 0.40
"""The same where a convolution is dilated: its image is cut up and put together again (``SpaceToBatchND``), and whether
the compiler then keeps an image or only where it is above zero is not followed (docs/evidence.md, "Compiled for a
card")."""


@dataclass
class CompiledMemory:
    """A `app.core.simulate.model.MemoryModel`: one graph under one optimizer, compiled.

    Args:
        compiled: What the compiler makes of it.
        card_bytes: All memory of the card, to which the compiler fits a step; None for as much as it likes.
    """

    compiled: CompiledSteps
    card_bytes: int | None = None
    _profiles: dict[int, tuple[np.ndarray, frozenset[int]]] = field(init=False, default_factory=dict)
    _block_bytes: dict[int, int] = field(init=False, default_factory=dict)
    _moments: dict[tuple[int, int], Moment] = field(init=False, default_factory=dict)
    _resident: PerBatch = field(init=False)
    _widening: Widening = field(init=False)
    _card_block_above: float = field(init=False)

    def __post_init__(self) -> None:
        """It is compiled when a batch size is asked for."""
        self._resident = sum((b.size for b in self.compiled.residents), PerBatch())
        self._widening = widening(self.compiled.graph.precision, on_host=self._on_host)
        dilated = any(op.kind == "SpaceToBatchND" for op in self.compiled.graph.operations)
        self._card_block_above = DILATED_ABOVE if dilated else CARD_BLOCK_ABOVE

    @property
    def _on_host(self) -> bool:
        """Is it compiled for the processor?"""
        return self.compiled.card is None

    def peak(self, batch_size: int) -> Peak:
        """What the allocator hands out at most after the first step; with a smaller and a larger block, too.

        On a card the block is as large from the first step on; the host's first step has the usual one, since there a
        larger block may go elsewhere.
        """
        replay, blocks = self.compiled.replay, self._blocks(batch_size)
        if not self._on_host:
            peaks = [replay.steps(batch_size, size, size).peak for size in blocks]
            return Peak(peaks[0], min(peaks), max(peaks))
        outcomes = [replay.steps(batch_size, blocks[0], size) for size in blocks]
        peaks = [outcome.peak for outcome in outcomes]
        return Peak(peaks[0], min(peaks), max(*peaks, outcomes[0].elsewhere))

    def peak_bytes(self, batch_size: int) -> int:
        """The same as it is told."""
        return self.peak(batch_size).peak_bytes

    def _blocks(self, batch_size: int) -> tuple[int, int, int]:
        """Bytes of the block, the smallest and the largest that it may be."""
        block = self.block_bytes(batch_size)
        if not self._on_host:
            return block, int(block * (1 - CARD_BLOCK_BELOW)), int(block * (1 + self._card_block_above))
        wide = self._widening
        least, most = wide.least / wide.usual, wide.most / wide.usual
        copied = int(wide.copied_residents * self.resident_bytes(batch_size))
        low, high = block * least * (1 - BLOCK_BELOW), block * most * (1 + BLOCK_ABOVE)
        return block, int(low), int(high) + copied

    def first_step_peak_bytes(self, batch_size: int) -> int:
        """The same in the first step, whose new slots get memory of their own while their common zeros are there."""
        if not self._on_host:
            block = self.block_bytes(batch_size)
            return self.compiled.replay.steps(batch_size, block, block).first_peak
        slots = (b for b in self.compiled.residents if b.role == "optimizer_state")
        sharing = Counter((b.shape, b.size.fixed) for b in slots)
        return self.peak(batch_size).peak_bytes + int(sum(size for (_, size), n in sharing.items() if n > 1))

    def most_bytes(self, batch_size: int) -> int:
        """The peak of the first step, which no other is above: to build and to run it takes milliseconds."""
        return self.first_step_peak_bytes(batch_size)

    def survives(self, batch_size: int, cap_bytes: int) -> bool:
        """Do the building, a first step and a second one get through if the allocator may take so much?

        With the largest block, which takes the place that the cap leaves to the last region.
        """
        return self.compiled.replay.get_through(batch_size, self._blocks(batch_size)[2], cap_bytes)

    def trains_in(self, batch_size: int, cap_bytes: int) -> bool:
        """The same with the block as predicted, which must find its place in one piece."""
        return self.compiled.replay.get_through(batch_size, self.block_bytes(batch_size), cap_bytes)

    def resident_bytes(self, batch_size: int) -> int:
        """Weights, slots and the batch."""
        return int(self._resident.at(batch_size))

    def block_bytes(self, batch_size: int) -> int:
        """The block for all that is neither weight nor slot nor batch; on a card with the holes that are left."""
        if batch_size not in self._block_bytes:
            live, _ = self._profile(batch_size)
            packed = 0.0 if self._on_host else self._assignment(batch_size).packed_bytes(batch_size)
            self._block_bytes[batch_size] = int(max(live.max(initial=0.0), packed))
        return self._block_bytes[batch_size]

    def changes(self, batch_size: int, like: int | None = None) -> np.ndarray:
        """Bytes alive in the block from moment to moment, compiled for this batch or as for another."""
        if like is None:
            return self._profile(batch_size)[0]
        return self._assignment(like).profile(batch_size)[0] * self._widening.usual

    def moment(self, batch_size: int) -> Moment:
        """The residents, and what is in the block at the worst moment; few moments are, so they are kept."""
        live, reusing = self._profile(batch_size)
        worst = int(live.argmax()) if live.size else 0
        assignment = self._assignment(batch_size)
        key = (id(assignment), worst)
        if key not in self._moments:
            buffers = assignment.buffers
            inside = (b for i, b in enumerate(buffers) if b.start <= worst <= b.end and i not in reusing)
            alive = [LiveBuffer(b.role, b.layer, b.size) for b in self.compiled.residents]
            alive += [
                LiveBuffer(b.role, b.layer, b.size.times(self._widening.usual))
                for b in inside
                if isinstance(b.size, PerBatch)
            ]
            self._moments[key] = Moment.of(alive)
        return self._moments[key]

    def _profile(self, batch_size: int) -> tuple[np.ndarray, frozenset[int]]:
        if batch_size not in self._profiles:
            live, reusing = self._assignment(batch_size).profile(batch_size)
            self._profiles[batch_size] = live * self._widening.usual, reusing
        return self._profiles[batch_size]

    def _assignment(self, batch_size: int) -> Assignment:
        """The buffers of the compiled step, fitted to the card."""
        return self.compiled.assignment(batch_size, self.card_bytes)
