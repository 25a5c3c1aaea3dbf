"""Which tensors of a step have 16 bits; a traced graph knows sizes only."""

from __future__ import annotations

import math

from app.core.simulate.precision import FULL_LAYERS, NO_FLOATS
from app.core.simulate.program import Buffer, Program, Step
from app.core.types.stepgraph import Line, StepGraph

HALF_BYTES = 2
RANDOM = ("StatelessRandom", "RandomUniform", "RandomStandardNormal", "TruncatedNormal")


def half_buffers(program: Program, graph: StepGraph) -> frozenset[int]:
    """The buffers of 16 bits, followed from weights and inputs through the step.

    A ``Cast`` tells by what it makes of the size; any other operation gives the width of what it reads; random
    numbers have the width of the layer that asks for them.
    """
    if graph.precision == "float32":
        return frozenset()
    found = _resident_halves(program, graph)
    for step in program.steps:
        if _makes_halves(step, program, graph, found):
            found.update(step.writes)
    return frozenset(found)


def _resident_halves(program: Program, graph: StepGraph) -> set[int]:
    """Weights and slots, by their shapes, and inputs, by what the model says of them."""
    found = {
        index
        for index, buffer in enumerate(program.buffers[: program.resident])
        if buffer.owner is not None and _has_half_items(buffer)
    }
    dtypes = zip(program.inputs, graph.model.input_dtypes, strict=False)
    return found | {buffer for buffer, dtype in dtypes if dtype in ("float16", "bfloat16")}


def _has_half_items(buffer: Buffer) -> bool:
    return buffer.size.fixed == HALF_BYTES * math.prod(buffer.shape)


def _makes_halves(step: Step, program: Program, graph: StepGraph, halves: set[int]) -> bool:
    """Are the results of this operation of 16 bits."""
    if not step.writes or step.kind in NO_FLOATS:
        return False
    if step.kind.startswith(RANDOM):
        return step.layer is None or graph.layers[step.layer].kind not in FULL_LAYERS
    if step.kind != "Cast":
        return not halves.isdisjoint(step.reads)
    if not step.reads:
        return False
    given, made = (_extent(program.buffers[b].size) for b in (step.reads[0], step.writes[0]))
    if step.reads[0] in halves:
        return made == given
    return made in (given / 2, given * 2)  # of float32 or whole numbers, and of truth values


def _extent(size: Line) -> float:
    """One number that grows with the size of an element."""
    return size.per_sample or size.fixed
