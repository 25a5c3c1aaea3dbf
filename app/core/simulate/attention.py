"""Attention that one function computes, whose scores have 32 bits whatever the policy.

Where nothing of the scores is dropped and nobody asks for them, Keras's ``MultiHeadAttention`` calls
``ops.dot_product_attention``: it multiplies, casts the products to float32, scales, masks and normalises them, and
casts the shares back for the second product (keras/src/backend/tensorflow/nn.py).  With dropout a layer of its own
normalises them, in the policy's width.
"""

from __future__ import annotations

from app.core.simulate.program import PRODUCTS
from app.core.types.stepgraph import StepGraph

_PRODUCTS = PRODUCTS | {"Einsum"}
"""Kinds that compute in the policy's width on both sides of the scores."""

_GIVEN = frozenset("Const ReadVariableOp Placeholder".split())


def scores_in_full(graph: StepGraph) -> frozenset[int]:
    """The operations between the products of attention, forwards and back, by their place in the step."""
    softmaxes = [
        index
        for index, op in enumerate(graph.operations)
        if op.kind == "Softmax" and op.layer is None and op.phase == "forward"
    ]
    if not softmaxes:
        return frozenset()
    makers: dict[int, int] = {}
    readers: dict[int, list[int]] = {}
    for index, op in enumerate(graph.operations):
        makers.update(dict.fromkeys(op.outputs, index))
        for tensor in op.inputs:
            readers.setdefault(tensor, []).append(index)
    regions = (_before(graph, index, makers) | _of_gradient(graph, index, readers) for index in softmaxes)
    return frozenset().union(*regions)


def _before(graph: StepGraph, softmax: int, makers: dict[int, int]) -> set[int]:
    """A softmax and what leads from a product to it."""
    found, stack = {softmax}, [softmax]
    while stack:
        for tensor in graph.operations[stack.pop()].inputs:
            index = makers.get(tensor)
            if index is None or index in found:
                continue
            op = graph.operations[index]
            if op.layer is None and op.kind not in _PRODUCTS and op.kind not in _GIVEN:
                found.add(index)
                stack.append(index)
    return found


def _of_gradient(graph: StepGraph, softmax: int, readers: dict[int, list[int]]) -> set[int]:
    """What the gradient computes of a softmax's result until the next product."""
    found: set[int] = set()
    stack = list(graph.operations[softmax].outputs)
    while stack:
        for index in readers.get(stack.pop(), ()):
            op = graph.operations[index]
            if op.phase != "forward" and op.kind not in _PRODUCTS and index not in found:
                found.add(index)
                stack.extend(op.outputs)
    return found
