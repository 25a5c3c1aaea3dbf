"""What every way of running a step can tell about its memory: op by op or compiled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np


@dataclass(frozen=True)
class Peak:
    """The allocator's peak, and between which bytes the way of running itself leaves it open."""

    peak_bytes: int
    low_bytes: int
    high_bytes: int


@dataclass(frozen=True)
class Alive:
    """Something alive at the worst moment of a step."""

    role: str
    layer: int | None
    size_bytes: float


class MemoryModel(Protocol):
    """Memory of one graph under one optimizer, run in one way, for any batch size."""

    def peak(self, batch_size: int) -> Peak:
        """What the allocator hands out at most over steps 2 and 3."""

    def first_step_peak_bytes(self, batch_size: int) -> int:
        """The same from the building of the model to the end of the first update."""

    def resident_bytes(self, batch_size: int) -> int:
        """Weights, optimizer state and the batch."""

    def changes(self, batch_size: int) -> np.ndarray:
        """Requested bytes beside the residents, from moment to moment of one step."""

    def alive_at_peak(self, batch_size: int) -> list[Alive]:
        """What is alive at the worst moment, the residents included."""
