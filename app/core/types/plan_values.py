"""What the options of a plan can be: names, limits, how they are read, and what cannot be had together."""

from __future__ import annotations

import re
from typing import Literal, get_args

from app.core.types.errors import InvalidWorkload
from app.core.types.options import Problem
from app.core.types.text import Text, phrase
from app.core.types.units import format_count, format_share

Precision = Literal["float32", "mixed_float16", "mixed_bfloat16", "float16", "bfloat16"]


Mode = Literal["train", "inference", "evaluate"]
"""What is done with a model: ``fit``, ``predict`` or ``evaluate``, whose step is that of a validation too."""


Cache = Literal["none", "ram", "disk", "encoded"]


Data = Literal["pipeline", "array"]


SequenceLength = int | tuple[tuple[str, int], ...]
"""Tokens or time steps of the inputs with the longest sequences, or of inputs by name."""


PRECISIONS: tuple[Precision, ...] = get_args(Precision)


CACHES: tuple[Cache, ...] = get_args(Cache)
"""``ram`` and ``disk`` keep decoded samples (images as bytes, not floats), ``encoded`` keeps whole files in RAM."""


OPTIMIZERS: tuple[str, ...] = tuple(
    "sgd rmsprop adam adamw adadelta adagrad adamax adafactor nadam ftrl lion lamb muon schedulefreeadamw".split()
)
"""Classes of `keras.optimizers` in small letters (Keras 3.15, keras/src/optimizers/__init__.py)."""


VARIANTS: dict[str, tuple[str, ...]] = {
    "sgd": ("momentum", "nesterov"),
    "rmsprop": ("momentum", "centered"),
    "adam": ("amsgrad",),
    "adamw": ("amsgrad",),
}
"""Options of a plan that change what an optimizer keeps for each weight and does with it; those of others have none."""


VARIANT_OPTIONS: tuple[str, ...] = tuple(dict.fromkeys(name for names in VARIANTS.values() for name in names))
"""All of these, each once."""


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


def read_sequence_length(text: str) -> SequenceLength:
    """Read a sequence length: ``128`` for the longest inputs, or by name such as ``encoder=59,decoder=16``.

    Raises:
        InvalidWorkload: It is neither.
    """
    if re.fullmatch(r"\s*\d{1,9}\s*", text):
        return int(text)
    pairs = [re.fullmatch(r"\s*(\S+?)\s*=\s*(\d{1,9})\s*", part) for part in text.split(",")]
    found = tuple((pair[1], int(pair[2])) for pair in pairs if pair is not None)
    if len(found) != len(pairs) or len(dict(found)) != len(found):
        raise InvalidWorkload(
            phrase("not a sequence length"), expected=phrase("128, or encoder=59,decoder=16 by input"), received=text
        )
    return found


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


def validation_words(amount: float) -> Text:
    """What is validated on, for example ``20 % of the data for validation``; ``amount`` is not 0."""
    if amount < 1:
        return phrase("{share} of the data for validation", share=format_share(amount))
    return phrase("{samples} samples for validation", samples=format_count(amount))


def cache_words(cache: Cache, part: float) -> Text:
    """What is cached, for example ``45 % of the decoded data cached in RAM``; ``cache`` is not ``none``."""
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
    return (some_of if part < 1 else whole)[cache]
