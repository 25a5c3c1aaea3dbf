"""The rooms and which way imports run: at rest by import-linter, at run time by looking at what is loaded."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MOST_PARAMETERS = 8
PROBE = "import sys, importlib; importlib.import_module({!r}); sys.exit({!r} in sys.modules)"


def loads(module: str, forbidden: str) -> int:
    """1 if importing ``module`` loads ``forbidden``, else 0."""
    return subprocess.run([sys.executable, "-c", PROBE.format(module, forbidden)], cwd=ROOT, check=False).returncode


@pytest.mark.parametrize(
    ("module", "forbidden"),
    [
        ("app.core.predict.estimate", "PySide6"),
        ("app.core.predict.estimate", "tensorflow"),
        ("app.core.predict.estimate", "psutil"),
        ("app.presentation.advice", "PySide6"),
        ("app.presentation.advice", "rich"),
        ("app.services.advisor", "tensorflow"),
        ("app.services.advisor", "keras"),
        ("app.services.advisor", "PySide6"),
        ("app.ui.shell.main_window", "tensorflow"),
        ("app.cli.main", "PySide6"),
        ("app.cli.main", "tensorflow"),
        ("app.worker.main", "PySide6"),
        ("app.worker.main", "psutil"),
        ("app.worker.main", "msgspec"),
        ("app.probes.machine", "tensorflow"),
    ],
)
def test_module_does_not_load(module, forbidden):
    assert loads(module, forbidden) == 0


def test_the_run_time_guard_can_fail():
    assert loads("app.services.child.worker_process", "msgspec") == 1


def lint(root: Path) -> subprocess.CompletedProcess[str]:
    """Run the import contracts of a checkout."""
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)


def copy_with(tmp_path: Path, file: str, line: str) -> Path:
    """A copy of the program with one line added."""
    for source in [*(ROOT / "app").rglob("*.py"), ROOT / "pyproject.toml"]:
        target = tmp_path / source.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(source.read_bytes())
    with (tmp_path / file).open("a") as changed:
        changed.write(f"\n{line}\n")
    return tmp_path


def long_lists_of_parameters(sources: dict[str, str]) -> list[str]:
    """Functions with more parameters than a reader keeps in mind."""
    return [
        f"{name}: {node.name}"
        for name, source in sources.items()
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef)
        if len([a for a in (*node.args.args, *node.args.kwonlyargs) if a.arg not in ("self", "cls")]) > MOST_PARAMETERS
    ]


def test_no_function_of_these_rooms_has_too_many_parameters():
    files = [path for room in ("worker", "probes", "catalog") for path in (ROOT / "app" / room).rglob("*.py")]
    assert long_lists_of_parameters({str(path): path.read_text("utf-8") for path in files}) == []
    nine = "def f(self, a, b, c, d, e, *, g, h, i, j): ..."
    assert long_lists_of_parameters({"x.py": nine}) == ["x.py: f"]


def test_the_contracts_hold():
    result = lint(ROOT)
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize(
    ("file", "line", "contract"),
    [
        ("app/core/types/units.py", "from app.ui import theme", "Faces over services"),
        ("app/core/types/units.py", "import psutil", "core is arithmetic"),
        ("app/core/types/units.py", "import time", "core is arithmetic"),
        ("app/presentation/words.py", "from app.services.store import runs", "Faces over services"),
        ("app/presentation/words.py", "def f():\n    from rich import box", "What is said knows no face"),
        ("app/services/settings.py", "def f():\n    import tensorflow", "Only the child loads a framework"),
        ("app/ui/kit/bridge.py", "from app.worker.tracing import trace", "nobody imports the child"),
        ("app/worker/tracing/loops.py", "import msgspec", "The child needs only"),
        ("app/core/types/units.py", "from app.core.predict import fit", "Rooms of core"),
        ("app/core/simulate/program.py", "from app.core.simulate.xla import hlo", "Simulation: ways of running"),
        ("app/core/simulate/xla/hlo.py", "from app.core.simulate import op_memory", "Simulation: ways of running"),
        ("app/services/store/runs.py", "from app.services.benchmarks import bench", "Rooms of services"),
        ("app/worker/backends/base.py", "from app.worker.benchmark import run", "Rooms of the child"),
        ("app/worker/benchmark/loop.py", "def f():\n    import keras", "A benchmark knows no framework"),
        ("app/ui/fit/fit_page.py", "from app.ui.runs import runs_page", "Rooms of the window"),
        ("app/cli/main.py", "def f():\n    import studies.accuracy.figures", "neither its tests nor its studies"),
        ("app/core/types/units.py", "from tests import fakes", "neither its tests nor its studies"),
    ],
)
def test_the_contracts_can_fail(tmp_path, file, line, contract):
    result = lint(copy_with(tmp_path, file, line))
    assert result.returncode != 0
    assert contract in result.stdout


MOST_PARAMETERS = 8
FEW_PARAMETERS = [
    f"app/core/{room}" for room in ("advising", "gpu_support", "pipeline", "runs", "simulate", "timing", "types")
]
"""Rooms that keep to it."""


def long_signatures(source: str) -> list[str]:
    """Functions with more parameters than anybody can keep apart; ``self`` and ``cls`` are none."""
    functions = [n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    return [
        f.name
        for f in functions
        if len({a.arg for a in ast.walk(f.args) if isinstance(a, ast.arg)} - {"self", "cls"}) > MOST_PARAMETERS
    ]


@pytest.mark.parametrize("room", FEW_PARAMETERS)
def test_no_function_has_more_than_eight_parameters(room):
    found = {str(file): long_signatures(file.read_text()) for file in (ROOT / room).rglob("*.py")}
    assert found
    assert not {file: names for file, names in found.items() if names}


def test_the_count_of_parameters_can_fail():
    eight = ", ".join(f"p{n}" for n in range(8))
    assert long_signatures(f"class A:\n def f(self, {eight}): pass\ndef g({eight}, *, more=1): pass") == ["g"]
