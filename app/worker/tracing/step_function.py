"""Trace the training step of a Keras model without running it, then let TensorFlow optimise the graph.

The step is Keras's own ``train_step`` (so a subclass's own step is honoured) with an optimizer that
only remembers the gradients.  The batch is a prime number: any size that the prime divides grows with
the batch, any other does not (`app.worker.tracing.graph_reader`).
"""

from __future__ import annotations

import contextlib
import copy
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from app.worker.models.built import input_of
from app.worker.tracing.card_cluster import card_cluster, place_on_card
from app.worker.tracing.written_order import tell_written_order

PRIME_BATCH = 1009
"""Larger than the number of classes or channels that usual layers have, and divides none of them."""

HIDDEN_VALUE = "willittrain_hidden_value"
MOST_MADE_UP_BYTES = 1024**3
"""Batches larger than this are hidden from TensorFlow's graph optimizer, which would write them out."""
RECEIVES = "InfeedDequeue"
"""Has no input, a type and a shape, as a placeholder has (core/ops/tpu_infeed_ops.cc)."""
VARIABLE = "VarHandleOp"
"""Knows the type and the shape of what it holds (core/ops/resource_variable_ops.cc)."""


@dataclass(frozen=True)
class Gradient:
    """Which output is a variable's gradient; of a ``sparse`` one (rows of an embedding) it is the rows' values."""

    variable_path: str
    operation: str
    sparse: bool = False


@dataclass(frozen=True)
class StepFunction:
    """A traced step: its graph before optimisation, and which output is which variable's gradient."""

    concrete: Any
    gradients: tuple[Gradient, ...]
    output_names: tuple[str, ...]
    handles: tuple[Any, ...] = ()
    """Resource handles of the model's variables, in the model's order."""
    optimizers: tuple[Any, ...] = ()
    """Who would have updated weights, in the order in which they did."""


def trace_step(built: Any, mode: str) -> StepFunction:
    """Trace what is done with a model, as `app.core.types.plan_values.Mode` calls it."""
    traces = {"train": trace_training_step, "inference": trace_inference_step, "evaluate": trace_evaluation_step}
    return traces[mode](built)


def trace_training_step(built: Any) -> StepFunction:
    """Trace forward pass, loss and gradients for a batch of `PRIME_BATCH`.

    Args:
        built: A model (`app.worker.models.built.BuiltModel`); compiled here unless its author did.
    """
    _compile(built)
    return trace_compiled_step(built.model, built.arranged(*map(_specs, (built.input_specs, built.target_specs))))


def trace_compiled_step(model: Any, batch: Any) -> StepFunction:
    """Trace the ``train_step`` of a model that its author compiled, whatever it does and whoever updates its weights.

    Args:
        model: A built and compiled Keras model.
        batch: Tensor specifications in exactly the structure that ``fit`` would give.

    The parts of the batch keep Keras's names: Grappler's order of operations that could run in any order hangs on
    the names of its inputs, and with it the predicted peak by a few per cent.
    """
    import tensorflow as tf

    found: list[tuple[str, bool]] = []
    optimizers: list[Any] = []

    parts = batch if isinstance(batch, tuple) else (batch,)
    train_step = getattr(model.train_step, "python_function", model.train_step)  # a graph within keeps its gradients

    def step(x: Any, y: Any = None, sample_weight: Any = None) -> list[Any]:
        given = (x, y, sample_weight)[: len(parts)]
        with _updates_recorded() as updates:
            train_step(given if isinstance(batch, tuple) else x)
        optimizers[:] = {id(optimizer): optimizer for optimizer, _, _ in updates}.values()
        pairs = [(v, g) for _, v, g in updates if g is not None]
        with tf.name_scope("willittrain_gradients"):
            tensors = [tf.identity(g.values if isinstance(g, tf.IndexedSlices) else g) for _, g in pairs]
        found[:] = [(v.path, isinstance(g, tf.IndexedSlices)) for v, g in pairs]
        return tensors

    concrete = tf.function(step, autograph=False).get_concrete_function(*parts)
    names = tuple(t.op.name for t in concrete.outputs)
    gradients = tuple(Gradient(path, name, sparse) for (path, sparse), name in zip(found, names, strict=True))
    return StepFunction(concrete, gradients, names, _handles(model), tuple(optimizers))


def trace_inference_step(built: Any) -> StepFunction:
    """Trace ``predict_step`` of a built model for a batch of `PRIME_BATCH`."""
    import tensorflow as tf

    model = built.model
    function = tf.function(lambda x: model.predict_step((x, None, None)), autograph=False)
    batch = built.arranged(*map(_specs, (built.input_specs, built.target_specs)))
    concrete = function.get_concrete_function(input_of(batch))
    return StepFunction(concrete, (), tuple(t.op.name for t in concrete.outputs), _handles(model))


def trace_evaluation_step(built: Any) -> StepFunction:
    """Trace ``test_step``, the forward pass with its loss and metrics, for a batch of `PRIME_BATCH`."""
    _compile(built)
    return trace_compiled_evaluation(built.model, built.arranged(*map(_specs, (built.input_specs, built.target_specs))))


def trace_compiled_evaluation(model: Any, batch: Any) -> StepFunction:
    """Trace the ``test_step`` of a model that its author compiled.

    Args:
        model: A built and compiled Keras model.
        batch: Tensor specifications in exactly the structure in which ``evaluate`` would give them.
    """
    import tensorflow as tf

    parts = batch if isinstance(batch, tuple) else (batch,)

    def step(x: Any, y: Any = None, sample_weight: Any = None) -> list[Any]:
        given = (x, y, sample_weight)[: len(parts)]
        return list(tf.nest.flatten(model.test_step(given if isinstance(batch, tuple) else x)))

    concrete = tf.function(step, autograph=False).get_concrete_function(*parts)
    return StepFunction(concrete, (), tuple(t.op.name for t in concrete.outputs), _handles(model))


def _compile(built: Any) -> None:
    """Give a model a loss and an optimizer, unless its author did."""
    if not built.compiled:
        built.model.compile(optimizer="sgd", loss=built.loss, jit_compile=False, auto_scale_loss=False)


def optimised_graph(step: StepFunction, *, on_card: bool = False) -> Any:
    """The graph that would run: TensorFlow's own graph optimizer (Grappler) over the traced one.

    Args:
        step: The traced step.
        on_card: As for a CUDA card: see `app.worker.tracing.card_cluster`.

    Loops stay whole (``While``) instead of being lowered to Switch and Merge, because their sizes can
    then be told from their bodies.  The memory optimizer stays off: it starts only where a step would
    nearly fill the machine, which a batch of `PRIME_BATCH` does and the user's does not.
    Source: tensorflow/python/grappler/tf_optimizer.py; core/grappler/optimizers/memory_optimizer.cc.
    """
    from tensorflow.core.protobuf import config_pb2, meta_graph_pb2, rewriter_config_pb2
    from tensorflow.python.framework.meta_graph import create_meta_graph_def
    from tensorflow.python.grappler import tf_optimizer

    graph = step.concrete.graph
    definition = graph.as_graph_def()
    for nodes in (definition.node, *(f.node_def for f in definition.library.function)):
        for node in nodes:
            if "_lower_using_switch_merge" in node.attr:
                node.attr["_lower_using_switch_merge"].b = False
    _hide_masks(definition, graph)
    inputs = _hide_inputs(definition)
    if on_card:
        _show_variables(definition, graph)
    meta_graph = create_meta_graph_def(graph_def=definition, graph=graph)
    fetches = meta_graph_pb2.CollectionDef()
    fetches.node_list.value.extend([*step.output_names, *(op.name for op in graph.control_outputs)])
    meta_graph.collection_def["train_op"].CopyFrom(fetches)
    config = config_pb2.ConfigProto()
    config.graph_options.rewrite_options.memory_optimization = rewriter_config_pb2.RewriterConfig.NO_MEM_OPT
    if on_card:
        place_on_card(meta_graph.graph_def)
    optimised = tf_optimizer.OptimizeGraph(config, meta_graph, cluster=card_cluster() if on_card else None)
    _show_inputs(optimised, inputs)
    _hide_variables(optimised)
    tell_written_order(optimised, definition)
    return optimised


def _hide_inputs(definition: Any) -> dict[str, Any]:
    """Let no huge batch be made up for the optimizer: for a million features or a large image it takes gigabytes.

    Grappler fills every placeholder with zeros of its full shape (core/grappler/grappler_item_builder.cc), and then
    takes the shape for unknown, because another could be fed (core/grappler/costs/graph_properties.cc).  An
    operation that receives from outside, of unknown shape, is seen the same way and is not filled; the graph comes
    out with the same operations, though those that could run in any order may change places.

    Returns:
        The shape of each hidden input by the operation's name, for `_show_inputs`.
    """
    import tensorflow as tf

    handle = tf.resource.as_datatype_enum
    inputs = [n for n in definition.node if n.op == "Placeholder" and n.attr["dtype"].type != handle]
    if sum(map(_placeholder_bytes, inputs)) <= MOST_MADE_UP_BYTES:
        return {}
    shapes = {}
    for node in inputs:
        shapes[node.name] = copy.deepcopy(node.attr["shape"].shape)
        node.op = RECEIVES
        node.attr.pop("_output_shapes", None)
        node.attr["shape"].shape.Clear()
        node.attr["shape"].shape.unknown_rank = True
    return shapes


def _placeholder_bytes(node: Any) -> int:
    """What a placeholder's value takes."""
    import tensorflow as tf

    elements: int = math.prod(side.size for side in node.attr["shape"].shape.dim)
    item_bytes: int = tf.as_dtype(node.attr["dtype"].type).size
    return elements * item_bytes


def _show_inputs(definition: Any, shapes: dict[str, Any]) -> None:
    """Give the inputs back what `_hide_inputs` took."""
    for node in definition.node:
        if node.op == RECEIVES and node.name in shapes:
            node.op = "Placeholder"
            node.attr["shape"].shape.CopyFrom(shapes[node.name])


def _show_variables(definition: Any, graph: Any) -> None:
    """Say what is in each variable that a step is given: of a placeholder for a resource nobody knows.

    In a training the arguments of a function carry it (core/ops/function_ops.cc, ``_Arg``).  Without it the layout
    optimizer leaves every product of an image and a vector of weights as it is, between two transposes of the image
    (core/grappler/optimizers/generic_layout_optimizer_transposer.cc, ``BinaryOpTransposer``), and no convolution takes
    its bias in.  A step on the host is the same without it, but for constants.
    """
    import tensorflow as tf
    from tensorflow.python.ops import handle_data_util

    handle = tf.resource.as_datatype_enum
    for node in definition.node:
        if node.op != "Placeholder" or node.attr["dtype"].type != handle:
            continue
        known = handle_data_util.get_resource_handle_data(graph.get_tensor_by_name(f"{node.name}:0"))
        if known is None or not known.is_set or len(known.shape_and_type) != 1:
            continue
        (variable,) = known.shape_and_type
        node.op = VARIABLE
        node.attr.clear()
        node.attr["dtype"].type = variable.dtype
        node.attr["shape"].shape.CopyFrom(variable.shape)
        node.attr["shared_name"].s = node.name.encode()
        node.attr["container"].s = b""


def _hide_variables(definition: Any) -> None:
    """Make placeholders of the variables again: none of them is to be made where the graph is read."""
    import tensorflow as tf

    for node in definition.node:
        if node.op == VARIABLE:
            node.op = "Placeholder"
            node.attr.clear()
            node.attr["dtype"].type = tf.resource.as_datatype_enum
            node.attr["shape"].shape.SetInParent()


def _hide_masks(definition: Any, graph: Any) -> None:
    """Let no mask over the batch be computed beforehand: with a batch of unknown size TensorFlow cannot either.

    Keras begins such a mask with as many "true" as there are attention scores; their value becomes a
    placeholder.  Otherwise constant folding writes out a causal mask for `PRIME_BATCH` samples, which takes
    a minute and 400 MB (core/grappler/optimizers/constant_folding.cc).
    """
    import tensorflow as tf

    masks = {
        op.name
        for op in graph.get_operations()
        if op.type == "Fill" and op.outputs[0].dtype == tf.bool and op.outputs[0].shape.as_list()[:1] == [PRIME_BATCH]
    }
    for node in definition.node:
        if node.name in masks:
            node.input[1] = HIDDEN_VALUE
    if masks:
        hidden = definition.node.add(name=HIDDEN_VALUE, op="Placeholder")
        hidden.attr["dtype"].type = tf.bool.as_datatype_enum
        hidden.attr["shape"].shape.SetInParent()


def _handles(model: Any) -> tuple[Any, ...]:
    """The resource handle of every variable."""
    return tuple(v.value.handle for v in model.variables)


def _specs(specs: Iterable[Any]) -> list[Any]:
    """Tensor specifications with the prime batch, of objects with ``shape`` (without the batch) and ``dtype``."""
    import tensorflow as tf

    return [tf.TensorSpec((PRIME_BATCH, *s.shape), s.dtype) for s in specs]


@contextlib.contextmanager
def _updates_recorded() -> Iterator[list[tuple[Any, Any, Any]]]:
    """Within this scope no optimizer of Keras updates anything: it goes into the list, with variable and gradient.

    `app.core.simulate.optimizers` appends the update, so that one trace answers for every optimizer.
    """
    from keras.src.optimizers.base_optimizer import BaseOptimizer
    from keras.src.optimizers.loss_scale_optimizer import LossScaleOptimizer

    updates: list[tuple[Any, Any, Any]] = []

    def apply(optimizer: Any, grads: Any, trainable_variables: Any = None) -> None:
        variables = optimizer._trainable_variables if trainable_variables is None else trainable_variables
        updates.extend((optimizer, *pair) for pair in zip(variables, grads, strict=True))

    def scale_loss(optimizer: Any, loss: Any) -> Any:
        return loss

    kinds = BaseOptimizer, LossScaleOptimizer
    own = [(kind.apply, kind.scale_loss) for kind in kinds]
    for kind in kinds:
        kind.apply, kind.scale_loss = apply, scale_loss
    try:
        yield updates
    finally:
        for kind, (apply_own, scale_own) in zip(kinds, own, strict=True):
            kind.apply, kind.scale_loss = apply_own, scale_own
