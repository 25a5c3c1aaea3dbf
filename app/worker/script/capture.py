"""What a call of ``fit`` is about to do: its traced step, and its author's settings."""

from __future__ import annotations

import dataclasses
import linecache
import os

from app.core.types.captured import Captured, Training
from app.core.types.notebook import place_of
from app.core.types.plan import Plan
from app.core.types.stepgraph import StepGraph
from app.worker.models.build import apply_plan
from app.worker.models.built import BuiltModel
from app.worker.models.own.compiled import captured_of
from app.worker.script.batches import Batches
from app.worker.script.fit_call import FitCall
from app.worker.script.fits_in_source import fits_in
from app.worker.tracing.step_function import PRIME_BATCH, trace_compiled_step
from app.worker.tracing.trace import read_step


def traced_call(call: FitCall, batches: Batches, plan: Plan, backend: str, training: Training) -> StepGraph:
    """The step that a call would run, with what its author compiled and gave to ``fit``.

    Args:
        call: What was called.
        batches: What it trains on.
        plan: What is asked of the model besides.
        backend: The framework that the author wants below Keras.
        training: Which one it is.

    Raises:
        BadModel: The model cannot be what the plan asks for.
    """
    done = apply_plan(call.model, freeze=plan.freeze, remat=plan.remat, lora_rank=plan.lora_rank, int8=plan.int8)
    step = trace_compiled_step(call.model, batches.specs(PRIME_BATCH))
    author = captured_of(call.model, step.optimizers)
    settings = {**dict(author.settings), "batch_size": batches.size, "epochs": call.epochs, "backend": backend}
    if batches.array and backend == "tensorflow":
        settings["data"] = "array"
    captured = _in_source(dataclasses.replace(author, settings=tuple(settings.items())), call, training)
    graph = read_step(step, _built(call, batches, done), precision=str(settings["precision"]), mode="train")
    return dataclasses.replace(graph, model=dataclasses.replace(graph.model, captured=captured))


def training_of(call: FitCall, batches: Batches, number: int) -> Training:
    """What a call would do, without its step."""
    file, cell = place_of(call.file)
    optimizer = getattr(call.model, "optimizer", None)
    optimizer = getattr(optimizer, "inner_optimizer", optimizer)
    return Training(
        fit=number,
        file=file,
        line=call.line,
        cell=cell,
        optimizer=None if optimizer is None else type(optimizer).__name__.lower(),
        batch_size=batches.size,
        epochs=call.epochs,
        samples=batches.samples,
    )


def _in_source(captured: Captured, call: FitCall, training: Training) -> Captured:
    """Where a training stands in its author's file, and what trains there besides."""
    found = [(cell, one) for cell, source in _sources(call.file) for one in fits_in(source)]
    here = [one for cell, one in found if cell == training.cell and one.first <= (call.line or 0) <= one.last]
    others = [(cell, one.first) for cell, one in found if one not in here or cell != training.cell]
    return dataclasses.replace(
        captured,
        file=training.file,
        line=training.line,
        cell=training.cell,
        fit=training.fit,
        of=max(len(found), training.fit),
        in_loop=any(one.in_loop for one in here),
        other_lines=tuple(str(line) if cell is None else f"cell {cell}:{line}" for cell, line in others),
        samples=training.samples,
    )


def _sources(name: str | None) -> list[tuple[int | None, str]]:
    """The text of a file, or of each cell of a notebook."""
    file, cell = place_of(name)
    if name is None or cell is None:
        return [(None, "".join(linecache.getlines(name)))] if name else []
    cells = {place_of(known)[1]: known for known in linecache.cache if place_of(known)[0] == file}
    return [(number, "".join(linecache.getlines(cells[number]))) for number in sorted(filter(None, cells))]


def _built(call: FitCall, batches: Batches, done: tuple[str, ...]) -> BuiltModel:
    """The model as the tracer describes it."""
    inputs, targets = batches.parts()
    return BuiltModel(call.model, None, inputs, targets, done, os.path.basename(place_of(call.file)[0] or ""))
