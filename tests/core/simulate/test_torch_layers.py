"""What a layer holds on PyTorch, counted by hand; sizes are those of one sample.

Allocator histories of PyTorch 2.9 under Keras 3.15 show each of these rules.
"""

from dataclasses import replace

import pytest

from app.core.simulate.torch_layers import LOSS_COPIES, torch_layers
from app.core.types.stepgraph import Layer, Operation, PerBatch
from tests.core.graphs import chain_graph

GIVEN, MADE = 400, 800


def graph_of(kinds, sizes, operations, precision="float32", *, learns=True):
    """What goes in depends on a weight, unless nothing learns."""
    given = Operation("ReadVariableOp", (), (0,), variable=0) if learns else Operation("Placeholder", (), (0,))
    layers = tuple(Layer(kind.lower(), kind, 0, int(MADE / 4)) for kind in kinds)
    sized = tuple(PerBatch(0, size) for size in sizes)
    return replace(chain_graph(), layers=layers, sizes=sized, operations=(given, *operations), precision=precision)


def one_layer(kind, *operations, precision="float32", sizes=(GIVEN, MADE)):
    """A layer that makes tensor 1 of tensor 0, and another that reads it: what the first one holds."""
    inner = operations or ("Neg",)
    made = [
        Operation(name, (0,) if i == 0 else (10 + i,), (1,) if i == len(inner) - 1 else (11 + i,), layer=0)
        for i, name in enumerate(inner)
    ]
    between = [sizes[1]] * 10
    last = Operation("MatMul", (1,), (2,), layer=1)
    graph = graph_of((kind, "Dense"), (*sizes, 4, *between), (*made, last), precision)
    return torch_layers(graph)[1]


@pytest.mark.parametrize(
    ("kind", "operations", "kept"),
    [
        ("Dense", ("MatMul", "Relu"), 0),
        ("Dense", ("MatMul", "Elu"), MADE),
        ("Dense", ("MatMul", "Sigmoid", "Mul"), MADE),
        ("Conv2D", ("Conv2D", "Relu"), GIVEN),
        ("Conv2DTranspose", ("Conv2DBackpropInput",), GIVEN),
        ("Conv1D", ("Conv2D",), GIVEN),
        ("BatchNormalization", ("FusedBatchNormV3",), MADE),
        ("LayerNormalization", ("Mean", "Mul"), 0),
        ("MaxPooling2D", ("MaxPool",), GIVEN + 2 * MADE),
        ("MaxPooling1D", ("MaxPool",), 2 * MADE),
        ("AveragePooling2D", ("AvgPool",), GIVEN),
        ("Dropout", ("SelectV2",), MADE / 4),
        ("ReLU", ("Relu",), 0),
        ("GlobalMaxPooling2D", ("Max",), 0),
    ],
)
def test_what_autograd_keeps_besides_the_result(kind, operations, kept):
    layer = one_layer(kind, *operations)
    assert layer.made == PerBatch(0, MADE)
    assert layer.kept == PerBatch(0, kept)


def test_what_only_looks_at_its_input_differently_makes_nothing():
    layer = one_layer("Flatten", "Reshape")
    assert layer.made == layer.kept == PerBatch()


def test_what_lies_between_the_halves_of_a_separable_convolution_is_kept_too():
    layer = one_layer("SeparableConv2D", "DepthwiseConv2dNative", "Conv2D")
    assert layer.kept == PerBatch(0, GIVEN + MADE)


def test_a_normalisation_in_16_bits_computes_in_32_and_gives_back_16():
    """Its input in float32 and what it scales in place: twice twice the result."""
    layer = one_layer("BatchNormalization", "FusedBatchNormV3", precision="mixed_bfloat16", sizes=(GIVEN, MADE))
    assert layer.made == PerBatch(0, MADE / 2)
    assert layer.kept == PerBatch(0, 4 * MADE / 2)


def test_a_convolution_of_one_dimension_reads_another_ones_result_as_it_lies_there():
    first = Operation("Conv2D", (0,), (1,), layer=0)
    second = Operation("Conv2D", (1,), (2,), layer=1)
    last = Operation("MatMul", (2,), (3,), layer=2)
    graph = graph_of(("Conv1D", "Conv1D", "Dense"), (GIVEN, MADE, MADE, 4), (first, second, last))
    _, of_data, of_image, _, _ = torch_layers(graph)
    assert of_data.kept == PerBatch(0, GIVEN)
    assert of_image.kept == PerBatch()


def test_no_gradient_is_wanted_of_what_no_weight_that_learns_comes_before():
    operations = (Operation("Conv2D", (0,), (1,), layer=0), Operation("MatMul", (1,), (2,), layer=1))
    _, frozen, _, _ = torch_layers(graph_of(("Conv2D", "Dense"), (GIVEN, MADE, 4), operations, learns=False))
    assert (frozen.made, frozen.kept) == (PerBatch(0, MADE), PerBatch())


def attention(*, dropped):
    """Scores (2), weights (3), what a dropout leaves of them (4), what is attended (5)."""
    drop = (Operation("Mul", (3,), (4,)),) if dropped else ()
    operations = (
        Operation("MatMul", (0,), (1,), layer=0),
        Operation("Einsum", (1, 1), (2,)),
        Operation("Softmax", (2,), (3,)),
        *drop,
        Operation("Einsum", (4 if dropped else 3, 1), (5,)),
        Operation("MatMul", (5,), (6,), layer=1),
    )
    return torch_layers(graph_of(("Dense", "Dense"), (GIVEN, MADE, 6400, 6400, 6400, MADE, 4), operations))[0]


def test_attention_writes_no_weights_unless_some_are_dropped():
    assert attention(dropped=False).made == PerBatch(0, MADE)
    assert attention(dropped=False).kept == PerBatch(0, 3 * MADE)
    assert attention(dropped=True).made == PerBatch(0, 3 * 6400 + MADE)


def test_a_loss_makes_copies_of_what_no_layer_reads():
    loss = torch_layers(graph_of(("Dense",), (GIVEN, MADE), (Operation("MatMul", (0,), (1,), layer=0),)))[-1]
    assert loss.passed == PerBatch(0, LOSS_COPIES * MADE)


def test_sums_of_gradients_are_no_part_of_the_forward_pass():
    operations = (Operation("MatMul", (0,), (1,), layer=0), Operation("AddN", (1,), (2,)))
    more = Operation("Cast", (2,), (3,), layer=0)
    with_sum = graph_of(("Dense",), (GIVEN, MADE, MADE, MADE), (*operations, more))
    without = graph_of(("Dense",), (GIVEN, MADE, MADE, MADE), operations[:1])
    assert torch_layers(with_sum) == torch_layers(without)


def test_a_layer_of_which_nobody_has_told_keeps_what_tensorflow_keeps():
    operations = (
        Operation("Exp", (0,), (1,), layer=0),
        Operation("Neg", (1,), (2,), layer=0),
        Operation("MatMul", (2,), (3,), layer=1),
        Operation("Mul", (1,), (4,), "backward", 0),
    )
    layer = torch_layers(graph_of(("MyOwn", "Dense"), (GIVEN, 1200, MADE, 4, 4), operations))[1]
    assert layer.made == PerBatch(0, MADE)
    assert layer.kept == PerBatch(0, 1200)
