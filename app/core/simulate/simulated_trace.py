"""The requests of one simulated step (`app.core.simulate.executor`), ready to be replayed at any batch size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from app.core.simulate.allocation_trace import AllocationTrace
from app.core.simulate.bfc import MIN_ALLOCATION_BYTES
from app.core.simulate.execution import Execution
from app.core.types.units import MOST_BYTES

UPDATE = 1 << 40
SETTLE = 2 * UPDATE


@dataclass(frozen=True)
class SimulatedTrace(AllocationTrace):
    """One step's requests.

    ``n + UPDATE`` among the ``events`` changes chunk ``n`` in place, which is done at ``n + SETTLE``.  The allocator's
    smallest chunks are left out where they come and go within the step: they are a third of all requests and add
    up to nothing.  The first ``resident`` chunks are there before the step and after it.  ``fixed_live`` and
    ``live_per_sample`` are the bytes beside them after every event.
    """

    moved: dict[int, int]
    """The chunk in which a variable lives after the step, by the one in which it lived before."""
    resident: int
    roles: Sequence[str]
    shapes: Sequence[tuple[int, ...]]
    fixed_live: np.ndarray
    live_per_sample: np.ndarray
    lists: Set[int] = frozenset()
    """Chunks that stand for the elements of a list."""

    @classmethod
    def of(cls, execution: Execution) -> SimulatedTrace:
        """What an execution asks for."""
        events = np.array(execution.events, dtype=int)
        chunks, sign = np.where(events < 0, ~events, events), np.where(events < 0, -1.0, 1.0)
        amounts = np.array([(s.fixed, s.per_sample) for s in execution.sizes], dtype=float).reshape(-1, 2)
        return cls(
            tuple(_codes(execution)),
            tuple(execution.sizes),
            execution.moved,
            execution.resident,
            execution.roles,
            execution.shapes,
            np.cumsum(sign * amounts[chunks, 0]),
            np.cumsum(sign * amounts[chunks, 1]),
            execution.lists,
        )

    @cached_property
    def _amounts(self) -> np.ndarray:
        """A row (fixed, per sample) for each chunk."""
        return np.array([(s.fixed, s.per_sample) for s in self.sizes], dtype=float).reshape(-1, 2)

    def chunk_bytes(self, batch_size: float) -> list[int]:
        """Bytes of every chunk; of a batch that no memory holds, no more than 64 bits can count."""
        bytes_each = np.clip(self._amounts[:, 0] + self._amounts[:, 1] * batch_size, 0, MOST_BYTES)
        found: list[int] = bytes_each.astype(np.int64).tolist()
        return found

    def resident_bytes(self, batch_size: float) -> int:
        """What exists before the step and after it."""
        fixed, per_sample = self._amounts[: self.resident].T
        return int(fixed.sum() + per_sample.sum() * batch_size)

    def changes(self, batch_size: float) -> np.ndarray:
        """Bytes beside the residents after every event."""
        found: np.ndarray = self.fixed_live + self.live_per_sample * batch_size
        return found

    def live_bytes(self, batch_size: float) -> int:
        """Requested bytes alive at the worst moment."""
        return self.resident_bytes(batch_size) + int(max(0.0, float(self.changes(batch_size).max(initial=0.0))))


def _codes(execution: Execution) -> Iterator[int]:
    """The events as numbers."""
    lasting = set(execution.moved.values())
    trifles = {
        chunk
        for chunk, size in enumerate(execution.sizes)
        if chunk >= execution.resident
        and chunk not in lasting
        and not size.per_sample
        and size.fixed <= MIN_ALLOCATION_BYTES
    }
    updates = [(moment, slot + UPDATE) for moment, slot in execution.updated]
    updates += [(moment, slot + SETTLE) for moment, slot in execution.settled]
    updates.sort(key=lambda update: update[0], reverse=True)
    for position, event in enumerate(execution.events):
        while updates and updates[-1][0] <= position:
            yield updates.pop()[1]
        if (~event if event < 0 else event) not in trifles:
            yield event
    yield from (code for _, code in reversed(updates))
