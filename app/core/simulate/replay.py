"""Replay a simulated training through the allocator: the model is built, then step follows step.

What the executor's events ask for is what the allocator is asked for; sizes are taken at one batch.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Sequence

from app.core.simulate.bfc import MIN_ALLOCATION_BYTES, BfcAllocator, OutOfDeviceMemory
from app.core.simulate.model import WEIGHT_ROLES
from app.core.simulate.simulated_trace import SETTLE, UPDATE, SimulatedTrace
from app.core.types.cancelling import check_cancelled

_SMALL = MIN_ALLOCATION_BYTES
"""A key of random numbers takes 8 and 16 bytes, a variable's handle 200: each is one smallest chunk."""

_PIECES = 16
"""A list of tensors is asked for element by element: so many pieces, none of which is large beside the list, leave as
little over as the elements do.  There may be hundreds, which would take the replay as many times as long."""

_PLACES = {"weights": 0, "inputs": 1}
"""What comes first into an empty allocator."""


class Replay:
    """A training under way on one allocator.

    Slots of one shape start as one buffer of zeros: Keras builds them while the step is traced, so
    their initial values are one graph, in which TensorFlow merges equal constants.  A slot gets a buffer
    of its own at its first update, because a buffer with two owners is copied before it changes
    (core/kernels/training_op_helpers.h, ``PrepareToUpdateVariable``).
    """

    def __init__(
        self,
        step: SimulatedTrace,
        batch_size: float,
        *,
        shared_zeros: bool = True,
        on_host: bool = True,
        allocator: BfcAllocator | None = None,
    ) -> None:
        self.batch_size = batch_size
        self.allocator = allocator or BfcAllocator.of_device(on_host=on_host)
        self._on_host = on_host
        self._address: dict[int, int] = {}
        self._others: Counter[int] = Counter()
        """How many more variables than one live at an address."""
        self._pieces: dict[int, list[int]] = {}
        """Of a list that is alive, the addresses of its elements."""
        self._left: dict[int, int] = {}
        """The address that a slot leaves as soon as its own copy is made."""
        self._batch = [chunk for chunk in range(step.resident) if step.roles[chunk] == "inputs"]
        self._place_residents(step, shared_zeros)

    def copy(self) -> Replay:
        """The same state once more."""
        made = copy.copy(self)
        made.allocator, made._address, made._others = self.allocator.copy(), self._address.copy(), self._others.copy()
        made._pieces, made._left = self._pieces.copy(), self._left.copy()
        return made

    def beside(self, step: SimulatedTrace, batch_size: int) -> Replay:
        """Another step of the same model, such as that of a validation, on the same allocator: its weights are there.

        What it has besides them and its batch, constants of its graph, is too small to matter.
        """
        made = Replay(step, batch_size, allocator=BfcAllocator(), on_host=self._on_host)
        for chunk in made._batch:
            made._address.pop(chunk, None)
        made.allocator = self.allocator
        return made

    def run_all(self, rounds: Sequence[Sequence[SimulatedTrace]]) -> Replay:
        """All steps of all rounds; returns itself."""
        for steps in rounds:
            for step in steps:
                self.run(step)
        return self

    def run(self, step: SimulatedTrace) -> None:
        """One step of the training whose residents this was made with.

        Its batch is copied to the device before it and given back after it: every call of the step's function
        makes tensors of the arrays that it is given (keras/src/backend/tensorflow/trainer.py, ``train_on_batch``).
        On a card the step copies it from there itself, and its last reader gives it back.

        Raises:
            Cancelled: See `app.core.types.cancelling`.
        """
        check_cancelled()
        sizes = step.chunk_bytes(self.batch_size)
        address, others = self._address, self._others
        allocate, free = self.allocator.allocate, self.allocator.free
        for chunk in self._batch:
            if chunk not in address:
                address[chunk] = allocate(sizes[chunk])
        lists = step.lists
        for event in step.events:
            if event < 0:
                chunk = ~event
                if lists and chunk in lists:
                    for piece in self._pieces.pop(chunk):
                        free(piece)
                    continue
                where = address.pop(chunk)
                if where in others:
                    self._leave(where)
                else:
                    free(where)
            elif event < UPDATE:
                if lists and event in lists:
                    self._pieces[event] = [allocate(sizes[event] // _PIECES) for _ in range(_PIECES)]
                else:
                    address[event] = allocate(sizes[event])
            elif event >= SETTLE:
                left = self._left.pop(event - SETTLE, None)
                if left is not None and not self._leave(left):
                    free(left)
            elif address[event - UPDATE] in others:
                slot = event - UPDATE
                self._left[slot] = address[slot]
                address[slot] = allocate(sizes[slot])
        for chunk in self._batch:
            if chunk in address:
                free(address.pop(chunk))
        self._move(step.moved)

    def _leave(self, where: int) -> bool:
        """One of several variables at an address goes; False if it was the last."""
        if where not in self._others:
            return False
        self._others[where] -= 1
        if not self._others[where]:
            del self._others[where]
        return True

    def _move(self, moved: dict[int, int]) -> None:
        """Variables live where their new values are; several may share one (accumulators one buffer of zeros)."""
        homes = {new: self._address.pop(new) for new in set(moved.values())}
        self._address.update({old: homes[new] for old, new in moved.items()})
        for new, count in Counter(moved.values()).items():
            if count > 1:
                self._others[homes[new]] = count - 1

    def _place_residents(self, step: SimulatedTrace, shared_zeros: bool) -> None:
        """Build the model: a weight's initializer leaves two freed temporaries of the weight's size.

        A random key comes first.  Random numbers, their scaling and the shifted result are three tensors
        (keras/src/backend/tensorflow/random.py, ``uniform``); the variable keeps the third, and a handle, which on
        a card lies in the host's memory (core/kernels/resource_variable_ops.cc, ``VarHandleOp``).  The first batch
        is there before the step is traced, which makes the slots and the constants; a card gets it when it runs.
        """
        sizes, shared = step.chunk_bytes(self.batch_size), _shared_slots(step, self._on_host) if shared_zeros else {}
        for chunk in sorted(range(step.resident), key=lambda c: _PLACES.get(step.roles[c], len(_PLACES))):
            role, size = step.roles[chunk], sizes[chunk]
            if chunk in shared or (role == "inputs" and not self._on_host):
                continue
            temporaries = [self.allocator.allocate(n) for n in ((_SMALL, size, size) if role == "weights" else ())]
            self._address[chunk] = self.allocator.allocate(size)
            for temporary in reversed(temporaries):
                self.allocator.free(temporary)
            if role in WEIGHT_ROLES and self._on_host:
                self.allocator.allocate(_SMALL)  # its handle, never given back
        for chunk, home in shared.items():
            self._address[chunk] = self._address[home]
            self._others[self._address[home]] += 1


def _shared_slots(step: SimulatedTrace, on_host: bool) -> dict[int, int]:
    """Slots that begin in the zeros of another one of their shape: of the first, or on a card of the last."""
    slots = [chunk for chunk in range(step.resident) if step.roles[chunk] == "optimizer_state"]
    homes = {step.shapes[chunk]: chunk for chunk in (reversed(slots) if on_host else slots)}
    return {chunk: homes[step.shapes[chunk]] for chunk in slots if chunk != homes[step.shapes[chunk]]}


def replayed_peaks(
    trainings: Sequence[Sequence[Sequence[SimulatedTrace]]], batch_size: float, *, on_host: bool = True
) -> tuple[tuple[int, int], ...]:
    """Of each training the allocator's peak up to the end of the first round, and over the later ones.

    The building of the model is part of the first round.  A round is the steps up to an update of the weights.  Each
    has an order of its own, as in a real training: what one order leaves free rarely fits the next one.  All trainings
    are of one model, which is built once, and a first round that several begin with is replayed once.
    """
    built = Replay(trainings[0][0][-1], batch_size, on_host=on_host)
    begun: dict[int, Replay] = {}
    found = []
    for first, *later in trainings:
        if id(first) not in begun:
            begun[id(first)] = built.copy().run_all([first])
        replay = begun[id(first)].copy()
        first_peak = replay.allocator.peak_bytes
        if later:
            replay.allocator.reset_peak()
        found.append((first_peak, replay.run_all(later).allocator.peak_bytes))
    return tuple(found)


def survives(
    rounds: Sequence[Sequence[SimulatedTrace]], batch_size: int, cap_bytes: int, *, on_host: bool = True
) -> bool:
    """Do the building and all rounds get through under a cap?"""
    try:
        replay = Replay(rounds[0][-1], batch_size, allocator=BfcAllocator.limited(cap_bytes, on_host=on_host))
        replay.run_all(rounds)
    except OutOfDeviceMemory:
        return False
    return True
