"""What the studies have stored and ship."""

import re
from pathlib import Path

import pytest

FOLDERS = ("studies/accuracy", "resources/accuracy")
STORED = [
    path
    for folder in FOLDERS
    for path in sorted((Path(__file__).parents[2] / folder).rglob("*"))
    if path.suffix in (".csv", ".json", ".jsonl")
]


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.name)
def test_no_place_of_the_machine_that_measured_is_named(path):
    found = re.search(r"(?<![\w.~])/(home|root|tmp|work|Users|opt)/\S{3,60}", path.read_text(encoding="utf-8"))
    assert found is None, found
