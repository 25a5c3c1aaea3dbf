"""Run a program in the order of TensorFlow's executor and note every allocation and free.

The order does not depend on sizes, so one simulation serves every batch size: it yields *events*, and
the bytes alive after each event are affine in the batch.  Source: the ready queue of
core/common_runtime/executor.cc; what an operation does to memory stands in `app.core.simulate.execution`.
"""

from __future__ import annotations

import bisect
import heapq
import random
from collections import deque

from app.core.simulate.durations import AWAITED, CHEAP, COPY_S, LAUNCH_S, LOOKUPS, nominal_durations_s
from app.core.simulate.execution import Chunks, Execution, uses_of
from app.core.simulate.program import Op, Program, successors_of
from app.core.types.cancelling import check_cancelled

SPREAD_S = 5e-5
"""Kernels that take longer spread their work over one pool of threads that all running kernels share, and whose
queue is first in, first out (core/common_runtime/local_device.cc, ``EigenThreadPoolInfo``): an operation that
starts beside a long convolution ends after it.  In a trace the gradient of a layer's weight never outlived the
next layer's gradients, though both are ready at once."""

NO_THREAD = -1
"""Stands for the thread of an operation that waits for a copy, not for a thread."""

DURATION_SCATTER = 0.3
"""Standard deviation of the logarithm of a duration over its nominal value: operation times that are taken
from elsewhere miss by 14 to 23 % in the median, and the same step twice by 31 % (docs/evidence.md, "Operation
times")."""


class Executor:
    """Runs one program in any order of its operations; what all orders have in common is found out once.

    Args:
        program: What to run.
        threads: How many operations may run at once, or on a card be launched.
        on_host: Operations run on the processor.  On a card an operation has ended for the executor, and its
            inputs are free to be taken again, as soon as it is launched, because the stream keeps the order
            (core/common_runtime/gpu/gpu_device.cc, ``GPUDevice::Compute``).
        reference_batch: Batch size for the durations that decide which operation ends first.
    """

    def __init__(self, program: Program, *, threads: int = 1, on_host: bool = True, reference_batch: int = 32) -> None:
        ops = program.ops
        self._program = program
        self._uses = uses_of(program)
        self._durations = nominal_durations_s(program, reference_batch) if on_host else [LAUNCH_S] * len(ops)
        self.awaited = frozenset() if on_host else _awaited(program)
        """Operations that a thread can take once something is copied between host and card."""
        self.returned = frozenset() if on_host else _returned(program)
        """Operations that only the traced graph has, at its end."""
        self.threads = threads
        after = [self._waited_for(number) for number in range(len(ops))]
        self.waits_for = [len(before) for before in after]
        self.successors = successors_of(after)
        if not on_host and any(op.kind == "IsFinite" for op in ops):
            self._lead_on_first(ops)
        self.inline = [op.kind in CHEAP for op in ops] if on_host else [True] * len(ops)

    def _waited_for(self, number: int) -> tuple[int, ...]:
        """What an operation waits for; what hands a gradient on waits for nothing but what makes it.

        A traced function ends when its metrics are updated, and only then gives its gradients back.
        """
        ops, after = self._program.ops, self._program.ops[number].after
        return tuple(a for a in after if ops[a].kind != "NoOp") if number in self.returned else after

    def _lead_on_first(self, ops: list[Op]) -> None:
        """Put what leads on to other layers before the gradients of a layer's own weights.

        So they stand in a training's graph that scales its loss, where all gradients are looked at before any is used;
        in others they are as they were traced (allocator traces of VGG19, ResNet50V2, a plain CNN and a transformer).
        """
        leads_on = [False] * len(ops)
        for index in reversed(range(len(ops))):
            leads_on[index] = any(
                ops[after].phase == "backward" and (leads_on[after] or ops[after].layer != ops[index].layer)
                for after in self.successors[index]
            )
        for later in self.successors:
            later.sort(key=lambda index: ops[index].phase == "backward" and not leads_on[index])

    def run(self, order: int = 0) -> Execution:
        """Simulate one step.

        Args:
            order: 0 for the nominal durations; any other number draws durations around them, always the same ones.
                With an odd number kernels do not queue behind each other (`SPREAD_S`): some leave the pool idle.

        Raises:
            Cancelled: See `app.core.types.cancelling`.
        """
        check_cancelled()
        durations = self._durations
        if order:
            drawn = random.Random(order).lognormvariate
            durations = [duration * drawn(0.0, DURATION_SCATTER) for duration in durations]
        memory = Chunks(self._program, self._uses)
        _Scheduler(self, memory, durations, queued=order % 2 == 0).run()
        memory.end()
        return memory.result


def execute(
    program: Program, *, threads: int = 1, on_host: bool = True, order: int = 0, reference_batch: int = 32
) -> Execution:
    """Simulate one step in one order (`Executor`)."""
    return Executor(program, threads=threads, on_host=on_host, reference_batch=reference_batch).run(order)


def _awaited(program: Program) -> frozenset[int]:
    """Operations that wait on a card for a copy from or to the host.

    A batch that is cast, such as numbers that came as floats, is on the card.
    """
    from_batch, waiting = set(program.inputs), set()
    for number, op in enumerate(program.ops):
        if op.kind in AWAITED or (op.kind in LOOKUPS and not from_batch.isdisjoint(op.reads)):
            waiting.add(number)
        elif op.kind != "Cast" and all(_is_given(program, buffer, from_batch) for buffer in op.reads):
            from_batch.update(op.writes)
    return frozenset(waiting)


def _returned(program: Program) -> frozenset[int]:
    """What hands a gradient to its update, which in a training's graph reads the gradient itself."""
    given = {a for op in program.ops if op.phase == "update" for a in op.after}
    return frozenset(a for a in given if program.ops[a].kind == "Identity" and program.ops[a].phase != "update")


def _is_given(program: Program, buffer: int, from_batch: set[int]) -> bool:
    """Is a buffer part of the batch, made of nothing else, or a constant."""
    return buffer in from_batch or program.buffers[buffer].role == "constants"


class _Scheduler:
    """Who runs when: a ready queue per thread, as in TensorFlow's executor.

    A finished operation's cheap followers run on the same thread at once; of the others one is kept and
    the rest are offered to all threads: a thread takes its own newest, an idle one steals the oldest
    (``ExecutorState::ScheduleReady``; Eigen's NonBlockingThreadPool).
    """

    def __init__(self, steps: Executor, memory: Chunks, durations: list[float], *, queued: bool) -> None:
        self._memory = memory
        self._durations = durations
        self._pending = steps.waits_for.copy()
        self._successors = steps.successors
        self._inline = steps.inline
        self._awaited = steps.awaited
        self._returned = steps.returned
        self._ready: list[deque[int]] = [deque() for _ in range(steps.threads)]
        self._inline_ready: list[deque[int]] = [deque() for _ in range(steps.threads)]
        self._idle = list(range(steps.threads))
        """In the order of their numbers."""
        self._running: list[tuple[float, int, int]] = []
        self._queued = queued
        self._pool_free = 0.0

    def run(self) -> None:
        """Run until nothing is left."""
        roots = [index for index, count in enumerate(self._pending) if count == 0]
        for number, index in enumerate(roots):
            self._ready[number % len(self._ready)].append(index)
        self._fill(0.0)
        while self._running:
            now, index, thread = heapq.heappop(self._running)
            if thread == NO_THREAD:
                self._ready[index % len(self._ready)].append(index)
            else:
                self._memory.finish(index)
                self._release_successors(index, thread, now)
                bisect.insort(self._idle, thread)
            self._fill(now)

    def _fill(self, now: float) -> None:
        """Give work to idle threads: inline work, their newest offer, or another's oldest."""
        for thread in self._idle.copy():
            own = self._inline_ready[thread] or self._ready[thread]
            other = None if own else next(filter(None, self._ready), None)
            if own:
                index = own.popleft()
            elif other is not None:
                index = other.pop()
            else:
                continue
            self._idle.remove(thread)
            self._memory.start(index)
            heapq.heappush(self._running, (self._end(now, self._durations[index]), index, thread))

    def _end(self, now: float, duration: float) -> float:
        """When an operation that starts now has ended: at once after those before it, if its work is spread."""
        if duration < SPREAD_S or not self._queued:
            return now + duration
        self._pool_free = max(now, self._pool_free) + duration
        return self._pool_free

    def _release_successors(self, index: int, thread: int, now: float) -> None:
        """Queue what has become ready."""
        kept, pending = None, self._pending
        for successor in self._successors[index]:
            pending[successor] -= 1
            if pending[successor]:
                continue
            if successor in self._returned:
                self._memory.start(successor)
                self._memory.finish(successor)
                self._release_successors(successor, thread, now)
                continue
            if successor in self._awaited:
                heapq.heappush(self._running, (now + COPY_S, successor, NO_THREAD))
                continue
            if self._inline[successor]:
                self._inline_ready[thread].append(successor)
                continue
            if kept is not None:
                self._ready[thread].appendleft(kept)
            kept = successor
        if kept is not None and self._inline_ready[thread]:
            self._ready[thread].appendleft(kept)
        elif kept is not None:
            self._inline_ready[thread].append(kept)
