"""Sentences of `core`, `services` and the child in the language of the window.

Those rooms write English with the figures already in it: for the command line, for JSON, and for runs that
were stored years ago.  The window knows every sentence that their source can make: ``sentences.txt`` lists
them with ``{1}`` where a text and ``{n1}`` where a number stands, in the order of the English
(``packaging/translations.py`` reads them out of the source).  A text is recognised by the list, the sentence
is translated by Qt Linguist, and what stood in the places is put where the other language wants it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from PySide6.QtCore import QCoreApplication

from app.core.types.units import NOT_AVAILABLE
from app.ui.kit import language
from app.ui.kit.quantities import format_date, is_quantity, localised, resized
from app.ui.kit.resources import resources_dir

CONTEXT = "sentences"
PLACE = re.compile(r"\{(n?\d+)\}")
FEW_LETTERS = 6
"""A sentence that fixes fewer ("{1} of {2}") is recognised only around single words."""
_NUMBER = r"(?:(?!, |; | · )[^()\n])*?"
"""No number has brackets, nor a comma, a semicolon or a dot and a space behind it: these part sentences."""
_FIGURE = rf"(?:[~≈✓] )?[+−-]?\d[\d.,]*(?: ?[^\s\d,;]+(?: \d\d? [^\s\d,;]+)?)?|{NOT_AVAILABLE}"
"""What a number looks like where few letters around it say so."""
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_WORD = re.compile(r"[A-Za-z]{2}")
_BETWEEN = (("\n", "\n"), (r"(?<=\.) ", " "), *((mark, mark) for mark in ("; ", " · ", ": ", ", ")))
"""What separates sentences and what joins them again, the strongest first; a full stop stays with its sentence."""


@dataclass(frozen=True)
class Sentence:
    """One sentence of the source, ready to recognise a text."""

    source: str
    probe: str
    """The longest piece between two places: what does not hold it is not this sentence."""
    pattern: str
    weight: int
    """Letters that are fixed; of two sentences that fit, the one that fixes more is meant."""

    @cached_property
    def form(self) -> re.Pattern[str]:
        """What a text must look like; compiled when a text holds the probe, because a thousand take half a second."""
        return re.compile(self.pattern, re.DOTALL)


def parse(source: str) -> Sentence:
    """Make a sentence of the list recognisable."""
    pieces = PLACE.split(source)
    fixed, places = pieces[::2], pieces[1::2]
    weight = sum(map(str.isalpha, "".join(fixed)))
    word, number = (".*?", _NUMBER) if weight >= FEW_LETTERS else (rf"(?:\S*?|{_FIGURE})", rf"(?:{_FIGURE})")
    form = re.escape(fixed[0])
    for place, text in zip(places, fixed[1:], strict=True):
        form += f"(?P<p{place}>{number if place.startswith('n') else word})" + re.escape(text)
    return Sentence(source, max(fixed, key=len), form, weight)


@lru_cache(maxsize=1)
def sentences() -> tuple[Sentence, ...]:
    """Everything that the source can say, the most specific first."""
    lines = (resources_dir() / "i18n" / "sentences.txt").read_text("utf-8").splitlines()
    return tuple(sorted(map(parse, filter(None, lines)), key=lambda one: -one.weight))


def said(text: str) -> str:
    """A text of the core in the language and the units of the window; what is not known stays as it is."""
    spoken, text = language.current(), resized(text)
    return text if spoken == "en" or not _WORD.search(text) else _said(text, spoken)


def value_said(text: str) -> str:
    """Like `said` for a text of the core that may be a figure or a day alone, such as ``4.1 GiB``."""
    if is_quantity(text):
        return localised(text)
    return format_date(text) if _DAY.fullmatch(text) else said(text)


@lru_cache(maxsize=4096)
def _said(text: str, spoken: str) -> str:
    """`said`, remembered; the language is an argument so that a change of it is a new question."""
    bare = text.strip()
    whole = _one(bare)
    if whole is not None:
        return text.replace(bare, whole)
    return _joined(text, spoken)


def _one(text: str) -> str | None:
    """The translation of one sentence, which may begin with a capital letter and end with a full stop."""
    if (found := _whole(text)) is not None:
        return found
    bare = text.removesuffix(".")
    stop = text[len(bare) :]
    if stop and (found := _whole(bare)) is not None:
        return found + stop
    if bare[:1].isupper() and (found := _whole(bare[:1].lower() + bare[1:])) is not None:
        return found[:1].upper() + found[1:] + stop
    return None


def _whole(text: str) -> str | None:
    """The translation if the text is exactly one sentence of the list."""
    for one in sentences():
        if one.probe in text and (found := one.form.fullmatch(text)) is not None:
            values = {name[1:]: value for name, value in found.groupdict().items()}
            translated = QCoreApplication.translate(CONTEXT, one.source)
            return _fill(translated, values)
    return None


def _fill(template: str, values: Mapping[str, str]) -> str:
    """A sentence with what stands in its places."""
    return PLACE.sub(lambda place: _filled(place[1], values[place[1]]), template)


def _filled(place: str, value: str) -> str:
    """What stands in a place: a number by locale, a text said itself."""
    return localised(value) if place.startswith("n") and value != NOT_AVAILABLE else value_said(value)


def _joined(text: str, spoken: str) -> str:
    """Several sentences in one text, each by itself; the text itself if none of them is known."""
    for between, joint in _BETWEEN:
        parts = re.split(between, text)
        if len(parts) > 1:
            told = [_said(part, spoken) for part in parts]
            if told != parts:
                return joint.join(told)
    return text
