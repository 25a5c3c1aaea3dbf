"""What steers a terminal or deceives a reader is written so that it is seen."""

from __future__ import annotations

import json
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.types.visible import visible, visible_cell, visible_json

HIDDEN = ("Cc", "Cf", "Cs", "Zl", "Zp")
"""Categories: control, format, surrogate, line and paragraph separator."""
ANY_TEXT = st.text(st.characters(exclude_categories=()))


def hidden(text: str) -> list[str]:
    """The characters of a text that cannot be seen."""
    return [char for char in text if unicodedata.category(char) in HIDDEN]


def test_every_character_of_unicode_that_cannot_be_seen_is_written_as_ascii():
    shown = {chr(point): visible(chr(point)) for point in range(sys.maxunicode + 1)}
    assert [char for char in shown if char == shown[char] and hidden(char)] == []
    changed = [char for char in shown if char != shown[char]]
    assert all(unicodedata.category(char) in (*HIDDEN, "Cn") for char in changed)
    assert all(shown[char].isascii() and shown[char].isprintable() for char in changed)


@given(ANY_TEXT)
def test_nothing_hidden_is_left_but_joiners_between_letters_of_other_scripts(text):
    shown = visible(text)
    assert set(hidden(shown)) <= {"\u200c", "\u200d"}
    assert visible(shown) == shown
    if not hidden(text):
        assert shown == text


@given(ANY_TEXT)
def test_lines_stay_where_they_are_wanted(text):
    assert visible(text, "\n").count("\n") == text.count("\n")
    assert "\r" not in visible(text, "\n")


@given(st.recursive(ANY_TEXT, lambda inner: st.lists(inner) | st.dictionaries(ANY_TEXT, inner)))
def test_json_means_the_same(document):
    for written in (json.dumps(document, indent=2), json.dumps(document, ensure_ascii=False)):
        shown = visible_json(written)
        assert json.loads(shown) == json.loads(written)
        assert set(hidden(shown)) <= {"\n"}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("net\x1b]52;c;eA==\x07.keras", "net\\x1b]52;c;eA==\\x07.keras"),
        ("cod\u202efdp.exe", "cod\\u202efdp.exe"),
        ("\x9b2J", "\\x9b2J"),
        ("two\nlines\r\t", "two\\nlines\\r\\t"),
        ("pay\u200bpal\ufeff", "pay\\u200bpal\\ufeff"),
        ("caf\udce9", "caf\\udce9"),
        ("\u2066x\u2069\u2028\u2029", "\\u2066x\\u2069\\u2028\\u2029"),
        ("a\u200db", "a\\u200db"),
        ("می\u200cخواهم 👩\u200d💻", "می\u200cخواهم 👩\u200d💻"),
        ("Müller · 3×4", "Müller · 3×4"),
    ],
)
def test_examples(text, shown):
    assert visible(text) == shown


@pytest.mark.parametrize("text", ["=1+1", "+cmd|' /C calc'!A0", "-1+cmd", "@SUM(A1)", "\t=1", "-", "=\x1b]52;c;x\x07"])
def test_no_cell_is_a_formula(text):
    assert visible_cell(text) == f"'{visible(text)}"


@pytest.mark.parametrize("text", ["", "dense", "-5", "+1.5e-3", "-1,234.5", "2 = 2", "~ 3"])
def test_cells_of_numbers_and_words_stay(text):
    assert visible_cell(text) == text
