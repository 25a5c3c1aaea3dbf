"""What several states share: numbers and errors written for people.

Pure functions of their arguments and the locale.  A state holds facts and numbers; the words around them belong
to the widgets, where they are translated.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from app.core.types.errors import WillItTrainError
from app.core.types.prediction import Explanation, Prediction
from app.core.types.text import phrase
from app.core.types.units import NOT_AVAILABLE
from app.ui.kit.quantities import format_bytes, format_seconds

Mark = Literal["measured", "scaled", "predicted", "none"]

_MEMORY_MARKS: dict[str, Mark] = {"measured": "measured", "calibrated": "scaled"}
_TIME_MARKS: dict[str, Mark] = {"measured": "measured", "scaled": "scaled", "predicted": "predicted"}


@dataclass(frozen=True)
class Number:
    """A number on screen: text, where it comes from, and what can be said about it."""

    text: str = NOT_AVAILABLE
    mark: Mark = "none"
    interval: str = ""
    assumption: str = ""
    basis: tuple[Explanation, ...] = ()

    @property
    def known(self) -> bool:
        """There is a value."""
        return self.text != NOT_AVAILABLE


@dataclass(frozen=True)
class ErrorState:
    """What an error card shows."""

    message: str
    expected: str = ""
    received: str = ""
    hint: str = ""
    original: str = ""
    action: str = ""
    """Id of the one thing to do, for example ``apply_batch:128``; empty if there is none."""
    action_text: str = ""
    needed: str = ""
    """Memory that was needed and was not there."""
    had: str = ""


def error_state(error: BaseException | None) -> ErrorState:
    """Describe an error for a card; an error that is not the user's keeps its type's name."""
    if isinstance(error, WillItTrainError):
        return ErrorState(error.message, error.expected, error.received, error.hint)
    if error is None:
        return ErrorState(phrase("The program stopped working on this without saying why"))
    return ErrorState(phrase("Something in this program is broken"), original=f"{type(error).__name__}: {error}")


def _interval(low: str, high: str) -> str:
    """Low and high as one text; the unit is written once when both share it."""
    if low == high:
        return low
    low_value, _, low_unit = low.rpartition(" ")
    high_value, _, high_unit = high.rpartition(" ")
    if low_unit == high_unit and " " not in low_value:
        return f"{low_value}–{high_value} {high_unit}"
    return f"{low} – {high}"


def seconds_interval(low_s: float | None, high_s: float | None) -> str:
    """An interval of durations, or nothing if one end is unknown."""
    if low_s is None or high_s is None:
        return ""
    return _interval(format_seconds(low_s), format_seconds(high_s))


def bytes_interval(low_bytes: float | None, high_bytes: float | None) -> str:
    """An interval of sizes, or nothing if one end is unknown."""
    if low_bytes is None or high_bytes is None:
        return ""
    return _interval(format_bytes(low_bytes), format_bytes(high_bytes))


def short_name(name: str | None) -> str:
    """A processor's or card's name without the words that every maker adds."""
    if not name:
        return NOT_AVAILABLE
    for word in ("(R)", "(TM)", "(tm)", " CPU", " Processor", "AMD ", "Intel ", "NVIDIA ", "GeForce "):
        name = name.replace(word, "")
    name = re.sub(r"\s\d+-Core.*", "", name.split("@")[0])
    return " ".join(name.split()) or NOT_AVAILABLE


def memory_mark(prediction: Prediction) -> Mark:
    """Which mark the memory numbers of a prediction carry."""
    return _MEMORY_MARKS.get(prediction.memory.basis, "predicted")


def estimate_mark(prediction: Prediction) -> Mark:
    """Which mark what a run corrects but does not itself measure carries: other batches, the host process."""
    return "predicted" if memory_mark(prediction) == "predicted" else "scaled"


def time_mark(prediction: Prediction) -> Mark:
    """Which mark the time numbers of a prediction carry."""
    return _TIME_MARKS[prediction.time.basis]


def needed_number(prediction: Prediction) -> Number:
    """The memory that the verdict compares with what is allowed; the framework's context is taken off there."""
    memory = prediction.memory
    return Number(
        text=format_bytes(memory.allocator_peak_bytes),
        mark=memory_mark(prediction),
        interval=bytes_interval(memory.low_bytes, memory.high_bytes),
        assumption=memory.dominant_assumption,
        basis=memory.explanation,
    )
