"""Small step graphs made by hand, whose memory can be counted on paper."""

from __future__ import annotations

from app.core.types.stepgraph import Layer, ModelFacts, Operation, PerBatch, StepGraph, Variable
from app.core.types.text import verbatim

WEIGHT_BYTES = 4_000_000
SAMPLE_BYTES = 40_000


def chain_graph(*, sample_bytes: int = SAMPLE_BYTES, layers: int = 2, precision: str = "float32") -> StepGraph:
    """``layers`` products in a row, each kept for the backward pass, each with one weight of 4 MB.

    Tensors: the input, one output per layer, one gradient per output, one gradient per weight.
    """
    sizes = [PerBatch(0, sample_bytes)]
    operations = []
    variables: list[Variable] = []
    outputs = [0]
    reads = []
    for layer in range(layers):
        sizes += [PerBatch(WEIGHT_BYTES), PerBatch(0, sample_bytes)]
        read, out = len(sizes) - 2, len(sizes) - 1
        reads.append(read)
        operations.append(Operation("ReadVariableOp", (), (read,), variable=layer))
        work = PerBatch(0, 2.0 * 1000 * 1000)
        operations.append(Operation("MatMul", (outputs[-1], read), (out,), layer=layer, flops=work))
        outputs.append(out)
    sizes.append(PerBatch(0, sample_bytes))
    gradient = len(sizes) - 1
    operations.append(Operation("Sigmoid", (outputs[-1],), (gradient,), phase="backward"))
    for layer in reversed(range(layers)):
        sizes += [PerBatch(WEIGHT_BYTES), PerBatch(0, sample_bytes)]
        weight_gradient, input_gradient = len(sizes) - 2, len(sizes) - 1
        work = PerBatch(0, 2.0 * 1000 * 1000)
        operations.append(
            Operation("MatMul", (outputs[layer], gradient), (weight_gradient,), "backward", layer, flops=work)
        )
        operations.append(
            Operation("MatMul", (gradient, reads[layer]), (input_gradient,), "backward", layer, flops=work)
        )
        variables.insert(
            0, Variable(f"layer{layer}/kernel", (1000, 1000), "float32", WEIGHT_BYTES, True, weight_gradient, layer)
        )
        gradient = input_gradient
    elements = sample_bytes // 4
    return StepGraph(
        model=ModelFacts("chain", verbatim("by hand"), 1_000_000 * layers, 1_000_000 * layers, ((elements,),)),
        precision=precision,
        mode="train",
        variables=tuple(variables),
        layers=tuple(Layer(f"layer{i}", "Dense", 1_000_000, elements) for i in range(layers)),
        sizes=tuple(sizes),
        operations=tuple(operations),
        input_tensors=(0,),
        framework="none",
    )
