"""A step in several orders of execution, and the allocator's peak over them.

Which of two operations ends first is a guess (`app.core.simulate.executor`), and a real training never runs two
steps alike.  So the step is simulated with durations that scatter around their nominal values, and the
trainings that are replayed take another order in each round, as a real one does.
"""

from __future__ import annotations

import math

import numpy as np

from app.core.simulate.execution import Execution
from app.core.simulate.executor import execute
from app.core.simulate.program import Program
from app.core.simulate.replay import replayed_peaks, survives
from app.core.simulate.simulated_trace import SimulatedTrace

ORDERS = 3
TRAININGS = ((2, 0, 2), (0, 2, 0), (0, 1, 2))
"""The orders of the rounds that are replayed: the peak counts from the second update on, in the first the slots
are new.  Order 1, in which kernels get past each other, is the exception in traces, so one training meets it."""


MANY_EVENTS = 40_000
"""Nine replays of so many requests make an anchor and take a second: such a step has anchors at powers of four only.
NASNetLarge asks 20,000 times.  Among so many sizes the overhead changes slowly with the batch."""


class Orders:
    """What the orders of one step ask of the allocator; peaks at powers of two, or of four, are kept.

    Args:
        updating: The step that changes the weights.
        waiting: With gradient accumulation, the step that does not; there are ``waits`` of them before an update.
        waits: See above.
        threads: Operations that may run at once.
        on_host: Operations run on the processor (`app.core.simulate.executor.execute`).
    """

    def __init__(self, updating: Program, waiting: Program, waits: int, *, threads: int, on_host: bool) -> None:
        runs = [execute(updating, threads=threads, on_host=on_host, order=order) for order in range(ORDERS)]
        self.nominal: Execution = runs[0]
        self._rounds: list[tuple[SimulatedTrace, ...]] = [(SimulatedTrace.of(run),) for run in runs]
        if waits:
            waited = [
                SimulatedTrace.of(execute(waiting, threads=threads, on_host=on_host, order=order))
                for order in range(ORDERS)
            ]
            self._rounds = [
                (*(waited[(n + i) % ORDERS] for i in range(waits)), *self._rounds[n]) for n in range(ORDERS)
            ]
        self._on_host = on_host
        self._octaves = 1 if len(self.nominal.events) < MANY_EVENTS else 2
        self._at: dict[int, np.ndarray] = {}

    def peaks(self, batch_size: int, live_bytes: int) -> tuple[int, int, int]:
        """The mean peak over the trainings, the lowest and the highest."""
        mean, low, high, _ = self._at_batch(batch_size) * live_bytes
        return max(live_bytes, int(mean)), int(low), max(live_bytes, int(high))

    def first_peak(self, batch_size: int, live_bytes: int) -> int:
        """The highest peak up to the end of the first update, the building of the model included."""
        return int(self._at_batch(batch_size)[3] * live_bytes)

    def replayed(self, batch_size: int) -> tuple[tuple[int, int], ...]:
        """The peak of each training at exactly this batch: up to the first update, and after it."""
        trainings = [[self._rounds[n] for n in order] for order in TRAININGS]
        return replayed_peaks(trainings, batch_size, on_host=self._on_host)

    def survives(self, batch_size: int, cap_bytes: int) -> bool:
        """Does a training that meets every order get through in so little memory?"""
        rounds = [self._rounds[n] for n in TRAININGS[-1]]
        return survives(rounds, batch_size, cap_bytes, on_host=self._on_host)

    def _at_batch(self, batch_size: int) -> np.ndarray:
        """Mean, lowest, highest and first peak over the nominal order's live bytes.

        Between the anchors it is interpolated on a logarithmic axis.
        """
        position = math.log2(batch_size) / self._octaves
        low, high = math.floor(position), math.ceil(position)
        left = self._anchor(2 ** (low * self._octaves))
        found: np.ndarray = left + (self._anchor(2 ** (high * self._octaves)) - left) * (position - low)
        return found

    def _anchor(self, batch_size: int) -> np.ndarray:
        """The same at a power of two, simulated once."""
        if batch_size not in self._at:
            firsts, peaks = zip(*self.replayed(batch_size), strict=True)
            live = self._rounds[0][-1].live_bytes(batch_size)
            found = np.array([sum(peaks) / len(peaks), min(peaks), max(peaks), max(firsts)])
            self._at[batch_size] = found / max(1, live)
        return self._at[batch_size]
