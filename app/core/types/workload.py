"""What is to be trained, on what, and how: model, dataset, plan.

A `Workload` is everything an estimate or a run needs to know, apart from the machine.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Literal

from app.core.types.plan import Plan as Plan
from app.core.types.plans import another_model
from app.core.types.text import Text

ModelKind = Literal["catalog", "file", "code", "script"]


@dataclass(frozen=True)
class ModelRef:
    """Where a model comes from: a catalog name, a saved file, a function in a Python file, or a script that trains."""

    kind: ModelKind
    name: str
    """Catalog name, or the label shown for a file or a function."""
    path: str | None = None
    function: str | None = None
    trusted: bool = False
    """The user allowed this file to run code."""
    consent: tuple[str, ...] = field(default=(), compare=False)
    """SHA-256 of the contents that the child may run, as the façade found them allowed."""
    arguments: tuple[str, ...] = ()
    """Of a script: its own, behind its name.  Of a function: ``name=value`` each."""
    folder: str | None = None
    """Of a script: where it runs."""
    fit: int = 1
    """Of a script: which of its trainings is meant."""
    count_fits: bool = False
    """Of a script: it runs on to its end behind that, so that all its trainings are seen."""
    sandbox: bool = field(default=False, compare=False)
    """Of a script: it runs on a copy of its folder, as it does anyway where a training is passed over."""


@dataclass(frozen=True)
class Dataset:
    """Data to train on; whatever is unknown is None.

    ``sample_shape`` is the shape of one decoded example without the batch, as it reaches the model.
    """

    name: str
    kind: Literal["catalog", "keras", "images", "npz", "csv", "tfrecord", "code", "described"] = "described"
    path: str | None = None
    samples: int | None = None
    sample_shape: tuple[int | None, ...] | None = None
    dtype: str = "float32"
    classes: int | None = None
    bytes_on_disk: int | None = None
    files: int | None = None
    source: Text = Text()
    real: bool = False
    """The data is on this machine and can be read by a benchmark."""
    broken_files: int = 0
    function: str | None = None
    """Of the Python file at ``path``: makes the user's own pipeline (kind ``code``)."""
    trusted: bool = False
    """The user allowed this file to run code."""
    consent: tuple[str, ...] = field(default=(), compare=False)
    """As `ModelRef.consent`."""


@dataclass(frozen=True)
class Workload:
    """A model on a dataset under a plan.  ``input_shape`` overrides what model and dataset suggest."""

    model: ModelRef
    dataset: Dataset | None = None
    plan: Plan = field(default_factory=Plan)
    input_shape: tuple[int, ...] | None = None
    classes: int | None = None
    trainings: float = 1.0
    """How many trainings as long as this one there are in all, such as a script's folds."""

    def with_model(self, model: ModelRef) -> Workload:
        """The same with another model, without what was said about the sizes of this one."""
        return replace(self, model=model, plan=another_model(self.plan), input_shape=None, classes=None, trainings=1.0)

    @property
    def steps_per_epoch(self) -> int | None:
        """Steps of one pass over the dataset; None without one."""
        return steps_per_epoch(self.training_samples, self.plan.batch_size)

    @property
    def training_samples(self) -> int | None:
        """Samples of one pass: all of the data but what a validation keeps back of it."""
        samples = self.dataset.samples if self.dataset else None
        return None if samples is None else training_samples(samples, self.plan)

    @property
    def validation_samples(self) -> int | None:
        """Samples that a validation looks at; 0 without one, None where it keeps back a share of nobody knows what."""
        wanted = self.plan.validation if self.plan.mode == "train" else 0
        if wanted == 0 or wanted >= 1:
            return round(wanted)
        samples = self.dataset.samples if self.dataset else None
        return None if samples is None else samples - training_samples(samples, self.plan)


def training_samples(samples: int, plan: Plan) -> int:
    """How many of a dataset's samples are trained on.

    Source: keras/src/trainers/data_adapters/array_slicing.py, ``train_validation_split``.
    """
    share = plan.validation if plan.mode == "train" and plan.validation < 1 else 0.0
    return math.floor(samples * (1.0 - share))


def steps_per_epoch(samples: int | None, batch_size: int) -> int | None:
    """Steps of one pass, a last one that is not full included; None if nobody knows how many samples there are."""
    return math.ceil(samples / batch_size) if samples else None
