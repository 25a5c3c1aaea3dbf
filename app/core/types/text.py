"""Texts that people read, as values: a template, and what stands in its places.

A `Text` is a string, its English: the command line, JSON, logs and exceptions use it as it is.  It still knows the
template and the values that it was made of, so that a face (`app.presentation.language`) says it in another language,
with numbers, sizes and dates as the reader writes them (the pattern of ``zope.i18nmessageid.Message``).  What stands
in a place is a name or a user's word (a plain string), a `Quantity`, or another text.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Literal, SupportsIndex

Unit = Literal["bytes", "seconds", "count", "share", "signed_share", "number", "date", "moment"]
"""What a quantity counts; a date and a moment are ISO 8601 and have no amount."""
Value = object
"""What may stand in a place; anything but a text is written as ``str`` writes it: use a `Quantity` for numbers."""

_PLAIN = frozenset({str, int, float, bool, type(None)})
_PLACE = re.compile(r"\{\{|\}\}|\{(\w+)\}")


class Text(str):
    """A text for people.

    Args:
        template: The English with names in braces where values stand.
        values: What stands there, by name.
        plural: The template for other numbers than one; empty where no number decides.
        number: Of how many things the text speaks, if ``plural`` is given.
        context: What tells it from the same English that other languages say otherwise.

    Raises:
        ValueError: A place has no value, or a value no place.
    """

    template: str
    values: tuple[tuple[str, str], ...]
    plural: str
    number: float | None
    context: str

    def __new__(
        cls,
        template: str = "",
        values: Iterable[tuple[str, Value]] = (),
        plural: str = "",
        number: float | None = None,
        context: str = "",
    ) -> Text:
        """Check the places and write the English."""
        found = tuple((name, value if isinstance(value, str) else str(value)) for name, value in values)
        used = template if number is None or number == 1 else plural
        if (known := {name for name, _ in found}) != places(template) | places(plural):
            raise ValueError(f"places and values differ: {template!r} got {sorted(known)}")
        self = super().__new__(cls, filled(used, dict(found)))
        self.template, self.values, self.plural, self.number, self.context = template, found, plural, number, context
        return self

    def __add__(self, other: str) -> Text:
        """Both texts, one after the other."""
        return join("", (self, other))

    def __radd__(self, other: str) -> Text:
        """Likewise, if the first is a plain string."""
        return join("", (other, self))

    def __mul__(self, times: SupportsIndex) -> Text:
        """The text, or nothing: ``phrase("of the card") * on_card``."""
        return join("", (self,) * int(times))

    __rmul__ = __mul__

    def __copy__(self) -> Text:
        return self

    def __deepcopy__(self, _known: dict[int, Any]) -> Text:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return from_plain, (to_plain(self),)


class Quantity(Text):
    """A number with its unit, or a date (made by `app.core.types.units`).

    Args:
        written: Its English.
        unit: What is counted.
        amount: How much; None if it is not known, and for dates.
        form: How Python writes a plain number, such as ``,.1f``.
    """

    unit: Unit
    amount: float | None
    form: str

    def __new__(cls, written: str, unit: Unit, amount: float | None = None, form: str = "") -> Quantity:
        """Note what the text says."""
        self = str.__new__(cls, written)
        self.template, self.values, self.plural, self.number, self.context = (
            "{text}",
            (("text", written),),
            "",
            None,
            "",
        )
        self.unit, self.amount, self.form = unit, amount, form
        return self


def phrase(template: str, /, **values: Value) -> Text:
    """A text, for example ``phrase("needs {needed} of {allowed}", needed=…, allowed=…)``.

    The template is a literal, because ``packaging/translations.py`` reads it out of the source.

    Raises:
        ValueError: A place has no value, or a value no place.
    """
    return Text(template, values.items())


def phrase_in(context: str, template: str, /, **values: Value) -> Text:
    """A `phrase` whose English means something else elsewhere: ``phrase_in("price", "Free")``.

    Raises:
        ValueError: A place has no value, or a value no place.
    """
    return Text(template, values.items(), context=context)


def plural(one: str, many: str, number: float, /, **values: Value) -> Text:
    """A text that speaks of a number of things: ``plural("{n} file", "{n} files", files, n=format_count(files))``.

    Raises:
        ValueError: A place has no value, or a value no place.
    """
    return Text(one, values.items(), plural=many, number=number)


def verbatim(said: str) -> Text:
    """A name, a path, a user's word: the same in all languages."""
    return said if isinstance(said, Text) else Text("{text}", (("text", said),)) if said else Text()


def join(separator: str, parts: Iterable[str]) -> Text:
    """Several texts with a separator between them, as ``str.join``; empty without any."""
    found = [part for part in parts if separator or part]
    if len(found) == 1:
        return verbatim(found[0])
    names = [f"part{i}" for i in range(len(found))]
    between = separator.replace("{", "{{").replace("}", "}}")
    return Text(between.join(f"{{{name}}}" for name in names), zip(names, found, strict=True))


def sentence(part: str, stop: str = "") -> Text:
    """A text with a capital letter at its beginning, and ``stop`` behind it."""
    return Text("{Sentence}" + stop, (("Sentence", part),)) if part else Text()


def filled(template: str, values: dict[str, str]) -> str:
    """A template with its places filled; doubled braces become single ones.

    A place whose name begins with a capital letter gives its value one.
    """
    if "{" not in template and "}" not in template:
        return template
    return _PLACE.sub(lambda found: _raised(found[1], values[found[1]]) if found[1] else found[0][0], template)


def _raised(name: str, value: str) -> str:
    """The value of a place, with a capital letter if the place's name has one."""
    return value[:1].upper() + value[1:] if name[:1].isupper() else value


@lru_cache(maxsize=4096)
def places(template: str) -> frozenset[str]:
    """The names of the places of a template."""
    return frozenset(filter(None, _PLACE.findall(template)))


def to_plain(value: Any) -> Any:
    """Texts in nested dictionaries, lists and tuples as dictionaries that JSON can hold; all else as it is."""
    if type(value) in _PLAIN:
        return value
    if isinstance(value, Quantity):
        amount = value.amount if value.amount is None or math.isfinite(value.amount) else None
        return {"unit": value.unit, "amount": amount, "written": str(value), "form": value.form}
    if isinstance(value, Text) and value.template == "{text}":
        return to_plain(value.values[0][1])  # a name
    if isinstance(value, Text):
        told = {"text": value.template, "values": {name: to_plain(one) for name, one in value.values}}
        number = {} if value.number is None else {"plural": value.plural, "number": value.number}
        return told | number | ({"context": value.context} if value.context else {})
    if isinstance(value, dict):
        return {name: to_plain(one) for name, one in value.items()}
    return [to_plain(one) for one in value] if isinstance(value, list | tuple) else value


def from_plain(told: Any) -> Text:
    """What `to_plain` made of a text; a string, as older versions stored texts, is taken as it is.

    Raises:
        ValueError: It is no text.
    """
    if isinstance(told, str):
        return verbatim(told)
    try:
        if "unit" in told:
            return Quantity(str(told["written"]), told["unit"], told["amount"], str(told["form"]))
        values = [(str(name), one if isinstance(one, str) else from_plain(one)) for name, one in told["values"].items()]
        plural, number = str(told.get("plural", "")), told.get("number")
        return Text(str(told["text"]), values, plural, number, str(told.get("context", "")))
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"no text: {told!r}") from error
