"""A training of the author's own program, measured for some seconds: their model, their data, their callbacks.

A loop of their own is measured by its step on one of its batches: its data runs within the loop, which only goes on
between two steps.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from app.core.types.errors import BadModel
from app.core.types.plan import Plan
from app.core.types.plans import plan_from_json
from app.core.types.text import phrase
from app.worker.backends.base import Backend, Device, load
from app.worker.backends.tensorflow import StepRunner
from app.worker.benchmark.feed import Feed, one_batch
from app.worker.benchmark.findings import Findings
from app.worker.benchmark.profile import ProfileWish
from app.worker.benchmark.run import Benchmark, Own, Wish
from app.worker.benchmark.timing import repeat
from app.worker.channel import Channel
from app.worker.data.batches import full_batches
from app.worker.data.sources import Source
from app.worker.models.build import apply_plan
from app.worker.models.own.compiled import JIT_WISH, captured_of
from app.worker.script.batches import Batches
from app.worker.script.capture import built_of
from app.worker.script.fit_call import FitCall
from app.worker.script.stand_in import callbacks_of, left_out, written_to

LOOP_NOTE = phrase(
    "a loop of the author's own: its step was measured on one of its batches, without what the loop does between steps"
)


def measured(
    call: FitCall, batches: Batches, arguments: dict[str, Any], reached_s: float, channel: Channel
) -> dict[str, Any]:
    """Benchmark the training that a call of ``fit`` would begin.

    Args:
        call: What was called.
        batches: What it trains on.
        arguments: Of the ``bench`` job.
        reached_s: How long the program took to get there.
        channel: To the parent; it holds what was found if this fails.

    Returns:
        As the ``bench`` job does.

    Raises:
        BadModel: The plan asks for what the author's own data does not give.
    """
    plan = plan_from_json(arguments)
    if plan.batch_size != batches.size:
        raise BadModel(
            phrase("a script is measured on its own batches"),
            expected=phrase("batch {batch}", batch=batches.size),
            received=phrase("batch {batch}", batch=plan.batch_size),
            hint=phrase("change the batch by the script's own arguments, which stand behind --"),
        )
    backend = load(plan.backend)
    done = apply_plan(call.model, freeze=plan.freeze, remat=plan.remat, lora_rank=plan.lora_rank, int8=plan.int8)
    built = dataclasses.replace(built_of(call, batches, done), compiled=True, captured=captured_of(call.model))
    notes = [LOOP_NOTE] if call.is_loop else left_out(call)
    findings = Findings(plan, None, build_s=reached_s, notes=[*notes], own_data=not call.is_loop)
    wish = Wish(
        float(arguments["seconds"]), None, repeat, ProfileWish(arguments.get("profile"), arguments.get("trace_dir"))
    )
    if call.is_loop:
        _step_of_loop(call.model)
    own = Own(_feed(batches, plan, backend), lambda model, asked: _runner(call, model, asked))
    return Benchmark(backend, built, findings, _device_in_use(), channel, wish, own).run()


def why_not(call: FitCall, backend: str, channel: object) -> BadModel | None:
    """Why a training can be told of and not be measured; None if it can."""
    hint = phrase("`estimate` answers for it; or name a function that returns the model: train.py:function")
    if backend != "tensorflow":
        received = phrase("its author trains on {backend}", backend=backend)
        return BadModel(phrase("scripts are measured on TensorFlow only"), received=received, hint=hint)
    if not isinstance(channel, Channel):
        return BadModel(
            phrase("the script trains in another process, where it can be estimated, not benchmarked"), hint=hint
        )
    return None


def _feed(batches: Batches, plan: Plan, backend: Backend) -> Feed:
    """The author's own pipeline, pass after pass; of a loop the batch that it came with, over and over."""
    if batches.pipeline is None:
        return one_batch(batches.first, plan.batch_size, backend)
    pipeline = full_batches(batches.pipeline(), plan.batch_size, alike=False)
    count = (batches.samples or 0) // plan.batch_size
    return Feed(backend.batches(pipeline), plan.batch_size, Source(pipeline, count), first=batches.first)


def _step_of_loop(model: Any) -> None:
    """Let a model's step give what ``fit``'s does, a loss among it: what its author's gives is of any form."""
    import keras

    own_step, wish = model.train_step, getattr(model, JIT_WISH, "auto")

    def train_step(data: Any) -> dict[str, Any]:
        given = own_step(data)
        if isinstance(given, dict) and given:
            return given
        numbers = [one for one in keras.tree.flatten(given) if getattr(one, "shape", None) == ()]
        return {"loss": numbers[0]} if numbers else {"done": keras.ops.zeros(())}

    object.__setattr__(model, "train_step", train_step)
    if isinstance(wish, bool):
        model.jit_compile = wish


def _runner(call: FitCall, built: Any, plan: Plan) -> StepRunner:
    """Takes steps with the author's callbacks that write nothing around them: what they cost within a step counts."""
    import keras

    runner = StepRunner(built, plan)
    held = [one for one in callbacks_of(call.arguments.get("callbacks")) if written_to(one) is None]
    if held:
        runner.callbacks = keras.callbacks.CallbackList(held, model=call.model, epochs=call.epochs)
        runner.callbacks.on_train_begin()
        runner.callbacks.on_epoch_begin(0)
    return runner


def _device_in_use() -> Device:
    """The device that the author's program has chosen by now."""
    import tensorflow as tf

    cards = tf.config.list_logical_devices("GPU")
    if not cards:
        return Device("CPU:0", "CPU")
    details = tf.config.experimental.get_device_details(tf.config.get_visible_devices("GPU")[0])
    return Device("GPU:0", str(details.get("device_name", "GPU")))
