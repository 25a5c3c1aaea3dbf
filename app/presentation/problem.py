"""What went wrong, in words, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.core.types.errors import MissingModule, NeedsConsent, WillItTrainError
from app.core.types.text import Text, phrase
from app.core.types.units import format_bytes

if TYPE_CHECKING:  # the window paints without them
    from app.core.types.measurement import Problem

ALLOW = "allow_model"
"""Id of the remedy of a saved model that holds code."""
USE_PYTHON = "use_python"
"""Id of the remedy of code that imports what another Python has; behind a colon its path."""


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
    needed_bytes: int | None = None
    """Memory that was needed and was not there."""
    had_bytes: int | None = None


def error_state(error: BaseException | None) -> ErrorState:
    """Describe an error for a card; an error that is not the user's keeps its type's name."""
    if isinstance(error, NeedsConsent):
        hint = phrase("allow it to run code only if you trust its author")
        return ErrorState(error.message, error.expected, error.received, hint, action=ALLOW)
    if isinstance(error, MissingModule) and error.python:
        hint = phrase("{python} has all that the file imports", python=error.python)
        return ErrorState(error.message, error.expected, error.received, hint, action=f"{USE_PYTHON}:{error.python}")
    if isinstance(error, WillItTrainError):
        return ErrorState(error.message, error.expected, error.received, error.hint)
    if error is None:
        return ErrorState(phrase("The program stopped working on this without saying why"))
    return ErrorState(phrase("Something in this program is broken"), original=f"{type(error).__name__}: {error}")


def error_facts(error: ErrorState | None) -> dict[str, str]:
    """What an error card shows, by name, for diagnostics in English; what is not known is left out."""
    if error is None:
        return {}
    sizes = {"needed": error.needed_bytes, "had": error.had_bytes}
    words = {name: getattr(error, name) for name in ("expected", "received", "hint", "original")}
    known = {name: format_bytes(size) for name, size in sizes.items() if size is not None}
    return {"message": error.message, **known, **{name: word for name, word in words.items() if word}}


def problem_state(
    problem: Problem | None, outcome: str, largest_batch: int | None, batch_size: int
) -> ErrorState | None:
    """What went wrong in a run, with one thing to do about it."""
    if problem is None:
        return None
    action = ""
    if outcome == "out_of_memory":
        smaller = largest_batch if largest_batch and largest_batch < batch_size else max(1, batch_size // 2)
        action = f"apply_batch:{smaller}" if smaller < batch_size else ""
    original = "\n".join((f"{problem.where}" if problem.where else "", *problem.stderr[-6:])).strip()
    return ErrorState(
        problem.message,
        needed_bytes=problem.needed_bytes,
        had_bytes=problem.had_bytes,
        hint=problem.hint,
        original=original,
        action=action,
    )


def problem_lines(problem: Problem) -> tuple[str, ...]:
    """What ended a run, line by line: what happened, how much was missing, where, and what helps."""
    lines = [problem.message]
    if problem.needed_bytes is not None or problem.had_bytes is not None:
        lines.append(_missing(problem))
    lines += [phrase("Where it happened: {where}", where=problem.where)] * bool(problem.where)
    lines += [phrase("What helps: {hint}", hint=problem.hint)] * bool(problem.hint)
    return tuple(lines)


def _missing(problem: Problem) -> Text:
    """How much memory was needed and how much there was."""
    return phrase(
        "needed {needed}, had {had}", needed=format_bytes(problem.needed_bytes), had=format_bytes(problem.had_bytes)
    )
