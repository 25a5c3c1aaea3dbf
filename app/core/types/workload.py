"""What is to be trained, on what, and how: model, dataset, plan.

A `Workload` is everything an estimate or a run needs to know, apart from the machine.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal

from app.core.types.backends import BACKENDS, Backend, why_impossible
from app.core.types.errors import InvalidWorkload
from app.core.types.text import Text, join, phrase, verbatim
from app.core.types.units import format_number, format_share

Precision = Literal["float32", "mixed_float16", "mixed_bfloat16", "float16", "bfloat16"]
Mode = Literal["train", "inference"]
Cache = Literal["none", "ram", "disk", "encoded"]
Data = Literal["pipeline", "array"]
ModelKind = Literal["catalog", "file", "code"]

PRECISIONS: tuple[Precision, ...] = ("float32", "mixed_float16", "mixed_bfloat16", "float16", "bfloat16")
CACHES: tuple[Cache, ...] = ("none", "ram", "disk", "encoded")
"""``ram`` and ``disk`` keep decoded samples (images as bytes, not floats), ``encoded`` keeps whole files in RAM."""

DATA: tuple[Data, ...] = ("pipeline", "array")
OPTIMIZERS: tuple[str, ...] = tuple(
    "sgd rmsprop adam adamw adadelta adagrad adamax adafactor nadam ftrl lion lamb muon schedulefreeadamw".split()
)
"""Classes of `keras.optimizers` in small letters (Keras 3.15, keras/src/optimizers/__init__.py)."""

CLIPPING: tuple[str, ...] = ("clipnorm", "global_clipnorm", "clipvalue")
"""Fields of a plan of which one may be set, as Keras demands (keras/src/optimizers/base_optimizer.py)."""

MAX_BATCH_SIZE = 2**31 - 1
MAX_SIDE = 2**20
"""Longest sequence and widest image that a plan may ask for."""

MAX_THREADS = 4096


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
    ema: bool = False
    """The optimizer keeps a moving average of the weights (``use_ema``)."""
    clipnorm: float | None = None
    global_clipnorm: float | None = None
    clipvalue: float | None = None
    weight_decay: float | None = None
    """None is the optimizer's own: AdamW and Muon have one, the others none."""
    data: Data = "pipeline"
    """``array``: the whole dataset is given to ``fit`` as one array, which Keras keeps on the device."""
    lora_rank: int | None = None
    """Train two matrices of this rank beside each kernel, and the head, instead of the kernels (Hu et al. 2021)."""
    int8: bool = False
    """Hold kernels and embeddings as 8-bit integers (``model.quantize("int8")``)."""
    sequence_length: int | None = None
    """Tokens or time steps of a sample; None is what model and data suggest."""
    image_size: tuple[int, int] | None = None
    """Height and width of the images; None is what model and data suggest."""
    leave_out: tuple[str, ...] = ()
    """Patterns of layers that the model shall do without, such as one of two recurrent layers."""
    threads: int | None = None
    """Threads of the host, within an operation and between operations; None is one for each core."""
    backend: Backend = "tensorflow"
    """The framework below Keras."""
    cache_share: float = 1.0
    """Which share of the samples is cached, 0..1, where not all of them have room."""
    input_workers: int | None = None
    """Samples that are read and decoded at once; None for as many as help (AUTOTUNE), 1 for a plain generator."""
    prefetch: bool = True
    """The next batches are made while a step runs."""

    def __post_init__(self) -> None:
        """Refuse values that no framework accepts."""
        if not 1 <= self.batch_size <= MAX_BATCH_SIZE:
            expected = phrase("1 to {max_batch_size}", max_batch_size=MAX_BATCH_SIZE)
            raise InvalidWorkload(phrase("impossible batch size"), expected=expected, received=str(self.batch_size))
        if self.optimizer not in OPTIMIZERS:
            raise InvalidWorkload(
                phrase("unknown optimizer"), expected=", ".join(OPTIMIZERS), received=repr(self.optimizer)
            )
        if self.precision not in PRECISIONS:
            raise InvalidWorkload(
                phrase("unknown precision"), expected=", ".join(PRECISIONS), received=repr(self.precision)
            )
        if self.accumulate < 1:
            raise InvalidWorkload(
                phrase("impossible accumulation"), expected=phrase("1 or more steps"), received=str(self.accumulate)
            )
        if self.epochs < 1:
            raise InvalidWorkload(
                phrase("impossible number of epochs"), expected=phrase("1 or more"), received=str(self.epochs)
            )
        if self.data not in DATA:
            raise InvalidWorkload(
                phrase("unknown way to hold the data"), expected=", ".join(DATA), received=repr(self.data)
            )
        if self.threads is not None and not 1 <= self.threads <= MAX_THREADS:
            expected = phrase("1 to {max_threads}", max_threads=MAX_THREADS)
            raise InvalidWorkload(phrase("impossible thread count"), expected=expected, received=str(self.threads))
        self._check_input()
        self._check_optimizer_options()
        self._check_variant()
        self._check_backend()

    def _check_input(self) -> None:
        """Refuse pipelines that cannot be built."""
        if self.cache not in CACHES:
            raise InvalidWorkload(phrase("unknown cache"), expected=", ".join(CACHES), received=repr(self.cache))
        if not 0 < self.cache_share <= 1:
            raise InvalidWorkload(
                phrase("impossible share to cache"),
                expected=phrase("above 0, at most 1"),
                received=str(self.cache_share),
            )
        if self.input_workers is not None and not 1 <= self.input_workers <= MAX_THREADS:
            raise InvalidWorkload(
                phrase("impossible number of input workers"),
                expected=phrase("1 to {max_threads}", max_threads=MAX_THREADS),
                received=str(self.input_workers),
            )

    def _check_optimizer_options(self) -> None:
        """Refuse what Keras refuses, and limits that Keras would silently ignore."""
        limits = {name: getattr(self, name) for name in CLIPPING if getattr(self, name) is not None}
        for name, limit in limits.items():
            if not (math.isfinite(limit) and limit > 0):
                raise InvalidWorkload(
                    phrase("impossible {name}", name=name),
                    expected=phrase("a number above 0"),
                    received=str(limit),
                    hint=phrase("leave it out for no clipping"),
                )
        if len(limits) > 1:
            received = ", ".join(f"{name}={limit:g}" for name, limit in limits.items())
            raise InvalidWorkload(
                phrase("gradients can be clipped in one way only"),
                expected=phrase("one of {clipping}", clipping=join(", ", CLIPPING)),
                received=received,
                hint=phrase("Keras refuses more than one"),
            )
        decay = self.weight_decay
        if decay is not None and not (math.isfinite(decay) and decay >= 0):
            raise InvalidWorkload(phrase("impossible weight decay"), expected=phrase("0 or more"), received=str(decay))

    def _check_variant(self) -> None:
        """Refuse variants of a model that cannot be built."""
        if self.lora_rank is not None and self.lora_rank < 1:
            raise InvalidWorkload(
                phrase("impossible LoRA rank"), expected=phrase("1 or more"), received=str(self.lora_rank)
            )
        problem = why_not_int8(self.mode, self.precision, self.lora_rank) if self.int8 else None
        if problem:
            raise InvalidWorkload(verbatim(problem[0]), hint=verbatim(problem[1]))
        for name, sides in (
            (phrase("sequence length"), (self.sequence_length,)),
            (phrase("image size"), self.image_size or ()),
        ):
            if any(side is not None and not 1 <= side <= MAX_SIDE for side in sides):
                raise InvalidWorkload(
                    phrase("impossible {name}", name=name),
                    expected=phrase("1 to {max_side}", max_side=format_number(MAX_SIDE, ",")),
                    received=_times(sides),
                )

    def _check_backend(self) -> None:
        """Refuse what the framework below Keras cannot do."""
        if self.backend not in BACKENDS:
            raise InvalidWorkload(phrase("unknown backend"), expected=", ".join(BACKENDS), received=repr(self.backend))
        problem = why_impossible(self.backend, data=self.data, cache=self.cache, threads=self.threads)
        if problem:
            raise InvalidWorkload(verbatim(problem[0]), received=f"--backend {self.backend}", hint=verbatim(problem[1]))

    @property
    def traced(self) -> tuple[Any, ...]:
        """The settings that change the traced step; all others are arithmetic on it."""
        return (
            self.precision,
            self.mode,
            self.remat,
            self.freeze,
            self.lora_rank,
            self.int8,
            self.sequence_length,
            self.image_size,
            self.leave_out,
        )


def option_words(plan: Plan) -> tuple[str, ...]:
    """What a plan adds to its optimizer, how it holds the data and how many threads it takes, in words."""
    numbers = {name: getattr(plan, name) for name in (*CLIPPING, "weight_decay")}
    words = [f"{name} {value:g}" for name, value in numbers.items() if value is not None]
    words += [phrase("data as one array")] * (plan.data == "array")
    words += [] if plan.threads is None else [phrase("threads {threads}", threads=plan.threads)]
    words += [] if plan.cache == "none" else [cache_words(plan)]
    words += (
        []
        if plan.input_workers is None
        else [phrase("input workers {input_workers}", input_workers=plan.input_workers)]
    )
    words += [] if plan.prefetch else [phrase("no prefetch")]
    return (*[phrase("moving average")] * plan.ema, *words)


def cache_words(plan: Plan) -> str:
    """What a plan caches, for example ``45 % of the decoded data cached in RAM``; the plan caches something."""
    part = plan.cache_share
    whole = {
        "ram": phrase("the decoded data cached in RAM"),
        "disk": phrase("the decoded data cached on disk"),
        "encoded": phrase("the encoded files cached in RAM"),
    }
    some = {
        "ram": phrase("{part} of the decoded data cached in RAM", part=format_share(part)),
        "disk": phrase("{part} of the decoded data cached on disk", part=format_share(part)),
        "encoded": phrase("{part} of the encoded files cached in RAM", part=format_share(part)),
    }
    return (some if part < 1 else whole)[plan.cache]


@dataclass(frozen=True)
class Workload:
    """A model on a dataset under a plan.  ``input_shape`` overrides what model and dataset suggest."""

    model: ModelRef
    dataset: Dataset | None = None
    plan: Plan = field(default_factory=Plan)
    input_shape: tuple[int, ...] | None = None
    classes: int | None = None

    def with_model(self, model: ModelRef) -> Workload:
        """The same with another model, without what was said about the sizes of this one."""
        plan = replace(self.plan, sequence_length=None, image_size=None, leave_out=())
        return replace(self, model=model, plan=plan, input_shape=None, classes=None)

    @property
    def steps_per_epoch(self) -> int | None:
        """Steps of one pass over the dataset; None without one."""
        return steps_per_epoch(self.dataset.samples if self.dataset else None, self.plan.batch_size)


def steps_per_epoch(samples: int | None, batch_size: int) -> int | None:
    """Steps of one pass, a last one that is not full included; None if nobody knows how many samples there are."""
    return math.ceil(samples / batch_size) if samples else None


def why_not_int8(mode: Mode, precision: Precision, lora_rank: int | None) -> tuple[str, str] | None:
    """Why a plan cannot hold its weights as 8-bit integers, and what to do; None if it can.

    Source: keras/src/dtype_policies/dtype_policy.py, ``_check_quantization_mode`` (no float16).
    """
    if mode == "train" and lora_rank is None:
        return phrase("int8 weights cannot be trained"), phrase(
            "use --mode inference, or train LoRA weights beside them (--lora-rank)"
        )
    if precision in ("float16", "mixed_float16"):
        return phrase("Keras does not quantise a float16 model to int8"), phrase("use float32 or bfloat16")
    return None


def read_image_size(text: str) -> tuple[int, int]:
    """Read an image size: ``224`` for a square, or height and width such as ``480x640``.

    Raises:
        InvalidWorkload: It is neither.
    """
    sides = re.fullmatch(r"\s*(\d{1,9})(?:\s*[xX×,]\s*(\d{1,9}))?\s*", text)
    if sides is None:
        raise InvalidWorkload(
            phrase("not an image size"), expected=phrase("224 or 480x640 (height x width)"), received=text
        )
    return int(sides[1]), int(sides[2] or sides[1])


def plan_from_json(values: Mapping[str, Any]) -> Plan:
    """The plan among JSON values, whose lists become tuples; other keys are passed over."""
    given: dict[str, Any] = {f.name: values[f.name] for f in fields(Plan) if f.name in values}
    for name, value in given.items():
        given[name] = tuple(value) if isinstance(value, list) else value
    return Plan(**given)


def _times(sides: tuple[int | None, ...]) -> str:
    """Sides as people write them."""
    return "×".join(str(side) for side in sides)
