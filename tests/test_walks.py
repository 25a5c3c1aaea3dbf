"""The walks of ``docs/walks.md`` lead through code that is there, and stay short."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
STEP = re.compile(r"^\d+\. `(app/[\w/]+\.py)`: `([\w.]+)`", re.MULTILINE)
WALKS = {
    part.splitlines()[0]: STEP.findall(part) for part in (ROOT / "docs/walks.md").read_text("utf-8").split("\n## ")[1:]
}


def functions(path):
    """Functions of a file, with the class that a method belongs to."""
    found = set()
    for node in ast.parse((ROOT / path).read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{one.name}" for one in node.body if isinstance(one, ast.FunctionDef)}
    return found


@pytest.mark.parametrize("walk", WALKS)
def test_every_step_of_a_walk_is_a_function_of_its_file(walk):
    assert [f"{path}: {name}" for path, name in WALKS[walk] if name not in functions(path)] == []


@pytest.mark.parametrize("walk", WALKS)
def test_a_walk_is_short(walk):
    assert 10 <= len(WALKS[walk]) <= 20
    assert len({path for path, _ in WALKS[walk]}) <= 12


def test_both_walks_are_read():
    assert len(WALKS) == 2
