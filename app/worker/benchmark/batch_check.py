"""Tells a batch of the wrong shape from a model that is broken, once a step has failed on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from app.core.types.faults import fault
from app.core.types.text import Text, phrase, verbatim
from app.worker.backends.keras_calls import flat
from app.worker.channel import JobFailed
from app.worker.failures import first_line
from app.worker.models.built import input_of

Shape = tuple[int | None, ...]


@contextmanager
def shapes_explained(model: Any, batch: Any) -> Iterator[None]:
    """Around the first step on real data.

    Keras accepts more than its inputs' shapes say (a missing last dimension of 1, for example), so that
    shapes are compared only after a step has failed.

    Raises:
        JobFailed: The step failed and the batch is not what the model takes (``data_shape``).
    """
    try:
        yield
    except Exception as error:
        wanted, given = [tuple(i.shape) for i in getattr(model, "inputs", None) or ()], _shapes(input_of(batch))
        if not wanted or _suits(wanted, given):
            raise
        raise JobFailed(
            "data_shape",
            first_line(error) or phrase("the data does not have the shape that the model takes"),
            expected=_words(wanted),
            received=_words(given),
            hint=fault("data_shape").hint,
        ) from error


def _shapes(part: Any) -> list[Shape]:
    """Shapes of all arrays."""
    return [tuple(array.shape) for array in flat(part)]


def _suits(wanted: Sequence[Shape], given: Sequence[Shape]) -> bool:
    """Same number of inputs, same rank, same sizes where the model fixes them."""
    return len(wanted) == len(given) and all(
        len(w) == len(g) and all(a is None or a == b for a, b in zip(w[1:], g[1:], strict=True))
        for w, g in zip(wanted, given, strict=True)
    )


def _words(shapes: Sequence[Shape]) -> Text:
    """Shapes of samples, without the batch."""
    return verbatim(", ".join(str(tuple(shape[1:])).replace("None", "?") for shape in shapes) or phrase("no input"))
