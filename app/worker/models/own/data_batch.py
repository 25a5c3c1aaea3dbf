"""One batch of the user's own data, for a model of which nothing else says what it is trained on."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

from app.core.types.errors import BadDataset
from app.core.types.text import phrase
from app.core.types.workload import Dataset
from app.worker.models.own.user_code import find_function

SAMPLES = 8
"""Enough to see which sides grow with the batch."""


def first_batch(dataset: Dataset) -> Any:
    """The first batch of a user's function as NumPy arrays, in the structure in which ``fit`` hands it to a step.

    Raises:
        BadDataset: The file is not trusted, or there is no batch.
    """
    import keras
    import numpy as np

    require_trust(dataset)
    made = call_for_batches(dataset, SAMPLES)
    if are_arrays(made):
        batch = keras.tree.map_structure(lambda array: np.asarray(array)[:SAMPLES], made)
    else:
        batch = next(iter(made), None) if not isinstance(made, keras.utils.PyDataset) else made[0]
    if batch is None:
        raise BadDataset(phrase("the data that the function returns is empty"), received=dataset.name)
    return keras.tree.map_structure(np.asarray, tuple(batch) if isinstance(batch, list) else batch)


def require_trust(dataset: Dataset) -> None:
    """Refuse data of code that may not run.

    Raises:
        BadDataset: It may not.
    """
    if not dataset.trusted:
        raise BadDataset(
            phrase("this data is made by code"),
            expected=phrase("your consent for this file"),
            received=dataset.name,
            hint=phrase("allow it only if you trust its author (--trust)"),
        )


def call_for_batches(dataset: Dataset, batch_size: int) -> Any:
    """What the user's function returns; it may take ``batch_size``.

    Raises:
        BadDataset: There is no such function.
    """
    if dataset.path is None or dataset.function is None:
        raise BadDataset(phrase("which function?"), expected="file.py:function", received=dataset.name)
    function = find_function(Path(dataset.path), dataset.function, dataset.consent, BadDataset)
    return function(batch_size) if inspect.signature(function).parameters else function()


def are_arrays(made: Any) -> bool:
    """Is it one array, or arrays in a structure, with the samples as first axis: what ``fit`` takes apart itself?"""
    import keras

    if isinstance(made, list):
        return False
    leaves = keras.tree.flatten(made)
    return all(hasattr(leaf, "shape") and len(leaf.shape) for leaf in leaves) and len({len(x) for x in leaves}) == 1
