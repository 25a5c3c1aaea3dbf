"""What one recorded step asked of the allocator.

The events are those that tsl/framework/bfc_allocator.cc writes into the profile (``AddTraceMe``), for a card's
allocator as for the processor's: address, bytes handed out, bytes in use after it, operation, and fragmentation.
"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class AllocatorEvent:
    """One chunk taken or given back; ``t_s`` counts from the beginning of the step."""

    t_s: float
    taken: bool
    address: int
    size_bytes: int
    """What was handed out: the request, rounded up by the allocator."""
    in_use_bytes: int
    """Handed out in all, after this event."""
    operation: str = ""
    scratch: bool = False
    """Taken while the operation runs and for itself, not as its output."""
    fragmentation: float = math.nan


@dataclass(frozen=True)
class TimelinePoint:
    """The most that was in use in one slice of the step, and the operation that made it so much."""

    t_s: float
    in_use_bytes: int
    operation: str
