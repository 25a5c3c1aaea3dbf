"""Small modules of XLA instructions made by hand."""

from __future__ import annotations

from app.core.simulate.xla.nodes import Module, Node
from app.core.types.stepgraph import Line

IMAGE = Line(0, 40_000)
ROW = Line(0, 40)
WEIGHT = Line(4_000)


class Maker:
    """Appends instructions; the first ``parameters`` are weights."""

    def __init__(self, parameters: int = 1) -> None:
        self.module = Module(resident=parameters)
        self.module.nodes += [Node("parameter", (), WEIGHT, "weights") for _ in range(parameters)]

    def add(self, opcode, *operands, size=IMAGE, **rest):
        self.module.nodes.append(Node(opcode, operands, size, **rest))
        return len(self.module.nodes) - 1

    def root(self, *operands):
        found = self.add("call", *operands, size=Line())
        self.module.roots.add(found)
        return found

    def update(self, weight, *operands):
        found = self.add("map", weight, *operands, size=WEIGHT, updates=weight)
        self.module.roots.add(found)
        return found
