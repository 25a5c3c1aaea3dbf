"""A step in several orders of execution, and the allocator's peak over them.

Which of two operations ends first is a guess (`app.core.simulate.executor`), and a real training never runs two
steps alike.  So the step is simulated with durations that scatter around their nominal values, and the
trainings that are replayed take another order in each round, as a real one does.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from statistics import mean, median

import numpy as np

from app.core.simulate.execution import Execution
from app.core.simulate.executor import Executor
from app.core.simulate.program import Program
from app.core.simulate.replay import replayed_peaks, survives
from app.core.simulate.simulated import Overheads, SimulatedStep
from app.core.simulate.simulated_trace import SimulatedTrace

ORDERS = 3
TRAININGS = ((2, 0, 2), (0, 2, 0), (0, 1, 2))
"""The orders of the rounds that are replayed: the peak counts from the second update on, in the first the slots
are new.  Order 1, in which kernels get past each other, is the exception in traces, so one training meets it."""


SIZES = (0.94, 0.97, 1.0, 1.03, 1.06)
"""On a card, where all orders are alike, a step is replayed a little smaller and larger, too: which gaps an allocator
finds changes with every request, and a training that is started again takes another peak.  So the middle of five is
told in place of one that might as well have been another (docs/evidence.md, "A step on a card")."""
FEW_EVENTS = 20_000
"""A step of more requests is replayed at its own size alone: among so many one gap counts little, and NASNetLarge would
take 24 seconds in place of 10."""

MANY_EVENTS = 40_000
"""Nine replays of so many requests make an anchor and take a second: such a step has anchors at powers of four only.
NASNetLarge asks 20,000 times.  Among so many sizes the overhead changes slowly with the batch."""


def in_orders(program: Program, orders: Sequence[int], *, threads: int, on_host: bool) -> dict[int, Execution]:
    """A step in some of its orders, of which 0 is the nominal one (`app.core.simulate.executor`).

    On a card, which keeps the order in which operations are launched, all are alike.
    """
    executor = Executor(program, threads=threads, on_host=on_host)
    if not on_host:
        return dict.fromkeys(orders, executor.run())
    return {order: executor.run(order) for order in orders}


class Orders:
    """What the orders of one step ask of the allocator; peaks at powers of two, or of four, are kept.

    Args:
        step: The step, in the nominal order or, before peaks or rounds are asked for, in all.
        waits: With gradient accumulation, the steps before one that changes the weights.
        on_host: Operations run on the processor.
    """

    def __init__(self, step: SimulatedStep, waits: int, *, on_host: bool) -> None:
        self._step = step
        self._waits = waits
        self._on_host = on_host

    @property
    def _octaves(self) -> int:
        """From one anchor to the next."""
        return 1 if len(self._step.updating[0].events) < MANY_EVENTS else 2

    @functools.cached_property
    def nominal(self) -> SimulatedTrace:
        """What the step that changes the weights asks for in the nominal order."""
        return SimulatedTrace.of(self._step.updating[0])

    @functools.cached_property
    def _rounds(self) -> list[tuple[SimulatedTrace, ...]]:
        """The steps up to an update and with it, in each order."""
        waited = [SimulatedTrace.of(self._step.waiting[n]) for n in range(ORDERS if self._waits else 0)]
        updating = [self.nominal, *(SimulatedTrace.of(self._step.updating[n]) for n in range(1, ORDERS))]
        return [(*(waited[(n + i) % ORDERS] for i in range(self._waits)), updating[n]) for n in range(ORDERS)]

    def peaks(self, batch_size: int, live_bytes: int) -> tuple[int, int, int]:
        """The mean peak over the trainings, the lowest and the highest."""
        mean, low, high, _ = self._at_batch(batch_size) * live_bytes
        return max(live_bytes, int(mean)), int(low), max(live_bytes, int(high))

    def first_peak(self, batch_size: int, live_bytes: int) -> int:
        """The highest peak up to the end of the first update, the building of the model included."""
        return int(self._at_batch(batch_size)[3] * live_bytes)

    def replayed(self, batch_size: float) -> tuple[tuple[int, int], ...]:
        """The peak of each training at exactly this batch: up to the first update, and after it.

        On a card, where all orders are alike, so are all trainings.
        """
        trainings = [[self._rounds[n] for n in order] for order in (TRAININGS if self._on_host else TRAININGS[:1])]
        return replayed_peaks(trainings, batch_size, on_host=self._on_host)

    @property
    def rounds(self) -> list[tuple[SimulatedTrace, ...]]:
        """The steps up to an update and with it, in each order."""
        return self._rounds

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
        left, right = (np.array(self._anchor(2 ** (place * self._octaves))) for place in (low, high))
        found: np.ndarray = left + (right - left) * (position - low)
        return found

    def _anchor(self, batch_size: int) -> Overheads:
        """The same at a power of two, simulated once."""
        known = self._step.overheads
        if batch_size not in known:
            known[batch_size] = self._over_orders(batch_size) if self._on_host else self._over_sizes(batch_size)
        return known[batch_size]

    def _over_orders(self, batch_size: float) -> Overheads:
        """Of the trainings that are replayed, over the bytes that are alive."""
        firsts, peaks = zip(*self.replayed(batch_size), strict=True)
        live = max(1, self.nominal.live_bytes(batch_size))
        return mean(peaks) / live, min(peaks) / live, max(peaks) / live, max(firsts) / live

    def _over_sizes(self, batch_size: int) -> Overheads:
        """Of the one training of a card; how far another may be from it is in the interval of all."""
        sizes = SIZES if len(self._step.updating[0].events) < FEW_EVENTS else (1.0,)
        found = [self._over_orders(batch_size * size) for size in sizes]
        peaks, _, _, firsts = zip(*found, strict=True)
        middle = median(peaks)
        return middle, middle, middle, median(firsts)
