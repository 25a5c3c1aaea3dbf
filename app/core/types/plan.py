"""How to train: every option of a plan, declared once, and what plans have in common.

To add an option: one field here; the command line, the form, JSON, reports and stores take it from there.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from app.core.types.backends import TITLES, Backend, why_impossible
from app.core.types.errors import InvalidWorkload
from app.core.types.options import Option, Problem, declare, options_of, some
from app.core.types.text import Text, phrase
from app.core.types.units import format_count, format_share

Precision = Literal["float32", "mixed_float16", "mixed_bfloat16", "float16", "bfloat16"]
Mode = Literal["train", "inference"]
Cache = Literal["none", "ram", "disk", "encoded"]
Data = Literal["pipeline", "array"]

PRECISIONS: tuple[Precision, ...] = get_args(Precision)
CACHES: tuple[Cache, ...] = get_args(Cache)
"""``ram`` and ``disk`` keep decoded samples (images as bytes, not floats), ``encoded`` keeps whole files in RAM."""

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


def read_device(text: str) -> str:
    """Read a device; ``gpu`` alone is the first card.

    Raises:
        InvalidWorkload: It is none of the three forms.
    """
    device = "gpu:0" if text.lower() == "gpu" else text.lower()
    if not re.fullmatch(r"auto|cpu|gpu:\d+", device):
        raise InvalidWorkload(phrase("unknown device"), expected=phrase("auto, cpu or gpu:N"), received=text)
    return device


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


def why_not_int8(mode: Mode, precision: Precision, lora_rank: int | None) -> Problem | None:
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


def cache_words(plan: Plan) -> Text:
    """What a plan caches, for example ``45 % of the decoded data cached in RAM``; the plan caches something."""
    part = plan.cache_share
    whole = {
        "ram": phrase("the decoded data cached in RAM"),
        "disk": phrase("the decoded data cached on disk"),
        "encoded": phrase("the encoded files cached in RAM"),
    }
    some_of = {
        "ram": phrase("{part} of the decoded data cached in RAM", part=format_share(part)),
        "disk": phrase("{part} of the decoded data cached on disk", part=format_share(part)),
        "encoded": phrase("{part} of the encoded files cached in RAM", part=format_share(part)),
    }
    return (some_of if part < 1 else whole)[plan.cache]


@dataclass(frozen=True)
class Plan:
    """How to train.  ``jit=None`` is Keras's own "auto": XLA on a GPU if every layer supports it.

    Raises:
        InvalidWorkload: A value is impossible by itself, or beside the others.
    """

    batch_size: int = declare(
        32, Option(phrase("Batch size"), phrase("Samples in a step."), minimum=1, maximum=MAX_BATCH_SIZE, headline=True)
    )
    optimizer: str = declare(
        "adam",
        Option(
            phrase("Optimizer"),
            phrase("The rule that changes the weights: {optimizers}.", optimizers=", ".join(OPTIMIZERS)),
            choices=dict.fromkeys(OPTIMIZERS, ""),
            metavar="NAME",
            headline=True,
        ),
    )
    precision: Precision = declare(
        "float32", Option(phrase("Precision"), phrase("Number format of the computation."), traced=True, headline=True)
    )
    jit: bool | None = declare(
        None, Option(phrase("XLA"), phrase("XLA on or off; else Keras decides."), unset=phrase("auto"), headline=True)
    )
    epochs: int = declare(
        1, Option(phrase("Epochs"), phrase("Passes over the data."), minimum=1, usual_maximum=100_000, headline=True)
    )
    device: str = declare(
        "auto", Option(phrase("Device"), phrase("auto, cpu or gpu:N."), read=read_device, headline=True)
    )
    mode: Mode = declare(
        "train",
        Option(
            phrase("Purpose"),
            phrase("Train the model or only use it."),
            choices={"train": phrase("training"), "inference": phrase("inference")},
            traced=True,
            headline=True,
        ),
    )
    accumulate: int = declare(
        1,
        Option(
            phrase("Accumulated steps"),
            phrase("Steps whose gradients are added before an update."),
            minimum=1,
            usual_maximum=4096,
            words=lambda plan: phrase("{steps} steps an update", steps=format_count(plan.accumulate)),
        ),
    )
    cache: Cache = declare(
        "none",
        Option(
            phrase("Cache data in"),
            phrase("What is kept after the first epoch: decoded data in RAM or on disk, or encoded files in RAM."),
            choices={
                "none": phrase("nothing"),
                "ram": phrase("RAM"),
                "disk": phrase("disk"),
                "encoded": phrase("RAM, not decoded"),
            },
            refused=lambda plan: why_impossible(plan.backend, cache=plan.cache),
            words=cache_words,
        ),
    )
    cache_share: float = declare(
        1.0,
        Option(
            phrase("Cached share"),
            phrase("Share of the samples to cache."),
            above=0,
            maximum=1,
            percent=True,
            counts=lambda plan: plan.cache != "none",
            words=lambda plan: Text(),
        ),
    )
    """Which share of the samples is cached, 0..1, where not all of them have room; `cache_words` says it."""
    input_workers: int | None = declare(
        None,
        Option(
            phrase("Decode at once"),
            phrase("Samples read and decoded at once; else as many as help."),
            minimum=1,
            maximum=MAX_THREADS,
            unset=phrase("as many as help"),
            words=lambda plan: phrase("input workers {workers}", workers=format_count(plan.input_workers)),
        ),
    )
    """None for as many as help (AUTOTUNE), 1 for a plain generator."""
    prefetch: bool = declare(
        True,
        Option(
            phrase("Prepare batches ahead"),
            phrase("Make batches ahead of the step."),
            words=lambda plan: phrase("no prefetch"),
        ),
    )
    data: Data = declare(
        "pipeline",
        Option(
            phrase("Give data as"),
            phrase("How fit gets the data: a pipeline, or one array kept on the device."),
            choices={"pipeline": phrase("pipeline"), "array": phrase("one array")},
            refused=lambda plan: why_impossible(plan.backend, data=plan.data),
            words=lambda plan: phrase("data as one array"),
        ),
    )
    remat: bool = declare(
        False,
        Option(
            phrase("Recompute activations"),
            phrase("Recompute activations instead of keeping them."),
            traced=True,
            words=lambda plan: phrase("activations recomputed"),
        ),
    )
    freeze: tuple[str, ...] = declare(
        (),
        Option(
            phrase("Freeze layers"),
            phrase("Layers not to train, by a pattern such as 'conv*'; may be given again."),
            example="block1*, conv_2",
            metavar="PATTERN",
            traced=True,
            words=lambda plan: phrase("frozen: {layers}", layers=some(plan.freeze)),
        ),
    )
    clipnorm: float | None = declare(
        None, Option(phrase("Clip each by norm"), phrase("Limit the norm of each gradient."), above=0)
    )
    global_clipnorm: float | None = declare(
        None, Option(phrase("Clip all by norm"), phrase("Limit the norm of all gradients together."), above=0)
    )
    clipvalue: float | None = declare(
        None, Option(phrase("Clip by value"), phrase("Limit every value of the gradients."), above=0)
    )
    weight_decay: float | None = declare(
        None,
        Option(
            phrase("Weight decay"),
            phrase("Shrink the weights a little at every update."),
            minimum=0,
            usual_maximum=1,
            unset=phrase("as the optimizer has it"),
        ),
    )
    ema: bool = declare(
        False,
        Option(
            phrase("Moving average of weights"),
            phrase("Keep a moving average of the weights."),
            words=lambda plan: phrase("moving average"),
        ),
    )
    lora_rank: int | None = declare(
        None,
        Option(
            phrase("LoRA rank"),
            phrase("Train LoRA weights of this rank and the head; freeze the rest."),
            minimum=1,
            usual_maximum=4096,
            unset=phrase("no LoRA"),
            traced=True,
        ),
    )
    """Train two matrices of this rank beside each kernel, and the head, instead of the kernels (Hu et al. 2021)."""
    int8: bool = declare(
        False,
        Option(
            phrase("8-bit weights"),
            phrase("Hold weights as 8-bit integers, to use the model or to train LoRA weights beside them."),
            traced=True,
            refused=lambda plan: why_not_int8(plan.mode, plan.precision, plan.lora_rank),
        ),
    )
    """Hold kernels and embeddings as 8-bit integers (``model.quantize("int8")``)."""
    sequence_length: int | None = declare(
        None,
        Option(
            phrase("Sequence length"),
            phrase("Tokens or time steps of a sample."),
            minimum=1,
            maximum=MAX_SIDE,
            unset=phrase("as it is"),
            traced=True,
            of_model=True,
        ),
    )
    image_size: tuple[int, int] | None = declare(
        None,
        Option(
            phrase("Image size"),
            phrase("Height and width of the images, such as 160 or 480x640."),
            minimum=1,
            maximum=MAX_SIDE,
            unset=phrase("as it is"),
            example="480x640",
            metavar="N|HxW",
            traced=True,
            of_model=True,
            read=read_image_size,
        ),
    )
    leave_out: tuple[str, ...] = declare(
        (),
        Option(
            phrase("Leave out layers"),
            phrase("Layers to do without, such as one of two LSTM layers; may be given again."),
            example="lstm_1",
            metavar="PATTERN",
            traced=True,
            of_model=True,
            words=lambda plan: phrase("without {layers}", layers=some(plan.leave_out)),
        ),
    )
    threads: int | None = declare(
        None,
        Option(
            phrase("Threads"),
            phrase("Threads of the processor; else one for each core."),
            minimum=1,
            maximum=MAX_THREADS,
            unset=phrase("one for each core"),
            refused=lambda plan: why_impossible(plan.backend, threads=plan.threads),
        ),
    )
    """Threads of the host, within an operation and between operations."""
    backend: Backend = declare(
        "tensorflow",
        Option(
            phrase("Framework"),
            phrase("The framework below Keras: its benchmark, and what is known of its memory."),
            choices=TITLES,
            words=lambda plan: phrase("on {framework}", framework=TITLES[plan.backend]),
        ),
    )

    def __post_init__(self) -> None:
        """Refuse what no framework accepts."""
        for one in _that_can_be_wrong():
            value = getattr(self, one.name)
            if value != one.default:
                one.check(value, self)
        self._check_clipping()

    def _check_clipping(self) -> None:
        """Refuse what Keras refuses."""
        limits = {name: limit for name in CLIPPING if (limit := getattr(self, name)) is not None}
        if len(limits) > 1:
            received = ", ".join(f"{name}={limit:g}" for name, limit in limits.items())
            raise InvalidWorkload(
                phrase("gradients can be clipped in one way only"),
                expected=phrase("one of {fields}", fields=", ".join(CLIPPING)),
                received=received,
                hint=phrase("Keras refuses more than one"),
            )

    @property
    def traced(self) -> tuple[Any, ...]:
        """The values that change the traced step; all others are arithmetic on it."""
        return tuple(getattr(self, name) for name in traced_names())


def plan_options() -> tuple[Option, ...]:
    """Every option of a plan."""
    return options_of(Plan)


@functools.cache
def _that_can_be_wrong() -> tuple[Option, ...]:
    """The options of which not every value can be."""
    return tuple(one for one in plan_options() if one.limited)


@functools.cache
def traced_names() -> tuple[str, ...]:
    """The options that change the traced step."""
    return tuple(one.name for one in plan_options() if one.traced)


def plan_words(plan: Plan) -> tuple[Text, ...]:
    """What a plan has that is not usual, one entry each; its headline (`Option.headline`) is said elsewhere."""
    chosen = (one for one in plan_options() if not one.headline and getattr(plan, one.name) != one.default)
    return tuple(filter(None, (one.described(plan) for one in chosen)))


def another_model(plan: Plan) -> Plan:
    """The plan without what it says of one model."""
    return replace(plan, **{one.name: one.default for one in plan_options() if one.of_model})


def nearest_plan(plan: Plan, values: Mapping[str, Any]) -> Plan:
    """The plan with other values; those that cannot be had beside the rest give way to the defaults."""
    cautious = [one for one in plan_options() if one.refused is not None]
    safe = {one.name: one.default for one in cautious}
    found = replace(plan, **{**values, **safe})
    for one in cautious:
        wanted = replace_unless_refused(found, one, values.get(one.name, getattr(plan, one.name)))
        found = found if isinstance(wanted, InvalidWorkload) else wanted
    return found


def replace_unless_refused(plan: Plan, one: Option, value: Any) -> Plan | InvalidWorkload:
    """The plan with another value of one option, or why it cannot have that."""
    try:
        return replace(plan, **{one.name: value})
    except InvalidWorkload as error:
        return error


def plan_from_json(values: Mapping[str, Any]) -> Plan:
    """The plan among JSON values, whose lists become tuples; other keys are passed over."""
    given: dict[str, Any] = {one.name: values[one.name] for one in plan_options() if one.name in values}
    for name, value in given.items():
        given[name] = tuple(value) if isinstance(value, list) else value
    return Plan(**given)


def plan_to_json(plan: Plan) -> dict[str, Any]:
    """A plan, every option, as JSON values."""
    values = {one.name: getattr(plan, one.name) for one in plan_options()}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}
