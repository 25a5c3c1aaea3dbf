"""The window shows and asks; it does not compute: held by reading its own imports."""

import ast
from pathlib import Path

import pytest

import app.ui

UI = Path(app.ui.__file__).parent
TYPES = {f"types.{path.stem}" for path in (UI.parent / "core" / "types").glob("*.py")}
TYPES_AND_WORDS = TYPES | {"runs.comparison", "pipeline.waiting"}
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


def held_workloads(source):
    """Attributes that keep a workload: declared as one, or given one."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef):
            fields = [line for line in node.body if isinstance(line, ast.AnnAssign)]
            found |= {f"{node.name}.{one.target.id}" for one in fields if names_workload(one.annotation)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Attribute):
            found |= {node.target.attr} if names_workload(node.annotation) else set()
        elif isinstance(node, ast.Assign):
            every = [one for target in node.targets for one in getattr(target, "elts", [target])]
            kept = [one for one in every if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name)]
            given = {one.id for one in ast.walk(node.value) if isinstance(one, ast.Name)} & {"workload"}
            whole = isinstance(node.value, ast.Name | ast.Tuple | ast.List | ast.Dict)
            found |= {one.attr for one in kept if given and whole}
    return found


def names_workload(annotation):
    """Does an annotation speak of a workload."""
    names = {one.id for one in ast.walk(annotation) if isinstance(one, ast.Name)}
    return "Workload" in names or (isinstance(annotation, ast.Constant) and "Workload" in str(annotation.value))


def test_only_the_session_holds_the_users_workload():
    kept = {path.relative_to(UI): held_workloads(path.read_text("utf-8")) for path in UI.rglob("*.py")}
    holders = {str(path): names for path, names in kept.items() if names}
    assert holders == {"session/session.py": {"workload", "remembered"}}


def test_a_second_holder_would_be_found():
    assert held_workloads("class Form:\n    def __init__(self):\n        self._own: Workload | None = None") == {"_own"}
    assert held_workloads("class State:\n    shown: Workload") == {"State.shown"}
    assert held_workloads("class Form:\n    def take(self, workload):\n        self._own = workload") == {"_own"}
    assert held_workloads("class Form:\n    def take(self, workload):\n        self._own = (1, workload)") == {"_own"}
    assert held_workloads("class Form:\n    def take(self, workload):\n        self._plan = workload.plan") == set()


def test_the_main_window_stays_small():
    assert len((UI / "shell/main_window.py").read_text("utf-8").splitlines()) < 200


def test_what_connects_the_window_is_typed():
    wires = [UI / "shell/wiring.py", UI / "shell/page_stack.py", *UI.rglob("wire.py")]
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
