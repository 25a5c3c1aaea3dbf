"""Numbers, sizes, times and dates as the user's locale writes them.

`app.core.units` writes them in English for the command line; here only the separators change, so that the
window and the command line never show different figures.
"""

from __future__ import annotations

import re
from datetime import datetime

from PySide6.QtCore import QDate, QDateTime, QLocale

from app.core import units
from app.core.units import NOT_AVAILABLE

_NUMBER = re.compile(r"\d+(?:,\d{3})+(?:\.\d+)?|\d+\.\d+")
_QUANTITY = re.compile(
    r"[-+~≈✓×< ]*\d[\d,.]*"
    r"(?: ?(?:[KMGT]?i?B|GB/s|MB/s|TFLOP/s|[µmn]?s|min|h|d|%|×|[kMG]|kWh|W|J|MHz|MT/s)(?: \d\d? (?:min|h))?)?"
)
_PLAIN = re.compile(r"[-+]?\d+(?:\.\d+)?")


def localised(text: str) -> str:
    """A text of figures with the locale's separators instead of the English ones."""
    locale = QLocale()
    point, group = locale.decimalPoint(), locale.groupSeparator()
    if (point, group) == (".", ","):
        return text
    return _NUMBER.sub(lambda found: found[0].translate({ord("."): point, ord(","): group}), text)


def is_quantity(text: str) -> bool:
    """Is the whole text a number with a unit or with groups; a bare ``2.21`` may be a version and is none."""
    return bool(_QUANTITY.fullmatch(text)) and not _PLAIN.fullmatch(text)


def format_number(value: float | None, form: str = ",.0f", unit: str = "") -> str:
    """A number in one of Python's formats with a unit after it, or "not available"."""
    if value is None:
        return NOT_AVAILABLE
    return localised(f"{value:{form}} {unit}".rstrip())


def format_bytes(size_bytes: float | None) -> str:
    """A size such as ``4.1 GiB``, by locale."""
    return localised(units.format_bytes(size_bytes))


def format_seconds(time_s: float | None) -> str:
    """A duration such as ``5.2 s``, by locale."""
    return localised(units.format_seconds(time_s))


def format_count(count: float | None) -> str:
    """A count such as ``25,636,712``, by locale."""
    return localised(units.format_count(count))


def format_date(text: str) -> str:
    """A date such as ``2026-10-01`` by locale; what is no whole date stays as it is."""
    found = QDate.fromString(text, "yyyy-MM-dd")
    if not found.isValid() or QLocale().language() == QLocale.Language.C:
        return text
    return QLocale().toString(found, QLocale.FormatType.ShortFormat)


def format_moment(created_at: str) -> str:
    """A stored time in ISO 8601 as local date and time to the minute, by locale."""
    try:
        local = datetime.fromisoformat(created_at).astimezone()
    except ValueError:
        return created_at
    if QLocale().language() == QLocale.Language.C:
        return local.strftime("%Y-%m-%d %H:%M")
    moment = QDateTime.fromSecsSinceEpoch(int(local.timestamp()))
    return QLocale().toString(moment, QLocale.FormatType.ShortFormat)
