"""Tensors of 16 bits on a processor: XLA computes in float32 and writes much of it in both widths.

XLA:CPU has next to no instruction for bfloat16.  Of every one it makes

::

    round(f(widen(x), widen(y)))

with f in float32 (``FloatNormalization`` in xla/hlo/transforms/simplifiers/float_normalization.cc; what is spared
stands in xla/service/float_support.cc).  Widening is cheap and repeated for every reader; rounding is expensive
(``CpuInstructionFusion::IsExpensive``, cpu/cpu_instruction_fusion.cc), so that a rounded value with several readers
is written.  Convolutions, products and poolings read float32 from memory: what they share with another reader is
there in 16 *and* in 32 bits, six bytes where float32 needs four.

Of float16 only products and convolutions are widened (``ChangeOpDataType`` in ``RunHloPassesThroughLayoutAssn``,
cpu/cpu_compiler.cc), and rounding is cheap.

The instruction set does not matter: TensorFlow 2.21 hands no 16-bit product to a library unless flags of XLA say so
(``library_supports_dot`` in cpu_compiler.cc); a Xeon with AVX512_BF16, AVX512_FP16 and AMX compiles the same step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from app.core.simulate.program import PRODUCTS, RESHAPES, Step
from app.core.simulate.xla.nodes import FLOAT_BYTES, Opcode
from app.core.simulate.xla.widths import HALF_BYTES, half_buffers
from app.core.types.stepgraph import Line

if TYPE_CHECKING:
    from app.core.simulate.xla.lowering import Lowering

DOTS = PRODUCTS | {"Einsum"}
CAST_THEMSELVES = frozenset("Sum Mean Prod BiasAddGrad Erf Erfc".split())
"""Kinds that TensorFlow computes in float32 whatever the policy (``XlaHelpers::SumAccumulationType`` in
tf2xla/xla_helpers.cc, ``DoWithUpcastToF32`` in xla/hlo/builder/lib/math.cc)."""

UNTOUCHED = RESHAPES | frozenset(
    "ReadVariableOp Copy TensorListStack TensorListPopBack TensorListGetItem TensorListReserve "
    "EmptyTensorList TensorListPushBack TensorListSetItem TensorListFromTensor LoopEnd".split()
)
"""Kinds that only look at memory or hand it on."""

Expand = Callable[[Step, list[int], list[Line]], Sequence[int]]
"""An operation's instructions: (operation, values read, sizes of the results) → values of the results."""


class Halves:
    """What becomes of operations on 16 bits while a step is lowered.

    Args:
        made: The lowering.
        expand: Translates an operation in one width.
    """

    def __init__(self, made: Lowering, expand: Expand) -> None:
        self.made = made
        self.expand = expand
        self.buffers = half_buffers(made.program, made.graph) if made.on_host else frozenset()
        self.brain = made.graph.precision.endswith("bfloat16")
        self._exact: dict[int, int] = {}
        """Rounded values, and what they were before."""
        self._wide: dict[int, int] = {}
        """Elements of widened arrays, whose rounding changes nothing."""
        self._open: list[int] = []
        """Widened arrays that the loop at hand reads."""
        self._narrow: dict[int, int] = {}
        """Widened values, and what they were before."""

    def translate(self, step: Step, reads: list[int], sizes: list[Line]) -> Sequence[int]:
        """The instructions of one operation, in the widths that it is computed and written in."""
        if step.kind == "LoopEnd":
            self._end_loop(reads)
        half = [buffer in self.buffers for buffer in step.writes]
        if not any(half) and not any(self.is_half(r) for r in reads):
            return self.expand(step, reads, sizes)
        if step.kind == "Cast" and reads:
            return [self._cast(reads[0], sizes[0], half[0])]
        if not self._is_widened(step.kind):
            with self.made.items_of(HALF_BYTES if any(half) else FLOAT_BYTES):
                return self.expand(step, reads, sizes)
        wide = [self._operand(r, step.kind) for r in reads]
        given = [size.times(2) if is_half else size for size, is_half in zip(sizes, half, strict=False)]
        results = self.expand(step, wide, given)
        return [
            self._result(result, size, step.kind) if is_half else result
            for result, size, is_half in zip(results, sizes, half, strict=False)
        ]

    def combined(self, opcode: Opcode, reads: Sequence[int], size: Line) -> int:
        """One instruction over values of 16 or 32 bits, with a result as wide as the first of them."""
        if not (reads and self.is_half(reads[0])):
            return self.made.add(opcode, reads, size)
        if self.brain:
            return self.rounded(self.made.add(opcode, [self.widened(r) for r in reads], size.times(2)), size)
        with self.made.items_of(HALF_BYTES):
            return self.made.add(opcode, reads, size)

    def is_half(self, value: int) -> bool:
        """Has this value 16 bits."""
        return self.made.node(value).item_bytes == HALF_BYTES

    def widened(self, value: int, opcode: Opcode = "map") -> int:
        """The value in float32."""
        if not self.is_half(value):
            return value
        if value in self._wide:
            return self._wide[value]
        made = self.made.shared(f"widen:{opcode}", opcode, [value], self.made.node(value).size.times(2))
        self._narrow[made] = value
        return self._like(value, made)

    def rounded(self, value: int, size: Line) -> int:
        """The value in 16 bits; what was widened is what it was before (``AlgebraicSimplifier``)."""
        if value in self._narrow or self.made.node(value).opcode == "constant":
            return self._narrow.get(value, value)
        dear = self.brain and self.made.node(value).size == size.times(2)
        with self.made.items_of(HALF_BYTES):
            return self._like(value, self.made.shared("round", "costly" if dear else "map", [value], size))

    def _operand(self, value: int, kind: str) -> int:
        """What an operation of this kind reads in place of the value.

        An array whose elements a loop reads is widened as a whole before the loop, because there it is always
        the same (xla/service/while_loop_invariant_code_motion.cc).
        """
        if kind in CAST_THEMSELVES:
            return self._unrounded(value)
        if kind != "ListElement" or not self.is_half(value):
            return self.widened(value)
        array = self.widened(value, "call")
        self._open.append(array)
        return array

    def _end_loop(self, states: list[int]) -> None:
        """The arrays that were widened before the loop are there until the last turn."""
        if self._open:
            turn = [state for state in states if state not in self.made.arrays]
            self.made.module.roots.add(self.made.add("call", [*self._open, *turn], Line()))
        self._open = []

    def _is_widened(self, kind: str) -> bool:
        if kind in UNTOUCHED:
            return False
        return self.brain or kind in DOTS or kind in CAST_THEMSELVES or "Conv" in kind

    def _result(self, value: int, size: Line, kind: str) -> int:
        """An operation's result in 16 bits.

        After a product TensorFlow transposes, if only in name, which sees the rounded value
        (tf2xla/kernels/matmul_op.cc).
        """
        made = self.rounded(value, size)
        if kind == "ListElement":
            self._wide[made] = value
        if self.brain and kind not in DOTS and made != value:
            self._exact.setdefault(made, value)
        return made

    def _cast(self, value: int, size: Line, to_half: bool) -> int:
        """To 16 bits, or back."""
        if self.is_half(value) == to_half:
            return value
        return self.rounded(value, size) if to_half else self._unrounded(value)

    def _unrounded(self, value: int) -> int:
        """In float32, as TensorFlow itself casts: what an operation of XLA made is taken as it was before rounding.

        Source: ``ChangeOutputTypeThenInsertConvertBack`` in float_normalization.cc.
        """
        return self._exact[value] if value in self._exact else self.widened(value)

    def _like(self, value: int, other: int) -> int:
        """Another width of the same values, with the same layout."""
        for marks in (self.made.batch_major, self.made.weights):
            if value in marks:
                marks.add(other)
        return other
