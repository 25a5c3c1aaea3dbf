"""The language of a report: English by itself, another where the window passes its own (`app.ui.runs.report_language`).

A report is written in English first, as the command line is, figures included.  A language then says every text:
sentences, figures and dates; what stands for itself, such as a name, is marked and stays.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

Say = Callable[[str], str]
"""Says an English text in another language."""


class Verbatim(str):
    """A text that stays as it is: a name, a note of the user, or what is said already."""

    __slots__ = ()


@dataclass(frozen=True)
class Language:
    """How a report speaks.

    Args:
        code: For browsers and screen readers (BCP 47), such as ``de``.
        say: Says a sentence, a figure, or a date in ISO 8601.
    """

    code: str = "en"
    say: Say = str


ENGLISH = Language()


def said_all(value: Any, say: Say) -> Any:
    """A nest of dataclasses and tuples with every text said, except what is `Verbatim`."""
    if isinstance(value, Verbatim):
        return value
    if isinstance(value, str):
        return say(value)
    if isinstance(value, tuple):
        return tuple(said_all(item, say) for item in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{field.name: said_all(getattr(value, field.name), say) for field in fields(value)})
    return value
