"""What a traced graph is found under: everything that a trace depends on."""

from __future__ import annotations

import functools
import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

import app
from app.catalog.paths import resource_path
from app.core.types.stepgraph import GRAPH_SCHEMA
from app.core.types.workload import ModelKind, ModelRef, Workload
from app.services.store.cache_keys import framework_stamp

TRACER = ("models", "script", "tracing")
"""Rooms of the worker that say what a trace finds."""

OWN_MODELS = ("own", "script")
"""The rooms that only the user's own models go through."""

_OUR_MODULE = re.compile(rb"\bapp\.(?:core|worker)\.")
_KEPT_KEYS = 256


@dataclass(frozen=True)
class GraphKey:
    """The model's content, its inputs, the settings that change the step, and whose framework traces it.

    ``content`` is what the model is made of (`app.services.store.model_contents`), ``inputs`` what the workload says
    of its sizes, ``framework`` changes when somebody installs another one.
    """

    content: str
    kind: ModelKind
    function: str | None
    inputs: tuple[Any, ...]
    traced: tuple[Any, ...]
    framework: tuple[str, ...]

    @staticmethod
    def of(workload: Workload, content: str, interpreter: str | None, data_content: str = "") -> GraphKey:
        """The key of a workload.  Equal ones are one object, so that each is digested once.

        Args:
            workload: What is asked about.
            content: What its model is made of.
            interpreter: Whose framework traces.
            data_content: What the user's own data is made of, where it may decide what a step takes.
        """
        model, data = workload.model, workload.dataset
        sample = (data.sample_shape, data.classes, data.dtype) if data and model.kind != "script" else None
        if data_content:
            sample = (*(sample or ()), data_content)
        inputs = (workload.input_shape, workload.classes, sample)
        framework = framework_stamp(interpreter)
        return _one(GraphKey(content, model.kind, _entry(model), inputs, workload.plan.traced, framework))

    @functools.cached_property
    def name(self) -> str:
        """A digest of it all and of the tracer itself, which names the file on disk."""
        shape, classes, sample = self.inputs
        tracer = tracer_digest(own_model=self.kind != "catalog")
        described = [GRAPH_SCHEMA, tracer, self.content, self.function, self.kind, shape, classes, *self.traced]
        return hashlib.sha256(msgspec.json.encode([*described, self.framework, sample])).hexdigest()[:32]


def _entry(model: ModelRef) -> str | None:
    """Where a model's file is entered: a function of it, or all of it, with these words in this folder."""
    if model.kind != "script":
        return f"{model.function}({', '.join(model.arguments)})" if model.arguments else model.function
    return msgspec.json.encode([model.function, model.arguments, model.fit, model.count_fits, model.folder]).decode()


@functools.lru_cache(_KEPT_KEYS)
def _one(key: GraphKey) -> GraphKey:
    """The first of equal keys."""
    return key


@functools.cache
def tracer_digest(*, own_model: bool = False) -> str:
    """Changes whenever the code that traces, or the catalog's networks, change; or that which reads the user's own.

    Where code lies says nothing of what it does: names of files and lines that speak of our modules are left out.
    """
    worker = Path(app.__file__).parent / "worker"
    paths = [path for room in TRACER for path in (worker / room).rglob("*.py")]
    if not own_model:
        paths = [path for path in paths if not set(OWN_MODELS) & set(path.relative_to(worker).parts)]
    digest = hashlib.sha256(resource_path("models.csv").read_bytes())
    for code in sorted(_wherever_it_lies(path.read_bytes()) for path in paths):
        digest.update(code)
    return digest.hexdigest()


def _wherever_it_lies(source: bytes) -> bytes:
    """Source code without the lines that name one of our modules."""
    return b"\n".join(line for line in source.splitlines() if not _OUR_MODULE.search(line))
