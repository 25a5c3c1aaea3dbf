"""What is to be trained, on what, and how: model, dataset, plan.

A `Workload` is everything an estimate or a run needs to know, apart from the machine.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from app.core.errors import InvalidWorkload

Precision = Literal["float32", "mixed_float16", "mixed_bfloat16", "float16", "bfloat16"]
Mode = Literal["train", "inference"]
Cache = Literal["none", "ram", "disk"]
ModelKind = Literal["catalog", "file", "code"]

PRECISIONS: tuple[Precision, ...] = ("float32", "mixed_float16", "mixed_bfloat16", "float16", "bfloat16")
CACHES: tuple[Cache, ...] = ("none", "ram", "disk")
OPTIMIZERS: tuple[str, ...] = (
    "sgd", "rmsprop", "adam", "adamw", "adadelta", "adagrad", "adamax",
    "adafactor", "nadam", "ftrl", "lion", "lamb", "muon",
)  # fmt: skip
"""Keys that `keras.optimizers.get` accepts (Keras 3.15, keras/src/optimizers/__init__.py)."""

MAX_BATCH_SIZE = 2**31 - 1


@dataclass(frozen=True)
class ModelRef:
    """Where a model comes from: a catalog name, a saved file, or a function in a Python file."""

    kind: ModelKind
    name: str
    """Catalog name, or the label shown for a file or a function."""
    path: str | None = None
    function: str | None = None
    trusted: bool = False
    """The user allowed this file to run code."""


@dataclass(frozen=True)
class Dataset:
    """Data to train on; whatever is unknown is None.

    ``sample_shape`` is the shape of one decoded example without the batch, as it reaches the model.
    """

    name: str
    kind: Literal["catalog", "keras", "images", "npz", "csv", "tfrecord", "described"] = "described"
    path: str | None = None
    samples: int | None = None
    sample_shape: tuple[int | None, ...] | None = None
    dtype: str = "float32"
    classes: int | None = None
    bytes_on_disk: int | None = None
    files: int | None = None
    source: str = ""
    real: bool = False
    """The data is on this machine and can be read by a benchmark."""
    broken_files: int = 0


@dataclass(frozen=True)
class Plan:
    """How to train.  ``jit=None`` is Keras's own "auto": XLA on a GPU if every layer supports it."""

    batch_size: int = 32
    optimizer: str = "adam"
    precision: Precision = "float32"
    jit: bool | None = None
    accumulate: int = 1
    remat: bool = False
    freeze: tuple[str, ...] = ()
    mode: Mode = "train"
    cache: Cache = "none"
    device: str = "auto"
    """``auto``, ``cpu`` or ``gpu:N``."""
    epochs: int = 1

    def __post_init__(self) -> None:
        """Refuse values that no framework accepts."""
        if not 1 <= self.batch_size <= MAX_BATCH_SIZE:
            expected = f"1 to {MAX_BATCH_SIZE}"
            raise InvalidWorkload("impossible batch size", expected=expected, received=str(self.batch_size))
        if self.optimizer not in OPTIMIZERS:
            raise InvalidWorkload("unknown optimizer", expected=", ".join(OPTIMIZERS), received=repr(self.optimizer))
        if self.precision not in PRECISIONS:
            raise InvalidWorkload("unknown precision", expected=", ".join(PRECISIONS), received=repr(self.precision))
        if self.accumulate < 1:
            raise InvalidWorkload("impossible accumulation", expected="1 or more steps", received=str(self.accumulate))
        if self.epochs < 1:
            raise InvalidWorkload("impossible number of epochs", expected="1 or more", received=str(self.epochs))


@dataclass(frozen=True)
class Workload:
    """A model on a dataset under a plan.  ``input_shape`` overrides what model and dataset suggest."""

    model: ModelRef
    dataset: Dataset | None = None
    plan: Plan = field(default_factory=Plan)
    input_shape: tuple[int, ...] | None = None
    classes: int | None = None
