"""What a call of ``fit`` is about to do: its traced step, and its author's settings."""

from __future__ import annotations

import ast
import dataclasses
import os
from pathlib import Path

from app.core.types.plan import Plan
from app.core.types.stepgraph import StepGraph
from app.worker.models.build import apply_plan
from app.worker.models.built import BuiltModel
from app.worker.models.own.compiled import captured_of
from app.worker.script.batches import Batches, batches_of
from app.worker.script.fit_call import FitCall
from app.worker.tracing.step_function import PRIME_BATCH, trace_compiled_step
from app.worker.tracing.trace import read_step

_SAYS_IT_TRAINS = frozenset({"epochs", "validation_data", "validation_split", "callbacks", "steps_per_epoch"})
"""Arguments that Keras's ``fit`` has and that of a scaler or a tokenizer has not."""


def traced_call(call: FitCall, plan: Plan, backend: str) -> StepGraph:
    """The step that a call would run, with what its author compiled and gave to ``fit``.

    Args:
        call: What was called.
        plan: What is asked of the model besides.
        backend: The framework that the author wants below Keras.

    Raises:
        BadDataset: There is no batch to train on.
        BadModel: The model cannot be what the plan asks for.
    """
    batches = batches_of(call)
    done = apply_plan(call.model, freeze=plan.freeze, remat=plan.remat, lora_rank=plan.lora_rank, int8=plan.int8)
    step = trace_compiled_step(call.model, batches.specs(PRIME_BATCH))
    author = captured_of(call.model, step.optimizers)
    settings = {**dict(author.settings), "batch_size": batches.size, "epochs": call.epochs, "backend": backend}
    if batches.array and backend == "tensorflow":
        settings["data"] = "array"
    captured = dataclasses.replace(
        author,
        settings=tuple(settings.items()),
        file=call.file,
        line=call.line,
        fit=1,
        of=trainings_in(call.file),
        samples=batches.samples,
    )
    graph = read_step(step, _built(call, batches, done), precision=str(settings["precision"]), mode="train")
    return dataclasses.replace(graph, model=dataclasses.replace(graph.model, captured=captured))


def trainings_in(path: str | None) -> int:
    """How many calls of Keras's ``fit`` stand in a file; at least one, as one was called."""
    try:
        tree = ast.parse(Path(path).read_bytes() if path else b"")
    except (OSError, SyntaxError, ValueError):
        return 1
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _is_fit(node)]
    return max(1, len(calls))


def _is_fit(call: ast.Call) -> bool:
    """Is it a call of ``fit`` with arguments that only a training has?"""
    named = {keyword.arg for keyword in call.keywords}
    return isinstance(call.func, ast.Attribute) and call.func.attr == "fit" and bool(named & _SAYS_IT_TRAINS)


def _built(call: FitCall, batches: Batches, done: tuple[str, ...]) -> BuiltModel:
    """The model as the tracer describes it."""
    inputs, targets = batches.parts()
    return BuiltModel(call.model, None, inputs, targets, done, os.path.basename(call.file or ""))
