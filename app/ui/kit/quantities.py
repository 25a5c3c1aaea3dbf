"""Numbers, sizes, times and dates as the user's locale writes them.

`app.core.types.units` writes them in English for the command line; here only the separators change, and sizes of memory
are in powers of 1000 if the user wants that.  The locale is Qt's default one (`app.ui.kit.language`), the wish a
property
of the application; states are made of these texts and load no Qt, so Qt is asked only where it is loaded already.
"""

from __future__ import annotations

import re
import sys
from datetime import date, datetime
from typing import TYPE_CHECKING

from app.core.types import units
from app.core.types.units import NOT_AVAILABLE

if TYPE_CHECKING:
    from PySide6.QtCore import QLocale

_NUMBER = re.compile(r"\d+(?:,\d{3})+(?:\.\d+)?|\d+\.\d+")
_UNIT = r"(?:[KMGT]?i?B|[KMGT]B/s|[GT]FLOP(?:/s)?|[µmn]?s|min|h|d|%|×|[kMG]|k?Wh?|J|MHz|MT/s)(?: \d\d? (?:min|h))?"
_GROUPED = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?"
_QUANTITY = re.compile(rf"[-+−~≈✓×<]? ?(?:(?:{_GROUPED}|\d+(?:\.\d+)?) ?{_UNIT}|{_GROUPED})|[×±] ?\d+\.\d+")
_SIZE = re.compile(r"(\d[\d,]*(?:\.\d+)?) ([KMGT]iB)\b")
_SIZE_UNITS = {"KiB": units.KIB, "MiB": units.MIB, "GiB": units.GIB, "TiB": units.TIB}

DECIMAL_SIZES = "decimalSizes"
"""Property of the application: sizes are in GB and not in GiB."""


def _decimal_sizes() -> bool:
    """Does the user want powers of 1000?"""
    qt = sys.modules.get("PySide6.QtCore")
    app = qt.QCoreApplication.instance() if qt is not None else None
    return app is not None and bool(app.property(DECIMAL_SIZES))


def resized(text: str) -> str:
    """An English text with its sizes in powers of 1000, if that is wished; ``4.1 GiB`` becomes ``4.4 GB``."""
    if "iB" not in text or not _decimal_sizes():
        return text
    return _SIZE.sub(
        lambda size: units.format_bytes(float(size[1].replace(",", "")) * _SIZE_UNITS[size[2]], decimal=True), text
    )


def _locale() -> QLocale | None:
    """The window's locale; None without a window, and where Qt knows no country."""
    qt = sys.modules.get("PySide6.QtCore")
    locale: QLocale | None = qt.QLocale() if qt is not None else None
    return None if locale is None or locale.language() == locale.Language.C else locale


def localised(text: str) -> str:
    """A text of figures with the locale's separators instead of the English ones, and the wished units of size."""
    text, locale = resized(text), _locale()
    if locale is None:
        return text
    point, group = locale.decimalPoint(), locale.groupSeparator()
    return _NUMBER.sub(lambda found: found[0].translate({ord("."): point, ord(","): group}), text)


def is_quantity(text: str) -> bool:
    """Is the whole text, in English, a number with a unit or with groups; a bare ``2.21`` may be a version."""
    return _QUANTITY.fullmatch(text) is not None


def format_number(value: float | None, form: str = ",.0f", unit: str = "") -> str:
    """A number in one of Python's formats with a unit after it, or "not available"."""
    if value is None:
        return NOT_AVAILABLE
    return localised(f"{value:{form}} {unit}".rstrip())


def format_bytes(size_bytes: float | None) -> str:
    """A size such as ``4.1 GiB``, by locale and in the wished unit."""
    return localised(units.format_bytes(size_bytes, decimal=_decimal_sizes()))


def format_seconds(time_s: float | None) -> str:
    """A duration such as ``5.2 s``, by locale."""
    return localised(units.format_seconds(time_s))


def format_count(count: float | None) -> str:
    """A count such as ``25,636,712``, by locale."""
    return localised(units.format_count(count))


def format_share(share: float, *, signed: bool = False) -> str:
    """A share of one such as ``45 %``, by locale."""
    return localised(units.format_share(share, signed=signed))


def format_date(text: str) -> str:
    """A date such as ``2026-10-01`` by locale; what is no whole date stays as it is."""
    locale = _locale()
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return text
    if locale is None:
        return text
    from PySide6.QtCore import QDate

    return locale.toString(QDate(day.year, day.month, day.day), _day_form(locale))


def format_moment(created_at: str) -> str:
    """A stored time in ISO 8601 as local date and time to the minute, by locale."""
    try:
        local = datetime.fromisoformat(created_at).astimezone()
    except ValueError:
        return created_at
    locale = _locale()
    if locale is None:
        return local.strftime("%Y-%m-%d %H:%M")
    from PySide6.QtCore import QDateTime

    clock = locale.timeFormat(locale.FormatType.ShortFormat)
    moment = QDateTime(local.year, local.month, local.day, local.hour, local.minute, local.second)
    return locale.toString(moment, f"{_day_form(locale)} {clock}")


def _day_form(locale: QLocale) -> str:
    """The locale's short date with the whole year: ``1/5/26`` may be read as a day, a month or a year."""
    form = locale.dateFormat(locale.FormatType.ShortFormat)
    return form if "yyyy" in form else form.replace("yy", "yyyy")
