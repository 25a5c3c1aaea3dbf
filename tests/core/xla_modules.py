"""Small modules of XLA instructions made by hand."""

from __future__ import annotations

from app.core.simulate.xla.hlo import Instruction, Module
from app.core.types.stepgraph import PerBatch

IMAGE = PerBatch(0, 40_000)
ROW = PerBatch(0, 40)
WEIGHT = PerBatch(4_000)


class Maker:
    """Appends instructions; the first ``parameters`` are weights."""

    def __init__(self, parameters: int = 1) -> None:
        self.module = Module(resident=parameters)
        self.module.instructions += [Instruction("parameter", (), WEIGHT, "weights") for _ in range(parameters)]

    def add(self, opcode, *operands, size=IMAGE, **rest):
        self.module.instructions.append(Instruction(opcode, operands, size, **rest))
        return len(self.module.instructions) - 1

    def root(self, *operands):
        found = self.add("call", *operands, size=PerBatch())
        self.module.roots.add(found)
        return found

    def update(self, weight, *operands):
        found = self.add("map", weight, *operands, size=WEIGHT, updates=weight)
        self.module.roots.add(found)
        return found
