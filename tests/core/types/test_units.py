import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.types.errors import BadModel, UsageError
from app.core.types.messages import PROTOCOL_VERSION, Done, Failed, Phase, Progress, Reading, encode
from app.core.types.units import GIB, MIB, format_bytes, format_count, format_seconds, format_share, parse_bytes


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (0, "0 B"),
        (1023, "1023 B"),
        (1536, "1.5 KiB"),
        (6 * GIB, "6.0 GiB"),
        (3961 * MIB, "3.9 GiB"),
        (None, "not available"),
    ],
)
def test_sizes_are_written_with_one_decimal(size, text):
    assert format_bytes(size) == text


@pytest.mark.parametrize(
    ("time_s", "text"),
    [
        (0.019, "19 ms"),
        (5.2, "5.2 s"),
        (4787, "80 min"),
        (150, "2.5 min"),
        (3 * 3600 + 300, "3 h 05 min"),
        (2e-5, "20 µs"),
        (90 * 3600, "3 d 18 h"),
        (None, "not available"),
    ],
)
def test_durations_are_written_for_people(time_s, text):
    assert format_seconds(time_s) == text


def test_shares_are_written_with_a_space_and_differences_with_a_sign():
    assert [format_share(share) for share in (0, 0.184, 1)] == ["0 %", "18 %", "100 %"]
    assert [format_share(share) for share in (1e-9, 0.0049, 0.0051)] == ["< 1 %", "< 1 %", "1 %"]
    assert [format_share(share, signed=True) for share in (0.031, -0.072, -0.001)] == ["+3 %", "−7 %", "+0 %"]


def test_no_other_form_of_a_share_is_written_anywhere():
    app = Path(__file__).parents[3] / "app"
    forms = re.compile(r":[+,]*\.\d%\}")
    assert [path.name for path in app.rglob("*.py") if forms.search(path.read_text("utf-8"))] == []
    assert forms.search('f"{share:.0%} of it"')


def test_counts_have_separators():
    assert format_count(25_636_712) == "25,636,712"


@pytest.mark.parametrize(
    ("text", "size"), [("32GB", 32 * GIB), ("512 MiB", 512 * MIB), ("1073741824", GIB), ("1.5g", 3 * GIB // 2)]
)
def test_memory_sizes_are_read_as_they_are_sold(text, size):
    assert parse_bytes(text) == size


@given(st.text(max_size=12).filter(lambda text: not any(c.isdecimal() for c in text)))
def test_anything_else_is_refused_with_an_example(text):
    with pytest.raises(UsageError, match="32GB"):
        parse_bytes(text)


def test_an_error_says_expected_received_and_what_to_do():
    error = BadModel("no such model", expected="a name", received="'x'", hint="try resnet50")
    assert str(error) == "no such model; expected a name; received 'x'; try resnet50"
    assert error.exit_code == 3


@given(st.floats(0, 1), st.text())
def test_a_message_is_one_line_of_json(fraction, text):
    line = encode(Progress(fraction, text))
    assert line.count(b"\n") == 1
    decoded = json.loads(line)
    body = {"fraction": fraction, "text": text, "left_s": None}
    assert decoded == {"v": PROTOCOL_VERSION, "kind": "progress", "body": body}


@pytest.mark.parametrize("message", [Phase("build", 0.1), Reading(1.0, 3), Done({}), Failed("error", "x")])
def test_every_message_has_a_kind(message):
    assert json.loads(encode(message))["kind"] == type(message).__name__.lower()


def test_not_a_number_is_not_json():
    with pytest.raises(ValueError, match="not JSON compliant"):
        encode(Reading(float("nan"), 1))
