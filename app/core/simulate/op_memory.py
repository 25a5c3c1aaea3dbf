"""Memory of a step that runs op by op: who is alive when, and what the allocator makes of the requests.

The order of execution does not depend on sizes, and sizes are affine in it: the step is simulated
once (`app.core.simulate.orders`), the allocator replayed at powers of two.  Only what TensorFlow computes beforehand
depends on the batch (`app.core.simulate.folding`): where that changes, the step is another one.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace

import numpy as np

from app.core.simulate.card_sums import CardSums
from app.core.simulate.convolution_scratch import wishes_of
from app.core.simulate.eigen_kernels import Buffers, EigenKernels, column_buffers
from app.core.simulate.execution import Execution
from app.core.simulate.folding import foldable, folded
from app.core.simulate.loops import bytes_in_flight
from app.core.simulate.model import LiveBuffer, Moment, Peak
from app.core.simulate.optimizers import UpdateOptions
from app.core.simulate.orders import ORDERS, Orders, in_orders
from app.core.simulate.program_builder import Kernels, LoweringOptions, build_program
from app.core.simulate.scratch_table import ScratchTable
from app.core.simulate.simulated import SimulatedStep, SimulatedTraining
from app.core.simulate.simulated_trace import SimulatedTrace
from app.core.simulate.sums import short_sums, sums_of
from app.core.types.stepgraph import StepGraph
from app.core.types.units import MIB

ROUNDED_UP_BYTES = 4 * MIB
"""What 16,000 chunks at once would be rounded up by."""
NOTHING_WISHED: Buffers = frozenset()
MOST_WAITING = 15
"""Steps that are replayed before an update: each of the three orders has come five times then, and adds nothing new."""


@dataclass(frozen=True)
class OpByOpDevice:
    """Where a step runs op by op.

    Args:
        threads: Operations that may run at once on the device's host.
        on_host: The device is the processor, not a card.
        eigen: On a processor without oneDNN what its kernels go by.
        allocator_bytes: What a card's allocator may take; None if nobody knows.
        scratch: What a card's convolutions ask for; None if nobody knows.
    """

    threads: int
    on_host: bool
    eigen: EigenKernels | None = None
    allocator_bytes: int | None = None
    scratch: ScratchTable | None = None


class OpByOpMemory:
    """A `app.core.simulate.model.MemoryModel`.

    Args:
        graph: The traced step.
        optimizer: Key of `app.core.simulate.optimizer_recipes.RECIPES`.
        device: Where it runs.
        accumulate: Steps whose gradients are added up before an update.
        options: What the training adds to the optimizer.
        simulated: What is known of it already; what is simulated here is added.
    """

    def __init__(
        self,
        graph: StepGraph,
        optimizer: str,
        device: OpByOpDevice,
        *,
        accumulate: int,
        options: UpdateOptions,
        simulated: SimulatedTraining,
    ) -> None:
        threads, on_host, eigen = device.threads, device.on_host, device.eigen
        kernels: Kernels = "host" if on_host else "card"
        self._graph = graph
        self._foldable = foldable(graph)
        self._optimizer = optimizer
        self._eigen = eigen
        self._lowering = LoweringOptions(
            kernels=kernels, threads=threads, accumulate=accumulate, update=options, onednn=eigen is None
        )
        self._waits = min(accumulate - 1, MOST_WAITING)
        self._fewer_bytes, self._more_bytes = bytes_in_flight(graph, threads if on_host else None)
        self._threads = threads
        self._on_host = on_host
        self._allocator_bytes, self._scratch = device.allocator_bytes, device.scratch
        self._known = simulated
        self._steps: dict[tuple[frozenset[int], frozenset[int], Buffers], _Step] = {}
        self._columns = functools.cache(self._columns_of)
        self._likely_columns = functools.cache(self._likely_columns_of)

    def peak(self, batch_size: int) -> Peak:
        """What the allocator hands out at most over steps 2 and 3, in several orders of execution.

        Of the terms of a rewritten sum about half wait for the thread that adds the others: 16 of 28 in a trace of
        an LSTM whose every output has a layer of its own.  All may: see `app.core.simulate.sums`.  On a card the
        larger figure counts.
        """
        others = (self._with_room(batch_size, columns) for columns in self._columns(batch_size)[1:])
        possible = dict.fromkeys((self._likely_columns(batch_size), *others))
        peaks = [self._peak(batch_size, columns) for columns in possible]
        return Peak(
            peaks[0].peak_bytes,
            min(peak.low_bytes for peak in peaks) - self._fewer_bytes,
            max(peak.high_bytes for peak in peaks) + self._more_bytes,
        )

    def peak_bytes(self, batch_size: int) -> int:
        """The same as it is told: of what convolutions may take the likely alone is put through the allocator."""
        return self._peak(batch_size, self._likely_columns(batch_size)).peak_bytes

    def _peak(self, batch_size: int, columns: Buffers) -> Peak:
        """That peak, given what convolutions take for their columns."""
        plain = self._plain(batch_size, columns)
        rewritten = self._rewritten(plain, batch_size)
        waiting = plain.peak(batch_size)
        if rewritten is plain:
            return waiting
        found = rewritten.peak(batch_size)
        middle = (found.peak_bytes + waiting.peak_bytes) // 2
        return Peak(
            middle if self._on_host else max(found.peak_bytes, waiting.peak_bytes),
            min(found.low_bytes, waiting.low_bytes),
            max(found.high_bytes, waiting.high_bytes),
        )

    def _columns_of(self, batch_size: int) -> tuple[Buffers, ...]:
        """What convolutions take for their columns; more than one possibility if that is not known."""
        if self._eigen is not None:
            return column_buffers(self._graph, batch_size, self._eigen)
        wishes = wishes_of(self._graph, self._scratch, batch_size)
        return wishes.told, wishes.most

    def _likely_columns_of(self, batch_size: int) -> Buffers:
        """The first of these, as far as there is room."""
        return self._with_room(batch_size, self._columns(batch_size)[0])

    def _with_room(self, batch_size: int, wished: Buffers) -> Buffers:
        """Of what cuDNN would like as scratch what there is room for: otherwise a kernel runs that wants less."""
        limit = self._allocator_bytes
        if not wished or limit is None or self._most(batch_size, wished) <= limit:
            return wished
        room = limit - self._most(batch_size, NOTHING_WISHED)
        return frozenset((index, size) for index, size in wished if size.at(batch_size) <= room)

    def refused_bytes(self, batch_size: int) -> int:
        """The most that a convolution would like as scratch on a card and does not get, 0 if all get what they like."""
        refused = self._columns(batch_size)[0] - self._likely_columns(batch_size)
        return int(max((size.at(batch_size) for _, size in refused), default=0))

    def _most(self, batch_size: int, columns: Buffers) -> int:
        """The peak of any step, the first one included."""
        return max(self._peak(batch_size, columns).peak_bytes, self._plain(batch_size, columns).first_peak(batch_size))

    def first_step_peak_bytes(self, batch_size: int) -> int:
        """The same from the building of the model to the end of the first update."""
        return max(step.first_peak(batch_size) for step in self._possible(batch_size))

    def most_bytes(self, batch_size: int) -> int:
        """More than the peak of any step is, without a replay.

        A chunk is less than twice what was asked for (`app.core.simulate.bfc`).  While the model is built two more of
        each weight are there for a moment, and while slots are new the zeros that they share.
        """
        trace = self._plain(batch_size, orders=1).trace
        return 2 * (trace.live_bytes(batch_size) + 2 * trace.resident_bytes(batch_size) + ROUNDED_UP_BYTES)

    def rounds(self, batch_size: int) -> list[tuple[SimulatedTrace, ...]]:
        """What the step asks of the allocator, in each order of execution."""
        return self._step(batch_size, ORDERS).rounds

    def survives(self, batch_size: int, cap_bytes: int) -> bool:
        """Does a training get through if the allocator may take so much?"""
        return all(step.survives(batch_size, cap_bytes) for step in self._possible(batch_size))

    def trains_in(self, batch_size: int, cap_bytes: int) -> bool:
        """The same: every request is as predicted."""
        return self.survives(batch_size, cap_bytes)

    def resident_bytes(self, batch_size: int) -> int:
        """Weights, optimizer state, folded constants and the batch."""
        return self._step(batch_size).trace.resident_bytes(batch_size)

    def changes(self, batch_size: int, like: int | None = None) -> np.ndarray:
        """Requested bytes beside the residents after every event."""
        return self._step(batch_size).trace.changes(batch_size)

    def moment(self, batch_size: int) -> Moment:
        """What is alive at the worst moment."""
        return self._step(batch_size).moment(batch_size)

    def _step(self, batch_size: int, orders: int = 1) -> _Step:
        """The step as it is at a batch size: one order tells what is alive, all of them what the allocator adds."""
        return self._rewritten(self._plain(batch_size, orders=orders), batch_size, orders)

    def _possible(self, batch_size: int) -> tuple[_Step, ...]:
        """The steps that a training must get through: on the host all terms of a rewritten sum may wait.

        On a card it depends on the data set whether sums are rewritten, and either way may take more.
        """
        plain = self._plain(batch_size)
        rewritten = plain if self._on_host else self._rewritten(plain, batch_size)
        return (plain,) if rewritten is plain else (plain, rewritten)

    def _plain(self, batch_size: int, columns: Buffers | None = None, orders: int = ORDERS) -> _Step:
        """The step whose sums wait for their last term, by default with the likely columns."""
        columns = self._likely_columns(batch_size) if columns is None else columns
        return self._simulated(folded(self._graph, self._foldable, batch_size), frozenset(), columns, orders)

    def _rewritten(self, plain: _Step, batch_size: int, orders: int = ORDERS) -> _Step:
        """A step with the sums rewritten that are where memory is short; the very same if there are none."""
        sums = plain.short_sums(batch_size) if self._on_host else self._short_on_card(batch_size)
        return self._simulated(plain.constants, sums, plain.columns, orders) if sums else plain

    def _short_on_card(self, batch_size: int) -> frozenset[int]:
        """Sums that are rewritten on a card; none where nobody knows what its allocator may take."""
        limit = self._allocator_bytes
        return frozenset() if limit is None else self._card_sums.short(batch_size, limit)

    @functools.cached_property
    def _card_sums(self) -> CardSums:
        return CardSums(self._graph)

    def _simulated(self, constants: frozenset[int], sums: frozenset[int], columns: Buffers, orders: int) -> _Step:
        """The step with these constants, these sums rewritten and these columns, in its first orders."""
        wanted = (constants, sums, columns)
        if wanted not in self._steps:
            step = self._known.step(*wanted)
            if not self._on_host and columns:
                step = replace(step, updating={}, waiting={})
            self._steps[wanted] = _Step(step, Orders(step, self._waits, on_host=self._on_host))
        found = self._steps[wanted]
        if self._waits and orders == ORDERS:
            self._run(found.simulated, found.simulated.waiting, orders, updating=False)
        self._run(found.simulated, found.simulated.updating, orders, updating=True)
        return found

    def _run(self, step: SimulatedStep, runs: dict[int, Execution], orders: int, *, updating: bool) -> None:
        """Simulate which of the first orders of a step are missing.

        With wishes it is the step without them, resized: on a card, where all orders are alike.
        """
        missing = [order for order in range(orders) if order not in runs]
        if not missing:
            return
        if not self._on_host and step.columns:
            without = self._known.step(step.constants, step.one_by_one, NOTHING_WISHED)
            simulated = without.updating if updating else without.waiting
            self._run(without, simulated, orders, updating=updating)
            runs.update(dict.fromkeys(missing, simulated[0].with_wishes(step.columns)))
            return
        lowering = replace(
            self._lowering, updating=updating, folded=step.constants, one_by_one=step.one_by_one, columns=step.columns
        )
        program = build_program(self._graph, self._optimizer, lowering)
        if updating:
            step.sums = sums_of(program)
        runs.update(in_orders(program, missing, threads=self._threads, on_host=self._on_host))


class _Step:
    """One step, simulated."""

    def __init__(self, step: SimulatedStep, orders: Orders) -> None:
        self.simulated = step
        self.constants, self.columns = step.constants, step.columns
        self._orders = orders
        self._moments: dict[int, Moment] = {}

    @property
    def trace(self) -> SimulatedTrace:
        """What the step asks for in its nominal order."""
        return self._orders.nominal

    def peak(self, batch_size: int) -> Peak:
        """See `OpByOpMemory.peak`."""
        return Peak(*self._orders.peaks(batch_size, self.trace.live_bytes(batch_size)))

    @property
    def rounds(self) -> list[tuple[SimulatedTrace, ...]]:
        """See `OpByOpMemory.rounds`."""
        return self._orders.rounds

    def first_peak(self, batch_size: int) -> int:
        """See `OpByOpMemory.first_step_peak_bytes`."""
        return self._orders.first_peak(batch_size, self.trace.live_bytes(batch_size))

    def survives(self, batch_size: int, cap_bytes: int) -> bool:
        """See `OpByOpMemory.survives`."""
        return self._orders.survives(batch_size, cap_bytes)

    def short_sums(self, batch_size: int) -> frozenset[int]:
        """Sums that are rewritten at a batch size on the host, as told at the next power of two."""
        octave, step = 1 << (batch_size - 1).bit_length(), self.simulated
        known = step.short_sums
        if octave not in known:
            known[octave] = short_sums(step.sums, step.updating[0], octave)
        return known[octave]

    def moment(self, batch_size: int) -> Moment:
        """What is alive at the worst moment; few moments are the worst for any batch, so they are kept."""
        step = self.trace.changes(batch_size)
        end = int(step.argmax()) + 1 if step.size and step.max() > 0 else 0
        if end not in self._moments:
            self._moments[end] = Moment.of(self._alive_after(end))
        return self._moments[end]

    def _alive_after(self, end: int) -> list[LiveBuffer]:
        """What is alive after so many events."""
        made = self.simulated.updating[0]
        alive = dict.fromkeys(range(made.resident))
        for event in made.events[:end]:
            if event >= 0:
                alive[event] = None
            else:
                alive.pop(~event, None)
        return [LiveBuffer(made.roles[c], made.layers[c], made.sizes[c]) for c in alive]
