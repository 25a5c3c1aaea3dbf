"""What a card's compiler knows of values besides their sizes: the type of an element, channels, and cycles."""

from __future__ import annotations

from collections.abc import Sequence

from app.core.simulate.xla.card_costs import CONCATENATING_CYCLES, DIVERGING_CYCLES, WARP
from app.core.simulate.xla.hlo import ELEMENTWISE, Instruction
from app.core.simulate.xla.op_cycles import CHEAP_CYCLES, OTHERS, cycles_of_element
from app.core.types.stepgraph import PerBatch
from app.core.types.units import FLOAT_BYTES

COMPUTING = ELEMENTWISE | {"reduce"}
KEEPS_CHANNELS = ELEMENTWISE | {"bitcast", "copy", "window", "windows", "call"}


class CardNotes:
    """Fills in what is known of instructions while they are made.

    Args:
        instructions: All so far; the list grows.
        profile: What operations cost on the card.
        float16: Are numbers of 16 bits of that type.
    """

    def __init__(self, instructions: Sequence[Instruction], profile: str = OTHERS, *, float16: bool = False) -> None:
        self._instructions = instructions
        self._profile = profile
        self._float16 = float16

    def of_new(self, index: int, kind: str | None) -> None:
        """Note what follows from an instruction's operands.

        Args:
            index: Of the new instruction.
            kind: Of TensorFlow's operation, if it is one by itself.
        """
        made = self._instructions[index]
        known = [given.channels for o in made.operands if (given := self._instructions[o]).channels]
        cycles = None if kind is None else self._cycles_of(kind, made.item_bytes)
        made.cycles = self._usual_cycles(made, known) if cycles is None else cycles
        if made.opcode == "concatenate" and len(known) == len(made.operands):
            made.channels = sum(known)
        elif made.opcode in KEEPS_CHANNELS and known:
            made.channels = known[0]

    def of_library(self, index: int, item_bytes: int, channels: int = 0) -> None:
        """Note what a product or a convolution makes; no channels if nobody knows them."""
        made = self._instructions[index]
        made.item_bytes, made.channels = item_bytes, channels or made.channels

    def of_cast(self, given: int, index: int) -> None:
        """The same numbers in another type take that much more or less."""
        before, after = self._instructions[given], self._instructions[index]
        size = before.size.at(1)
        after.item_bytes = max(1, round(before.item_bytes * after.size.at(1) / size)) if size else before.item_bytes

    def item_bytes(self, operands: Sequence[int], size: PerBatch, kind: str | None) -> int:
        """An element of a result of this size: as an operand's that takes as much, or any one's.

        What is chosen is told by what one chooses from, not by the mask that says which.
        """
        given = [self._instructions[o] for o in (operands[1:] if kind == "SelectV2" else operands)]
        alike = [o for o in given if o.size == size] or given
        return alike[0].item_bytes if alike else FLOAT_BYTES

    def _cycles_of(self, kind: str, item_bytes: int) -> float | None:
        """Of an element of one kind of operation."""
        return cycles_of_element(kind, self._profile, float16=self._float16 and item_bytes < FLOAT_BYTES)

    def _usual_cycles(self, made: Instruction, channels: Sequence[int]) -> float:
        """Of an element, by the class of the instruction and, of a concatenation, the channels of its pieces."""
        if made.opcode == "costly":
            return self._cycles_of("Exp", made.item_bytes) or CHEAP_CYCLES
        if made.opcode == "concatenate":
            return DIVERGING_CYCLES if any(count % WARP for count in channels) else CONCATENATING_CYCLES
        return CHEAP_CYCLES if made.opcode in COMPUTING else 0.0
