"""TensorFlow's operations as XLA's instructions (tf2xla/kernels), as far as memory is concerned.

What becomes of one operation alone stands in `app.core.simulate.xla.expansions`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from app.core.simulate.program import NO_OUTPUT_MEMORY, RESHAPES, Op, Program
from app.core.simulate.xla.card import GEMM_WORKSPACE_BYTES, LIBRARY_RESULT_BYTES, CardCompiler
from app.core.simulate.xla.card_expansions import card_handler
from app.core.simulate.xla.card_notes import CardNotes
from app.core.simulate.xla.convolutions import is_pointwise_gradient
from app.core.simulate.xla.epilogues import ADDS, library_epilogues
from app.core.simulate.xla.expansions import HANDLERS
from app.core.simulate.xla.filter_gradients import plain_filter_gradients
from app.core.simulate.xla.hlo import BOOLEAN_BYTES, ELEMENTWISE, Instruction, Module, Opcode, Scratch
from app.core.simulate.xla.layouts import Layouts
from app.core.simulate.xla.op_cycles import OTHERS
from app.core.simulate.xla.random_numbers import write_random_numbers
from app.core.simulate.xla.rounding import keep_wide, read_unrounded
from app.core.simulate.xla.softmax_rows import rows_of_softmaxes
from app.core.simulate.xla.swish import into_sigmoids
from app.core.simulate.xla.triton import taken_in
from app.core.types.stepgraph import PerBatch, StepGraph
from app.core.types.units import FLOAT_BYTES, HALF_BYTES

BROADCAST = 2
"""From so many times the size on a result is a broadcast of its operand, and not the same numbers in a wider type."""

BOOLEANS = frozenset(
    "Equal NotEqual Greater GreaterEqual Less LessEqual LogicalAnd LogicalOr LogicalNot IsFinite IsInf IsNan".split()
)
"""Kinds that make truth values."""

ALIASES = frozenset("ReadVariableOp Copy TensorListStack TensorListPopBack TensorListGetItem".split())
OPCODES: dict[str, Opcode] = {
    "Mul": "multiply",
    **dict.fromkeys(
        "Div DivNoNan RealDiv Exp Expm1 Log Log1p Pow Reciprocal Rsqrt Sigmoid Softplus Softsign Sqrt Tanh Xdivy "
        "Xlogy SqrtGrad Inv Atan Atan2 Sinh Cosh Mod FloorMod FloorDiv".split(),
        "costly",
    ),
    **dict.fromkeys("Sum Mean Max Min Prod Any All ArgMax ArgMin BiasAddGrad L2Loss EuclideanNorm".split(), "reduce"),
    **dict.fromkeys(
        "ListElement Slice StridedSlice StridedSliceGrad Pad PadV2 MirrorPad ReverseV2 Split SplitV Unpack".split(),
        "slice",
    ),
    **dict.fromkeys("Tile BroadcastTo Fill ZerosLike OnesLike Range OneHot".split(), "spread"),
    **dict.fromkeys("GatherV2 Gather ResourceGather GatherNd".split(), "gather"),
    **dict.fromkeys("ConcatV2 Concat Pack".split(), "concatenate"),
    **dict.fromkeys("TensorListLength TensorListElementShape AllReady Cumsum TopKV2 ScatterNd".split(), "call"),
}
"""Kinds that become one instruction; whatever is not listed is element-wise and cheap (``map``).

``costly`` is what ``CpuInstructionFusion::IsExpensive`` lists.
"""


def lower(program: Program, graph: StepGraph, *, batch_size: int, card: CardCompiler | None = None) -> Module:
    """Translate a program whose views are operations of their own.

    Args:
        program: The step with the optimizer's update (`build_program`, ``keep_views``).
        graph: Where the shapes of the weights stand.
        batch_size: For this batch; one sample needs no products for the gradients of weights.
        card: The card's compiler, if it is not XLA's processor backend.
    """
    lowering = Lowering(program, graph, batch_size, card)
    for index, op in enumerate(program.ops):
        lowering.append(index, op)
    return lowering.finish()


def spatial_rank(graph: StepGraph) -> int:
    """Dimensions of the images besides batch and channels, told by the weights of the convolutions."""
    kernels = [
        len(v.shape) - 2
        for v in graph.variables
        if v.layer is not None and "Conv" in graph.layers[v.layer].kind and len(v.shape) > 2
    ]
    return max(kernels, default=1)


PADS = frozenset({"Pad", "PadV2"})


class Lowering:
    """State while translating."""

    def __init__(self, program: Program, graph: StepGraph, batch_size: int, card: CardCompiler | None) -> None:
        self.program = program
        self.graph = graph
        self.batch_size = batch_size
        self.card = card
        self.on_host = card is None
        self.spatial_rank = spatial_rank(graph)
        self.channels_last = card is not None and card.keeps_channels_last(graph.precision, self.spatial_rank)
        self.module = Module(resident=program.resident)
        profile = OTHERS if card is None else card.speed.profile
        self.notes = CardNotes(self.module.instructions, profile, float16=graph.precision == "mixed_float16")
        self.batch_major: set[int] = set()
        """Values that a batched product can read as they are."""
        self.queries: set[int] = set()
        self.array_starts: set[int] = set()
        self.arrays: set[int] = set()
        self.relu_input: dict[int, int] = {}
        """On a card: what went into a ReLU, by its result."""
        self.random: set[int] = set()
        """On a card: values made of random numbers and constants alone."""
        self.trip_count: float | None = None
        """Iterations of the loop that is being translated."""
        self._value: dict[int, int] = {}
        self._gates: dict[int, int] = {}
        self._gate: int | None = None
        """On a card: what was found out last of all gradients."""
        self._verdicts: set[int] = set()
        """On a card: those that say whether there is an update."""
        self._made: dict[int, int] = {}
        self._equal: dict[tuple[object, ...], list[int]] = {}
        self._zeros: dict[tuple[PerBatch, int], int] = {}
        self._loops: list[dict[int, int]] = []
        self._sums: dict[int, tuple[int, int]] = {}
        self._scatters: dict[int, tuple[int, int]] = {}
        self._casts: set[int] = set()
        self.rows = rows_of_softmaxes(program) if card else {}
        """On a card: the size of a number for each row of a softmax, by the buffer of its result."""
        self._into_sigmoids = into_sigmoids(program)
        self.layouts = Layouts(self)
        self._copied: dict[int, int] = {}
        """Of new values that are written beside a variable the copies."""
        self._layer: int | None = None
        self._role = "activations"
        self.computed_bytes = FLOAT_BYTES if graph.precision == "float32" else HALF_BYTES
        """Of an element of what the network computes."""
        self.epilogues = library_epilogues(program, partial(is_pointwise_gradient, self)) if card else {}
        widths = {FLOAT_BYTES, self.computed_bytes}
        has_images = any("Conv" in layer.kind for layer in graph.layers)
        self.module.channels_last = self.channels_last or not has_images
        self.plain_gradients = plain_filter_gradients(program, graph, self.computed_bytes) if card else frozenset()
        """Gradients of filters that are plain convolutions to a card's compiler."""
        self.gradient_sizes = {v.elements * width for v in graph.variables for width in widths}
        for index in range(program.resident):
            made = program.buffers[index]
            self.module.instructions.append(Instruction("parameter", (), made.size, made.role, made.layer))
            self._value[index] = index

    def append(self, index: int, op: Op) -> None:
        """Translate one operation."""
        self._layer = op.layer
        self._role = "gradients" if op.phase == "update" else "activations"
        reads = [self._value[b] for b in op.reads if b in self._value]
        if op.phase == "update":
            reads = [self.layouts.as_read(value) for value in reads]
        if index in self.epilogues and reads:
            self._value[op.writes[0]] = self._with_epilogue(op, self.epilogues[index])
            return
        if self.card and op.kind == "Mul" and op.writes[0] in self._into_sigmoids:
            factors = [value for value in reads if self.instruction(value).opcode != "constant"]
            if len(factors) == 1:
                self._value[op.writes[0]] = factors[0]
                return
        if self.card and op.kind == "AllReady":
            self._know_all(index, op)
            return
        gates = dict.fromkeys(self._gates[a] for a in op.after if a in self._gates)
        reads += [gate for gate in gates if gate not in self._verdicts or op.updates is not None]
        if op.kind == "AllReady":
            reads += [self._made[a] for a in op.after if a in self._made]
        if op.updates is not None or op.kind.startswith("Assign"):
            self._update(op, reads)
            return
        made = self._expanded(op, reads, [self.program.buffers[b].size for b in op.writes])
        self._value.update(zip(op.writes, made, strict=False))
        if made:
            self._made[index] = made[-1]
        if op.kind == "AllReady":
            self._gates[index] = made[0]

    def _know_all(self, index: int, op: Op) -> None:
        """What a card waits for before it updates is what is computed of all gradients, and no more.

        Are they finite: one kernel takes in one answer after the other, from the last, and what there is no need to
        know is computed all the same, to be chosen or not in the end (``ConditionalSimplifier``).  Their norm: every
        update reads it.  Where only replicas would meet nobody waits.
        """
        told: dict[str, list[int]] = {"All": [], "Sum": []}
        for maker in op.after:
            made = self.program.ops[maker]
            if made.phase == "update" and made.kind in told:
                told[made.kind].append(self._made[maker])
        for kind, scalars in told.items():
            if scalars:
                in_turn = [*reversed(scalars[2:]), *scalars[:2]]
                self._gate = self.shared(f"{kind} of all", "call", in_turn, self.instruction(in_turn[0]).size)
                if kind == "All":
                    self._verdicts.add(self._gate)
        if self._gate is not None:
            self._gates[index] = self._gate

    def finish(self) -> Module:
        """The module, its wanted results marked."""
        self._use_lonely_zeros()
        kept = {self._value[b] for b in self.program.kept if b in self._value}
        self.module.outputs = {k for k in kept if self.instruction(k).opcode not in ("constant", "parameter")}
        self.module.roots |= self.module.outputs
        self._hold_arrays_together()
        write_random_numbers(self.module, self.random, on_card=self.card is not None)
        if self.card:
            read_unrounded(self.module, self._casts)
        if self.card and self.graph.precision == "mixed_bfloat16" and not self.card.computes_bfloat16:
            keep_wide(self.module, self._casts, HALF_BYTES)
        return self.module

    def instruction(self, index: int) -> Instruction:
        """The instruction with this index."""
        return self.module.instructions[index]

    def add(
        self,
        opcode: Opcode,
        operands: Sequence[int],
        size: PerBatch,
        *,
        in_place: int | None = None,
        kind: str | None = None,
        item_bytes: int | None = None,
    ) -> int:
        """A new instruction; returns its index.  What is not given is told by its operands (`CardNotes`)."""
        item_bytes = item_bytes or (self.notes.item_bytes(operands, size, kind) if self.card else FLOAT_BYTES)
        if self.card and opcode in ELEMENTWISE:
            operands = [self._spread(operand, size, item_bytes) for operand in operands]
        operands = tuple(dict.fromkeys(operands))
        made = Instruction(opcode, operands, size, self._role, self._layer, in_place, item_bytes=item_bytes)
        self.module.instructions.append(made)
        index = len(self.module.instructions) - 1
        if self.card:
            self.notes.of_new(index, kind)
        return index

    def _spread(self, operand: int, size: PerBatch, item_bytes: int) -> int:
        """An operand with as many elements as the result: element-wise instructions read no fewer.

        Constants cost nothing.
        """
        given = self.instruction(operand)
        size = size.times(given.item_bytes / item_bytes)
        alike = BROADCAST * given.size.at(self.batch_size) >= size.at(self.batch_size)
        return operand if alike or given.opcode == "constant" else self.shared("broadcast", "spread", [operand], size)

    def mask(self, tag: str, operands: Sequence[int], size: PerBatch) -> int:
        """A truth value for each element of something of this size, as numbers of the network are."""
        return self.shared(tag, "map", operands, size.times(BOOLEAN_BYTES / self.computed_bytes), BOOLEAN_BYTES)

    def add_product(self, operands: Sequence[int], size: PerBatch) -> int:
        """A product of matrices, with room to lay both operands out anew where cuBLAS makes it."""
        if self.card and self.card.writes_products_itself:
            operands = [taken_in(self.module, operand) for operand in operands]
        made = self.add("call", operands, size)
        if self.card:
            self.notes.of_library(made, self.computed_bytes)
        if self.card and not self.card.writes_products_itself:
            wanted = sum((self.instruction(o).size for o in operands), PerBatch(LIBRARY_RESULT_BYTES))
            self.instruction(made).scratch = Scratch(wanted, GEMM_WORKSPACE_BYTES + LIBRARY_RESULT_BYTES)
        return made

    def add_convolution(self, operands: Sequence[int], size: PerBatch, channels: int = 0) -> int:
        """A convolution, which on a card is a library's; without autotuning it is given no room to work in."""
        made = self.add("call", operands, size)
        if self.card:
            self.notes.of_library(made, self.computed_bytes, channels)
            self.instruction(made).scratch = Scratch(PerBatch(LIBRARY_RESULT_BYTES), LIBRARY_RESULT_BYTES)
        return made

    def _with_epilogue(self, op: Op, place: int) -> int:
        """A convolution's result with what the library does besides; another one that it adds it reads as well."""
        result = self._value[op.reads[place]]
        if op.kind not in ADDS:
            return result
        convolution = self.instruction(result)
        made = self.add("call", (*convolution.operands, self._value[op.reads[1 - place]]), convolution.size)
        self.notes.of_library(made, convolution.item_bytes, convolution.channels)
        self.instruction(made).scratch, self.instruction(made).layer = convolution.scratch, convolution.layer
        return made

    def shared(
        self, tag: str, opcode: Opcode, operands: Sequence[int], size: PerBatch, item_bytes: int | None = None
    ) -> int:
        """An instruction that XLA finds to be the same as an earlier one (``HloCSE``), by its kind or its use."""
        key = (tag, tuple(operands), (size,))
        if key not in self._equal:
            self._equal[key] = [self.add(opcode, operands, size, kind=tag, item_bytes=item_bytes)]
        return self._equal[key][0]

    def flattened(self, value: int) -> int:
        """A value as a product of matrices sees it: what comes before its last dimensions is one."""
        view = self.shared("view", "bitcast", [value], self.instruction(value).size)
        self.module.flattened.add(view)
        return view

    def scatter(self, reads: Sequence[int], size: PerBatch, like: int | None = None) -> int:
        """Add into zeros, shaped like another value; equal zeros are one array, copied for each that writes into it."""
        zeros = self.zeros(size, like)
        copy = self.add("call", [zeros], size)
        made = self.add("scatter", [copy, *reads], size, in_place=copy)
        self._scatters[made] = (zeros, copy)
        return made

    def zeros(self, size: PerBatch, like: int | None = None) -> int:
        """An array of zeros, shaped like another value; equal ones are one."""
        channels = 0 if like is None else self.instruction(like).channels
        key = size, channels
        if key not in self._zeros:
            item_bytes = self.computed_bytes if like is None else self.instruction(like).item_bytes
            self._zeros[key] = self.add("spread", (), size, item_bytes=item_bytes)
            self.instruction(self._zeros[key]).channels = channels
        return self._zeros[key]

    def end_loop(self, done: dict[int, int]) -> None:
        """Whoever reads a loop's arrays from now on reads what they are after it."""
        self.arrays.update(done.values())
        self._loops.append(done)
        self._value.update({buffer: done[value] for buffer, value in self._value.items() if value in done})

    def image(self, value: int) -> int:
        """What a convolution or a pooling reads: a row of samples becomes an image of one line first.

        TensorFlow's graph optimizer has taken these reshapes out.  Where a card wants the channels before the places,
        the images of the batch, which come with the channels last, are copied for both passes.
        """
        if self.card and not self.channels_last and self.is_weight(value):
            return self.shared("channels first", "copy", [value], self.instruction(value).size)
        if self.spatial_rank != 1 or self.instruction(value).opcode in ("bitcast", "parameter"):
            return value
        return self.shared("view", "bitcast", [value], self.instruction(value).size)

    def is_weight(self, value: int) -> bool:
        """Is it a parameter of the step."""
        return value < self.program.resident

    def _expanded(self, op: Op, reads: list[int], sizes: list[PerBatch]) -> Sequence[int]:
        """The instructions of one operation; returns the values of its results."""
        kind = op.kind
        if kind == "Const":
            return [self.add("constant", (), PerBatch()) for _ in sizes]
        if kind in NO_OUTPUT_MEMORY:
            return []
        own = card_handler(kind, by_triton=self.card.writes_products_itself) if self.card else None
        operands, handler = own or HANDLERS.get(kind) or (0, None)
        if handler is not None and len(reads) >= operands:
            return handler(self, op, reads, sizes or [PerBatch()])
        if kind in ALIASES and reads:
            return [reads[0]] * len(sizes)
        if kind in RESHAPES and reads:
            return [self._view(reads[0], sizes[0])]
        return self.plain(kind, reads, sizes or [PerBatch()])

    def plain(self, kind: str, reads: list[int], sizes: list[PerBatch]) -> list[int]:
        """One instruction for each result; equal ones are one."""
        opcode = "call" if kind in HANDLERS else OPCODES.get(kind, "map")
        if opcode == "reduce" and reads and self.instruction(reads[0]).opcode == "bitcast":
            reads = [*self.instruction(reads[0]).operands, *reads[1:]]
        if kind in ADDS and (merged := self._scatter_into_sum(reads, sizes[0])) is not None:
            return [merged]
        if kind in ADDS and len(reads) == 2:
            reads = self._sum_of_large(reads, sizes[0])
        key = (kind, tuple(reads), tuple(sizes))
        if opcode not in ("call", "concatenate") and key in self._equal:
            return self._equal[key]
        item_bytes = BOOLEAN_BYTES if kind in BOOLEANS else None
        made = self._equal[key] = [self.add(opcode, reads, size, kind=kind, item_bytes=item_bytes) for size in sizes]
        if self.card and kind == "Cast" and reads:
            self.notes.of_cast(reads[0], made[0])
            self._casts.add(made[0])
        if kind in ADDS and len(reads) == 2 and all(self.instruction(r).size == sizes[0] for r in reads):
            self._sums[made[0]] = (reads[0], reads[1])
        if self.card and kind in PADS and self._is_of("ZeroPadding"):
            self.layouts.surrounded[made[0]] = reads[0]
        if opcode in ELEMENTWISE and not self.batch_major.isdisjoint(reads):
            self.batch_major.update(made)
        if opcode in ELEMENTWISE and not self.random.isdisjoint(reads):
            others = (self.instruction(r).opcode for r in reads if r not in self.random)
            self.random.update(made if all(opcode == "constant" for opcode in others) else ())
        return made

    def _is_of(self, kind: str) -> bool:
        """Does what is being translated belong to a layer whose kind begins so."""
        return self._layer is not None and self.graph.layers[self._layer].kind.startswith(kind)

    def _view(self, given: int, size: PerBatch) -> int:
        """Other dimensions of the same memory; a view of a view is what was there first."""
        instruction = self.instruction(given)
        return (
            instruction.operands[0]
            if instruction.opcode == "bitcast"
            else self.shared("view", "bitcast", [given], size)
        )

    def _scatter_into_sum(self, reads: list[int], size: PerBatch) -> int | None:
        """A sum with a scatter over zeros, or with a view of one, is a scatter over the other summand."""
        found = next((r for r in reads if self.module.viewed(r) in self._scatters), None)
        others = [r for r in reads if r != found]
        if found is None or not others:
            return None
        scattered = self.module.viewed(found)
        _, copy = self._scatters.pop(scattered)
        base = others[0] if len(others) == 1 else self.add("map", others, size)
        written = [o for o in self.instruction(scattered).operands if o != copy]
        return self.add("scatter", [base, *written], size, in_place=base)

    def _sum_of_large(self, reads: list[int], size: PerBatch) -> list[int]:
        """Turn (x + y) + weight back into x + (y + weight): TensorFlow's graph optimizer moves small summands outwards.

        Keras adds a layer normalisation's ``beta`` to the smaller summand first
        (keras/src/layers/normalization/layer_normalization.py).
        """
        large = [r for r in reads if self.instruction(r).size == size]
        small = [r for r in reads if self.instruction(r).size != size]
        if len(large) != 1 or len(small) != 1 or large[0] not in self._sums:
            return reads
        first, second = self._sums[large[0]]
        return [first, self.add("map", [second, small[0]], size)]

    def _hold_arrays_together(self) -> None:
        """All arrays of a loop that somebody reads are there until its end: a loop is one instruction."""
        wanted = self.module.wanted()
        for done in self._loops:
            read = {array: end for array, end in done.items() if end in wanted}
            for end in read.values():
                instruction = self.instruction(end)
                instruction.operands = tuple(dict.fromkeys((*instruction.operands, *read)))

    def _use_lonely_zeros(self) -> None:
        """Zeros that one scatter alone writes into need no copy."""
        users: dict[int, list[tuple[int, int]]] = {}
        for made, (zeros, copy) in self._scatters.items():
            users.setdefault(zeros, []).append((made, copy))
        read = {o for n in self.module.instructions if n.opcode == "map" for o in n.operands}
        for zeros, uses in users.items():
            if self.card and len(uses) > 1 and zeros not in read:
                for _, copy in uses:  # a copy of zeros is filled with them, all by one kernel
                    self.instruction(copy).opcode, self.instruction(copy).operands = "spread", ()
                    self.instruction(copy).channels = self.instruction(zeros).channels
            if len(uses) == 1 and zeros not in read:
                instruction = self.instruction(uses[0][0])
                instruction.operands = tuple(zeros if o == uses[0][1] else o for o in instruction.operands)
                instruction.in_place = zeros

    def _update(self, op: Op, reads: list[int]) -> None:
        """A new value for a variable; one outside the model (a metric) takes nothing."""
        target = op.updates
        if target is None:
            self.module.roots.add(self.add("call", reads, PerBatch()))
            return
        size = self.program.buffers[target].size
        if op.kind == "AssignVariableOp" and reads and self._may_become(reads[-1], size):
            made = reads[-1]
        else:
            values = reads if op.kind == "AssignVariableOp" else [self.layouts.as_read(self._value[target]), *reads]
            merged = self._scatter_into_sum(values, size)
            made = self.add("map", values, size) if merged is None else merged
        buffer = self.program.buffers[target]
        if self.layouts.is_turned_back(buffer):
            made = self.add("copy", [made], size)
        self._forget_update(self._value[target])
        self._value[target] = made
        if self.layouts.is_written_beside(buffer):
            self.instruction(made).becomes, self.instruction(made).role = target, buffer.role
            copied = self.add("call", [made], size)
            self._copied[made] = copied
            made = copied
        self.instruction(made).updates, self.instruction(made).role = target, buffer.role
        self.module.roots.add(made)

    def _forget_update(self, value: int) -> None:
        """A value that is itself updated in the same step (weight decay comes first) is only a step on the way."""
        written = self._copied.pop(value, value)
        self.instruction(value).becomes = None
        if self.instruction(written).updates is not None:
            self.instruction(written).updates = None
            self.module.roots.discard(written)

    def _may_become(self, value: int, size: PerBatch) -> bool:
        """Can this value be a variable's new one without another instruction."""
        instruction = self.instruction(value)
        return (
            instruction.opcode not in ("parameter", "constant") and not instruction.renews and instruction.size == size
        )
