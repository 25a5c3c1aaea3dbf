"""A language: says the texts of all rooms (`app.core.types.text`), figures and dates by locale.

Texts come from gettext catalogues (``resources/i18n/LANGUAGE/LC_MESSAGES/willittrain.po``, which
``packaging/translations.py`` keeps and compiles), separators and the order of dates from Babel, which has them from
CLDR.  English without a region is the English of the command line, and needs neither.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from functools import lru_cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from typing import TYPE_CHECKING

from app.core.types.text import Quantity, Text, filled
from app.core.types.units import NOT_AVAILABLE, written_bytes
from app.core.types.visible import visible

if TYPE_CHECKING:
    from babel import Locale

DOMAIN = "willittrain"
"""Name of the catalogues."""
SPOKEN = ("en", "de")
"""The languages that are complete."""


@dataclass(frozen=True)
class Language:
    """How a face speaks.

    Args:
        code: For browsers and screen readers (BCP 47), such as ``de``.
        region: Whose separators and dates are written, such as ``de_CH``; None writes English figures and ISO dates.
        decimal_sizes: Sizes are in powers of 1000.
        catalogue: The translations.
    """

    code: str = "en"
    region: str | None = None
    decimal_sizes: bool = False
    catalogue: NullTranslations = field(default_factory=NullTranslations, compare=False)

    def say(self, said: str) -> str:
        """A text in this language; a plain string is a name or said already, and is only made visible."""
        if isinstance(said, Quantity):
            return self._figure(said)
        if not isinstance(said, Text):
            return visible(said, "\n")
        template = said.template
        if said.number is not None:
            template = self.counted(said.template, said.plural, said.number)
        elif not said.values or said.context or template.strip("{}") not in dict(said.values):
            template = self.phrase(template, said.context)
        return filled(template, {name: self._value(value) for name, value in said.values})

    def _value(self, value: str) -> str:
        """What stands in a place; a name has no lines."""
        return self.say(value) if isinstance(value, Text) else visible(value)

    def phrase(self, template: str, context: str = "") -> str:
        """The translation of a template, its places still open."""
        if not template:
            return ""
        return self.catalogue.pgettext(context, template) if context else self.catalogue.gettext(template)

    def counted(self, one: str, many: str, number: float) -> str:
        """The translation of a template that speaks of a number of things; in no language one and a half is one."""
        whole = int(number) if number == int(number) else 2
        return self.catalogue.ngettext(one, many, whole)

    def date(self, iso_date: str) -> str:
        """A date such as ``2026-10-01``; what is no whole date stays as it is."""
        try:
            day = date.fromisoformat(iso_date)
        except ValueError:
            return iso_date
        if (locale := _locale(self.region)) is None:
            return iso_date
        from babel.dates import format_date

        return format_date(day, _day_form(locale), locale)

    def moment(self, iso_time: str) -> str:
        """A stored time as local date and time to the minute."""
        try:
            local = datetime.fromisoformat(iso_time).astimezone()
        except ValueError:
            return iso_time
        if (locale := _locale(self.region)) is None:
            return local.strftime("%Y-%m-%d %H:%M")
        from babel.dates import format_datetime

        form = f"{_day_form(locale)} {locale.time_formats['short'].pattern}"
        return format_datetime(local.replace(tzinfo=None), form, locale=locale)

    def _figure(self, quantity: Quantity) -> str:
        """A quantity by locale."""
        if quantity.unit == "date":
            return self.date(quantity)
        if quantity.unit == "moment":
            return self.moment(quantity)
        if quantity.amount is None:
            return self.phrase(NOT_AVAILABLE.template) if quantity == NOT_AVAILABLE else str(quantity)
        bytes_wished = quantity.unit == "bytes" and self.decimal_sizes
        written = written_bytes(quantity.amount, decimal=True) if bytes_wished else str(quantity)
        return written if self.region is None else written.translate(separators(self.region))


ENGLISH = Language()
"""How the command line, JSON and logs speak."""


def load(code: str, folder: Path, *, region: str | None = None, decimal_sizes: bool = False) -> Language:
    """A language with its catalogue; English texts stand in the source, so that English may have none.

    Args:
        code: One of `SPOKEN`.
        folder: ``resources/i18n``.
        region: Whose figures and dates.
        decimal_sizes: Sizes in powers of 1000.
    """
    return Language(code, region, decimal_sizes, _catalogue(folder / code / "LC_MESSAGES" / f"{DOMAIN}.mo"))


@lru_cache(maxsize=8)
def _catalogue(path: Path) -> NullTranslations:
    """A compiled catalogue, read once."""
    if not path.is_file():
        return NullTranslations()
    with path.open("rb") as file:
        return GNUTranslations(file)


@lru_cache(maxsize=8)
def separators(region: str) -> dict[int, str]:
    """What stands in a region for the point and the comma of English figures; English where Babel knows it not."""
    locale = _locale(region)
    if locale is None:
        return {}
    symbols = locale.number_symbols.get("latn", {})
    return {ord("."): symbols.get("decimal", "."), ord(","): symbols.get("group", ",")}


def _day_form(locale: Locale) -> str:
    """The region's short date with the whole year: ``1/5/26`` may be read as a day, a month or a year."""
    form: str = locale.date_formats["short"].pattern
    return form if "yyyy" in form else form.replace("yy", "yyyy")


@lru_cache(maxsize=8)
def _locale(region: str | None) -> Locale | None:
    """What Babel knows of a region."""
    if region is None:
        return None
    from babel import Locale, UnknownLocaleError

    try:
        return Locale.parse(region)
    except (UnknownLocaleError, ValueError):
        return None
