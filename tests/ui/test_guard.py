"""The program's own process never loads a framework; nor does a page pull in another."""

import subprocess
import sys

import pytest

PROBE = "import sys, importlib; importlib.import_module({!r}); sys.exit({!r} in sys.modules)"


def leaks(module, forbidden):
    """1 if importing a module loads the forbidden one."""
    return subprocess.run([sys.executable, "-c", PROBE.format(module, forbidden)], check=False).returncode


@pytest.mark.parametrize(
    ("module", "forbidden"),
    [
        ("app.ui.shell.application", "tensorflow"),
        ("app.ui.shell.wiring", "tensorflow"),
        ("app.services.advisor", "tensorflow"),
        ("app.services.advisor", "PySide6"),
        ("app.ui.shell.main_window", "pyqtgraph"),
        ("app.ui.shell.main_window", "numpy"),
        ("app.ui.shell.main_window", "app.core.types.machine"),
        ("app.ui.shell.main_window", "app.core.types.measurement"),
        ("app.ui.shell.main_window", "app.core.types.prediction"),
        ("app.presentation.verdict", "PySide6"),
        ("app.ui.benchmark.state_bench", "PySide6"),
        ("app.ui.runs.state_runs", "PySide6"),
        ("app.ui.kit.theme", "PySide6"),
        ("app.ui.fit.fit_page", "app.ui.runs.runs_page"),
    ],
)
def test_module_does_not_load(module, forbidden):
    assert leaks(module, forbidden) == 0


@pytest.mark.parametrize(("module", "forbidden"), [("app.ui.kit.bridge", "PySide6"), ("app.ui.fit.plots", "pyqtgraph")])
def test_the_guard_can_fail(module, forbidden):
    assert leaks(module, forbidden) == 1
