"""What of a stranger's source is parsed in a process that has to go on."""

from __future__ import annotations

import pkgutil
from encodings import __path__ as known

import pytest

from app.core.types.source_text import MAX_CODE_BYTES, Hiding, Unreadable, parsed, text_of


@pytest.mark.parametrize("between", [".", " . ", ".\\\n", "\t.\\\n  "])
def test_a_name_of_many_parts_does_not_reach_the_parser(between: str):
    with pytest.raises(Unreadable, match="…"):
        parsed("x = 1\nimport " + between.join(["abc"] * 101))


def test_what_people_write_does():
    chain = "x = (frame\n" + "".join(f"  .step_{n}(1.5, ...)\n" for n in range(300)) + ")"
    assert len(parsed(f"{chain}\n'''{'...'.join('abc')}'''\nimport {'.'.join(['a'] * 50)}").body) == 3


@pytest.mark.parametrize("text", ["def f(:", "\0", "(" * 5000, "#" * (MAX_CODE_BYTES + 1)])
def test_what_is_no_python_is_one_error(text: str):
    with pytest.raises(Unreadable):
        parsed(text)


def test_encodings_that_make_other_text_of_text_are_refused():
    refused = set()
    for found in pkgutil.iter_modules(known):
        try:
            text_of(f"# coding: {found.name}\nx = 1\n".encode())
        except Hiding:
            refused.add(found.name)
    assert {"unicode_escape", "raw_unicode_escape", "utf_7", "punycode", "idna"} <= refused
    assert not {"utf_8", "ascii", "latin_1", "cp1252", "iso8859_15", "gb18030", "shift_jis", "euc_kr"} & refused


def test_what_is_no_text_has_odd_characters():
    assert text_of(b"x = '\xe9'\n") == "x = '\ufffd'\n"
