"""The language of the window for the reports that it saves: sentences, figures, prices and dates."""

from __future__ import annotations

import re

from app.services.reports.language import Language
from app.ui.kit import language
from app.ui.kit.quantities import format_moment, localised
from app.ui.kit.speech import value_said

_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)?")
_PRICE = re.compile(r"\d[\d,]*(?:\.\d+)? [A-Z]{3}(?:/k?W?h)?")


def report_language() -> Language:
    """How the window speaks now."""
    return Language(language.current(), said_in_report)


def said_in_report(text: str) -> str:
    """A text of a report in the language of the window; moments in ISO 8601 and prices by its locale."""
    if "\n" in text:
        return "\n".join(map(said_in_report, text.split("\n")))
    if _MOMENT.fullmatch(text):
        return format_moment(text)
    return localised(text) if _PRICE.fullmatch(text) else value_said(text)
