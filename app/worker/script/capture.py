"""What a call of ``fit`` is about to do: its traced step, and its author's settings."""

from __future__ import annotations

import dataclasses
import linecache
import os
from typing import Any

from app.core.types.captured import Captured, Setting, Training
from app.core.types.errors import BadModel
from app.core.types.notebook import place_of
from app.core.types.plan import Plan
from app.core.types.stepgraph import StepGraph
from app.core.types.text import phrase
from app.worker.models.build import apply_plan
from app.worker.models.built import BuiltModel
from app.worker.models.own.compiled import captured_of
from app.worker.script.batches import Batches
from app.worker.script.fit_call import FitCall
from app.worker.script.fits_in_source import fits_in
from app.worker.script.held import held_beside, held_now
from app.worker.script.keras_changes import KerasChanges
from app.worker.script.stand_in import callbacks_of
from app.worker.tracing.step_function import PRIME_BATCH, trace_compiled_evaluation, trace_compiled_step
from app.worker.tracing.trace import read_step

LOOP_TOLD = phrase("a loop of the author's own: one of its steps is told, and nobody knows how many there are")


def traced_call(
    call: FitCall, batches: Batches, plan: Plan, changes: KerasChanges, training: Training, whole: dict[str, Setting]
) -> StepGraph:
    """The step that a call would run, with what its author compiled and gave to ``fit``.

    Args:
        call: What was called.
        batches: What it trains on.
        plan: What is asked of the model besides.
        changes: What they have learned: the framework that the author wants below Keras, what was copied.
        training: Which one it is.
        whole: What its author says of everything else (`of_the_whole`).

    Raises:
        BadModel: The model cannot be what the plan asks for, or trains on several devices.
    """
    backend = changes.backend
    if backend == "tensorflow":
        _check_not_distributed(call.model)
    held = held_beside(call.model, batches.pipeline) if batches.pipeline and backend == "tensorflow" else None
    done = apply_plan(call.model, freeze=plan.freeze, remat=plan.remat, lora_rank=plan.lora_rank, int8=plan.int8)
    step = trace_compiled_step(call.model, batches.specs(PRIME_BATCH))
    if call.is_loop and backend == "tensorflow":  # its data runs already, and its optimizers have their slots
        slots = (variable for optimizer in step.optimizers for variable in optimizer.variables)
        held = held_now((*call.model.variables, *slots), call.batch)
    author = captured_of(call.model, step.optimizers)
    settings = {**dict(author.settings), "batch_size": batches.size, "epochs": call.epochs, "backend": backend, **whole}
    if call.is_loop:
        author = dataclasses.replace(author, told=(*author.told, LOOP_TOLD))
    if batches.array and backend == "tensorflow":
        settings["data"] = "array"
    maybe = min(held or 0, changes.copies.noted_bytes)
    author = dataclasses.replace(author, settings=tuple(settings.items()), held_bytes=held, maybe_held_bytes=maybe)
    captured = _in_source(author, call, training)
    graph = read_step(step, built_of(call, batches, done), precision=str(settings["precision"]), mode="train")
    return dataclasses.replace(graph, model=dataclasses.replace(graph.model, captured=captured))


def _check_not_distributed(model: Any) -> None:
    """Refuse what a strategy of ``tf.distribute`` spreads over devices: no graph has the step of one of them.

    Raises:
        BadModel: It does.
    """
    from tensorflow.python.distribute.values import DistributedValues

    if not any(isinstance(getattr(variable, "value", None), DistributedValues) for variable in model.variables):
        return
    strategy = model.distribute_strategy
    raise BadModel(
        phrase("the script trains by a distribution strategy"),
        expected=phrase("a training on one device"),
        received=f"{type(strategy).__name__}, {strategy.num_replicas_in_sync} replicas",
        hint=phrase("let it run without the strategy, with the batch of one replica: each device needs that much"),
    )


def traced_validation(call: FitCall, validation: Batches, precision: str) -> StepGraph:
    """The step of a call's validation."""
    step = trace_compiled_evaluation(call.model, validation.specs(PRIME_BATCH))
    return read_step(step, built_of(call, validation, ()), precision=precision, mode="evaluate")


def of_the_whole(call: FitCall, validation: Batches | None) -> dict[str, Setting]:
    """What the author says of everything but the steps, as options of a plan; nothing of a loop of their own."""
    if call.is_loop:
        return {}
    found = _queue(call.arguments["x"])
    if validation is not None and validation.samples:
        found |= {"validation": float(validation.samples), "validation_batch": validation.size}
        every = call.arguments.get("validation_freq", 1)
        found |= {"validate_every": every} if isinstance(every, int) and every > 1 else {}
    for one in callbacks_of(call.arguments.get("callbacks")):
        names = {kind.__name__ for kind in type(one).__mro__}
        if "ModelCheckpoint" in names and getattr(one, "save_freq", None) == "epoch":
            found["checkpoint_every"] = 1
        if getattr(one, "restore_best_weights", False):
            found["restore_best"] = True
    return found


def _queue(data: Any) -> dict[str, Setting]:
    """The batches that a ``PyDataset`` keeps ready and the processes that make them.

    Source: keras/src/trainers/data_adapters/py_dataset_adapter.py: one worker in this process needs no queue.
    """
    import keras

    if not isinstance(data, keras.utils.PyDataset):
        return {}
    processes = int(data.workers) if data.use_multiprocessing else 0
    queued = int(data.max_queue_size) if processes or data.workers > 1 else 0
    return {"queued_batches": queued, "worker_processes": processes}


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


def built_of(call: FitCall, batches: Batches, done: tuple[str, ...]) -> BuiltModel:
    """The model as the tracer describes it."""
    inputs, targets = batches.parts()
    return BuiltModel(call.model, None, inputs, targets, done, os.path.basename(place_of(call.file)[0] or ""))
