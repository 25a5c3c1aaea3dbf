"""The ``trace`` job: a Keras model in, its `StepGraph` out, without the memory of its weights."""

from __future__ import annotations

import dataclasses
import math
import time
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from app.core.types.errors import BadModel
from app.core.types.plans import plan_from_json
from app.core.types.stepgraph import ModelFacts, StepGraph, Variable
from app.core.types.text import phrase
from app.worker.models.own.compiled import captured_of
from app.worker.models.own.valued import valued
from app.worker.models.weightless import weightless
from app.worker.tracing.graph_reader import GraphReader, traced_shapes
from app.worker.tracing.layer_names import LayerNames
from app.worker.tracing.operation_layers import OperationLayers
from app.worker.tracing.recurrent import as_on_a_card, runs_in_cudnn
from app.worker.tracing.step_function import Gradient, StepFunction, optimised_graph, trace_step

if TYPE_CHECKING:
    from app.worker.channel import Channel


def run(arguments: dict[str, Any], channel: Channel) -> dict[str, Any]:
    """Build and trace the model that ``arguments`` describe; the result is a `StepGraph` as JSON."""
    from app.worker.models.build import build_for

    started = time.perf_counter()
    channel.phase("import")
    channel.progress(0.05, phrase("loading TensorFlow"))
    import tensorflow as tf

    tf.config.set_visible_devices([], "GPU")
    channel.phase("build")
    channel.progress(0.3, phrase("building the model"))
    plan = plan_from_json(arguments)
    with without_memory(arguments["model"]["kind"]):
        built = build_for(arguments, plan)
        channel.phase("trace")
        channel.progress(0.5, phrase("tracing one step"))
        own = built.captured.get("precision") if built.captured and "precision" not in arguments else None
        graph = trace_built(built, precision=str(own or plan.precision), mode=plan.mode)
    channel.progress(1.0, "traced")
    return to_json(dataclasses.replace(graph, trace_s=time.perf_counter() - started))


def without_memory(kind: str) -> AbstractContextManager[None]:
    """How a model of a kind is built without the memory of its weights: the user's own code may look at them."""
    return valued() if kind == "code" else weightless()


def trace_built(built: Any, *, precision: str, mode: str) -> StepGraph:
    """Trace a built model (`app.worker.models.built.BuiltModel`) into a `StepGraph`."""
    step = trace_step(built, mode)
    if mode == "train" and built.compiled:
        built = dataclasses.replace(built, captured=captured_of(built.model, step.optimizers))
    if not any(map(runs_in_cudnn, built.model._flatten_layers())):
        return read_step(step, built, precision=precision, mode=mode)
    with as_on_a_card():
        return read_step(step, built, precision=precision, mode=mode, on_card=trace_step(built, mode))


def read_step(
    step: StepFunction, built: Any, *, precision: str, mode: str, on_card: StepFunction | None = None
) -> StepGraph:
    """Optimise a traced step's graph and read it, and the same for a card.

    Args:
        step: The traced step.
        built: Its model (`app.worker.models.built.BuiltModel`).
        precision: Keras dtype policy.
        mode: ``train`` or ``inference``.
        on_card: The step as Keras writes it for a card, where that is another one.
    """
    graph = _read(step, optimised_graph(step), built, precision=precision, mode=mode)
    for_card = on_card or step
    read = _read(for_card, optimised_graph(for_card, on_card=True), built, precision=precision, mode=mode)
    return dataclasses.replace(graph, on_cuda=read)


def _read(step: StepFunction, definition: Any, built: Any, *, precision: str, mode: str) -> StepGraph:
    """Read an optimised graph."""
    import tensorflow as tf

    model = built.model
    names = LayerNames(model)
    variables = _variables(model, names)
    handles = _variable_handles(step, variables)
    reads = _replace_reads(definition, handles, variables)
    optimised = tf.Graph()
    with optimised.as_default():
        tf.import_graph_def(definition, name="")
    reader = GraphReader(
        library={f.signature.name: f for f in definition.library.function},
        reads=reads,
        handles=handles,
        variable_shapes=tuple(v.shape for v in variables),
        shapes=traced_shapes(step.concrete.graph),
        layer_of=OperationLayers(names, (op.name for op in step.concrete.graph.get_operations())).index_of,
    )
    reader.read(optimised)
    gradients = {g.variable_path: g for g in step.gradients}
    captured = {p.op.name for _, p in step.concrete.graph.captures}
    given = [p for p in step.concrete.inputs if p.op.name not in captured and reader.has(p.op.name)]
    return StepGraph(
        model=_facts(model, built),
        precision=precision,
        mode=mode,
        variables=tuple(_with_gradient(v, gradients.get(v.path), reader) for v in variables),
        layers=names.layers,
        sizes=tuple(reader.sizes),
        operations=tuple(reader.operations),
        input_tensors=tuple(reader.tensor(p.op.name) for p in given),
        constants=tuple(i for op in reader.operations if op.kind == "Const" for i in op.outputs),
        outputs=tuple(reader.tensor(name) for name in step.output_names) if mode == "inference" else (),
        jit_allowed=all(layer.supports_jit and not runs_in_cudnn(layer) for layer in model._flatten_layers()),
        framework=f"tensorflow {tf.__version__}",
        loops=tuple(reader.loops),
    )


def to_json(graph: StepGraph) -> dict[str, Any]:
    """A `StepGraph` as JSON values; operations are lists to keep large graphs small."""
    return {
        "schema": graph.schema,
        "model": dataclasses.asdict(graph.model),
        "precision": graph.precision,
        "mode": graph.mode,
        "variables": [dataclasses.asdict(v) for v in graph.variables],
        "layers": [dataclasses.asdict(layer) for layer in graph.layers],
        "sizes": [[s.fixed, s.per_sample] for s in graph.sizes],
        "operations": [
            [
                o.kind,
                o.inputs,
                o.outputs,
                o.phase,
                o.layer,
                [o.flops.fixed, o.flops.per_sample],
                [o.scratch.fixed, o.scratch.per_sample],
                [o.wanted_workspace.fixed, o.wanted_workspace.per_sample],
                o.control,
                o.variable,
                o.loop,
                [[piece.fixed, piece.per_sample] for piece in o.card_scratch],
                o.convolution,
                o.written,
            ]
            for o in graph.operations
        ],
        "input_tensors": graph.input_tensors,
        "constants": graph.constants,
        "outputs": graph.outputs,
        "jit_allowed": graph.jit_allowed,
        "framework": graph.framework,
        "trace_s": graph.trace_s,
        "notes": graph.notes,
        "loops": [[loop.trip_count, loop.parallel, loop.stage] for loop in graph.loops],
        "on_cuda": None if graph.on_cuda is None else to_json(graph.on_cuda),
    }


def _variables(model: Any, names: LayerNames) -> tuple[Variable, ...]:
    """All weights of the model, in Keras's order."""
    trainable = {id(v) for v in model.trainable_variables}
    made = {number: place for place, number in enumerate(sorted(map(_number, model.variables)))}
    found = []
    for v in model.variables:
        shape = tuple(int(n) for n in v.shape)
        size = math.prod(shape) * v.value.dtype.size
        layer = names.index_of_weight(v.path)
        found.append(
            Variable(v.path, shape, str(v.dtype), size, id(v) in trainable, layer=layer, made=made[_number(v)])
        )
    return tuple(found)


def _number(variable: Any) -> int:
    """Larger for what was made later: TensorFlow counts all variables (resource_variable_ops.py, ``ops.uid``)."""
    return int(variable.value._unique_id.rpartition("_")[2])


def _with_gradient(variable: Variable, gradient: Gradient | None, reader: GraphReader) -> Variable:
    """The variable with the tensor of its gradient, if it has one."""
    if gradient is None:
        return variable
    return dataclasses.replace(variable, gradient=reader.tensor(gradient.operation), sparse_gradient=gradient.sparse)


def _variable_handles(step: StepFunction, variables: tuple[Variable, ...]) -> dict[str, int]:
    """Index of the variable behind each captured resource placeholder; metrics get -1."""
    by_handle = {id(handle): index for index, handle in enumerate(step.handles)}
    found = {}
    for outer, placeholder in step.concrete.graph.captures:
        if placeholder.dtype.name == "resource":
            found[placeholder.op.name] = by_handle.get(id(outer), -1)
    if not variables:
        raise BadModel(
            phrase("the model has no weights"),
            expected=phrase("a model that can learn"),
            hint=phrase("add a trainable layer"),
        )
    return found


def _replace_reads(definition: Any, handles: dict[str, int], variables: tuple[Variable, ...]) -> dict[str, int]:
    """Turn reads of variables into placeholders of known shape, so that shapes can be inferred."""
    import tensorflow as tf

    reads = {}
    for node in definition.node:
        source = node.input[0] if node.input else ""
        if node.op != "ReadVariableOp" or handles.get(source, -1) < 0:
            continue
        index = handles[source]
        reads[node.name] = index
        control = [name for name in node.input if name.startswith("^")]
        node.op = "Placeholder"
        del node.input[:]
        node.input.extend(control)
        node.attr["shape"].shape.CopyFrom(tf.TensorShape(variables[index].shape).as_proto())
    return reads


def _facts(model: Any, built: Any) -> ModelFacts:
    """Name, counts and shapes of the model."""
    trainable = sum(math.prod(v.shape) for v in model.trainable_variables)
    return ModelFacts(
        name=model.name,
        source=built.source,
        params=sum(math.prod(v.shape) for v in model.weights),
        trainable_params=trainable,
        input_shapes=tuple(tuple(s.shape) for s in built.input_specs),
        output_shapes=tuple(tuple(s.shape) for s in built.target_specs),
        input_dtypes=tuple(str(s.dtype) for s in built.input_specs),
        assumptions=tuple(built.assumptions),
        captured=built.captured,
    )
