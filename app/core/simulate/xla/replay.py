"""A compiled training's first two steps on the allocator of its device: what is built, and the one block of each step.

It depends on what is resident, on the batch and on the block alone, so that cards which are compiled for alike share
what was replayed; only where a card's memory is nearly taken does it matter how large the card is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from app.core.simulate.bfc import BfcAllocator, OutOfDeviceMemory
from app.core.simulate.program import Buffer
from app.core.types.stepgraph import StepGraph

ZERO_WEIGHTS = ("bias", "beta", "moving_mean")
"""Weights that Keras's layers fill with zeros, by the end of their path."""

Shape = tuple[int, ...]


class Replayed(NamedTuple):
    """Bytes of two steps.

    Attributes:
        first_peak: Of building the model and running the first step.
        peak: Of the second.
        elsewhere: What that would be if its block went to the largest chunk that is handed out undivided.
        roomy_from: Under a limit of so much all would have gone as it did.
    """

    first_peak: int
    peak: int
    elsewhere: int
    roomy_from: int


@dataclass(frozen=True)
class _Built:
    """A model before its first step: the allocator, and where the zeros are that several variables start as."""

    allocator: BfcAllocator
    shared: Mapping[Shape, int]


class StepReplay:
    """Replays one program's steps, each batch and block once.

    Args:
        graph: The traced step.
        residents: Weights, slots and the batch, as the program has them.
        on_host: Its allocator grows; a card's is one region.
    """

    def __init__(self, graph: StepGraph, residents: Sequence[Buffer], *, on_host: bool) -> None:
        self._on_host = on_host
        self._inputs = [b.size for b in residents if b.role == "inputs"]
        self._variables = [(b, int(b.size.fixed), _starts_as_zeros(graph, b)) for b in residents if b.role != "inputs"]
        self._known: dict[tuple[int, int, int], Replayed] = {}

    def steps(self, batch_size: int, first_bytes: int, then_bytes: int) -> Replayed:
        """Two steps without a limit.

        Args:
            batch_size: Samples per step.
            first_bytes: The block of the first step.
            then_bytes: That of the second.
        """
        key = (batch_size, first_bytes, then_bytes)
        if key not in self._known:
            allocator = self._built.allocator.copy()
            self._run_first_step(replace(self._built, allocator=allocator), batch_size, first_bytes)
            first_peak = allocator.peak_bytes
            elsewhere = allocator.in_use_bytes + max(allocator.whole_chunks(first_bytes), default=0)
            allocator.reset_peak()
            allocator.allocate(max(1, then_bytes))
            self._known[key] = Replayed(first_peak, allocator.peak_bytes, elsewhere, allocator.roomy_from_bytes)
        return self._known[key]

    def get_through(self, batch_size: int, block_bytes: int, cap_bytes: int) -> bool:
        """Do the building and two steps find a place for all that they ask for, if no more may be taken?"""
        if self.steps(batch_size, block_bytes, block_bytes).roomy_from <= cap_bytes:
            return True
        try:
            built = self._built_within(cap_bytes)
            self._run_first_step(built, batch_size, block_bytes)
            built.allocator.allocate(max(1, block_bytes))
        except OutOfDeviceMemory:
            return False
        return True

    def _run_first_step(self, built: _Built, batch_size: int, block_bytes: int) -> None:
        """Run the step in which each slot gets memory of its own, and feed the next batch.

        The new slots are asked for in the order of the variables, which is that of the step's results.
        """
        allocator, batch = built.allocator, [int(size.at(batch_size)) for size in self._inputs]
        inputs = [allocator.allocate(size) for size in batch]
        block = allocator.allocate(max(1, block_bytes))
        for buffer, size, zeros in self._variables:
            if zeros and buffer.shape in built.shared:
                allocator.allocate(size)
        for address in (block, *built.shared.values(), *inputs):
            allocator.free(address)
        for size in batch:
            allocator.allocate(size)

    @cached_property
    def _built(self) -> _Built:
        """The model without a limit: it is built alike for every batch."""
        return self._build(BfcAllocator.of_device(on_host=self._on_host))

    def _built_within(self, cap_bytes: int) -> _Built:
        """The model under a limit."""
        limited = self._built.allocator.within(cap_bytes)
        if limited is not None:
            return replace(self._built, allocator=limited)
        return self._build(BfcAllocator.limited(cap_bytes, on_host=self._on_host))

    def _build(self, allocator: BfcAllocator) -> _Built:
        """Weights and slots as the build asks for them.

        A weight's initializer leaves two freed temporaries of its size.  Variables that start as zeros of
        one shape are one array; in the first step each gets memory of its own while the block is there
        (`app.worker.refining.compiled`).
        """
        addresses: dict[Shape, int] = {}
        for buffer, size, zeros in self._variables:
            if zeros:
                if buffer.shape not in addresses:
                    addresses[buffer.shape] = allocator.allocate(size)
            elif buffer.role == "weights":
                temporaries = [allocator.allocate(size) for _ in range(2)]
                allocator.allocate(size)
                for temporary in reversed(temporaries):
                    allocator.free(temporary)
        owners = Counter(buffer.shape for buffer, _, zeros in self._variables if zeros)
        return _Built(allocator, {shape: address for shape, address in addresses.items() if owners[shape] > 1})


def _starts_as_zeros(graph: StepGraph, buffer: Buffer) -> bool:
    """Is it a slot, a bias or a moving mean."""
    if buffer.role != "weights":
        return buffer.role == "optimizer_state"
    return buffer.owner is not None and graph.variables[buffer.owner].path.endswith(ZERO_WEIGHTS)
