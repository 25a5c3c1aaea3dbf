"""`docs/evidence.md` and the constants that cite it say the same."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TEXT = (ROOT / "docs" / "evidence.md").read_text(encoding="utf-8")
TITLES = re.findall(r"^#{2,3} (.+)$", TEXT, re.MULTILINE)
ROWS = re.findall(r"^\| `([A-Z][A-Z_, ]+)` \| `(.+?)` \| `(app/.+?\.py)` \| \[.+?\]\(#(.+?)\) \|", TEXT, re.MULTILINE)
CITATION = re.compile(r'docs/evidence\.md,\s+"([^"]+)"')


def assignments(path: Path) -> dict[str, str]:
    """Constants of a module and their values, however these are laid out."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = [(node.targets[0], node.value) for node in tree.body if isinstance(node, ast.Assign)]
    return {ast.unparse(target).strip("()"): ast.unparse(value) for target, value in found}


def cited(path: Path) -> list[str]:
    """Sections of the evidence that a module names."""
    return [" ".join(named.split()) for named in CITATION.findall(path.read_text(encoding="utf-8"))]


def anchor(title: str) -> str:
    """The link to a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def test_there_are_rows():
    assert len(ROWS) == sum(line.startswith("| `") for line in TEXT.splitlines()) > 10


@pytest.mark.parametrize(("names", "value", "file", "section"), ROWS)
def test_a_constant_stands_where_the_evidence_says_and_has_its_value(names, value, file, section):
    assert assignments(ROOT / file)[names] == ast.unparse(ast.parse(value)).strip()
    titles = [title for title in TITLES if anchor(title) == section]
    assert len(titles) == 1
    assert any(titles[0].startswith(named) for named in cited(ROOT / file))


def test_every_citation_names_a_section():
    named = {(str(path.relative_to(ROOT)), name) for path in (ROOT / "app").rglob("*.py") for name in cited(path)}
    mentions = sum(path.read_text(encoding="utf-8").count("docs/evidence.md") for path in (ROOT / "app").rglob("*.py"))
    assert mentions == sum(len(cited(path)) for path in (ROOT / "app").rglob("*.py"))
    assert [n for n in sorted(named) if not any(title.startswith(n[1]) for title in TITLES)] == []
