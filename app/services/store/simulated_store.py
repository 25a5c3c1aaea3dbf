"""Simulated steps on disk, found again by the graph, the training and the code that simulates."""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path

import msgspec

import app
from app.catalog import typed_json
from app.core.predict.model_steps import Training
from app.core.simulate.execution import Execution
from app.core.simulate.orders import ORDERS
from app.core.simulate.simulated import SimulatedStep, SimulatedTraining
from app.core.types.stepgraph import StepGraph
from app.core.types.text import phrase
from app.services.store.compressed_store import CompressedStore

SIMULATED_BY = ("core/simulate/**/*.py", "core/predict/memory.py", "core/types/stepgraph.py", "core/types/units.py")
"""Files whose change makes what was simulated worthless."""


class SimulatedStore(CompressedStore[SimulatedTraining]):
    """What was simulated, under a folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, _read)


def graph_digest(graph: StepGraph) -> str:
    """A name for all of a graph that a simulation reads: whoever traced it, the same graph has the same steps."""
    step = (graph.precision, graph.mode, graph.variables, graph.sizes, graph.operations, graph.loops)
    ends = (graph.input_tensors, graph.constants, graph.outputs, graph.jit_allowed)
    on_cuda = None if graph.on_cuda is None else graph_digest(graph.on_cuda)
    return hashlib.sha256(msgspec.json.encode((step, ends, on_cuda))).hexdigest()


def simulated_key(graph: str, training: Training) -> str:
    """A name for everything that a simulation depends on; ``graph`` is a `graph_digest`."""
    described = [graph, training, simulator_digest(Path(app.__file__).parent)]
    return "steps-" + hashlib.sha256(msgspec.json.encode(described)).hexdigest()[:32]


@functools.cache
def simulator_digest(package: Path) -> str:
    """Changes whenever the code that simulates does; ``package`` is the folder of ours."""
    paths = sorted(path for pattern in SIMULATED_BY for path in package.glob(pattern))
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _read(text: bytes) -> SimulatedTraining:
    """What was kept.

    Raises:
        ValueError: A field is missing or of another type, or an index leads nowhere.
    """
    found = typed_json.decode(text, SimulatedTraining)
    if not all(map(_whole, found.steps)):
        raise ValueError(phrase("an index leads nowhere"))
    return found


def _whole(step: SimulatedStep) -> bool:
    """Can all that is there of a step be replayed."""
    runs = (*step.updating.items(), *step.waiting.items())
    return all(0 <= order < ORDERS and _can_be_replayed(run) for order, run in runs)


def _can_be_replayed(run: Execution) -> bool:
    """Does every number in an execution stand for one of its chunks."""
    chunks = len(run.sizes)
    named = [~event if event < 0 else event for event in run.events]
    named += [*run.moved, *run.moved.values(), *run.lists, *(slot for _, slot in (*run.updated, *run.settled))]
    named += run.wishes.values()
    told = len(run.by) == len(run.events)
    described = told and len(run.roles) == len(run.layers) == chunks and len(run.shapes) == run.resident <= chunks
    return described and (not named or (min(named) >= 0 and max(named) < chunks))
