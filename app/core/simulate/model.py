"""What every way of running a step can tell about its memory: op by op or compiled."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from app.core.types.stepgraph import PerBatch

WEIGHT_ROLES = ("weights", "optimizer_state")
"""What a layer has whether or not a step runs."""


@dataclass(frozen=True)
class Peak:
    """The allocator's peak, and between which bytes the way of running itself leaves it open."""

    peak_bytes: int
    low_bytes: int
    high_bytes: int


@dataclass(frozen=True)
class LiveBuffer:
    """Something alive at a moment of a step."""

    role: str
    layer: int | None
    size: PerBatch


@dataclass(frozen=True)
class Moment:
    """What is alive at a moment: sizes for any batch, by purpose and by layer.

    ``weights`` and ``activations`` hold a row (fixed, per sample) for each of ``layers``.
    """

    roles: dict[str, PerBatch]
    layers: tuple[int, ...]
    weights: np.ndarray
    activations: np.ndarray

    @staticmethod
    def of(everything: Iterable[LiveBuffer]) -> Moment:
        """Add up what is alive."""
        roles: dict[str, PerBatch] = {}
        by_layer: dict[int, list[PerBatch]] = {}
        for alive in everything:
            roles[alive.role] = roles.get(alive.role, PerBatch()) + alive.size
            if alive.layer is not None:
                both = by_layer.setdefault(alive.layer, [PerBatch(), PerBatch()])
                both[0 if alive.role in WEIGHT_ROLES else 1] += alive.size
        table = np.array([[(size.fixed, size.per_sample) for size in both] for both in by_layer.values()])
        table = table.reshape(-1, 2, 2)
        return Moment(roles, tuple(by_layer), table[:, 0], table[:, 1])


class MemoryModel(Protocol):
    """Memory of one graph under one optimizer, run in one way, for any batch size."""

    def peak(self, batch_size: int) -> Peak:
        """What the allocator hands out at most over steps 2 and 3."""

    def peak_bytes(self, batch_size: int) -> int:
        """The same as it is told: found with fewer replays than what is left open."""

    def first_step_peak_bytes(self, batch_size: int) -> int:
        """The same from the building of the model to the end of the first update."""

    def most_bytes(self, batch_size: int) -> int:
        """At least the peak of any step, found at once."""

    def survives(self, batch_size: int, cap_bytes: int) -> bool:
        """Does a training get through if the allocator may take so much, whatever the prediction's doubt?"""

    def trains_in(self, batch_size: int, cap_bytes: int) -> bool:
        """Does it, if it is just as predicted?"""

    def resident_bytes(self, batch_size: int) -> int:
        """Weights, optimizer state and the batch."""

    def changes(self, batch_size: int, like: int | None = None) -> np.ndarray:
        """Requested bytes beside the residents, from moment to moment of one step; ``like`` one of another batch."""

    def moment(self, batch_size: int) -> Moment:
        """What is alive at the worst moment, the residents included."""
