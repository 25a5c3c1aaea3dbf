"""Traces of real models, made in this process with real TensorFlow."""

from __future__ import annotations

import math

import pytest

from app.core.predict.memory import StepMemory
from app.core.types.workload import ModelRef
from app.worker.models.built import BuiltModel

pytestmark = pytest.mark.worker


class Spec:
    def __init__(self, shape, dtype="float32"):
        self.shape, self.dtype = shape, dtype


def built(model, *, inputs, targets, loss="mse"):
    return BuiltModel(model, loss, inputs, targets, source="test")


def traced(make, *, inputs, targets, loss="mse", mode="train"):
    from app.worker.models.weightless import weightless
    from app.worker.tracing.trace import trace_built

    with weightless():
        return trace_built(built(make(), inputs=inputs, targets=targets, loss=loss), precision="float32", mode=mode)


def dense_model(units=1000):
    import keras

    return keras.Sequential([keras.Input((100,)), keras.layers.Dense(units, activation="relu"), keras.layers.Dense(10)])


def test_a_dense_network_is_read_to_the_byte():
    graph = traced(dense_model, inputs=(Spec((100,)),), targets=(Spec((10,)),))
    assert graph.model.params == 100 * 1000 + 1000 + 1000 * 10 + 10
    assert [v.size_bytes for v in graph.variables] == [400_000, 4_000, 40_000, 40]
    assert all(v.gradient is not None for v in graph.variables)
    for variable in graph.variables:
        size = graph.sizes[variable.gradient]
        assert (size.fixed, size.per_sample) == (variable.size_bytes, 0)
    inputs = [graph.sizes[t] for t in graph.input_tensors]
    assert [(s.fixed, s.per_sample) for s in inputs] == [(0, 400), (0, 40)]


def test_operations_belong_to_the_layer_whose_weights_they_read():
    graph = traced(dense_model, inputs=(Spec((100,)),), targets=(Spec((10,)),))
    reading = [op for op in graph.operations if op.variable is not None and op.layer is not None]
    assert reading
    assert all(op.layer == graph.variables[op.variable].layer for op in reading)


def test_products_are_counted_forward_and_backward():
    graph = traced(dense_model, inputs=(Spec((100,)),), targets=(Spec((10,)),))
    work = sum(op.flops.at(8) for op in graph.operations if op.kind in ("MatMul", "_FusedMatMul"))
    forward = 2 * 8 * (100 * 1000 + 1000 * 10)
    assert work == pytest.approx(forward + forward + 2 * 8 * 1000 * 10)  # the input needs no gradient


def test_operations_know_their_layers():
    graph = traced(dense_model, inputs=(Spec((100,)),), targets=(Spec((10,)),))
    products = [graph.layers[op.layer].kind for op in graph.operations if "MatMul" in op.kind]
    assert set(products) == {"Dense"}


def test_no_weight_is_allocated():
    """10 GB of weights are traced in a process that has no memory for them."""
    import resource

    graph = traced(lambda: dense_model(25_000_000), inputs=(Spec((100,)),), targets=(Spec((10,)),))
    assert graph.variables[0].size_bytes == 10**10
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 < 4 * 10**9


def test_frozen_layers_have_no_gradient_and_no_slots():
    def make():
        model = dense_model()
        model.layers[0].trainable = False
        return model

    graph = traced(make, inputs=(Spec((100,)),), targets=(Spec((10,)),))
    assert [v.gradient is not None for v in graph.variables] == [False, False, True, True]
    assert StepMemory(graph, "adam").parts(8, 10**9).optimizer_state == 2 * 40_040


def test_a_recurrent_loop_keeps_every_time_step():
    import keras

    def make(steps):
        return keras.Sequential([keras.Input((steps, 16)), keras.layers.LSTM(32), keras.layers.Dense(1)])

    short, long = (traced(lambda n=n: make(n), inputs=(Spec((n, 16)),), targets=(Spec((1,)),)) for n in (10, 40))
    batch = 512
    grown = StepMemory(long, "sgd").live_bytes(batch) - StepMemory(short, "sgd").live_bytes(batch)
    gates_and_states = 30 * batch * 32 * 4
    assert 5 * gates_and_states <= grown <= 16 * gates_and_states


def test_a_state_that_is_kept_twice_is_counted_once():
    """A turn keeps its result for the output, and the next turn keeps it as what it began with."""
    import keras

    graph = traced(
        lambda: keras.Sequential([keras.Input((10, 16)), keras.layers.SimpleRNN(32, return_sequences=True)]),
        inputs=(Spec((10, 16)),),
        targets=(Spec((10, 32)),),
    )
    every_state = 10 * 32 * 4
    kept = [
        op
        for op in graph.operations
        if op.kind in ("TensorListPushBack", "TensorListSetItem")
        and op.phase == "forward"
        and graph.sizes[op.outputs[0]].per_sample == every_state
    ]
    held_already = [op for op in kept if len(op.inputs) > (2 if op.kind == "TensorListPushBack" else 3)]
    assert len(kept) == len(held_already) + 1
    lists = {op.outputs[0] for op in kept}
    assert all(op.inputs[-1] in lists for op in held_already)


def test_a_list_of_one_element_stays_one():
    """The gradient of a layer that returns its last output is put into a list of one."""
    import keras

    graph = traced(
        lambda: keras.Sequential([keras.Input((10, 16)), keras.layers.SimpleRNN(32)]),
        inputs=(Spec((10, 16)),),
        targets=(Spec((32,)),),
    )
    (given,) = [op for op in graph.operations if op.kind == "TensorListFromTensor" and op.phase == "backward"]
    writes = [op for op in graph.operations if op.kind == "TensorListSetItem" and op.inputs[0] == given.outputs[0]]
    assert [graph.sizes[op.outputs[0]].per_sample for op in writes] == [32 * 4]


def test_a_recurrent_layers_output_counts_for_the_textbook():
    import keras

    def make():
        layers = keras.layers
        return keras.Sequential([keras.Input((10, 16)), layers.LSTM(32, return_sequences=True), layers.LSTM(8)])

    graph = traced(make, inputs=(Spec((10, 16)),), targets=(Spec((8,)),))
    assert sum(layer.output_elements for layer in graph.layers if layer.kind == "LSTMCell") == 10 * 32 + 8


def test_parts_of_one_name_belong_to_the_layer_around_them():
    import keras

    def make():
        layers = keras.layers
        return keras.Sequential([keras.Input((10, 16)), layers.LSTM(32, return_sequences=True), layers.LSTM(8)])

    graph = traced(make, inputs=(Spec((10, 16)),), targets=(Spec((8,)),))
    cells = [i for i, layer in enumerate(graph.layers) if layer.kind == "LSTMCell"]
    assert len({graph.layers[i].name for i in cells}) == 2
    products = [op.layer for op in graph.operations if op.kind == "MatMul"]
    assert set(products) <= set(cells)
    assert [v.layer for v in graph.variables if v.path.endswith("kernel")] == [cells[0]] * 2 + [cells[1]] * 2


def test_several_inputs_and_outputs():
    import keras

    def make():
        a, b = keras.Input((8,)), keras.Input((4,))
        joined = keras.layers.Concatenate()([a, b])
        return keras.Model([a, b], [keras.layers.Dense(3)(joined), keras.layers.Dense(2)(joined)])

    graph = traced(make, inputs=(Spec((8,)), Spec((4,))), targets=(Spec((3,)), Spec((2,))), loss=["mse", "mse"])
    assert len(graph.input_tensors) == 4
    assert sum(v.gradient is not None for v in graph.variables) == 4


def test_a_subclassed_model_with_its_own_train_step():
    import keras

    class Own(keras.Model):
        def __init__(self):
            super().__init__()
            self.dense = keras.layers.Dense(7)

        def call(self, x):
            return self.dense(x)

    def make():
        model = Own()
        model(keras.Input((5,)))
        return model

    graph = traced(make, inputs=(Spec((5,)),), targets=(Spec((7,)),))
    assert graph.model.params == 5 * 7 + 7


def test_inference_has_no_gradients():
    graph = traced(dense_model, inputs=(Spec((100,)),), targets=(Spec((10,)),), mode="inference")
    assert all(v.gradient is None for v in graph.variables)
    assert StepMemory(graph, "adam").parts(8, 10**9).gradients == 0


def test_mixed_precision_halves_activations():
    import keras

    from app.worker.models.weightless import weightless
    from app.worker.tracing.trace import trace_built

    def live(policy):
        keras.config.set_dtype_policy(policy)
        try:
            with weightless():
                model = dense_model()
                one = built(model, inputs=(Spec((100,)),), targets=(Spec((10,)),))
                graph = trace_built(one, precision=policy, mode="train")
        finally:
            keras.config.set_dtype_policy("float32")
        step = StepMemory(graph, "sgd")
        return step.live_bytes(100_000) - step.resident_bytes(100_000)

    assert live("mixed_bfloat16") < 0.75 * live("float32")


def test_the_case_of_2021_from_the_catalog():
    from app.worker.models.build import build
    from app.worker.models.weightless import weightless
    from app.worker.tracing.trace import trace_built

    with weightless():
        graph = trace_built(build(ModelRef("catalog", "fashion_mnist_cnn")), precision="float32", mode="train")
    assert graph.model.params == 562_474
    assert sum(layer.output_elements for layer in graph.layers) == 112_906 + math.prod((28, 28, 1))
    wish = StepMemory(graph, "adam").wanted_workspace_bytes(4096)
    assert 2.16 <= wish / 2**30 <= 2.6  # TensorFlow's warnings of 2021 name 2.16 to 2.55 GiB


def test_an_embeddings_gradient_has_the_rows_of_the_batch():
    import keras

    def make():
        return keras.Sequential(
            [
                keras.Input((7,), dtype="int32"),
                keras.layers.Embedding(50_000, 16),
                keras.layers.Flatten(),
                keras.layers.Dense(1),
            ]
        )

    graph = traced(make, inputs=(Spec((7,), "int32"),), targets=(Spec((1,)),))
    table = graph.variables[0]
    assert table.sparse_gradient
    assert graph.sizes[table.gradient].per_sample == 7 * 16 * 4
    assert not graph.variables[1].sparse_gradient


def test_weights_are_made_in_the_order_of_their_layers_calls_and_not_in_the_models():
    """Keras lists the branch that is deeper first, whichever was made first."""
    import keras

    def make():
        one, other = keras.Input((3,)), keras.Input((4,))
        shallow, deep = keras.layers.Dense(5)(one), keras.layers.Dense(5)(keras.layers.Dense(6)(other))
        return keras.Model([one, other], keras.layers.Dense(1)(keras.layers.Add()([shallow, deep])))

    graph = traced(make, inputs=(Spec((3,)), Spec((4,))), targets=(Spec((1,)),))
    kernels = {v.shape: v.made for v in graph.variables if len(v.shape) == 2}
    assert [v.shape for v in graph.variables if len(v.shape) == 2] == [(4, 6), (3, 5), (6, 5), (5, 1)]
    assert kernels == {(3, 5): 0, (4, 6): 2, (6, 5): 4, (5, 1): 6}


def test_the_backward_loop_turns_as_often_as_the_forward_one():
    import keras

    def work(steps):
        graph = traced(
            lambda: keras.Sequential([keras.Input((steps, 16)), keras.layers.GRU(32), keras.layers.Dense(1)]),
            inputs=(Spec((steps, 16)),),
            targets=(Spec((1,)),),
        )
        return sum(op.flops.at(8) for op in graph.operations if op.kind == "MatMul" and op.phase == "backward")

    assert work(40) == pytest.approx(4 * work(10), rel=0.05)


def test_a_grouped_convolution_needs_scratch_for_its_gradients():
    import keras

    def make(groups):
        return keras.Sequential(
            [
                keras.Input((8, 8, 32)),
                keras.layers.Conv2D(32, 7, padding="same"),
                keras.layers.Conv2D(32, 7, padding="same", groups=groups),
            ]
        )

    def scratch(groups):
        graph = traced(lambda: make(groups), inputs=(Spec((8, 8, 32)),), targets=(Spec((8, 8, 32)),))
        return sum(op.scratch.at(8) for op in graph.operations)

    dense, result = 7 * 7 * 32 * 32 * 4, 8 * 8 * 8 * 32 * 4
    assert scratch(1) == 0
    assert scratch(32) == dense // 32 + dense + result
    assert scratch(4) == 2 * dense // 4 + result


def test_both_directions_of_a_layer_turn_at_the_same_time_and_layers_one_after_the_other():
    import keras

    layers = keras.layers

    def stages(*recurrent):
        graph = traced(
            lambda: keras.Sequential([keras.Input((12, 8)), *(make() for make in recurrent), layers.Dense(1)]),
            inputs=(Spec((12, 8)),),
            targets=(Spec((1,)),),
        )
        forward, backward = (
            [graph.loops[i] for i in {op.loop for op in graph.operations if op.kind == kind and op.loop is not None}]
            for kind in ("Tanh", "TanhGrad")
        )
        assert {(loop.trip_count, loop.parallel) for loop in (*forward, *backward)} == {(12, 12)}
        assert {loop.stage for loop in forward} == {None}
        return sorted(loop.stage for loop in backward)

    assert stages(lambda: layers.LSTM(8, return_sequences=True), lambda: layers.LSTM(8)) == [0, 1]
    both = [
        lambda: layers.Bidirectional(layers.LSTM(8, return_sequences=True)),
        lambda: layers.Bidirectional(layers.LSTM(8)),
    ]
    assert stages(*both) == [0, 0, 1, 1]
