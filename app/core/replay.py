"""Replay a simulated training through the allocator: the model is built, then step follows step.

What the executor's events ask for is what the allocator is asked for; sizes are taken at one batch.
"""

from __future__ import annotations

from collections import Counter

from app.core.bfc import BfcAllocator
from app.core.executor import Execution

ROUNDS = 3
"""The peak counts from the second update on: in the first the slots are new."""


class Replay:
    """A training under way on one allocator.

    Slots of one size start as one buffer of zeros: Keras builds them while the step is traced, so
    their initial values are one graph, in which TensorFlow merges equal constants.  A slot gets a buffer
    of its own at its first update, because a buffer with two owners is copied before it changes
    (core/kernels/training_op_helpers.h, ``PrepareToUpdateVariable``).
    """

    def __init__(self, execution: Execution, batch_size: int, *, shared_zeros: bool = True) -> None:
        self.batch_size = batch_size
        self.shared_zeros = shared_zeros
        self.allocator = BfcAllocator()
        self._address: dict[int, int] = {}
        self._owners: Counter[int] = Counter()
        self._place_residents(execution)

    def run(self, execution: Execution) -> None:
        """One step; the first chunks of ``execution`` are the residents that this training began with."""
        sizes = [int(s.at(self.batch_size)) for s in execution.sizes]
        position = 0
        for moment, slot in execution.updated:
            for event in execution.events[position:moment]:
                self._follow(event.chunk, event.take, sizes)
            position = moment
            if self._owners[self._address[slot]] > 1:
                self._give_back(slot)
                self._take(slot, sizes[slot])
        for event in execution.events[position:]:
            self._follow(event.chunk, event.take, sizes)
        self._move(execution.moved)

    def _move(self, moved: dict[int, int]) -> None:
        """Variables live where their new values are; several may share one (accumulators one buffer of zeros)."""
        homes = {new: self._address.pop(new) for new in set(moved.values())}
        self._address.update({old: homes[new] for old, new in moved.items()})
        for new, count in Counter(moved.values()).items():
            self._owners[homes[new]] = count

    def _follow(self, chunk: int, take: bool, sizes: list[int]) -> None:
        if take:
            self._take(chunk, sizes[chunk])
        else:
            self._give_back(chunk)

    def _take(self, chunk: int, size: int) -> None:
        address = self._address[chunk] = self.allocator.allocate(size)
        self._owners[address] = 1

    def _give_back(self, chunk: int) -> None:
        address = self._address.pop(chunk)
        self._owners[address] -= 1
        if not self._owners[address]:
            self.allocator.free(address)

    def _place_residents(self, execution: Execution) -> None:
        """Build the model: a weight's initializer leaves two freed temporaries of the weight's size.

        Random numbers, their scaling and the shifted result are three tensors
        (keras/src/backend/tensorflow/random.py, ``uniform``); the variable keeps the third.
        """
        zeros: dict[int, int] = {}
        for chunk in range(execution.resident):
            size, role = int(execution.sizes[chunk].at(self.batch_size)), execution.roles[chunk]
            if self.shared_zeros and role == "optimizer_state" and size in zeros:
                self._address[chunk] = zeros[size]
                self._owners[zeros[size]] += 1
                continue
            temporaries = [self.allocator.allocate(size) for _ in range(2 if role == "weights" else 0)]
            self._take(chunk, size)
            for temporary in reversed(temporaries):
                self.allocator.free(temporary)
            if role == "optimizer_state":
                zeros[size] = self._address[chunk]
