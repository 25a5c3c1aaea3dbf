"""What a card that adds no numbers of type bfloat16 keeps in float32 between two kernels.

It computes all but products and convolutions in float32, and narrowing followed by widening is taken out
(``GpuFloatSupport`` in xla/service/gpu/gpu_float_support.cc, xla/service/simplify_fp_conversions.cc): what is computed
and read where one computes on is never rounded in between.
"""

from __future__ import annotations

from collections.abc import Collection

from app.core.simulate.xla.card_notes import COMPUTING
from app.core.simulate.xla.hlo import ELEMENTWISE, FLOAT_BYTES, Module


def keep_wide(module: Module, casts: Collection[int], narrow_bytes: int) -> None:
    """Widen the results that nobody reads but who computes; a cast between two that are now alike is a view.

    Args:
        module: The whole step.
        casts: Its instructions that change the type of numbers.
        narrow_bytes: What a number of type bfloat16 takes.
    """
    instructions = module.instructions
    rounded = set(module.roots)
    for made in instructions:
        if made.opcode not in COMPUTING and made.opcode != "bitcast":
            rounded.update(map(module.viewed, made.operands))
    for index, made in enumerate(instructions):
        if made.opcode in ELEMENTWISE and made.item_bytes == narrow_bytes and index not in rounded:
            made.size, made.item_bytes = made.size.times(FLOAT_BYTES / narrow_bytes), FLOAT_BYTES
        if index in casts and instructions[made.operands[0]].size == made.size:
            made.opcode = "bitcast"
