"""The user's own input pipeline: a function of a Python file that makes batches.

The user's code runs here, in the child, and only if it is trusted.  What it raises is passed on as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sized
from typing import Any

from app.core.types.errors import BadDataset, WrongShape
from app.core.types.text import phrase
from app.core.types.workload import Dataset
from app.worker.models.built import BuiltModel, InputSpec, words
from app.worker.models.own.data_batch import are_arrays, call_for_batches, require_trust
from app.worker.models.own.own_step import has_own_step

EXPECTED = phrase("a tf.data.Dataset, a keras.utils.PyDataset, arrays (x, y), or an iterable of batches (x, y)")
_HINT = phrase("let the function take batch_size and make batches of that many samples")


def pipeline(built: BuiltModel, dataset: Dataset, batch_size: int) -> tuple[Any, int]:
    """The user's batches as a ``tf.data.Dataset``, as ``fit`` itself would read them, and how many one pass has.

    The function may take ``batch_size``.  It returns a ``tf.data.Dataset`` of batches, a ``keras.utils.PyDataset``,
    arrays ``(x, y)``, or something that yields batches; a generator is made anew for each pass.  The number of
    batches is less than 1 where nobody knows it.

    Raises:
        BadDataset: The file is not trusted, the function returns something else, or its batches do not suit the model.
    """
    require_trust(dataset)
    batches, count = _as_dataset(lambda: call_for_batches(dataset, batch_size), batch_size, dataset.name)
    if not has_own_step(built.model):
        _check(built, batches.element_spec, batch_size, dataset.name)
        batches = batches.map(_two)
    _check_size(batches, batch_size, dataset.name)
    return batches, count


def _as_dataset(make: Callable[[], Any], batch_size: int, name: str) -> tuple[Any, int]:
    """Whatever the function returns as a ``tf.data.Dataset``, by the adapters that ``fit`` uses, and its length.

    Source: keras/src/trainers/data_adapters/__init__.py, ``get_data_adapter``.
    """
    import keras
    import tensorflow as tf
    from keras.src.trainers.data_adapters.array_data_adapter import ArrayDataAdapter
    from keras.src.trainers.data_adapters.py_dataset_adapter import PyDatasetAdapter

    made = make()
    if isinstance(made, tf.data.Dataset):
        return made, int(made.cardinality())
    if isinstance(made, keras.utils.PyDataset):
        rows = PyDatasetAdapter(made, shuffle=True)
        return rows.get_tf_dataset(), rows.num_batches or 0
    if are_arrays(made):
        parts = made if isinstance(made, tuple) else (made,)
        arrays = ArrayDataAdapter(*parts, batch_size=batch_size, shuffle=True)
        return arrays.get_tf_dataset(), arrays.num_batches or 0
    if not isinstance(made, Iterable):
        raise BadDataset(phrase("{name} returns no data", name=name), expected=EXPECTED, received=type(made).__name__)
    passes_once = iter(made) is made
    return _of_iterable(make if passes_once else lambda: made, name), len(made) if isinstance(made, Sized) else 0


def _of_iterable(make: Callable[[], Iterable[Any]], name: str) -> Any:
    """Batches from something that yields them; ``make`` is called for each pass."""
    import numpy as np
    import tensorflow as tf

    def as_arrays(batch: Any) -> Any:
        if batch is None or isinstance(batch, (str, bytes)):
            raise BadDataset(
                phrase("{name} yields no batches", name=name), expected="(x, y)", received=type(batch).__name__
            )
        return tf.nest.map_structure(np.asarray, tuple(batch) if isinstance(batch, list) else batch)

    first = as_arrays(next(iter(make()), None))
    signature = tf.nest.map_structure(lambda a: tf.TensorSpec((None, *a.shape[1:]), a.dtype), first)
    batches = tf.data.Dataset.from_generator(lambda: map(as_arrays, make()), output_signature=signature)
    return batches.prefetch(tf.data.AUTOTUNE)


def _check_size(pairs: Any, batch_size: int, name: str) -> None:
    """Refuse batches of another size than the plan's, where only a look at the first one tells."""
    import tensorflow as tf

    first = tf.nest.flatten(pairs.element_spec)[0]
    if first.shape.rank is None or first.shape[0] is None:
        for batch in pairs.take(1):
            found = int(tf.shape(tf.nest.flatten(batch)[0])[0])
            if found != batch_size:
                raise WrongShape(
                    phrase("its batches have another size"),
                    expected=phrase("{batch_size} samples", batch_size=batch_size),
                    received=phrase("{name}: {found} samples", name=name, found=found),
                    hint=_HINT,
                )


def _two(x: Any, y: Any, *weights: Any) -> Any:
    """Inputs and targets, without weights of samples."""
    return x, y


def _check(built: BuiltModel, specification: Any, batch_size: int, name: str) -> None:
    """Refuse batches that the model cannot take."""
    import tensorflow as tf

    if not (isinstance(specification, tuple) and len(specification) in (2, 3)):
        raise BadDataset(
            phrase("{name} yields no targets", name=name),
            expected=phrase("batches (x, y)"),
            received=str(specification),
        )
    inputs = tf.nest.flatten(specification[0])
    if len(inputs) != len(built.input_specs):
        raise BadDataset(
            phrase("this data does not suit the model"),
            expected=phrase("{count} inputs", count=len(built.input_specs)),
            received=phrase("{name}: {count} inputs", name=name, count=len(inputs)),
        )
    if isinstance(specification[0], dict):
        inputs = [specification[0].get(spec.name, given) for spec, given in zip(built.input_specs, inputs, strict=True)]
    for spec, given in zip(built.input_specs, inputs, strict=True):
        _check_input(spec, given, batch_size, name)


def _check_input(spec: InputSpec, given: Any, batch_size: int, name: str) -> None:
    """One input: batch, shape and kind of number."""
    wanted = words((batch_size, *spec.shape))
    shape = given.shape.as_list() if given.shape.rank is not None else None
    if shape is None:
        return
    received = phrase("{name}: {words} of {dtype}", name=name, words=words(tuple(shape)), dtype=given.dtype.name)
    if len(shape) == len(spec.shape) + 1 and shape[0] not in (None, batch_size):
        raise WrongShape(phrase("its batches have another size"), expected=wanted, received=received, hint=_HINT)
    if len(shape) != len(spec.shape) + 1 or any(
        have not in (None, want) for have, want in zip(shape[1:], spec.shape, strict=True)
    ):
        hint = phrase("is it batched?") if shape == list(spec.shape) else phrase("give the model another --input-shape")
        raise WrongShape(phrase("this data does not suit the model"), expected=wanted, received=received, hint=hint)
    if given.dtype.name == "string":
        raise BadDataset(phrase("this data does not suit the model"), expected=spec.dtype, received=received)
