"""Run a program in the order of TensorFlow's executor and note every allocation and free.

The order does not depend on sizes, so one simulation serves every batch size: it yields *events*, and
the bytes alive after each event are a line in the batch.  Sources: the ready queue of
core/common_runtime/executor.cc; in-place forwarding of core/framework/op_kernel.cc
(``forward_input``); copies of variables that are still being read of
core/kernels/training_op_helpers.h (``PrepareToUpdateVariable``).
"""

from __future__ import annotations

import heapq
import random
from collections import deque
from dataclasses import dataclass, field

from app.core.program import IN_PLACE, Program, Step
from app.core.stepgraph import Line

CHEAP = frozenset(
    "Identity IdentityN Reshape Squeeze ExpandDims StopGradient PreventGradient Shape ShapeN Size Rank Const NoOp "
    "ReadVariableOp VariableShape BroadcastGradientArgs".split()
)
"""Kinds whose kernels call themselves inexpensive (``IsExpensive`` in their headers)."""

CHEAP_S = 1e-6
LAUNCH_S = 1e-5
NOMINAL_FLOPS_PER_S = 1e11
NOMINAL_BYTES_PER_S = 1e10
"""Orders of magnitude of a desktop; they only decide which of two operations ends first.  The chains of an
update ran at 2 to 20 GB/s in a trace of VGG19, the median at 5, beside convolutions of 50 GFLOP/s and more."""

SPREAD_S = 5e-5
"""Kernels that take longer spread their work over one pool of threads that all running kernels share, and whose
queue is first in, first out (core/common_runtime/local_device.cc, ``EigenThreadPoolInfo``): an operation that
starts beside a long convolution ends after it.  In a trace the gradient of a layer's weight never outlived the
next layer's gradients, though both are ready at once."""

DURATION_SCATTER = 0.3
"""Standard deviation of the logarithm of a duration over its nominal value: operation times that are taken
from elsewhere miss by 14 to 23 % in the median, and the same step twice by 31 % (FEASIBILITY)."""

FILTER_GRADIENT_SLOWNESS = 1.25
REPACKING_BYTES_PER_S = 2.5e9
"""oneDNN on two cores: a convolution's filter gradient runs at 65 to 107 GFLOP/s where its input gradient
runs at 91 to 114.  The product with a transposed weight repacks it first: of a 25088 x 4096 weight it takes
308 ms where the other gradient takes 55 ms, of 4608 x 4096 at batch 16 48 and 11 ms, of 384 x 1536 the same
(measured, TensorFlow 2.21)."""


@dataclass
class Event:
    """A chunk is taken (``take``) or given back, at a step of the program."""

    chunk: int
    take: bool
    step: int


@dataclass
class Execution:
    """What one step does to memory.

    ``sizes[c]`` is chunk ``c``; the first ``resident`` chunks are the program's resident buffers.
    ``moved`` maps a resident chunk to the chunk in which the variable lives afterwards.
    """

    sizes: list[Line] = field(default_factory=list)
    roles: list[str] = field(default_factory=list)
    layers: list[int | None] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    moved: dict[int, int] = field(default_factory=dict)
    resident: int = 0
    updated: list[tuple[int, int]] = field(default_factory=list)
    """Slots that change in place, each with the number of events before."""


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
    """
    memory = _Memory(program)
    durations = _durations_s(program, reference_batch) if on_host else [LAUNCH_S] * len(program.steps)
    if order:
        drawn = random.Random(order)
        durations = [d * drawn.lognormvariate(0.0, DURATION_SCATTER) for d in durations]
    _Scheduler(program, memory, threads, durations, queued=order % 2 == 0).run()
    return memory.result


class _Scheduler:
    """Who runs when: a ready queue per thread, as in TensorFlow's executor.

    A finished operation's cheap followers run on the same thread at once; of the others one is kept and
    the rest are offered to all threads: a thread takes its own newest, an idle one steals the oldest
    (``ExecutorState::ScheduleReady``; Eigen's NonBlockingThreadPool).
    """

    def __init__(
        self, program: Program, memory: _Memory, threads: int, durations: list[float], *, queued: bool
    ) -> None:
        self.steps = program.steps
        self.memory = memory
        self.durations = durations
        self.waiting = [len(s.after) for s in self.steps]
        self.followers: list[list[int]] = [[] for _ in self.steps]
        for index, step in enumerate(self.steps):
            for before in step.after:
                self.followers[before].append(index)
        self.offered: list[deque[int]] = [deque() for _ in range(threads)]
        self.inline: list[deque[int]] = [deque() for _ in range(threads)]
        self.idle = list(range(threads))
        self.running: list[tuple[float, int, int]] = []
        self.queued = queued
        self.pool_free = 0.0

    def run(self) -> None:
        """Run until nothing is left."""
        roots = [i for i, n in enumerate(self.waiting) if n == 0]
        for turn, index in enumerate(roots):
            self.offered[turn % len(self.offered)].append(index)
        now = 0.0
        self._fill(now)
        while self.running:
            now, index, thread = heapq.heappop(self.running)
            self.memory.finish(index)
            self._release_followers(index, thread)
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
        if self.inline[thread]:
            return self.inline[thread].popleft()
        if self.offered[thread]:
            return self.offered[thread].popleft()
        for other in self.offered:
            if other:
                return other.pop()
        return None

    def _release_followers(self, index: int, thread: int) -> None:
        """Queue what has become ready."""
        kept = None
        for follower in self.followers[index]:
            self.waiting[follower] -= 1
            if self.waiting[follower]:
                continue
            if self.steps[follower].kind in CHEAP:
                self.inline[thread].append(follower)
                continue
            if kept is not None:
                self.offered[thread].appendleft(kept)
            kept = follower
        if kept is not None and self.inline[thread]:
            self.offered[thread].appendleft(kept)
        elif kept is not None:
            self.inline[thread].append(kept)


class _Memory:
    """Reference counts of chunks, and which chunk each buffer lives in."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.result = Execution(resident=program.resident)
        self.chunk_of: dict[int, int] = {}
        self.refs: list[int] = []
        self.scratch: dict[int, int] = {}
        self.uses = [0] * len(program.buffers)
        for step in program.steps:
            for buffer in step.reads:
                self.uses[buffer] += 1
        for buffer in program.kept:
            self.uses[buffer] += 1
        for index in range(program.resident):
            self._new_chunk(index)

    def start(self, index: int) -> None:
        """An operation begins: scratch and outputs are allocated."""
        step = self.program.steps[index]
        if step.scratch.fixed or step.scratch.per_sample:
            self.scratch[index] = self._take(step.scratch, "workspace", step.layer, index)
        if step.updates is not None:
            self._update_variable(step, step.updates, index)
        taken_over = False
        for buffer in step.writes:
            taken_over = self._place(buffer, step, taken_over, index)

    def finish(self, index: int) -> None:
        """An operation ends: scratch, inputs and outputs that nobody wants are given back."""
        step = self.program.steps[index]
        if index in self.scratch:
            self._drop(self.scratch.pop(index), index)
        for buffer in step.reads:
            self._release(buffer, index)
        for buffer in step.writes:
            if self.uses[buffer] == 0:
                self._drop(self.chunk_of[buffer], index)

    def _place(self, buffer: int, step: Step, taken_over: bool, index: int) -> bool:
        """Give an output its chunk: an input's if it may be overwritten, else a new one."""
        if step.kind == "ReadVariableOp" and step.reads:
            self.chunk_of[buffer] = self.chunk_of[step.reads[0]]
            self.refs[self.chunk_of[buffer]] += max(1, self.uses[buffer])
            return taken_over
        wanted = self.program.buffers[buffer]
        if step.kind in IN_PLACE and not taken_over:
            for source in step.reads:
                chunk = self.chunk_of[source]
                last = self.refs[chunk] == step.reads.count(source) and source not in self.program.kept
                if chunk >= self.result.resident and last and self.result.sizes[chunk] == wanted.size:
                    self.chunk_of[buffer] = chunk
                    self.refs[chunk] += max(1, self.uses[buffer])
                    self._relabel(chunk, buffer)
                    return True
        chunk = self._take(wanted.size, wanted.role, wanted.layer, index)
        self.chunk_of[buffer] = chunk
        self.refs[chunk] = max(1, self.uses[buffer])
        return taken_over

    def _update_variable(self, step: Step, variable: int, index: int) -> None:
        """Change a variable: in place, in a copy if it is still being read, or by taking the value's chunk."""
        home = self.chunk_of[variable]
        owner = self.program.buffers[variable]
        if step.kind == "AssignVariableOp":
            new = self.chunk_of[step.reads[0]] if step.reads else home
            if new < self.result.resident:
                return
            self.refs[new] += 1
            self._relabel(new, variable)
        elif self.refs[home] > 1:
            new = self._take(owner.size, owner.role, owner.layer, index)
        else:
            if owner.role == "optimizer_state":
                self.result.updated.append((len(self.result.events), variable))
            return
        self.chunk_of[variable] = new
        self.result.moved[variable] = new
        self._drop(home, index)

    def _release(self, buffer: int, index: int) -> None:
        """A step has read a buffer."""
        self.uses[buffer] -= 1
        if buffer >= self.program.resident:
            self._drop(self.chunk_of[buffer], index)

    def _drop(self, chunk: int, index: int) -> None:
        """One reference less; at zero the chunk is given back."""
        self.refs[chunk] -= 1
        if self.refs[chunk] == 0:
            self.result.events.append(Event(chunk, False, index))

    def _take(self, size: Line, role: str, layer: int | None, index: int) -> int:
        """A new chunk with one reference."""
        chunk = len(self.result.sizes)
        self.result.sizes.append(size)
        self.result.roles.append(role)
        self.result.layers.append(layer)
        self.refs.append(1)
        self.result.events.append(Event(chunk, True, index))
        return chunk

    def _new_chunk(self, buffer: int) -> None:
        """A resident buffer's own chunk."""
        made = self.program.buffers[buffer]
        self.result.sizes.append(made.size)
        self.result.roles.append(made.role)
        self.result.layers.append(made.layer)
        self.refs.append(1)
        self.chunk_of[buffer] = buffer

    def _relabel(self, chunk: int, buffer: int) -> None:
        """A chunk now holds something else."""
        self.result.roles[chunk] = self.program.buffers[buffer].role
        self.result.layers[chunk] = self.program.buffers[buffer].layer


def _durations_s(program: Program, batch: int) -> list[float]:
    """A nominal duration of each step on a host; only their ratios matter."""
    weights = frozenset(b for step in program.steps if step.kind == "ReadVariableOp" for b in step.writes)
    return [_duration_s(program, step, batch, weights) for step in program.steps]


def _duration_s(program: Program, step: Step, batch: int, weights: frozenset[int]) -> float:
    """One step's."""
    if step.kind in CHEAP:
        return CHEAP_S
    moved = sum(program.buffers[b].size.at(batch) for b in (*step.reads, *step.writes))
    seconds = max(step.flops.at(batch) / NOMINAL_FLOPS_PER_S, moved / NOMINAL_BYTES_PER_S)
    if step.kind == "Conv2DBackpropFilter":
        seconds *= FILTER_GRADIENT_SLOWNESS
    elif step.kind == "MatMul" and step.phase == "backward" and any(b in weights for b in step.reads):
        seconds += sum(program.buffers[b].size.fixed for b in step.reads if b in weights) / REPACKING_BYTES_PER_S
    return LAUNCH_S + seconds
