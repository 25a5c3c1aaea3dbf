"""The rooms and which way imports run: at rest by import-linter, at run time by looking at what is loaded."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
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
        ("willittrain.keras", "app"),
        ("willittrain.watch", "keras"),
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
    sources = (*(ROOT / "app").rglob("*.py"), *(ROOT / "willittrain").rglob("*.py"))
    for source in [*sources, ROOT / "pyproject.toml"]:
        target = tmp_path / source.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(source.read_bytes())
    with (tmp_path / file).open("a") as changed:
        changed.write(f"\n{line}\n")
    return tmp_path


WRITERS = {
    "services/whole_write.py": "the one writer",
    "services/file_lock.py": "an empty file to hold",
    "services/runtimes/make.py": "scripts of an environment that has not taken its place",
    "worker/benchmark/profile.py": "into a folder that the parent takes over whole",
    "services/child/warden.py": "the kernel's word on what dies first",
    "cli/main.py": "the null device",
    "services/child/sandbox.py": "into a folder that is gone with the answer",
    "worker/backends/memory_readings.py": "the kernel's count of what was resident at most",
    "worker/models/own/read_files.py": "nothing: it knows the flags of who does",
    "worker/script/journal.py": "into the child's own temporary folder",
}
WRITING = set("write_text write_bytes copyfile copytree copy2 NamedTemporaryFile QFile QSaveFile QImageWriter".split())
FLAGS = {"O_WRONLY", "O_RDWR", "O_CREAT", "O_APPEND"}
MODE = re.compile(r"[rbt]*[wax+][rbtwax+]*")


def places_that_write(source: str) -> list[int]:
    """Lines that open a file for writing, or call what does."""
    found = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Attribute) and node.attr in FLAGS]
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    for call in calls:
        name = getattr(call.func, "attr", getattr(call.func, "id", ""))
        words = [*call.args, *(word.value for word in call.keywords if word.arg == "mode")]
        modes = [word.value for word in words if isinstance(word, ast.Constant) and isinstance(word.value, str)]
        if name in WRITING or (name == "open" and any(MODE.fullmatch(mode) for mode in modes)):
            found.append(call)
    return sorted(node.lineno for node in found)


def test_nothing_but_the_one_writer_opens_a_file_for_writing():
    files = {
        path.relative_to(ROOT / "app").as_posix(): path.read_text("utf-8") for path in (ROOT / "app").rglob("*.py")
    }
    assert {name for name, source in files.items() if places_that_write(source)} == set(WRITERS)


@pytest.mark.parametrize(
    "line",
    [
        "open(path, 'w')",
        "open(path, mode='ab')",
        "path.open('x')",
        "path.open('r+b')",
        "gzip.open(path, 'wt')",
        "path.write_text('x')",
        "os.open(path, os.O_WRONLY)",
        "QFile(path)",
        "shutil.copyfile(a, b)",
    ],
)
def test_a_place_that_writes_is_seen(line):
    assert places_that_write(line)
    assert not places_that_write("open(path)\npath.open('rb')\nopen(path, 'r', encoding='utf-8')")


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
        ("app/services/machine/doctor.py", "from app.services.predictor import query", "Rooms of services"),
        ("app/services/predictor/query.py", "from app.services.benchmarks import bench", "Rooms of services"),
        ("app/services/catalog/catalog.py", "from app.services.machine import device_facts", "Rooms of services"),
        ("app/services/benchmarks/bench.py", "def f():\n    import app.services.advisor", "Rooms of services"),
        ("app/worker/backends/base.py", "from app.worker.benchmark import run", "Rooms of the child"),
        ("app/worker/benchmark/loop.py", "def f():\n    import keras", "A benchmark knows no framework"),
        ("app/ui/fit/fit_page.py", "from app.ui.runs import runs_page", "Rooms of the window"),
        ("app/cli/main.py", "def f():\n    import studies.accuracy.figures", "neither its tests nor its studies"),
        ("app/core/types/units.py", "from tests import fakes", "neither its tests nor its studies"),
        ("willittrain/watch.py", "from app.core.types import units", "What others import stands apart"),
    ],
)
def test_the_contracts_can_fail(tmp_path, file, line, contract):
    result = lint(copy_with(tmp_path, file, line))
    assert result.returncode != 0
    assert contract in result.stdout


STARTS = re.compile(
    r"\b(?:Popen|subprocess\.(?:run|call|check_\w+)|os\.(?:fork|exec\w+|posix_spawn\w*|spawn\w+|system|popen)|QProcess)\b"
)
MAY_START = {
    "services/child/guarded.py": "the one place",
    "services/child/warden.py": "the guard itself",
    "services/child/memory_scope.py": "asks systemd, once, whether it would limit `true`",
    "probes/commands.py": "tools of the system, two seconds each",
    "cli/drawing.py": "this program, to print and to draw",
    "worker/script/spawned.py": "in a child and under its guard, what a user's script wants to become",
}
"""Files of the program that may start another, and why it need not be guarded there."""


def starting(app: Path) -> set[str]:
    """Files that start a program, by their place."""
    files = (file for file in app.rglob("*.py") if STARTS.search(_code_of(file.read_text("utf-8"))))
    return {file.relative_to(app).as_posix() for file in files}


def _code_of(source: str) -> str:
    """The calls and names of a file without its texts: what it says of programs starts none."""
    return "\n".join(
        ast.unparse(node) for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Attribute | ast.Name)
    )


def test_no_child_starts_without_its_guard(tmp_path):
    assert starting(ROOT / "app") == MAY_START.keys()
    for line in (
        "import subprocess; subprocess.run(['x'])",
        "import os; os.fork()",
        "from subprocess import Popen; Popen('x')",
    ):
        (tmp_path / "other.py").write_text(line)
        assert starting(tmp_path) == {"other.py"}


MOST_PARAMETERS = 8
ROOMS = ("catalog", "cli", "core", "presentation", "probes", "services", "ui", "worker")


def long_signatures(source: str) -> list[str]:
    """Functions with more parameters than anybody can keep apart; ``self`` and ``cls`` are none."""
    functions = [n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    return [
        f.name
        for f in functions
        if len({a.arg for a in ast.walk(f.args) if isinstance(a, ast.arg)} - {"self", "cls"}) > MOST_PARAMETERS
    ]


@pytest.mark.parametrize("room", ROOMS)
def test_no_function_has_more_than_eight_parameters(room):
    found = {str(file): long_signatures(file.read_text()) for file in (ROOT / "app" / room).rglob("*.py")}
    assert found
    assert not {file: names for file, names in found.items() if names}


def test_the_count_of_parameters_can_fail():
    eight = ", ".join(f"p{n}" for n in range(8))
    assert long_signatures(f"class A:\n def f(self, {eight}): pass\ndef g({eight}, *, more=1): pass") == ["g"]
