"""The language of a report: English by itself, another where the window passes its own (`app.ui.runs.report_language`).

A report is made of texts (`app.core.types.text`), which a language says: sentences, figures and dates.  What is a
plain string stands for itself, such as a name.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from app.core.types.text import Text
from app.presentation.advice import Say


@dataclass(frozen=True)
class Language:
    """How a report speaks.

    Args:
        code: For browsers and screen readers (BCP 47), such as ``de``.
        say: Says a sentence, a figure, or a date in ISO 8601.
    """

    code: str = "en"
    say: Say = str

    def phrase(self, template: str) -> str:
        """A text of a page's own, as it stands in the template of the page."""
        return self.say(Text(template))


ENGLISH = Language()


def said_all(value: Any, say: Say) -> Any:
    """A nest of dataclasses and tuples with every text said; plain strings are names, or said already."""
    if isinstance(value, str):
        return say(value)
    if isinstance(value, tuple):
        return tuple(said_all(item, say) for item in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{field.name: said_all(getattr(value, field.name), say) for field in fields(value)})
    return value
