"""The step as a card gets it: what Grappler turns to channels first and back keeps its size."""

from __future__ import annotations

import pytest

from tests.worker.tracing.test_trace import Spec, traced

pytestmark = pytest.mark.worker


def volumes():
    import keras
    from keras import layers

    return keras.Sequential(
        [
            keras.Input((8, 16, 16, 1)),
            layers.Conv3D(4, 3, padding="same"),
            layers.MaxPooling3D(2),
            layers.Conv3D(8, 3, padding="same"),
            layers.GlobalAveragePooling3D(),
            layers.Dense(4),
        ]
    )


def in_groups():
    import keras
    from keras import layers

    return keras.Sequential(
        [
            keras.Input((16, 16, 4)),
            layers.Conv2D(8, 3, padding="same"),
            layers.Conv2D(8, 7, padding="same", groups=8),
            layers.GlobalAveragePooling2D(),
            layers.Dense(4),
        ]
    )


def test_a_gradient_whose_shape_is_computed_has_that_of_the_image():
    """Keras compiles a convolution in groups as a function of its own, whose gradient computes the image's shape."""
    graph = traced(in_groups, inputs=(Spec((16, 16, 4)),), targets=(Spec((4,)),)).on_cuda
    assert graph is not None
    gradients = [op for op in graph.operations if op.kind == "Conv2DBackpropInput"]
    assert [graph.sizes[op.outputs[0]].at(2) for op in gradients] == [4 * 2 * 16 * 16 * 8]


def test_a_gradient_that_is_turned_back_has_a_size():
    graph = traced(volumes, inputs=(Spec((8, 16, 16, 1)),), targets=(Spec((4,)),)).on_cuda
    assert graph is not None
    turned = [op for op in graph.operations if op.kind == "Transpose"]
    assert turned, "Grappler turned nothing: the test tells nothing"
    assert all(graph.sizes[op.outputs[0]].at(8) > 0 for op in turned)
    (pooled,) = (op for op in graph.operations if op.kind == "MaxPool3DGrad")
    assert len(pooled.card_scratch) == 4


def normalised():
    import keras
    from keras import layers

    return keras.Sequential(
        [
            keras.Input((16, 16, 3)),
            layers.Conv2D(8, 3, padding="same", activation="relu"),
            layers.Conv2D(8, 3, padding="same", use_bias=False),
            layers.BatchNormalization(),
            layers.ReLU(),
            layers.Conv2D(8, 3, padding="same", use_bias=False),
            layers.GlobalAveragePooling2D(),
            layers.Dense(4),
        ]
    )


def test_an_image_stays_turned_while_it_is_normalised():
    """Products with vectors of weights are turned, too, if it is known that they are vectors."""
    graph = traced(normalised, inputs=(Spec((16, 16, 3)),), targets=(Spec((4,)),)).on_cuda
    assert graph is not None
    per_sample = (op for op in graph.operations if any(graph.sizes[tensor].per_sample for tensor in op.outputs))
    forward = [op.kind for op in per_sample if op.phase == "forward"]
    assert "_FusedConv2D" in forward
    assert forward[: forward.index("Relu") + 1][-6:] == [
        "_FusedConv2D",
        "Conv2D",
        "SquaredDifference",
        "Mul",
        "AddV2",
        "Relu",
    ]
