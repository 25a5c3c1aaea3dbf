"""What an option of a plan is: declared once beside its field, read by whatever asks, checks, shows or stores it.

A dataclass declares its fields with `declare`; `options_of` lists them.  The command line makes flags of them
(`app.cli.plan_options`), the window fields of a form (`app.ui.workload.plan_fields`), reports and terminal words, and
the dataclass itself checks its values by them.
"""

from __future__ import annotations

import dataclasses
import functools
import sys
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from app.core.types.errors import InvalidWorkload
from app.core.types.text import Text, phrase, verbatim
from app.core.types.units import format_count, format_number, format_share

Kind = Literal["switch", "auto_switch", "whole", "number", "choice", "text", "patterns", "size", "lengths"]
"""What can be chosen, by the type of the field: ``bool``, ``bool | None``, ``int``, ``float``, a ``Literal``, ``str``,
``tuple[str, ...]``, a pair of whole numbers, a whole number or some by name."""

Problem = tuple[Text, Text]
"""Why something cannot be, and what to do."""

_DECLARED = "option"


@dataclass(frozen=True)
class Option:
    """One option of a plan.

    Args:
        label: Its name for people: the caption of a field, the fact of a run.
        help: One sentence on what it does.
        minimum: The smallest number; None if there is none.
        above: A number that it must be above; None likewise.
        maximum: The largest number, or the longest side of a size.
        usual_maximum: Up to where a form offers numbers that nothing limits.
        choices: The values that can be chosen, each with its name for people; an empty name is the value itself.
        unset: What it means to give none (None, or no pattern), for example ``one for each core``.
        example: What a pattern or a text looks like.
        metavar: What the help of the command line calls a value that has a notation of its own.
        percent: A share that people see in per cent.
        traced: It changes the traced step; all others are arithmetic on it.
        of_model: It speaks of parts of one model and is forgotten with another.
        headline: It is always said of a plan, so that `plan_words` leaves it out.
        refused: Why a value other than the default cannot be had in a plan that has it; None if it can.
        counts: Does the value make a difference in a plan; a form shows by it what can be left alone.
        words: How a plan that has not the default is described; None for label and value.
        read: Makes the value of what is typed, if that is another text or no text at all.

            Raises `InvalidWorkload`.
        name: Of the field; filled in by `options_of`, as are all below.
        kind: What can be chosen.
        optional: None is a value.
        default: The value where nothing is said.
    """

    label: Text
    help: Text
    minimum: float | None = None
    above: float | None = None
    maximum: float | None = None
    usual_maximum: float | None = None
    choices: Mapping[str, str] = dataclasses.field(default_factory=dict)
    unset: Text = Text()
    example: str = ""
    metavar: str = ""
    percent: bool = False
    traced: bool = False
    of_model: bool = False
    headline: bool = False
    refused: Callable[[Any], Problem | None] | None = None
    counts: Callable[[Any], bool] | None = None
    words: Callable[[Any], Text] | None = None
    read: Callable[[str], Any] | None = None
    name: str = ""
    kind: Kind = "text"
    optional: bool = False
    default: Any = None

    @property
    def flag(self) -> str:
        """As the command line has it: ``--lora-rank``."""
        return f"--{self.name.replace('_', '-')}"

    @property
    def other(self) -> Any:
        """A value that is not the default, to ask whether any can be had."""
        if self.kind in ("switch", "auto_switch"):
            return not self.default
        if self.choices:
            return next(choice for choice in self.choices if choice != self.default)
        return 1

    @property
    def range_words(self) -> Text:
        """Which numbers can be, for example ``1 to 4,096`` or ``a number above 0``."""
        most = None if self.maximum is None else format_number(self.maximum)
        if self.above is not None:
            least = format_number(self.above, "g")
            if most is None:
                return phrase("a number above {least}", least=least)
            return phrase("above {least}, at most {most}", least=least, most=most)
        least = format_number(self.minimum or 0, "g")
        return (
            phrase("{least} or more", least=least)
            if most is None
            else phrase("{least} to {most}", least=least, most=most)
        )

    @property
    def limited(self) -> bool:
        """Can a value be wrong?"""
        return bool(self.choices or self.refused) or self._ranged

    @property
    def _ranged(self) -> bool:
        """Is there a smallest or a largest number?"""
        return not (self.minimum is None and self.above is None and self.maximum is None)

    def check(self, value: Any, plan: Any) -> None:
        """Refuse a value that cannot be.

        Args:
            value: Of this option.
            plan: All values together.

        Raises:
            InvalidWorkload: It is out of range, none of the choices, or cannot be had beside the others.
        """
        if value is None and self.optional:
            return
        if self.choices and value not in self.choices:
            expected = ", ".join(self.choices)
            raise InvalidWorkload(
                phrase("unknown {option}", option=self.label), expected=expected, received=repr(value)
            )
        if self._ranged and not all(map(self._in_range, self._numbers(value))):
            raise InvalidWorkload(
                phrase("impossible {option}", option=self.label),
                expected=self.range_words,
                received=self.written(value),
                hint=phrase("or leave it out") if self.optional else Text(),
            )
        if self.refused is not None and value != self.default and (problem := self.refused(plan)) is not None:
            raise InvalidWorkload(problem[0], hint=problem[1])

    def _numbers(self, value: Any) -> tuple[float, ...]:
        """The numbers of a value."""
        if not isinstance(value, tuple):
            return (value,)
        return tuple(number for _, number in value) if self.kind == "lengths" else value

    def _in_range(self, value: float) -> bool:
        """Is a number one that can be?  Neither NaN is, nor a whole number that no float can hold."""
        lowest = self.minimum if self.minimum is not None else -sys.float_info.max
        highest = self.maximum if self.maximum is not None else sys.float_info.max
        return lowest <= value <= highest and (self.above is None or value > self.above)

    def written(self, value: Any) -> str:
        """A value as it is typed; empty for none."""
        if value is None:
            return ""
        if self.kind == "patterns":
            return ", ".join(value)
        if self.kind == "lengths" and isinstance(value, tuple):
            return ", ".join(f"{name}={number}" for name, number in value)
        return "x".join(map(str, value)) if self.kind == "size" else str(value)

    def value_words(self, value: Any) -> Text:
        """A value as people say it; None and no pattern are what `unset` says of them."""
        if isinstance(value, bool):
            return phrase("Yes") if value else phrase("No")
        if value is None or value == ():
            return self.unset or verbatim("–")
        if self.percent:
            return format_share(value)
        if self.kind in ("number", "whole"):
            return format_number(value, "g" if self.kind == "number" else ",.0f")
        return verbatim(self.choices.get(value, "") or self.written(value) if self.choices else self.written(value))

    def described(self, plan: Any) -> Text:
        """What a plan that has not the default is, in words; empty if another option says it."""
        if self.words is not None:
            return self.words(plan)
        value = getattr(plan, self.name)
        if value is True:
            return self.label
        return phrase("{option}: {value}", option=self.label, value=self.value_words(value))


def declare(default: Any, option: Option) -> Any:
    """The field of a dataclass with its declaration."""
    return dataclasses.field(default=default, metadata={_DECLARED: option})


@functools.cache
def options_of(plan: type) -> tuple[Option, ...]:
    """What a dataclass declares, in its order."""
    hints = get_type_hints(plan)
    return tuple(_filled(field, hints[field.name]) for field in dataclasses.fields(plan) if _DECLARED in field.metadata)


def _filled(field: dataclasses.Field[Any], hint: Any) -> Option:
    """The declaration of a field with what its type and its default say."""
    declared: Option = field.metadata[_DECLARED]
    parts = set(get_args(hint)) if get_origin(hint) in (Union, types.UnionType) else {hint}
    optional = type(None) in parts
    inner, *others = sorted(parts - {type(None)}, key=str)
    choices = declared.choices or (dict.fromkeys(get_args(inner), "") if get_origin(inner) is Literal else {})
    return dataclasses.replace(
        declared,
        choices=choices,
        name=field.name,
        kind="choice" if choices else "lengths" if others else _kind(inner, optional=optional),
        optional=optional,
        default=field.default,
    )


def _kind(hint: Any, *, optional: bool) -> Kind:
    """What can be chosen of a type."""
    if hint is bool:
        return "auto_switch" if optional else "switch"
    if get_origin(hint) is tuple:
        return "patterns" if Ellipsis in get_args(hint) else "size"
    kinds: dict[Any, Kind] = {int: "whole", float: "number", str: "text"}
    return kinds[hint]


def some(names: tuple[str, ...], shown: int = 4) -> Text:
    """The first of many names, and how many there are."""
    first = ", ".join(names[:shown])
    if len(names) <= shown:
        return verbatim(first)
    return phrase("{names} … ({count} in all)", names=first, count=format_count(len(names)))
