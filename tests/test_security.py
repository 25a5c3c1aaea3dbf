"""Each promise of SECURITY.md names a test, and each test that it names is there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "SECURITY.md").read_text("utf-8")
HELD = "Which tests hold it"
_NUMBERED = re.compile(r"^(\d+)\. (.+)", re.MULTILINE)
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


def promises(page: str) -> dict[str, list[tuple[str, str]]]:
    """The tests behind each numbered promise."""
    promised, held = (dict(_NUMBERED.findall(section(page, title))) for title in ("What is promised", HELD))
    return {words: NAMED.findall(held.get(number, "")) for number, words in promised.items()}


def section(page: str, title: str) -> str:
    """What stands below a heading."""
    return page.split(f"## {title}", 1)[1].split("\n## ", 1)[0]


def defined_in(path: Path) -> set[str]:
    """Names of the tests that a file defines."""
    return {node.name for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.FunctionDef)}


def missing(page: str) -> list[str]:
    """Promises without a test, and tests that are not there."""
    found = promises(page)
    alone = [promise for promise, named in found.items() if not named]
    named = sorted({one for tests in found.values() for one in tests} | set(NAMED.findall(page)))
    places = {path: defined_in(ROOT / path) if (ROOT / path).is_file() else set() for path, _ in named}
    return alone + [f"{path}::{name}" for path, name in named if name not in places[path]]


def test_every_promise_names_tests_that_are_there():
    assert missing(PAGE) == []
    assert len(promises(PAGE)) > 20


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        (PAGE.replace("::test_nothing_of_it_was_fetched", "::test_nothing_at_all"), "test_nothing_at_all"),
        (PAGE.replace("tests/cli/test_trust.py", "tests/cli/test_gone.py"), "test_gone.py"),
        (PAGE.replace("\n## What is not", "\n99. We promise much.\n\n## What is not"), "We promise much"),
    ],
)
def test_a_promise_without_a_test_would_be_seen(broken: str, told: str):
    assert any(told in one for one in missing(broken))


def test_the_page_says_what_is_not_promised_and_how_to_report():
    for heading in ("## Against whom", "## What is promised", "## What is not promised", "## Reporting", f"## {HELD}"):
        assert heading in PAGE
    assert "Report a vulnerability" in PAGE
    assert not re.search(r"\S@\S+\.\w", PAGE), "no address of anybody's"
