"""What one step does to memory: chunks are taken, taken over by a later operation's result, and given back.

Sources: in-place forwarding of core/framework/op_kernel.cc (``forward_input``); copies of variables that are
still being read of core/kernels/training_op_helpers.h (``PrepareToUpdateVariable``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from app.core.simulate.program import IN_PLACE, OUTPUTS_BEFORE_SCRATCH, Buffer, Op, Program
from app.core.types.stepgraph import PerBatch


@dataclass
class Execution:
    """What one step does to memory.

    ``events`` holds ``n`` where chunk ``n`` is taken and ``~n`` where it is given back; ``by[e]`` is the operation of
    the program at event ``e``.  ``sizes[c]`` is chunk ``c``; the first ``resident`` chunks are the program's resident
    buffers.  ``moved`` maps a resident chunk to the chunk in which the variable lives afterwards.
    """

    sizes: list[PerBatch] = field(default_factory=list)
    roles: list[str] = field(default_factory=list)
    shapes: list[tuple[int, ...]] = field(default_factory=list)
    """Of the resident chunks."""
    layers: list[int | None] = field(default_factory=list)
    events: list[int] = field(default_factory=list)
    by: list[int] = field(default_factory=list)
    moved: dict[int, int] = field(default_factory=dict)
    resident: int = 0
    lists: set[int] = field(default_factory=set)
    """Chunks that stand for the elements of a list of tensors."""
    updated: list[tuple[int, int]] = field(default_factory=list)
    """Slots that change in place, each with the number of events before."""
    settled: list[tuple[int, int]] = field(default_factory=list)
    """The same when the change is done: a buffer that was shared until then loses an owner."""
    wishes: dict[int, int] = field(default_factory=dict)
    """By operation of the traced step the chunk that stands for what it would like as scratch, of no size here."""

    def with_wishes(self, wished: Iterable[tuple[int, PerBatch]]) -> Execution:
        """The same with what some operations would like: the order of execution does not depend on it."""
        sizes = self.sizes.copy()
        for operation, size in wished:
            sizes[self.wishes[operation]] = size
        return replace(self, sizes=sizes)


def uses_of(program: Program) -> list[int]:
    """How many want each buffer: the operations that read it, and whoever keeps it."""
    uses = [0] * len(program.buffers)
    for op in program.ops:
        for buffer in op.reads:
            uses[buffer] += 1
    for buffer in program.kept:
        uses[buffer] += 1
    return uses


class Chunks:
    """Reference counts of chunks, and which chunk each buffer lives in.

    Args:
        program: What runs.
        uses: How many want each of its buffers (`uses_of`).
    """

    def __init__(self, program: Program, uses: Sequence[int]) -> None:
        homes = program.buffers[: program.resident]
        self._program = program
        self._ops, self._buffers = program.ops, program.buffers
        self._uses = uses
        self._resident = program.resident
        self._sizes = [home.size for home in homes]
        self._roles = [home.role for home in homes]
        self._layers = [home.layer for home in homes]
        self._events: list[int] = []
        self._by: list[int] = []
        self._batch = frozenset(buffer for buffer in program.inputs if program.on_card and uses[buffer])
        """Of the batch what is copied to a card for the step, and given back as soon as nobody reads it any more."""
        self._refs = [uses[buffer] if buffer in self._batch else 1 for buffer in range(program.resident)]
        self._chunk_of = {buffer: buffer for buffer in range(program.resident)}
        self._scratch: dict[int, list[int]] = {}
        self._changing: dict[int, int] = {}
        shapes = [home.shape for home in homes]
        self.result = Execution(
            self._sizes, self._roles, shapes, self._layers, self._events, self._by, resident=program.resident
        )

    def start(self, index: int) -> None:
        """An operation begins: scratch and outputs are allocated."""
        op = self._ops[index]
        writes, taken_over = op.writes, False
        if self._program.on_card:
            before = OUTPUTS_BEFORE_SCRATCH.get(op.kind, len(writes))
            taken_over = self._place(writes[:before], op, index, taken_over)
            writes = writes[before:]
        if op.scratch:
            self._scratch[index] = [self._take(piece, "workspace", op.layer, index) for piece in op.scratch]
            if op.wish is not None:
                self.result.wishes[op.wish] = self._scratch[index][-1]
        if op.updates is not None:
            self._update_variable(op, op.updates, index)
        if writes:
            self._place(writes, op, index, taken_over)

    def finish(self, index: int) -> None:
        """An operation ends: scratch, inputs and outputs that nobody wants are given back."""
        op = self._ops[index]
        resident, chunk_of, uses, batch = self._resident, self._chunk_of, self._uses, self._batch
        if op.scratch:
            self._drop(self._scratch.pop(index), index)
        done = [chunk_of[buffer] for buffer in op.reads if buffer >= resident or buffer in batch]
        done += [chunk_of[buffer] for buffer in op.writes if not uses[buffer]]
        self._drop(done, index)
        if index in self._changing:
            self.result.settled.append((len(self._events), self._changing.pop(index)))

    def end(self) -> None:
        """The step is over: whoever asked for its outputs has them."""
        kept = (buffer for buffer in sorted(self._program.kept) if buffer >= self._resident)
        self._drop([self._chunk_of[buffer] for buffer in kept], len(self._ops) - 1)

    def _place(self, buffers: tuple[int, ...], op: Op, index: int, taken_over: bool) -> bool:
        """Give outputs their chunks: one that of an input which may be overwritten, the others new ones."""
        reads_variable, overwrites = op.kind == "ReadVariableOp" and op.reads, op.kind in IN_PLACE
        for buffer in buffers:
            wanted, users = self._buffers[buffer], self._uses[buffer] or 1
            chunk = None
            if reads_variable:
                chunk = self._chunk_of[op.reads[0]]
            elif overwrites and not taken_over:
                chunk = self._overwritten(op, wanted)
                taken_over = chunk is not None
            if chunk is not None:
                self._refs[chunk] += users
            else:
                chunk = self._take(wanted.size, wanted.role, wanted.layer, index, users)
                if buffer in self._program.lists:
                    self.result.lists.add(chunk)
            self._chunk_of[buffer] = chunk
        return taken_over

    def _overwritten(self, op: Op, wanted: Buffer) -> int | None:
        """The chunk of an input that an output takes over: as large, and nobody else needs it."""
        for source in op.reads:
            chunk = self._chunk_of[source]
            last = self._refs[chunk] == op.reads.count(source) and source not in self._program.kept
            if last and chunk >= self._resident and self._sizes[chunk] == wanted.size:
                self._relabel(chunk, wanted)
                return chunk
        return None

    def _update_variable(self, op: Op, variable: int, index: int) -> None:
        """Change a variable: in place, in a copy if it is still being read, or by taking the value's chunk."""
        home = self._chunk_of[variable]
        owner = self._buffers[variable]
        if op.kind == "AssignVariableOp":
            new = self._chunk_of[op.reads[0]] if op.reads else home
            if new < self._resident:
                return
            self._refs[new] += 1
            self._relabel(new, owner)
        elif self._refs[home] > 1:
            new = self._take(owner.size, owner.role, owner.layer, index)
        else:
            if owner.role == "optimizer_state":
                self.result.updated.append((len(self._events), variable))
                self._changing[index] = variable
            return
        self._chunk_of[variable] = new
        self.result.moved[variable] = new
        self._drop((home,), index)

    def _drop(self, chunks: Iterable[int], index: int) -> None:
        """One reference less to each; at zero the chunk is given back."""
        refs = self._refs
        for chunk in chunks:
            refs[chunk] -= 1
            if not refs[chunk]:
                self._events.append(~chunk)
                self._by.append(index)

    def _take(self, size: PerBatch, role: str, layer: int | None, index: int, users: int = 1) -> int:
        """A new chunk."""
        chunk = len(self._refs)
        self._refs.append(users)
        self._sizes.append(size)
        self._roles.append(role)
        self._layers.append(layer)
        self._events.append(chunk)
        self._by.append(index)
        return chunk

    def _relabel(self, chunk: int, held: Buffer) -> None:
        """A chunk now holds something else."""
        self._roles[chunk] = held.role
        self._layers[chunk] = held.layer
