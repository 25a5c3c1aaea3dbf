"""What a plan's ``fit`` is given: data, validation data and callbacks."""

from __future__ import annotations

from typing import Any

from app.core.types.whole import Length
from app.core.types.workload import Dataset, Plan, training_samples
from app.worker.data.batches import synthetic_batch, whole_arrays
from app.worker.data.sources import source_of_dataset


def fit_arguments(built: Any, plan: Plan, dataset: Dataset | None, length: Length, checkpoint: str) -> dict[str, Any]:
    """The arguments of ``fit``.

    Args:
        built: The model (`app.worker.models.built.BuiltModel`).
        plan: How to train.
        dataset: On what; None for one batch in memory.
        length: How much of it.
        checkpoint: Where a checkpoint goes.

    Raises:
        BadDataset: The data cannot be read.
    """
    train, validation = _data(built, plan, dataset, length)
    return {
        **train,
        **validation,
        "epochs": length.epochs,
        "steps_per_epoch": length.steps,
        "validation_freq": plan.validate_every,
        "callbacks": _callbacks(plan, checkpoint, length.epochs),
        "verbose": 0,
    }


def _data(built: Any, plan: Plan, dataset: Dataset | None, length: Length) -> tuple[dict[str, Any], dict[str, Any]]:
    """What is trained on and what is validated on."""
    batch = plan.validation_batch or plan.batch_size
    if plan.data != "array" or dataset is None or dataset.samples is None:
        first, validation = _pipelines(built, plan, dataset, length)
        return {"x": first}, ({"validation_data": validation} if plan.validation else {})
    whole = _parts(whole_arrays(built, dataset, plan.batch_size))
    train = {**dict(zip("xy", whole, strict=False)), "batch_size": plan.batch_size}
    if not plan.validation:
        return train, {}
    of_validation = {"validation_batch_size": batch, "validation_steps": length.validation_steps}
    if plan.validation < 1:
        return train, {"validation_split": plan.validation, **of_validation}
    further = Dataset(dataset.name, samples=round(plan.validation))
    return train, {"validation_data": _parts(whole_arrays(built, further, batch)), **of_validation}


def _pipelines(built: Any, plan: Plan, dataset: Dataset | None, length: Length) -> tuple[Any, Any]:
    """The same through pipelines; a share that is kept back of the data is its end."""
    import tensorflow as tf

    def made_up(batch_size: int, steps: int) -> Any:
        with tf.device("CPU:0"):
            return tf.data.Dataset.from_tensors(synthetic_batch(built, batch_size)).repeat(steps)

    batch = plan.validation_batch or plan.batch_size
    if dataset is None or not dataset.real:
        return made_up(plan.batch_size, length.steps * length.epochs), made_up(batch, length.validation_steps)
    pipeline = source_of_dataset(built, dataset, plan).pipeline
    if not plan.validation or dataset.samples is None or plan.validation >= 1:
        return pipeline.repeat(), made_up(batch, length.validation_steps)
    kept = training_samples(dataset.samples, plan) // plan.batch_size
    validation = pipeline.skip(kept).unbatch().batch(batch, drop_remainder=True)
    return pipeline.take(kept).repeat(), validation.take(length.validation_steps)


def _callbacks(plan: Plan, checkpoint: str, epochs: int) -> list[Any]:
    """What the plan asks for at the end of an epoch."""
    import keras

    found = []
    if plan.restore_best:
        monitor = "val_loss" if plan.validation else "loss"
        found.append(keras.callbacks.EarlyStopping(monitor, patience=epochs, restore_best_weights=True))
    if plan.checkpoint_every is not None:
        found.append(keras.callbacks.ModelCheckpoint(checkpoint))
    return found


def _parts(batch: Any) -> tuple[Any, ...]:
    """A batch as a tuple of what ``fit`` takes apart."""
    return batch if isinstance(batch, tuple) else (batch,)
