"""Replay a whole ``fit`` through one allocator: steps, a validation, steps again, with all that lies beside them.

A validation meets the chunks that the training has left and the other way round, so that neither has the peak that it
would have by itself: a chunk is handed out whole unless it is twice what was asked for (`app.core.simulate.bfc`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from app.core.simulate.bfc import BfcAllocator
from app.core.simulate.replay import Replay
from app.core.simulate.simulated_trace import SimulatedTrace

Rounds = Sequence[Sequence[SimulatedTrace]]
"""The steps up to an update and with it, in each order of execution (`app.core.simulate.orders`)."""

COURSES = ((2, 0, 2), (0, 2, 0), (0, 1, 2))
"""The orders of the rounds, as `app.core.simulate.orders.TRAININGS`; every phase takes them."""


MANY_EVENTS = 2000
"""Of one step: ResNet50's has 4,350, each of whose nine replays takes milliseconds."""


@dataclass(frozen=True)
class Steps:
    """One kind of step: in every order, at which batch, what its data takes whole, what is made ahead.

    Attributes:
        rounds: The requests.
        batch_size: Samples in a step.
        arrays: Bytes of arrays that lie there whole from the first of these steps on.
        batch_bytes: Of one batch.
        ahead: Batches that are ready or in the making besides.
    """

    rounds: Rounds
    batch_size: int
    arrays: tuple[int, ...] = ()
    batch_bytes: int = 0
    ahead: int = 0


class Peaks(NamedTuple):
    """The allocator's peak in each phase."""

    first_step: int
    training: int
    validation: int
    later: int


def courses_of(training: Steps) -> Sequence[Sequence[int]]:
    """The orders that are replayed: of a large network one, so that an answer does not take seconds."""
    return COURSES if len(training.rounds[0][-1].events) <= MANY_EVENTS else COURSES[:1]


def replayed_course(training: Steps, evaluation: Steps, order: Sequence[int], *, on_host: bool) -> Peaks:
    """The peaks of one course of a training: first epoch, validation, later epoch.

    Args:
        training: Its steps.
        evaluation: Those of its validation.
        order: Which of the rounds follow each other.
        on_host: The allocator takes its memory from the host's.
    """
    allocator = BfcAllocator.of_device(on_host=on_host)
    for size in training.arrays:
        allocator.allocate(size)
    replay = Replay(training.rounds[order[-1]][-1], training.batch_size, allocator=allocator, on_host=on_host)
    first = _ran(replay, training, order[:1])
    steady = _ran(replay, training, order[1:])
    for size in evaluation.arrays:
        allocator.allocate(size)
    step = replay.beside(evaluation.rounds[order[-1]][-1], evaluation.batch_size)
    validated = _ran(step, evaluation, order)
    return Peaks(first, steady, validated, _ran(replay, training, order))


def _ran(replay: Replay, steps: Steps, order: Sequence[int]) -> int:
    """The peak over some rounds, whose batches are made ahead; what is ready is let go of behind them."""
    allocator = replay.allocator
    ready: deque[int] = deque(allocator.allocate(steps.batch_bytes) for _ in range(steps.ahead))
    for number in order:
        for step in steps.rounds[number]:
            replay.run(step)
            if ready:
                allocator.free(ready.popleft())
                ready.append(allocator.allocate(steps.batch_bytes))
    peak = allocator.peak_bytes
    for address in ready:
        allocator.free(address)
    allocator.reset_peak()
    return peak
