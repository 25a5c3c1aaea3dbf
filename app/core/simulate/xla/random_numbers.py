"""Which random numbers XLA writes to memory.

They are dear: what is read by others than themselves is written, and made once.  Of a dropout's mask in float32 these
are the bits, four arrays that whoever reads it may put together anew.  In 16 bits what is put together is cut to these,
looked at as whole numbers, which keeps it from the comparison until it has taken in the rounds that make the bits: then
nobody takes that in, and the mask is written.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from app.core.simulate.xla.card_costs import MASKING_CYCLES
from app.core.simulate.xla.hlo import BOOLEAN_BYTES, Module
from app.core.types.units import FLOAT_BYTES


def write_random_numbers(module: Module, random: AbstractSet[int], *, on_card: bool) -> None:
    """Mark what is written.

    Args:
        module: The instructions.
        random: Values made of random numbers and constants alone.
        on_card: A card's compiler joins bits as it likes.
    """
    for index, instruction in enumerate(module.instructions):
        for value in random & set(instruction.operands) if index not in random else ():
            module.instructions[value].opcode = "call"
    begun = {value: _begun(module, random, value) for value in random}
    for value in random:
        module.instructions[value].operands = ()
    for value, bits in begun.items():
        if on_card and value != bits:
            _put_together(module, value, bits)


def _begun(module: Module, random: AbstractSet[int], value: int) -> int:
    """The random numbers that a value is made of; itself if it is these."""
    while earlier := random & set(module.instructions[value].operands):
        value = min(earlier)
    return value


def _put_together(module: Module, value: int, bits: int) -> None:
    """Write the bits in place of a mask in float32, which is put together of them; leave anything else as it is."""
    made, written = module.instructions[value], module.instructions[bits]
    mask = made.opcode == "call" and made.item_bytes == BOOLEAN_BYTES
    if mask and written.size == made.size.times(FLOAT_BYTES):
        written.opcode = "call"
        made.opcode, made.operands, made.cycles = "mask", (bits,), MASKING_CYCLES
