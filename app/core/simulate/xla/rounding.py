"""Where a card's step of 16 bits goes on with numbers of float32 that the graph rounds.

XLA takes out narrowing that is followed by widening (xla/service/simplify_fp_conversions.cc).  Sums of 16 bits are
added up in float32, so one of numbers that were just rounded reads them as they were before.  A card that adds no
numbers of type bfloat16 computes all but products and convolutions in float32 (``GpuFloatSupport`` in
xla/service/gpu/gpu_float_support.cc): what is computed and read where one computes on is never rounded in between.
"""

from __future__ import annotations

from collections.abc import Collection

from app.core.simulate.xla.card_notes import COMPUTING
from app.core.simulate.xla.hlo import ELEMENTWISE, Module
from app.core.types.units import FLOAT_BYTES


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


def read_unrounded(module: Module, casts: Collection[int]) -> None:
    """Let sums and widening casts read what was there before it was narrowed.

    Args:
        module: The whole step.
        casts: Its instructions that change the type of numbers.
    """
    instructions = module.instructions
    for index, made in enumerate(instructions):
        if made.opcode != "reduce" and not (index in casts and made.item_bytes == FLOAT_BYTES):
            continue
        made.operands = tuple(_before_narrowing(module, casts, operand) for operand in made.operands)
        if index in casts and instructions[made.operands[0]].item_bytes == FLOAT_BYTES:
            made.opcode = "bitcast"


def _before_narrowing(module: Module, casts: Collection[int], operand: int) -> int:
    """What a narrowed value was; any other value itself."""
    cast = module.viewed(operand)
    narrowed = module.instructions[cast]
    if cast not in casts or narrowed.opcode == "bitcast" or narrowed.item_bytes == FLOAT_BYTES:
        return operand
    wide = narrowed.operands[0]
    return wide if module.instructions[wide].item_bytes == FLOAT_BYTES else operand
