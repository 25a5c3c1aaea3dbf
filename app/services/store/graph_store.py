"""Traced graphs on disk, found again by what they were traced from."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from app.catalog import typed_json
from app.core.types.captured import Captured
from app.core.types.convolution import Convolution
from app.core.types.errors import InvalidWorkload
from app.core.types.plan import Plan
from app.core.types.plausible import MOST_PER_SECOND, check_plausible
from app.core.types.stepgraph import (
    GRAPH_SCHEMA,
    NOTHING,
    Layer,
    Loop,
    ModelFacts,
    Operation,
    PerBatch,
    Phase,
    StepGraph,
    Variable,
)
from app.core.types.text import Text, phrase
from app.core.types.units import MOST_BYTES
from app.services.store.compressed_store import CompressedStore


class GraphStore(CompressedStore[StepGraph]):
    """Graphs under a folder, as the ``trace`` job answered them."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, lambda text: graph_from_json(msgspec.json.decode(text)))


def graph_from_json(traced: dict[str, Any]) -> StepGraph:
    """Read the answer of the ``trace`` job.

    Raises:
        KeyError: A field is missing.
        ValueError: The graph is of another schema, or not whole: of other types, with indices that lead nowhere or
            sizes that cannot be.
    """
    if traced["schema"] != GRAPH_SCHEMA:
        raise ValueError(
            phrase(
                "graph of schema {traced}, expected {graph_schema}", traced=traced["schema"], graph_schema=GRAPH_SCHEMA
            )
        )
    told = typed_json.convert(traced, _Told)
    if told.on_cuda is not None and told.on_cuda.get("on_cuda") is not None:
        raise ValueError(phrase("an index leads nowhere"))
    graph = StepGraph(
        model=told.model,
        precision=told.precision,
        mode=told.mode,
        variables=told.variables,
        layers=told.layers,
        sizes=tuple(map(_amount, told.sizes)),
        operations=tuple(_operation(row) for row in told.operations),
        input_tensors=told.input_tensors,
        constants=told.constants,
        outputs=told.outputs,
        jit_allowed=told.jit_allowed,
        framework=told.framework,
        trace_s=told.trace_s,
        notes=told.notes,
        loops=tuple(Loop(*row) for row in told.loops),
        on_cuda=None if told.on_cuda is None else graph_from_json(told.on_cuda),
    )
    _check_whole(graph)
    return graph


_Pair = tuple[int | float, int | float]
_Indices = tuple[int, ...]
_Row = tuple[
    str,
    _Indices,
    _Indices,
    Phase,
    int | None,
    _Pair,
    _Pair,
    _Pair,
    _Indices,
    int | None,
    int | None,
    tuple[_Pair, ...],
    Convolution | None,
    _Indices,
]


class _Told(msgspec.Struct):
    """The answer as it stands in JSON."""

    model: ModelFacts
    precision: str
    mode: str
    variables: tuple[Variable, ...]
    layers: tuple[Layer, ...]
    sizes: tuple[_Pair, ...]
    operations: tuple[_Row, ...]
    input_tensors: _Indices
    constants: _Indices
    outputs: _Indices
    jit_allowed: bool
    framework: str
    trace_s: float | None
    notes: tuple[Text, ...]
    loops: tuple[tuple[int, int, int | None], ...]
    on_cuda: dict[str, Any] | None


def _operation(row: _Row) -> Operation:
    """One operation from its row."""
    kind, reads, writes, phase, layer, flops, scratch, wanted, control, variable, loop, on_card, asked, written = row
    return Operation(
        kind,
        reads,
        writes,
        phase,
        layer,
        _amount(flops),
        _amount(scratch),
        _amount(wanted),
        control,
        variable,
        loop,
        tuple(map(_amount, on_card)),
        asked,
        written,
    )


def _amount(pair: _Pair) -> PerBatch:
    """A size or an amount of work from its two numbers."""
    return PerBatch(*pair) if pair[0] or pair[1] else NOTHING


def _amounts(operation: Operation) -> tuple[PerBatch, ...]:
    """The amounts of an operation."""
    return operation.flops, operation.scratch, operation.wanted_workspace, *operation.card_scratch


def _check_whole(graph: StepGraph) -> None:
    """Raise `ValueError` if an index leads nowhere or a number cannot be."""
    check_plausible((graph.model, graph.variables, graph.layers))
    if graph.model.captured is not None:
        _check_captured(graph.model.captured)
    tensors, operations = len(graph.sizes), len(graph.operations)
    lines = [*graph.sizes, *(line for o in graph.operations for line in _amounts(o) if line is not NOTHING)]
    if not all(0 <= line.fixed <= MOST_PER_SECOND and 0 <= line.per_sample <= MOST_PER_SECOND for line in lines):
        raise ValueError(phrase("an amount of work cannot be"))
    if not all(line.fixed <= MOST_BYTES and line.per_sample <= MOST_BYTES for line in graph.sizes):
        raise ValueError(phrase("a size cannot be"))
    used = [i for o in graph.operations for indices in (o.inputs, o.outputs) for i in indices]
    used += [*graph.input_tensors, *graph.constants, *graph.outputs]
    used += [v.gradient for v in graph.variables if v.gradient is not None]
    _check_range(used, tensors)
    if any(sorted(o.written) != list(range(len(o.inputs))) for o in graph.operations if o.written):
        raise ValueError(phrase("an index leads nowhere"))
    if any(loop.trip_count < 1 or loop.parallel < 1 for loop in graph.loops):
        raise ValueError(phrase("a loop turns at least once"))
    made = {i for o in graph.operations for i in o.outputs}
    if any(v.gradient is not None and v.gradient not in made for v in graph.variables):
        raise ValueError(phrase("no operation makes a weight's gradient"))
    _check_range([i for o in graph.operations for i in o.control], operations)
    layers = [*(o.layer for o in graph.operations), *(v.layer for v in graph.variables)]
    _check_range([layer for layer in layers if layer is not None], len(graph.layers))
    _check_range([o.loop for o in graph.operations if o.loop is not None], len(graph.loops))
    # -1 stands for a variable that is none of the model's, such as a metric's (app/worker/tracing/trace.py)
    _check_range([o.variable + 1 for o in graph.operations if o.variable is not None], len(graph.variables) + 1)


def _check_captured(captured: Captured) -> None:
    """Raise `ValueError` if a training cannot be, or a setting is of another type than a plan's."""
    if any(one.batch_size < 1 or one.epochs < 0 or (one.samples or 0) < 0 for one in captured.trainings):
        raise ValueError(phrase("an amount of work cannot be"))
    with suppress(InvalidWorkload):  # what the author cannot have is said where it is asked for
        typed_json.convert(dict(captured.settings), Plan)


def _check_range(indices: list[int], count: int) -> None:
    """Raise `ValueError` if an index is not among so many things."""
    if indices and not (min(indices) >= 0 and max(indices) < count):
        raise ValueError(phrase("an index leads nowhere"))
