"""The complementary error function on a card, instruction by instruction, as GELU computes it.

What becomes of it is decided among its instructions, of which some kernels take in a part and others all: told as one
instruction it was kept where every reader computes it anew, or the other way round.

Source: ``Erfc``, ``ErfcImpl`` and ``ErfImpl32Cephes`` in xla/hlo/builder/lib/math.cc.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.core.simulate.program import Op
from app.core.simulate.xla.expansions import negative_exponential, square_of
from app.core.simulate.xla.hlo import BOOLEAN_BYTES, Opcode
from app.core.types.stepgraph import PerBatch
from app.core.types.units import FLOAT_BYTES

if TYPE_CHECKING:
    from app.core.simulate.xla.lowering import Lowering

NUMERATOR, DENOMINATOR, SMALL = 3, 4, 5
"""Degrees of the polynomials: two in 1/x^2 for large arguments, one in x^2 for small ones."""


def erfc(lowering: Lowering, op: Op, reads: list[int], sizes: list[PerBatch]) -> Sequence[int]:
    """A choice between two series, one of them with exp(-x^2), which the gradient wants, too; all in float32."""
    narrow = lowering.instruction(reads[0]).item_bytes
    wide = sizes[0].times(FLOAT_BYTES / narrow)
    number = lowering.shared("one", "constant", (), PerBatch())

    def make(kind: str, *operands: int, opcode: Opcode = "map") -> int:
        return lowering.add(opcode, operands, wide, kind=kind, item_bytes=FLOAT_BYTES)

    def times(one: int, other: int) -> int:
        return make("Mul", one, other, opcode="multiply")

    def where(kind: str, value: int) -> int:
        size = wide.times(BOOLEAN_BYTES / FLOAT_BYTES)
        return lowering.add("map", (value, number), size, kind=kind, item_bytes=BOOLEAN_BYTES)

    def polynomial(value: int, degree: int) -> int:
        found = make("Add", times(number, value), number)
        for _ in range(degree - 1):
            found = make("Add", times(found, value), number)
        return found

    given = reads[0] if narrow == FLOAT_BYTES else make("Cast", reads[0])
    if _comes_from_product(lowering, given):
        given = lowering.add("bitcast", [given], wide, item_bytes=FLOAT_BYTES)
        lowering.module.reread.add(given)
    square = square_of(lowering, given, wide, FLOAT_BYTES)
    exponential = negative_exponential(lowering, square, wide, FLOAT_BYTES)
    size = make("Abs", given)
    large, negative = where("Greater", size), where("Less", given)
    inverse = make("Div", number, square, opcode="costly")
    below = times(make("Minimum", size, number), polynomial(inverse, DENOMINATOR))
    tail = times(exponential, make("Div", polynomial(inverse, NUMERATOR), below, opcode="costly"))
    tail = make("SelectV2", negative, make("Sub", number, tail), tail)
    near = make("Add", times(given, polynomial(square, SMALL)), number)
    made = make("SelectV2", large, tail, near)
    return [made if narrow == FLOAT_BYTES else lowering.add("map", [made], sizes[0], kind="Cast", item_bytes=narrow)]


def _comes_from_product(lowering: Lowering, value: int) -> bool:
    """Is it made, number by number, of a product of matrices, whose rows are seen as what they were from here on.

    A view moves down as long as everything that reads it looks at views and numbers alone (``ReshapeMover``).
    """
    made = lowering.instruction(value)
    while made.opcode in ("map", "multiply"):
        large = [o for o in made.operands if lowering.instruction(o).opcode not in ("constant", "spread")]
        if len(large) != 1:
            return False
        made = lowering.instruction(large[0])
    return made.opcode == "bitcast"
