import copy
import json
import pickle

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.types.text import Text, from_plain, join, phrase, phrase_in, places, plural, sentence, to_plain, verbatim
from app.core.types.units import GIB, format_bytes, format_count, format_number, format_seconds

NAMES = st.sampled_from(["size", "limit", "device", "n"])
FIXED = st.text(st.characters(exclude_characters="{}\0\1", exclude_categories=["Cs"]), max_size=8)
WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
QUANTITIES = st.one_of(
    st.floats(0, 1e15).map(format_bytes),
    st.floats(0, 1e9).map(format_seconds),
    st.integers(0, 10**9).map(format_count),
    st.floats(allow_nan=False).map(lambda value: format_number(value, ".2g")),
    st.none().map(format_bytes),
)


@st.composite
def texts(draw, depth=2):
    names = draw(st.lists(NAMES, unique=True))
    fixed = [draw(FIXED) for _ in range(len(names) + 1)]
    template = fixed[0] + "".join(f"{{{name}}}{after}" for name, after in zip(names, fixed[1:], strict=True))
    inside = WORDS | QUANTITIES | (texts(depth - 1) if depth else st.nothing())
    return Text(template, [(name, draw(inside)) for name in names])


def test_a_text_is_its_english():
    told = phrase("needs {needed} of {allowed}", needed=format_bytes(4 * GIB), allowed=format_bytes(None))
    assert told == "needs 4.0 GiB of not available"
    assert f"{told}!" == "needs 4.0 GiB of not available!"
    assert json.dumps([told]) == '["needs 4.0 GiB of not available"]'
    assert type(str(told)) is str


@pytest.mark.parametrize("values", [{}, {"a": "x", "b": "y"}, {"b": "y"}])
def test_a_place_without_value_and_a_value_without_place_are_refused(values):
    with pytest.raises(ValueError, match="places and values differ"):
        phrase("one {a}", **values)


@pytest.mark.parametrize(("number", "told"), [(1, "1 file"), (0, "0 files"), (2000, "2,000 files"), (1.5, "2 files")])
def test_one_thing_is_singular(number, told):
    assert plural("{n} file", "{n} files", number, n=format_count(number)) == told


def test_braces_are_doubled_in_templates_and_left_alone_in_values():
    assert phrase("{{{name}}} of {{}}", name="{x}") == "{{x}} of {}"
    assert join("{}", ["a", "b"]) == "a{}b"
    assert places("{{a}} {b}") == {"b"}


def test_texts_are_joined_and_stay_texts():
    parts = [phrase("a file"), format_bytes(1), "x"]
    assert join("; ", parts) == "; ".join(parts) == "a file; 1 B; x"
    assert [value for _, value in join("; ", parts).values] == parts
    assert join(", ", []) == ""
    assert join(", ", [parts[0]]) is parts[0]
    for both in (parts[0] + " b", parts[0] + parts[1], "b " + parts[0], parts[0] * True, 0 * parts[0]):
        assert isinstance(both, Text)
    assert "b " + parts[0] == "b a file"
    assert not parts[0] * False


def test_a_sentence_begins_with_a_capital_letter():
    assert sentence(phrase("a file"), ".") == "A file."
    assert not sentence("", ".")


@given(texts())
def test_every_text_survives_copies_and_json(told):
    for again in (from_plain(json.loads(json.dumps(to_plain(told)))), copy.deepcopy(told)):
        assert again == told
        assert again.values == told.values
        assert again.template == told.template
    again = pickle.loads(pickle.dumps(told))
    assert (again, again.values) == (told, told.values)
    assert from_plain(msgspec.json.decode(msgspec.json.encode(to_plain({"x": (told,)})))["x"][0]) == told


def test_plurals_and_contexts_survive_json():
    told = plural("{n} file", "{n} files", 3, n=format_count(3))
    again = from_plain(to_plain(told))
    assert (again, again.plural, again.number) == (told, told.plural, 3)
    assert from_plain(to_plain(phrase_in("price", "free"))).context == "price"


def test_what_older_versions_stored_is_shown_as_it_is():
    assert from_plain("needs {4.1 GiB}") == "needs {4.1 GiB}"
    assert verbatim("") == ""
    assert not verbatim("").values


@pytest.mark.parametrize("told", [None, 3, {}, {"text": "a {b}", "values": {}}, {"unit": "bytes"}])
def test_what_is_no_text_is_refused(told):
    with pytest.raises(ValueError, match=r"no text|places"):
        from_plain(told)
