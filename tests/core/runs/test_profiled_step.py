"""From recorded events to what fills the memory of a step and where its time goes."""

from __future__ import annotations

import pytest

from app.core.runs.profiled_step import MOST_LAYERS, ModelOutline, profile_of
from app.core.types.allocator_events import AllocatorEvent
from app.core.types.step_profile import AliveParts, KindTime, OperationEvent

LAYERS = (("conv", "Conv2D"), ("dense", "Dense"))


def layer_of(operation):
    return next((i for i, (name, _) in enumerate(LAYERS) if name in operation.split("/")), None)


MODEL = ModelOutline(LAYERS, layer_of, {0: 100, 1: 400}, {0: 200, 1: 800, None: 8}, "adam")
OPERATIONS = [
    OperationEvent(0.0, 0.2, "net/conv/Conv2D", "Conv2D", "a"),
    OperationEvent(0.2, 0.1, "net/dense/MatMul", "MatMul", "a"),
    OperationEvent(0.3, 0.35, "gradient_tape/net/conv/Conv2DBackpropFilter", "Conv2DBackpropFilter", "b"),
    OperationEvent(0.3, 0.2, "gradient_tape/net/dense/MatMul", "MatMul", "a"),
    OperationEvent(0.6, 0.1, "adam/Mul", "Mul", "a"),
]


def taken(address, size, in_use, operation, scratch=False):
    return AllocatorEvent(0.1 * address, True, address, size, in_use, operation, scratch)


REQUESTS = [
    taken(1, 1000, 3000, "net/conv/Relu"),
    taken(2, 500, 3500, "net/dense/MatMul"),
    taken(3, 50, 3550, "gradient_tape/net/conv/Conv2DBackpropFilter", scratch=True),
    taken(4, 300, 3850, "gradient_tape/net/conv/Conv2DBackpropFilter"),
    taken(5, 40, 3890, "adam/Mul"),
    AllocatorEvent(0.7, False, 1, 1000, 2890),
]


def test_what_is_alive_adds_up_to_the_peak():
    profile = profile_of(0.7, REQUESTS, OPERATIONS, MODEL)
    assert profile.peak_bytes == 3890
    assert profile.peak_operation == "adam/Mul"
    assert profile.parts == AliveParts(
        weights=500, optimizer_state=1008, forward=1500, backward=300, update=40, scratch=50, other=492
    )
    assert sum(vars(profile.parts).values()) == profile.peak_bytes


def test_each_layer_has_its_weights_its_tensors_and_its_time():
    conv, dense = sorted(profile_of(0.7, REQUESTS, OPERATIONS, MODEL).layers, key=lambda layer: layer.name)
    assert (conv.weights_bytes, conv.activation_bytes) == (300, 1350)
    assert (dense.weights_bytes, dense.activation_bytes) == (1200, 500)
    assert conv.time_s == pytest.approx(0.55)
    assert (dense.forward_s, dense.backward_s) == (0.1, 0.2)


def test_time_is_shared_between_layers_and_the_update():
    profile = profile_of(0.7, REQUESTS, OPERATIONS, MODEL)
    assert profile.operations_s == pytest.approx(0.95)
    assert profile.layers_s == pytest.approx(0.85)
    assert profile.update_s == pytest.approx(0.1)
    assert [(kind.kind, kind.count) for kind in profile.kinds] == [
        ("Conv2DBackpropFilter", 1),
        ("MatMul", 2),
        ("Conv2D", 1),
        ("Mul", 1),
    ]
    assert profile.kinds[1] == KindTime("MatMul", pytest.approx(0.3), 2)


def test_an_allocator_that_writes_no_events_leaves_the_times():
    profile = profile_of(0.7, [], OPERATIONS, MODEL)
    assert profile.peak_bytes is None
    assert profile.notes
    assert profile.layers_s == pytest.approx(0.85)


@pytest.mark.parametrize(
    "operation", ["__inference_one_step_on_data_7", "StatefulPartitionedCall", "while/body/PartitionedCall_1", ""]
)
def test_a_compiled_step_is_one_piece(operation):
    profile = profile_of(0.7, [taken(1, 900, 2500, operation)], [], MODEL)
    assert profile.parts.compiled == 900
    assert profile.parts.other == 2500 - 900 - 1508


def test_a_network_of_thousands_of_layers_keeps_the_large_and_the_slow():
    many = tuple((f"l{i}", "Dense") for i in range(3 * MOST_LAYERS))
    model = ModelOutline(many, lambda name: int(name[1:]), {i: 10_000 - i for i in range(len(many))})
    slow = [OperationEvent(0, 1.0 + i, f"l{i}", "MatMul") for i in range(2 * MOST_LAYERS, 3 * MOST_LAYERS)]
    layers = profile_of(1.0, [taken(1, 1, 1, "l0")], slow, model).layers
    assert len(layers) <= MOST_LAYERS
    assert layers[0].name == "l0"
    assert max(layers, key=lambda layer: layer.time_s).name == f"l{3 * MOST_LAYERS - 1}"
