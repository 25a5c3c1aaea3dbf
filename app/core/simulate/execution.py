"""What one step does to memory: chunks are taken, taken over by a later operation's result, and given back.

Sources: in-place forwarding of core/framework/op_kernel.cc (``forward_input``); copies of variables that are
still being read of core/kernels/training_op_helpers.h (``PrepareToUpdateVariable``).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from app.core.simulate.program import IN_PLACE, OUTPUTS_BEFORE_SCRATCH, Op, Program
from app.core.types.stepgraph import PerBatch


@dataclass
class Event:
    """A chunk is taken (``take``) or given back, at an operation of the program."""

    chunk: int
    take: bool
    op: int


@dataclass
class Execution:
    """What one step does to memory.

    ``sizes[c]`` is chunk ``c``; the first ``resident`` chunks are the program's resident buffers.
    ``moved`` maps a resident chunk to the chunk in which the variable lives afterwards.
    """

    sizes: list[PerBatch] = field(default_factory=list)
    roles: list[str] = field(default_factory=list)
    shapes: list[tuple[int, ...]] = field(default_factory=list)
    """Of the resident chunks."""
    layers: list[int | None] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    moved: dict[int, int] = field(default_factory=dict)
    resident: int = 0
    lists: set[int] = field(default_factory=set)
    """Chunks that stand for the elements of a list of tensors."""
    updated: list[tuple[int, int]] = field(default_factory=list)
    """Slots that change in place, each with the number of events before."""
    settled: list[tuple[int, int]] = field(default_factory=list)
    """The same when the change is done: a buffer that was shared until then loses an owner."""


class Chunks:
    """Reference counts of chunks, and which chunk each buffer lives in."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.result = Execution(resident=program.resident)
        self.chunk_of: dict[int, int] = {}
        self.refs: list[int] = []
        self.scratch: dict[int, list[int]] = {}
        self._changing: dict[int, int] = {}
        self.uses = [0] * len(program.buffers)
        for op in program.ops:
            for buffer in op.reads:
                self.uses[buffer] += 1
        for buffer in program.kept:
            self.uses[buffer] += 1
        for index in range(program.resident):
            self._new_chunk(index)

    def start(self, index: int) -> None:
        """An operation begins: scratch and outputs are allocated."""
        op = self.program.ops[index]
        before = OUTPUTS_BEFORE_SCRATCH.get(op.kind, len(op.writes)) if self.program.on_card else 0
        taken_over = False
        for buffer in op.writes[:before]:
            taken_over = self._place(buffer, op, taken_over, index)
        if op.scratch:
            self.scratch[index] = [self._take(piece, "workspace", op.layer, index) for piece in op.scratch]
        if op.updates is not None:
            self._update_variable(op, op.updates, index)
        for buffer in op.writes[before:]:
            taken_over = self._place(buffer, op, taken_over, index)

    def finish(self, index: int) -> None:
        """An operation ends: scratch, inputs and outputs that nobody wants are given back."""
        op = self.program.ops[index]
        for chunk in self.scratch.pop(index, ()):
            self._drop(chunk, index)
        for buffer in op.reads:
            self._release(buffer, index)
        for buffer in op.writes:
            if self.uses[buffer] == 0:
                self._drop(self.chunk_of[buffer], index)
        if index in self._changing:
            self.result.settled.append((len(self.result.events), self._changing.pop(index)))

    def end(self) -> None:
        """The step is over: whoever asked for its outputs has them."""
        last = len(self.program.ops) - 1
        for buffer in sorted(self.program.kept):
            if buffer >= self.program.resident:
                self._drop(self.chunk_of[buffer], last)

    def _place(self, buffer: int, op: Op, taken_over: bool, index: int) -> bool:
        """Give an output its chunk: an input's if it may be overwritten, else a new one."""
        if op.kind == "ReadVariableOp" and op.reads:
            self.chunk_of[buffer] = self.chunk_of[op.reads[0]]
            self.refs[self.chunk_of[buffer]] += max(1, self.uses[buffer])
            return taken_over
        wanted = self.program.buffers[buffer]
        if op.kind in IN_PLACE and not taken_over:
            for source in op.reads:
                chunk = self.chunk_of[source]
                last = self.refs[chunk] == op.reads.count(source) and source not in self.program.kept
                if chunk >= self.result.resident and last and self.result.sizes[chunk] == wanted.size:
                    self.chunk_of[buffer] = chunk
                    self.refs[chunk] += max(1, self.uses[buffer])
                    self._relabel(chunk, buffer)
                    return True
        chunk = self._take(wanted.size, wanted.role, wanted.layer, index)
        self.chunk_of[buffer] = chunk
        self.refs[chunk] = max(1, self.uses[buffer])
        if buffer in self.program.lists:
            self.result.lists.add(chunk)
        return taken_over

    def _update_variable(self, op: Op, variable: int, index: int) -> None:
        """Change a variable: in place, in a copy if it is still being read, or by taking the value's chunk."""
        home = self.chunk_of[variable]
        owner = self.program.buffers[variable]
        if op.kind == "AssignVariableOp":
            new = self.chunk_of[op.reads[0]] if op.reads else home
            if new < self.result.resident:
                return
            self.refs[new] += 1
            self._relabel(new, variable)
        elif self.refs[home] > 1:
            new = self._take(owner.size, owner.role, owner.layer, index)
        else:
            if owner.role == "optimizer_state":
                self.result.updated.append((len(self.result.events), variable))
                self._changing[index] = variable
            return
        self.chunk_of[variable] = new
        self.result.moved[variable] = new
        self._drop(home, index)

    def _release(self, buffer: int, index: int) -> None:
        """An operation has read a buffer."""
        self.uses[buffer] -= 1
        if buffer >= self.program.resident:
            self._drop(self.chunk_of[buffer], index)

    def _drop(self, chunk: int, index: int) -> None:
        """One reference less; at zero the chunk is given back."""
        self.refs[chunk] -= 1
        if self.refs[chunk] == 0:
            self.result.events.append(Event(chunk, False, index))

    def _take(self, size: PerBatch, role: str, layer: int | None, index: int) -> int:
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
        self.result.shapes.append(made.shape)
        self.result.layers.append(made.layer)
        self.refs.append(1)
        self.chunk_of[buffer] = buffer

    def _relabel(self, chunk: int, buffer: int) -> None:
        """A chunk now holds something else."""
        self.result.roles[chunk] = self.program.buffers[buffer].role
        self.result.layers[chunk] = self.program.buffers[buffer].layer
