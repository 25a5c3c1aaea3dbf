from gettext import NullTranslations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.types import units
from app.core.types.text import join, phrase, phrase_in, plural, sentence, verbatim
from app.presentation.language import ENGLISH, Language, load


class Shouting(NullTranslations):
    """A language in which every template is in capitals, its places as they are."""

    def gettext(self, message):
        return {"needs {needed} of {allowed}": "VON {allowed} NÖTIG {needed}", "a file": "EINE DATEI"}.get(
            message, message
        )

    def ngettext(self, msgid1, msgid2, n):
        return "{n} DATEI" if n == 1 else "{n} DATEIEN"

    def pgettext(self, context, message):
        return f"{context}:{message}"


GERMAN = Language("de", "de_DE", catalogue=Shouting())


def test_values_stand_where_the_language_wants_them_and_are_written_by_locale():
    told = phrase("needs {needed} of {allowed}", needed=units.format_bytes(4.1 * units.GIB), allowed="a file, 1.5")
    assert GERMAN.say(told) == "VON a file, 1.5 NÖTIG 4,1 GiB"
    assert ENGLISH.say(told) == told


def test_texts_in_texts_are_said_and_strings_stay():
    assert GERMAN.say(join("; ", [phrase("a file"), "a file", verbatim("a file")])) == "EINE DATEI; a file; a file"
    assert GERMAN.say("a file") == "a file"
    assert GERMAN.say(sentence(phrase("a file"), ".")) == "EINE DATEI."


@pytest.mark.parametrize(("number", "said"), [(1, "1 DATEI"), (2, "2 DATEIEN"), (1500, "1.500 DATEIEN")])
def test_a_number_decides_the_form(number, said):
    assert GERMAN.say(plural("{n} file", "{n} files", number, n=units.format_count(number))) == said


def test_a_context_tells_homonyms_apart():
    assert GERMAN.say(phrase_in("price", "Free")) == "price:Free"


@given(value=st.floats(0, 1e15))
def test_only_separators_differ_between_regions(value):
    figures = units.format_bytes(value), units.format_seconds(value), units.format_number(value, ",.2f")
    for figure in figures:
        assert GERMAN.say(figure).translate({ord("."): ",", ord(","): "."}) == figure
        assert Language(region="en_US").say(figure) == ENGLISH.say(figure) == figure


def test_regions_write_figures_and_dates_of_their_own():
    figure, day = units.format_number(1234.5, ",.2f"), units.format_day("2026-10-01")
    assert [Language(region=region).say(figure) for region in ("de_DE", "de_CH", "fr_FR", "xx_YY")] == [
        "1.234,50",
        "1’234.50",
        "1\u202f234,50",
        "1,234.50",
    ]
    said = [Language(region=region).say(day) for region in ("de_DE", "en_US", "en_GB", "xx_YY", None)]
    assert said[:3] == ["01.10.2026", "10/1/2026", "01/10/2026"]
    assert said[4] == "2026-10-01"


def test_what_is_no_date_stays():
    assert GERMAN.date("2026-10") == "2026-10"
    assert GERMAN.moment("no time") == "no time"
    assert GERMAN.moment("2026-10-01T12:00:00Z")[:10].endswith(".10.2026")


def test_sizes_are_in_powers_of_1000_if_wished():
    assert Language(decimal_sizes=True).say(units.format_bytes(4.1 * units.GIB)) == "4.4 GB"
    assert Language(decimal_sizes=True).say(units.format_bytes(None)) == "not available"


def test_a_language_without_catalogue_is_english(tmp_path):
    assert load("en", tmp_path).say(phrase("a file")) == "a file"
