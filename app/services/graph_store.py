"""Traced graphs on disk, found again by what they were traced from."""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path
from typing import Any

import msgspec

import app
from app.catalog.paths import resource_path
from app.core.stepgraph import GRAPH_SCHEMA, Layer, Line, Loop, ModelFacts, Operation, StepGraph, Variable
from app.core.workload import Workload
from app.services.cache_keys import framework_stamp
from app.services.compressed_store import CompressedStore

NOT_TRACING = (
    "backend", "batch_check", "benchmark", "calibrate", "channel", "data", "failures", "file_reads", "framework",
    "main", "memory_readings", "rates", "refine", "step_recording", "warden", "xspace",
)  # fmt: skip
"""Files of the worker, by how their names begin, that have no say in what a trace finds."""


class GraphStore(CompressedStore[StepGraph]):
    """Graphs under a folder, as the ``trace`` job answered them."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, graph_from_json, "the traced graph")


def graph_key(workload: Workload, interpreter: str | None) -> str:
    """A name for everything that a trace depends on: the model's content, its inputs and the tracer itself.

    Raises:
        OSError: The model's file cannot be read.
    """
    model, plan, dataset = workload.model, workload.plan, workload.dataset
    content = hashlib.sha256(Path(model.path).read_bytes()).hexdigest() if model.path else model.name
    described = [
        GRAPH_SCHEMA, tracer_digest(), content, model.function, model.kind, workload.input_shape, workload.classes,
        *plan.traced, framework_stamp(interpreter),
        (dataset.sample_shape, dataset.classes, dataset.dtype) if dataset else None,
    ]  # fmt: skip
    return hashlib.sha256(msgspec.json.encode(described)).hexdigest()[:32]


def graph_from_json(traced: dict[str, Any]) -> StepGraph:
    """Read the answer of the ``trace`` job.

    Raises:
        KeyError: A field is missing.
        ValueError: The graph is of another schema.
    """
    if traced["schema"] != GRAPH_SCHEMA:
        raise ValueError(f"graph of schema {traced['schema']}, expected {GRAPH_SCHEMA}")
    return StepGraph(
        model=msgspec.convert(traced["model"], ModelFacts),
        precision=traced["precision"],
        mode=traced["mode"],
        variables=msgspec.convert(traced["variables"], tuple[Variable, ...]),
        layers=msgspec.convert(traced["layers"], tuple[Layer, ...]),
        sizes=tuple(Line(*pair) for pair in traced["sizes"]),
        operations=tuple(_operation(row) for row in traced["operations"]),
        input_tensors=tuple(traced["input_tensors"]),
        constants=tuple(traced["constants"]),
        outputs=tuple(traced["outputs"]),
        jit_allowed=traced["jit_allowed"],
        framework=traced["framework"],
        trace_s=traced["trace_s"],
        notes=tuple(traced["notes"]),
        loops=tuple(Loop(*row) for row in traced["loops"]),
    )


def _operation(row: list[Any]) -> Operation:
    """One operation from its row."""
    kind, inputs, outputs, phase, layer, flops, scratch, wanted, control, variable, loop = row
    return Operation(
        kind, tuple(inputs), tuple(outputs), phase, layer, Line(*flops), Line(*scratch), Line(*wanted),
        tuple(control), variable, loop,
    )  # fmt: skip


@functools.cache
def tracer_digest() -> str:
    """Changes whenever the code that traces, or the catalog's networks, change."""
    worker = Path(app.__file__).parent / "worker"
    digest = hashlib.sha256(resource_path("models.csv").read_bytes())
    for path in sorted(worker.rglob("*.py")):
        if not path.name.startswith(NOT_TRACING):
            digest.update(path.read_bytes())
    return digest.hexdigest()
