"""Numbers, sizes, times and dates as the window's language writes them."""

from __future__ import annotations

from app.core.types import units
from app.presentation.figure import Figure, amount_text
from app.ui.kit.speech import said, speaker


def format_number(value: float | None, form: str = ",.0f", unit: str = "") -> str:
    """A number in one of Python's formats with a unit after it, or "not available"."""
    told = said(units.format_number(value, form))
    return told if value is None or not unit else f"{told} {unit}"


def format_bytes(size_bytes: float | None) -> str:
    """A size such as ``4.1 GiB``, by locale and in the wished unit."""
    return said(units.format_bytes(size_bytes))


def whole_size(size_bytes: float | None) -> str:
    """A size such as ``32 GiB`` where it has no decimals."""
    return format_bytes(size_bytes).replace(".0 ", " ").replace(",0 ", " ")


def axis_unit(unit: str) -> tuple[str, float]:
    """What an axis or a field in a unit is labelled with, and how many of those make one: of GiB GB, where wished."""
    decimal = {"GiB": ("GB", units.GIB / 1e9), "MiB": ("MB", units.MIB / 1e6)} if speaker().decimal_sizes else {}
    return decimal.get(unit, (unit, 1.0))


def format_seconds(time_s: float | None) -> str:
    """A duration such as ``5.2 s``, by locale."""
    return said(units.format_seconds(time_s))


def format_count(count: float | None) -> str:
    """A count such as ``25,636,712``, by locale."""
    return said(units.format_count(count))


def written(figure: Figure) -> str:
    """The value of a figure, by locale."""
    return said(figure.text)


def interval_text(figure: Figure) -> str:
    """The interval of a figure; the unit is written once when both ends share it, empty if one end is unknown."""
    if figure.low is None or figure.high is None:
        return ""
    low, high = (said(amount_text(end, figure.unit)) for end in (figure.low, figure.high))
    if low == high:
        return low
    low_value, _, low_unit = low.rpartition(" ")
    high_value, _, high_unit = high.rpartition(" ")
    if low_unit == high_unit and " " not in low_value + high_value:
        return f"{low_value}–{high_value} {high_unit}"
    return f"{low} – {high}"


def format_share(share: float, *, signed: bool = False) -> str:
    """A share of one such as ``45 %``, by locale."""
    return said(units.format_share(share, signed=signed))


def format_date(text: str) -> str:
    """A date such as ``2026-10-01`` by locale; what is no whole date stays as it is."""
    return speaker().date(text)


def format_moment(created_at: str) -> str:
    """A stored time in ISO 8601 as local date and time to the minute, by locale."""
    return speaker().moment(created_at)
