"""What stands for a training that is passed over: nothing is learnt, and the program goes on with made-up figures.

It runs in a sandbox only: what the program writes from here on is not what it would have written.
"""

from __future__ import annotations

import os
from typing import Any

from app.core.types.text import Text, phrase
from app.worker.models.own.own_step import has_own_step
from app.worker.script.batches import Batches
from app.worker.script.fit_call import FitCall

MADE_UP = 0.5
"""Every figure of a training that did not happen: a loss, and a share of right answers."""


def passed_over(call: FitCall, batches: Batches) -> Any:
    """Build what the training would have built, write the checkpoints it would have written, and tell its history.

    Args:
        call: What was called.
        batches: What it would have trained on.

    Returns:
        Keras's ``History`` with a made-up figure for each epoch.
    """
    import keras

    logs = _logs(call, batches)
    history = keras.callbacks.History()
    history.set_model(call.model)
    first = int(call.arguments["initial_epoch"])
    history.epoch = list(range(first, first + call.epochs))
    history.history = {name: [MADE_UP] * call.epochs for name in logs}
    call.model.history = history
    for callback in callbacks_of(call.arguments["callbacks"]):
        callback.set_model(call.model)
        if isinstance(callback, keras.callbacks.ModelCheckpoint):
            _save(callback, call, dict.fromkeys(logs, MADE_UP))
    return history


def writers(call: FitCall) -> list[str]:
    """The callbacks of a training that write, each with its place: they are left out here."""
    told = ((callback, written_to(callback)) for callback in callbacks_of(call.arguments.get("callbacks")))
    return [f"{type(callback).__name__} ({place})" for callback, place in told if place]


def left_out(call: FitCall) -> list[Text]:
    """A word about `writers`; nothing where there are none."""
    found = writers(call)
    return [phrase("callbacks that write, left out here: {callbacks}", callbacks=", ".join(found))] if found else []


def written_to(callback: Any) -> str | None:
    """Where a callback writes; None if it does not."""
    places = ("filepath", "log_dir", "filename", "backup_dir", "path")
    return next((held for name in places if isinstance(held := _attribute(callback, name), str) and held), None)


def _attribute(callback: Any, name: str) -> Any:
    """What an attribute holds, as text if it is a path."""
    held = getattr(callback, name, None)
    return os.fspath(held) if isinstance(held, os.PathLike) else held


def callbacks_of(given: Any) -> list[Any]:
    """The callbacks that ``fit`` was given, in whatever form."""
    held = getattr(given, "callbacks", given) or []
    return list(held) if isinstance(held, list | tuple) else [held]


def _logs(call: FitCall, batches: Batches) -> list[str]:
    """Names of the figures that each epoch would have told; the model is built on the way."""
    import keras
    import tensorflow as tf

    model = call.model
    if has_own_step(model):
        batch = batches.specs(batches.size)
        step = tf.function(lambda *parts: model.train_step(parts if isinstance(batch, tuple) else parts[0]))
        done = step.get_concrete_function(*(batch if isinstance(batch, tuple) else (batch,))).structured_outputs
        names = list(done) if isinstance(done, dict) else []
    else:
        model._symbolic_build(data_batch=batches.first)
        model.optimizer.build(model.trainable_variables)
        names = list(model.get_metrics_result())
    if call.arguments["validation_data"] is not None or call.arguments["validation_split"]:
        names += [f"val_{name}" for name in names]
    rates = keras.callbacks.LearningRateScheduler, keras.callbacks.ReduceLROnPlateau
    tells_rate = any(isinstance(one, rates) for one in callbacks_of(call.arguments["callbacks"]))
    return [*names, "learning_rate"] if tells_rate else names


def _save(callback: Any, call: FitCall, logs: dict[str, float]) -> None:
    """Write the checkpoint that the program may read afterwards."""
    path = str(callback.filepath).format(epoch=call.epochs, **logs)
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    save = call.model.save_weights if callback.save_weights_only else call.model.save
    save(path, overwrite=True)
