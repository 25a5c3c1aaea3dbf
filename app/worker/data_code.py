"""The user's own input pipeline: a function of a Python file that makes batches.

The user's code runs here, in the child, and only if it is trusted.  What it raises is passed on as it is.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from app.core.errors import BadDataset
from app.core.workload import Dataset
from app.worker.built import BuiltModel, InputSpec, words
from app.worker.user_code import find_function

EXPECTED = "a tf.data.Dataset, a keras.utils.PyDataset, arrays (x, y), or an iterable of batches (x, y)"
_HINT = "let the function take batch_size and make batches of that many samples"


def pipeline(built: BuiltModel, dataset: Dataset, batch_size: int) -> Any:
    """The user's batches as a ``tf.data.Dataset``, as ``fit`` itself would read them.

    The function may take ``batch_size``.  It returns a ``tf.data.Dataset`` of batches, a ``keras.utils.PyDataset``,
    arrays ``(x, y)``, or something that can be iterated again and again, or a generator function, of batches.

    Raises:
        BadDataset: The file is not trusted, the function returns something else, or its batches do not suit the model.
    """
    if not dataset.trusted:
        raise BadDataset("this data is made by code", expected="your consent for this file", received=dataset.name,
                         hint="allow it only if you trust its author (--trust)")  # fmt: skip
    if dataset.path is None or dataset.function is None:
        raise BadDataset("which function?", expected="file.py:function", received=dataset.name)
    function = find_function(Path(dataset.path), dataset.function, BadDataset)
    takes = inspect.signature(function).parameters
    made = function(batch_size) if takes else function()
    batches = _as_dataset(made, function, batch_size, dataset.name)
    _check(built, batches.element_spec, batch_size, dataset.name)
    return batches.map(_two)


def _as_dataset(made: Any, function: Any, batch_size: int, name: str) -> Any:
    """Whatever the function returned as a ``tf.data.Dataset``, by the adapters that ``fit`` uses.

    Source: keras/src/trainers/data_adapters/__init__.py, ``get_data_adapter``.
    """
    import keras
    import tensorflow as tf
    from keras.src.trainers.data_adapters.array_data_adapter import ArrayDataAdapter
    from keras.src.trainers.data_adapters.py_dataset_adapter import PyDatasetAdapter

    if isinstance(made, tf.data.Dataset):
        return made
    if isinstance(made, keras.utils.PyDataset):
        return PyDatasetAdapter(made, shuffle=True).get_tf_dataset()
    if isinstance(made, tuple) and len(made) == 2 and all(hasattr(part, "shape") for part in made):
        return ArrayDataAdapter(made[0], made[1], batch_size=batch_size, shuffle=True).get_tf_dataset()
    if not isinstance(made, Iterable):
        raise BadDataset(f"{name} returns no data", expected=EXPECTED, received=type(made).__name__)
    return _of_iterable(made, name)


def _of_iterable(made: Any, name: str) -> Any:
    """Batches from a generator, or from anything that can be iterated."""
    import numpy as np
    import tensorflow as tf

    iterator = iter(made)
    first = next(iterator, None)
    if not (isinstance(first, (tuple, list)) and len(first) in (2, 3)):
        raise BadDataset(f"{name} yields no batches", expected="(x, y) each time", received=type(first).__name__)
    endless = iterator is made
    waiting: list[Any] = [first] if endless else []

    def arrays() -> Any:
        while waiting:
            yield as_arrays(waiting.pop())
        for batch in made if not endless else iterator:
            yield as_arrays(batch)

    def as_arrays(batch: Any) -> Any:
        return tf.nest.map_structure(np.asarray, tuple(batch))

    signature = tf.nest.map_structure(lambda a: tf.TensorSpec((None, *a.shape[1:]), a.dtype), as_arrays(first))
    return tf.data.Dataset.from_generator(arrays, output_signature=signature).prefetch(tf.data.AUTOTUNE)


def _two(x: Any, y: Any, *weights: Any) -> Any:
    """Inputs and targets, without weights of samples."""
    return x, y


def _check(built: BuiltModel, specification: Any, batch_size: int, name: str) -> None:
    """Refuse batches that the model cannot take."""
    import tensorflow as tf

    if not (isinstance(specification, tuple) and len(specification) in (2, 3)):
        raise BadDataset(f"{name} yields no targets", expected="batches (x, y)", received=str(specification))
    inputs = tf.nest.flatten(specification[0])
    if len(inputs) != len(built.input_specs):
        raise BadDataset("this data does not suit the model", expected=f"{len(built.input_specs)} inputs",
                         received=f"{name}: {len(inputs)} inputs")  # fmt: skip
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
    received = f"{name}: {words(tuple(shape))} of {given.dtype.name}"
    if len(shape) == len(spec.shape) + 1 and shape[0] not in (None, batch_size):
        raise BadDataset("its batches have another size", expected=wanted, received=received, hint=_HINT)
    if len(shape) != len(spec.shape) + 1 or any(
        have not in (None, want) for have, want in zip(shape[1:], spec.shape, strict=True)
    ):
        hint = "is it batched?" if shape == list(spec.shape) else "give the model another --input-shape"
        raise BadDataset("this data does not suit the model", expected=wanted, received=received, hint=hint)
    if given.dtype.name == "string":
        raise BadDataset("this data does not suit the model", expected=spec.dtype, received=received)
