"""Traced graphs of the catalog's networks that ship with the program: an answer without TensorFlow.

They stand in ``resources/graphs``, one file a network as it comes (its own input, float32, training),
made by ``packaging/trace_catalog.py``.  A manifest names the tracer that made them; graphs of another
tracer are not used.
"""

from __future__ import annotations

import gzip
from pathlib import Path

import msgspec

from app.catalog import typed_json
from app.catalog.models import ModelEntry
from app.catalog.paths import resource_path
from app.core.types.errors import StoreError
from app.core.types.stepgraph import StepGraph
from app.core.types.workload import Plan, Workload
from app.services.store.graph_key import tracer_digest
from app.services.store.graph_store import graph_from_json

MANIFEST = "manifest.json"


class Manifest(msgspec.Struct, frozen=True):
    """Which tracer made the graphs, and with which framework.

    ``outputs`` are the elements of all layers' outputs for one sample, by network: all that the textbook
    formula needs of a graph, so that it answers before a graph is read.
    """

    tracer: str
    framework: str
    outputs: dict[str, int] = {}


def layer_outputs(name: str) -> int | None:
    """Elements of all layers' outputs of a catalog network for one sample, as it comes."""
    try:
        return read_manifest(resource_path("graphs")).outputs.get(name)
    except StoreError:
        return None


def shipped_graph(workload: Workload, entry: ModelEntry | None) -> StepGraph | None:
    """The shipped graph of a workload's model, if the workload takes the network as it comes.

    Args:
        workload: What is asked about.
        entry: The catalog's entry of its model; None if it is not from the catalog.
    """
    if entry is None or not _as_it_comes(workload, entry):
        return None
    try:
        folder = resource_path("graphs")
    except StoreError:
        return None
    path = folder / f"{entry.name}.json.gz"
    if not path.exists() or read_manifest(folder).tracer != tracer_digest():
        return None
    return read_graph(path)


def read_graph(path: Path) -> StepGraph:
    """A shipped graph, whoever made it."""
    return graph_from_json(msgspec.json.decode(gzip.decompress(path.read_bytes())))


def read_manifest(folder: Path) -> Manifest:
    """The manifest; one that cannot be read matches no tracer."""
    try:
        return typed_json.decode((folder / MANIFEST).read_bytes(), Manifest)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return Manifest("", "")


def _as_it_comes(workload: Workload, entry: ModelEntry) -> bool:
    """Does nothing in the workload change the network or its step."""
    plan, data = workload.plan, workload.dataset
    plain = plan.traced == Plan().traced
    own_shape = workload.input_shape in (None, entry.input_shape) and workload.classes in (None, entry.classes)
    same_data = data is None or (data.sample_shape == entry.input_shape and data.classes == entry.classes)
    return plain and own_shape and same_data
