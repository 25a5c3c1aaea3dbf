"""A step as XLA sees it: instructions over values, each with the size of its result.

Only what decides about memory is kept of an instruction: what it reads, how large its result is, and how
it may be fused (`app.core.simulate.xla.fusion`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from app.core.types.stepgraph import PerBatch
from app.core.types.units import FLOAT_BYTES

Opcode = Literal[
    "parameter",
    "constant",
    "map",
    "costly",
    "multiply",
    "bitcast",
    "copy",
    "slice",
    "spread",
    "gather",
    "reduce",
    "concatenate",
    "mask",
    "window",
    "windows",
    "scatter",
    "call",
]
"""Classes of HLO opcodes.

``map``: cheap element-wise; ``costly``: element-wise, but dear to repeat (exp, divide, sqrt, tanh …);
``copy``: another layout; ``mask``: random bits put together and compared; ``slice``: also pad and reverse; ``spread``:
broadcast, iota, fill; ``window``: reduce-window, ``windows`` with several results; ``scatter``: into what is there, and
on a card taking in what it adds; ``call``: whatever is never fused (convolution, dot, random bits).
"""

ELEMENTWISE: frozenset[Opcode] = frozenset({"map", "costly", "multiply"})

BOOLEAN_BYTES = 1

ANY_SIZE = 1 << 62
"""Of scratch that nobody limits."""


@dataclass(frozen=True)
class Scratch:
    """What a library's kernel is given to work in: as much as ``wanted``, at most ``limit_bytes``."""

    wanted: PerBatch
    limit_bytes: int

    def at(self, batch_size: int) -> float:
        """Bytes for one batch size."""
        return min(self.wanted.at(batch_size), self.limit_bytes)


@dataclass(slots=True)
class Instruction:
    """One instruction.

    ``in_place`` is the operand whose buffer the result takes over (scatter, list update); ``updates`` is the
    resident buffer whose new value the result is, ``becomes`` the one to which it is copied; ``scratch`` is there
    while it runs; ``cycles`` are what a card needs for an element (`app.core.simulate.xla.card_costs`),
    ``item_bytes`` what that takes, ``reads`` how often it reads its first operand for it; ``alone`` is what becomes
    one kernel with no other of which the result is wanted, such as what Triton writes, ``rows`` what Triton writes row
    by row; ``channels`` are those of an image that comes from a convolution, 0 if nobody knows.
    """

    opcode: Opcode
    operands: tuple[int, ...]
    size: PerBatch
    role: str = "activations"
    layer: int | None = None
    in_place: int | None = None
    updates: int | None = None
    becomes: int | None = None
    scratch: Scratch | None = None
    cycles: float = 0.0
    item_bytes: int = FLOAT_BYTES
    reads: int = 1
    alone: bool = False
    rows: bool = False
    channels: int = 0

    @property
    def renews(self) -> bool:
        """Is it a variable's new value, wherever it is written."""
        return self.updates is not None or self.becomes is not None

    def elements(self, batch_size: int) -> float:
        """Elements of the result, counted in float32: only how two results compare decides anything."""
        return self.size.at(batch_size) / FLOAT_BYTES


@dataclass
class Module:
    """Instructions in an order in which they can run; the first ``resident`` are the parameters.

    ``roots`` are instructions that run although no other one reads them; ``outputs`` are those whose results
    outlive the step; ``flattened`` are views in which products of matrices read, ``reread`` those whose readers
    each read what they look at; ``channels_last`` says how images are laid out.
    """

    instructions: list[Instruction] = field(default_factory=list)
    resident: int = 0
    roots: set[int] = field(default_factory=set)
    outputs: set[int] = field(default_factory=set)
    flattened: set[int] = field(default_factory=set)
    reread: set[int] = field(default_factory=set)
    channels_last: bool = True

    def viewed(self, index: int) -> int:
        """What a view is a view of; anything else is itself, and so is a view that is a weight's new value."""
        while (made := self.instructions[index]).opcode == "bitcast" and not made.renews:
            index = made.operands[0]
        return index

    def wanted(self) -> set[int]:
        """All parameters, and the instructions that a root depends on."""
        found = set(range(self.resident))
        stack = list(self.roots)
        while stack:
            index = stack.pop()
            if index not in found:
                found.add(index)
                stack.extend(self.instructions[index].operands)
        return found
