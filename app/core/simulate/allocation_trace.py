"""What an allocator is asked for, in order, for any batch size: recorded in the child, or simulated."""

from __future__ import annotations

from dataclasses import dataclass

from app.core.types.stepgraph import PerBatch


@dataclass(frozen=True)
class AllocationTrace:
    """Requests to one allocator.

    ``events`` holds ``n`` for the allocation of chunk ``n`` and ``~n`` for its release; chunks are numbered in the
    order in which they are taken.  ``sizes[n]`` is chunk ``n`` in bytes.
    """

    events: tuple[int, ...]
    sizes: tuple[PerBatch, ...]
