"""How to train: every option of a plan, declared once.

To add an option: one field here; the command line, the form, JSON, reports and stores take it from there.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

from app.core.types.backends import TITLES, Backend, why_impossible
from app.core.types.errors import InvalidWorkload
from app.core.types.options import Option, declare, options_of, some
from app.core.types.plan_values import (
    CLIPPING,
    MAX_BATCH_SIZE,
    MAX_SIDE,
    MAX_THREADS,
    OPTIMIZERS,
    VARIANTS,
    Cache,
    Data,
    Mode,
    Precision,
    SequenceLength,
    cache_words,
    read_device,
    read_image_size,
    read_sequence_length,
    validation_words,
    why_not_int8,
)
from app.core.types.text import Text, phrase
from app.core.types.units import format_count, format_number


def _variant(name: str, label: Text, help: Text, minimum: float | None = None, maximum: float | None = None) -> Option:
    """An option of `VARIANTS`: it counts with the optimizers that have it and is said only with them."""
    return Option(
        label,
        help,
        minimum=minimum,
        maximum=maximum,
        counts=lambda plan: name in VARIANTS.get(plan.optimizer, ()),
        words=lambda plan: _variant_words(label, getattr(plan, name)) if name in plan.variants else Text(),
    )


def _variant_words(label: Text, value: float) -> Text:
    """The label alone of what is on."""
    return label if value is True else phrase("{option}: {value}", option=label, value=format_number(value, "g"))


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
            phrase("Train the model, only use it, or tell its loss as a validation does."),
            choices={"train": phrase("training"), "inference": phrase("inference"), "evaluate": phrase("evaluation")},
            refused=lambda plan: why_impossible(plan.backend, mode=plan.mode),
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
            words=lambda plan: cache_words(plan.cache, plan.cache_share),
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
    momentum: float = declare(
        0.0,
        _variant(
            "momentum",
            phrase("Momentum"),
            phrase("Share of the last change that sgd and rmsprop repeat: one more number is kept for each weight."),
            minimum=0,
            maximum=1,
        ),
    )
    nesterov: bool = declare(
        False,
        _variant("nesterov", phrase("Nesterov momentum"), phrase("Look one step ahead with the momentum of sgd.")),
    )
    centered: bool = declare(
        False,
        _variant(
            "centered",
            phrase("Centered"),
            phrase("Let rmsprop subtract the mean gradient: one more number is kept for each weight."),
        ),
    )
    amsgrad: bool = declare(
        False,
        _variant(
            "amsgrad",
            phrase("AMSGrad"),
            phrase("Let adam and adamw keep the largest mean square: one more number for each weight."),
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
    sequence_length: SequenceLength | None = declare(
        None,
        Option(
            phrase("Sequence length"),
            phrase("Tokens or time steps of a sample; of several inputs by name, such as encoder=59,decoder=16."),
            minimum=1,
            maximum=MAX_SIDE,
            unset=phrase("as it is"),
            example="encoder=59,decoder=16",
            metavar="N|INPUT=N,…",
            read=read_sequence_length,
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

    validation: float = declare(
        0.0,
        Option(
            phrase("Validation"),
            phrase("Samples looked at after an epoch: a share kept back of the data (0.2), or so many more (10000)."),
            minimum=0,
            usual_maximum=10_000_000,
            counts=lambda plan: plan.mode == "train",
            words=lambda plan: validation_words(plan.validation),
        ),
    )
    """Below 1 a share of the data, which ``fit`` calls ``validation_split``; else samples besides the data."""
    validation_batch: int | None = declare(
        None,
        Option(
            phrase("Batch of the validation"),
            phrase("Samples in a step of the validation."),
            minimum=1,
            maximum=MAX_BATCH_SIZE,
            unset=phrase("as in training"),
            counts=lambda plan: plan.validation > 0,
        ),
    )
    validate_every: int = declare(
        1,
        Option(
            phrase("Validate every"),
            phrase("Epochs from one validation to the next."),
            minimum=1,
            usual_maximum=1000,
            counts=lambda plan: plan.validation > 0,
            words=lambda plan: phrase("validated every {epochs} epochs", epochs=format_count(plan.validate_every)),
        ),
    )
    checkpoint_every: int | None = declare(
        None,
        Option(
            phrase("Save every"),
            phrase("Epochs from one checkpoint, weights and optimizer, to the next."),
            minimum=1,
            usual_maximum=1000,
            unset=phrase("never"),
            counts=lambda plan: plan.mode == "train",
            words=lambda plan: phrase("saved every {epochs} epochs", epochs=format_count(plan.checkpoint_every)),
        ),
    )
    restore_best: bool = declare(
        False,
        Option(
            phrase("Keep the best weights"),
            phrase("Keep a copy of the best weights in RAM, as EarlyStopping(restore_best_weights=True) does."),
            counts=lambda plan: plan.mode == "train",
            words=lambda plan: phrase("the best weights kept"),
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
    def variants(self) -> tuple[str, ...]:
        """The options of `VARIANTS` that make a difference in this plan."""
        chosen = tuple(name for name in VARIANTS.get(self.optimizer, ()) if getattr(self, name))
        return () if chosen == ("nesterov",) else chosen

    @property
    def rule(self) -> str:
        """What the optimizer keeps for each weight and does with it, for example ``sgd+momentum``.

        It is a key of `app.core.simulate.optimizer_recipes.RECIPES`.
        """
        return "+".join((self.optimizer, *self.variants))

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
