"""The formula of the textbooks and one rule of thumb, shown beside the real prediction.

Both are what people find on the web (case S2 and S1); neither knows how a framework works, and the
product says by how much and why they miss.
"""

from __future__ import annotations

from app.core.types.stepgraph import StepGraph
from app.core.types.text import Text, phrase

RULE_OF_THUMB_FACTOR = 35
"""Memory is so many times the dataset on disk, observed once, at batch 256 (docs/evidence.md, "Case S1")."""

DIFFERENCE_WORTH_A_WORD = 1 / 3


def textbook_bytes(graph: StepGraph, *, batch_size: int, optimizer: str) -> int:
    """Parameters x n + batch x (sum of all layer outputs) x 2 + one input batch, in float32 bytes.

    n is 2 for SGD (weight and gradient) and 4 for every other optimizer, as the formula's users take it.
    """
    copies = 2 if optimizer == "sgd" else 4
    outputs = sum(layer.output_elements for layer in graph.layers)
    inputs = sum(graph.sizes[t].at(batch_size) for t in graph.input_tensors)
    return int(4 * graph.model.params * copies + 4 * batch_size * outputs * 2 + inputs)


def rule_of_thumb_bytes(dataset_bytes: int | None) -> int | None:
    """35 x the dataset on disk; None if its size is not known."""
    return None if dataset_bytes is None else RULE_OF_THUMB_FACTOR * dataset_bytes


def why_textbook_differs(graph: StepGraph, textbook: int, predicted: int, optimizer: str) -> Text:
    """The largest cause of a difference of more than a third, in words; empty if they agree."""
    if not predicted or abs(textbook / predicted - 1) <= DIFFERENCE_WORTH_A_WORD:
        return Text()
    if textbook > predicted:
        frozen = graph.model.params - graph.model.trainable_params
        if frozen > graph.model.trainable_params:
            return phrase("it keeps gradients and optimizer state for frozen weights, which have none")
        return phrase(
            "it counts every layer's output twice, but views, in-place results and freed tensors take nothing"
        )
    kinds = {op.kind for op in graph.operations}
    if kinds & {"Softmax", "Einsum", "BatchMatMulV2"} and kinds & {"Einsum", "BatchMatMulV2"}:
        return phrase("it does not see attention scores and the copies inside attention layers")
    if kinds & {"TensorListPushBack", "TensorListSetItem"}:
        return phrase("it does not see what recurrent layers keep for every time step")
    if optimizer != "sgd":
        return phrase("it does not see temporaries of the optimizer's update and of the backward pass")
    return phrase("it does not see temporaries of the backward pass and the allocator's rounding")
