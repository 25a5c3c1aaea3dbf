"""Run a program in the order of TensorFlow's executor and note every allocation and free.

The order does not depend on sizes, so one simulation serves every batch size: it yields *events*, and
the bytes alive after each event are affine in the batch.  Source: the ready queue of
core/common_runtime/executor.cc; what an operation does to memory stands in `app.core.simulate.execution`.
"""

from __future__ import annotations

import heapq
import random
from collections import deque

from app.core.simulate.durations import CHEAP, LAUNCH_S, nominal_durations_s
from app.core.simulate.execution import Chunks, Execution
from app.core.simulate.program import Program, successors_of
from app.core.types.cancelling import check_cancelled

SPREAD_S = 5e-5
"""Kernels that take longer spread their work over one pool of threads that all running kernels share, and whose
queue is first in, first out (core/common_runtime/local_device.cc, ``EigenThreadPoolInfo``): an operation that
starts beside a long convolution ends after it.  In a trace the gradient of a layer's weight never outlived the
next layer's gradients, though both are ready at once."""

DURATION_SCATTER = 0.3
"""Standard deviation of the logarithm of a duration over its nominal value: operation times that are taken
from elsewhere miss by 14 to 23 % in the median, and the same step twice by 31 % (docs/evidence.md, "Operation
times")."""


def execute(
    program: Program, *, threads: int = 1, on_host: bool = True, order: int = 0, reference_batch: int = 32
) -> Execution:
    """Simulate one step.

    Args:
        program: What to run.
        threads: How many operations may run at once.
        on_host: Operations run on the processor.  On a card an operation has ended for the executor, and its
            inputs are free to be taken again, as soon as it is launched, because the stream keeps the order
            (core/common_runtime/gpu/gpu_device.cc, ``GPUDevice::Compute``).
        order: 0 for the nominal durations; any other number draws durations around them, always the same ones.
            With an odd number kernels do not queue behind each other (`SPREAD_S`): some leave the pool idle.
        reference_batch: Batch size for the durations that decide which operation ends first.

    Raises:
        Cancelled: See `app.core.types.cancelling`.
    """
    check_cancelled()
    memory = Chunks(program)
    durations = nominal_durations_s(program, reference_batch) if on_host else [LAUNCH_S] * len(program.ops)
    if order:
        drawn = random.Random(order)
        durations = [d * drawn.lognormvariate(0.0, DURATION_SCATTER) for d in durations]
    scheduler = _Scheduler(program, memory, threads if on_host else 1, durations, queued=order % 2 == 0)
    if not on_host:
        scheduler.inline = frozenset(op.kind for op in program.ops)
    scheduler.run()
    memory.end()
    return memory.result


class _Scheduler:
    """Who runs when: a ready queue per thread, as in TensorFlow's executor.

    A finished operation's cheap followers run on the same thread at once; of the others one is kept and
    the rest are offered to all threads: a thread takes its own newest, an idle one steals the oldest
    (``ExecutorState::ScheduleReady``; Eigen's NonBlockingThreadPool).
    """

    def __init__(self, program: Program, memory: Chunks, threads: int, durations: list[float], *, queued: bool) -> None:
        self.ops = program.ops
        self.memory = memory
        self.durations = durations
        self.pending = [len(s.after) for s in self.ops]
        self.successors = successors_of([s.after for s in self.ops])
        self.ready: list[deque[int]] = [deque() for _ in range(threads)]
        self.inline_ready: list[deque[int]] = [deque() for _ in range(threads)]
        self.idle = list(range(threads))
        self.running: list[tuple[float, int, int]] = []
        self.queued = queued
        self.pool_free = 0.0
        self.inline = CHEAP

    def run(self) -> None:
        """Run until nothing is left."""
        roots = [i for i, n in enumerate(self.pending) if n == 0]
        for number, index in enumerate(roots):
            self.ready[number % len(self.ready)].append(index)
        now = 0.0
        self._fill(now)
        while self.running:
            now, index, thread = heapq.heappop(self.running)
            self.memory.finish(index)
            self._release_successors(index, thread)
            self.idle.append(thread)
            self._fill(now)

    def _fill(self, now: float) -> None:
        """Give work to idle threads."""
        for thread in sorted(self.idle):
            index = self._next(thread)
            if index is None:
                continue
            self.idle.remove(thread)
            self.memory.start(index)
            heapq.heappush(self.running, (self._end(now, self.durations[index]), index, thread))

    def _end(self, now: float, duration: float) -> float:
        """When an operation that starts now has ended: at once after those before it, if its work is spread."""
        if duration < SPREAD_S or not self.queued:
            return now + duration
        self.pool_free = max(now, self.pool_free) + duration
        return self.pool_free

    def _next(self, thread: int) -> int | None:
        """What a thread does next: its inline work, its newest offer, or another's oldest."""
        if self.inline_ready[thread]:
            return self.inline_ready[thread].popleft()
        if self.ready[thread]:
            return self.ready[thread].popleft()
        for other in self.ready:
            if other:
                return other.pop()
        return None

    def _release_successors(self, index: int, thread: int) -> None:
        """Queue what has become ready."""
        kept = None
        for successor in self.successors[index]:
            self.pending[successor] -= 1
            if self.pending[successor]:
                continue
            if self.ops[successor].kind in self.inline:
                self.inline_ready[thread].append(successor)
                continue
            if kept is not None:
                self.ready[thread].appendleft(kept)
            kept = successor
        if kept is not None and self.inline_ready[thread]:
            self.ready[thread].appendleft(kept)
        elif kept is not None:
            self.inline_ready[thread].append(kept)
