"""What a checkpoint takes: its size, its time, and how often one is worth it."""

from __future__ import annotations

import math

from app.core.types.basis import Range
from app.core.types.predicted_memory import MemoryParts
from app.core.types.whole import Saving

FAILURE_S = 24 * 3600.0
"""Something ends a training once a day: a restart, a session's end, a notebook's limit.  Assumed, not known."""


def saved_bytes(parts: MemoryParts) -> int:
    """A ``.keras`` file: weights and optimizer state, not compressed (keras/src/saving/saving_lib.py)."""
    return parts.weights + parts.optimizer_state


def saving(parts: MemoryParts, each_s: Range) -> Saving:
    """A checkpoint with how often it is worth it.

    The first order of the optimum, ``sqrt(2 x cost x time between failures)`` (Young 1974; Daly 2006, eq. 20).
    """
    return Saving(saved_bytes(parts), each_s, math.sqrt(2 * each_s.value * FAILURE_S), FAILURE_S)
