"""Until when a training has to end: a duration, a batch job's time, or what a budget pays of a rented machine."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated

import typer

from app.core.types.errors import UsageError
from app.core.types.text import phrase

_UNITS = {"s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
_DURATION = re.compile(r"(?:\s*(\d{1,9}(?:\.\d{1,6})?)\s*(s|min|m|h|d))+\s*")
_PART = re.compile(r"(\d+(?:\.\d+)?)\s*(s|min|m|h|d)")
_CLOCK = re.compile(r"(?:(\d{1,4})-)?(\d{1,4}):(\d{2})(?::(\d{2}))?")


@dataclass(frozen=True)
class DeadlineOptions:
    """What limits a training's time."""

    deadline: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="How likely it ends within 12h, 2d, or a batch job's --time 1-00:00:00."),
    ] = None
    budget: Annotated[
        float | None, typer.Option(min=0.01, help="With --hourly: the money that a rented machine may cost.")
    ] = None
    hourly: Annotated[float | None, typer.Option(min=0.0001, help="What a rented machine costs an hour.")] = None

    def seconds(self) -> float | None:
        """The nearest limit; None without one.

        Raises:
            UsageError: It is no time, or only one half of a budget is given.
        """
        if (self.budget is None) != (self.hourly is None):
            raise UsageError(
                phrase("a budget limits the time of a machine with a price"), expected="--budget 20 --hourly 0.5"
            )
        found = [] if self.deadline is None else [parse_duration(self.deadline)]
        if self.budget is not None and self.hourly is not None:
            found.append(self.budget / self.hourly * 3600)
        return min(found, default=None)


def parse_duration(text: str) -> float:
    """Read ``12h``, ``1d 6h``, ``90min``, or ``[days-]hours:minutes[:seconds]``, in seconds.

    Raises:
        UsageError: The text is no positive duration.
    """
    clock = _CLOCK.fullmatch(text.strip())
    if clock is not None:
        days, hours, minutes, seconds = (int(part or 0) for part in clock.groups())
        total = float(((days * 24 + hours) * 60 + minutes) * 60 + seconds)
    else:
        parts = _PART.findall(text) if _DURATION.fullmatch(text) else []
        total = sum(float(amount) * _UNITS[unit] for amount, unit in parts)
    if not total:
        raise UsageError(phrase("not a duration"), expected=phrase("such as 12h, 90min or 1-00:00:00"), received=text)
    return total
