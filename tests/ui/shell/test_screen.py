"""Where no window can open: one line instead of Qt's abort, in a process of its own."""

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QLibraryInfo

LINUX = pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="Windows and macOS always have a screen")
NAMES = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")


def lacks_for_x11() -> str:
    """The library that Qt's plugin for X11 needs and this machine lacks; Qt then hears of no screen at all."""
    folder = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath)) / "platforms"
    try:
        ctypes.CDLL(str(folder / "libqxcb.so"))
    except OSError as error:
        return str(error)
    return ""


def start(tmp_path, **variables):
    kept = {name: value for name, value in os.environ.items() if name not in NAMES}
    environment = {**kept, "WILLITTRAIN_DATA_DIR": str(tmp_path), **variables}
    command = [sys.executable, "-m", "app"]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)


@LINUX
@pytest.mark.parametrize(
    ("variables", "words"),
    [
        ({}, "there is no screen here"),
        ({"DISPLAY": ":4711"}, "the screen does not answer; expected a screen that Qt can draw on; received DISPLAY"),
        ({"QT_QPA_PLATFORM": "nothing", "DISPLAY": ":4711"}, 'Could not find the Qt platform plugin "nothing"'),
    ],
    ids=["no screen", "a screen that is gone", "no plugin"],
)
def test_without_a_screen_one_line_says_so_and_what_still_works(tmp_path, variables, words):
    if words.startswith("the screen does not answer") and (lacking := lacks_for_x11()):
        pytest.skip(f"Qt cannot ask an X server here: {lacking}")
    done = start(tmp_path, **variables)
    assert done.returncode == 4, done.stderr
    line = done.stderr.strip()
    assert line.startswith("error: no window can open: ")
    assert "\n" not in line
    assert words in line
    assert "willittrain estimate resnet50" in line


def test_a_qt_that_cannot_be_loaded_is_told(tmp_path):
    fake = tmp_path / "PySide6"
    fake.mkdir()
    reason = "libEGL.so.1: cannot open shared object file: No such file or directory"
    (fake / "__init__.py").write_text(f"raise ImportError({reason!r})")
    done = start(tmp_path, PYTHONPATH=os.pathsep.join((str(tmp_path), os.getcwd())))
    assert done.returncode == 4, done.stderr
    assert reason in done.stderr
    assert "Traceback" not in done.stderr
