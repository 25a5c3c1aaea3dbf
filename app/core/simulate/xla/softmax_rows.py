"""How many rows a softmax has, which a graph without shapes tells by the gradient's sum over each."""

from __future__ import annotations

from app.core.simulate.program import Program
from app.core.types.stepgraph import PerBatch

SOFTMAXES = frozenset({"Softmax", "LogSoftmax"})


def rows_of_softmaxes(program: Program) -> dict[int, PerBatch]:
    """The size of a number for each row, by the buffer of a softmax's result; none where no gradient sums over it.

    The gradient is ``(g - sum(g * y)) * y`` (tensorflow/python/ops/nn_grad.py): a sum of a product with the result.
    Of a logarithm it is ``g - sum(g) * exp(y)``, whose sum reads no result, so that its rows stay unknown unless
    something else sums over it.
    """
    made = [op.writes[0] for op in program.ops if op.kind in SOFTMAXES]
    results = dict(zip(made, made, strict=True))
    weighed = dict(results)
    rows: dict[int, PerBatch] = {}
    for op in program.ops:
        if op.phase != "backward" or not op.writes:
            continue
        if op.kind == "Mul":
            weighed.update((op.writes[0], results[b]) for b in op.reads if b in results)
        elif op.kind == "Sum":
            rows.update({weighed[b]: program.buffers[op.writes[0]].size for b in op.reads if b in weighed})
    return rows
