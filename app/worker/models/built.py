"""What building a model gives: the model itself, its loss, and what its batches look like."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.core.types.captured import Captured
from app.core.types.plan_values import SequenceLength
from app.core.types.workload import Dataset
from app.worker.error_text import said_by


@dataclass(frozen=True)
class InputSpec:
    """One input or target of a model, without the batch.

    ``high`` is the number of different whole numbers that it holds (0 … high − 1), None for real numbers.
    ``fill`` is the only value that makes sense there, for example 1 in a mask.
    """

    shape: tuple[int, ...]
    dtype: str = "float32"
    high: int | None = None
    fill: int | None = None
    name: str = ""


@dataclass(frozen=True)
class Wishes:
    """What the user and the data ask of a model; None is "as the model has it"."""

    input_shape: tuple[int, ...] | None = None
    classes: int | None = None
    dataset: Dataset | None = None
    precision: str = "float32"
    sequence_length: SequenceLength | None = None
    image_size: tuple[int, int] | None = None

    @property
    def data_shape(self) -> tuple[int | None, ...] | None:
        """Shape of one example of the data."""
        return self.dataset.sample_shape if self.dataset is not None else None

    @property
    def data_classes(self) -> int | None:
        """Number of classes of the data."""
        return self.dataset.classes if self.dataset is not None else None


@dataclass(frozen=True)
class BuiltModel:
    """A Keras model that is built.

    ``loss`` is anything that ``compile`` takes.  ``assumptions`` say in words what was adapted.  ``example``
    is one batch of the user's own, where the user's function gave one.  ``captured`` is what the author of the code
    says of training, ``compiled`` that the model comes compiled: then its own step counts, metrics included.
    ``batch`` has the specifications of all inputs and then of all targets in the structure in which the step takes
    them; None for the usual pair.
    """

    model: Any
    loss: Any
    input_specs: tuple[InputSpec, ...]
    target_specs: tuple[InputSpec, ...]
    assumptions: tuple[str, ...] = ()
    source: str = ""
    example: tuple[list[Any], list[Any]] | None = None
    captured: Captured | None = None
    compiled: bool = False
    batch: Any = None

    def arranged(self, inputs: Sequence[Any], targets: Sequence[Any]) -> Any:
        """A batch as the step takes it, from a value for each input and target."""
        if self.batch is None:
            return _single(inputs), _single(targets)
        import keras

        return keras.tree.pack_sequence_as(self.batch, [*inputs, *targets])


def input_of(batch: Any) -> Any:
    """What the model is given of a batch: the first of a pair, or all."""
    return batch[0] if isinstance(batch, tuple) else batch


def _single(values: Sequence[Any]) -> Any:
    """A single value without its list."""
    return values[0] if len(values) == 1 else list(values)


def words(shape: tuple[int | None, ...]) -> str:
    """A shape as people write it: ``224×224×3``."""
    return "×".join("?" if n is None else str(n) for n in shape)


def one_line(error: BaseException) -> str:
    """The text of an error as one line of bounded length."""
    return " ".join(said_by(error).split())[:500]
