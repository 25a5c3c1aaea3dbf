"""The window shows and asks; it does not compute: held by reading its own imports."""

import ast
from pathlib import Path

import pytest

import app.ui

UI = Path(app.ui.__file__).parent
TYPES = set(
    "advice backends cancelling errors machine measurement memory_over_time messages options plan prediction "
    "step_profile stepgraph text track_record units variants workload".split()
)
TYPES_AND_WORDS = {f"types.{name}" for name in TYPES} | {
    "runs.comparison",
    "runs.memory_course",
    "predict.track_record",
    "pipeline.waiting",
}
"""Modules of the core that hold types, words and units; all others are formulas."""
FEATURES = ("advice", "benchmark", "fit", "machine", "runs", "upgrades", "workload")
PAGES = sorted(path for feature in FEATURES for path in (UI / feature).glob("*_page.py"))


def core_modules(source):
    """Modules of the core that a source imports when it runs, not only for types."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("app.core."):
            module = node.module.removeprefix("app.core.")
            found |= {module} if "." in module else {f"{module}.{name.name}" for name in node.names}
        elif isinstance(node, ast.Import):
            found |= {name.name.removeprefix("app.core.") for name in node.names if name.name.startswith("app.core.")}
    return found


@pytest.mark.parametrize("path", sorted(UI.rglob("*.py")), ids=lambda path: str(path.relative_to(UI)))
def test_no_module_of_the_window_knows_a_formula(path):
    assert core_modules(path.read_text("utf-8")) <= TYPES_AND_WORDS


def test_the_guard_can_fail():
    assert core_modules("from app.core.timing.steptime import card_rates") == {"timing.steptime"}
    assert core_modules("from app.core.predict import memory") == {"predict.memory"}
    assert core_modules("import app.core.predict.memory") == {"predict.memory"}


def test_the_main_window_stays_small():
    assert len((UI / "shell/main_window.py").read_text("utf-8").splitlines()) < 200


def test_what_connects_the_window_is_typed():
    wires = [UI / "shell/wiring.py", UI / "shell/page_factories.py", *UI.rglob("wire.py")]
    assert len(wires) == 2 + len(FEATURES)
    loose = ("Any", "getattr", "type: ignore[attr-defined]")
    assert [path.name for path in wires for word in loose if word in path.read_text("utf-8")] == []


def test_every_page_is_looked_at():
    assert len(PAGES) == 5


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_a_page_renders_a_state_and_asks_nobody(path):
    source = path.read_text("utf-8")
    assert "def set_state(self, state:" in source
    forbidden = ("app.ui.session.session", "app.ui.session.ports", "app.ui.kit.bridge", "presenter", "app.services")
    imports = [line for line in source.splitlines() if line.lstrip().startswith(("import ", "from "))]
    assert [line for line in imports if any(word in line for word in forbidden)] == []
