import base64
import hashlib
import os
import subprocess
import sys
import threading
import time
import zipfile
from pathlib import Path

import pytest

from app.core.types.errors import Cancelled, StoreError, WorkerFailed
from app.core.types.machine import FrameworkBuild, Interpreter
from app.core.types.units import MIB
from app.services.runtimes.find import ask, find_runtimes, python_of
from app.services.runtimes.make import DownloadBar, make_runtime
from app.services.runtimes.recipe import Recipe
from app.services.settings import Folders, Settings
from tests.patience import SOON_S, gone


@pytest.fixture
def wheels(tmp_path: Path) -> Path:
    """A folder with one tiny package for pip, in place of an index on the network."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    files = {
        "tiny_framework.py": b"__version__ = '1.0'\n",
        "tiny_framework-1.0.dist-info/METADATA": b"Metadata-Version: 2.1\nName: tiny-framework\nVersion: 1.0\n",
        "tiny_framework-1.0.dist-info/WHEEL": b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    rows = [f"{name},sha256={_digest(data)},{len(data)}" for name, data in files.items()]
    files["tiny_framework-1.0.dist-info/RECORD"] = "\n".join([*rows, "tiny_framework-1.0.dist-info/RECORD,,"]).encode()
    with zipfile.ZipFile(folder / "tiny_framework-1.0-py3-none-any.whl", "w") as wheel:
        for name, data in files.items():
            wheel.writestr(name, data)
    return folder


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def has_tensorflow(path: str) -> Interpreter:
    return Interpreter(path, "3.11", (FrameworkBuild("tensorflow", "1.0"),))


def test_an_environment_is_made_filled_and_proved(tmp_path: Path, wheels: Path):
    told: list[tuple[float | None, str]] = []
    options = ("--no-index", "--find-links", str(wheels))
    folder = tmp_path / "data" / "runtime"
    plan = Recipe(folder, ("tiny-framework",), sys.executable, renew_pip=False, pip_options=options)
    python = make_runtime(plan, has_tensorflow, lambda share, words: told.append((share, words)), threading.Event())
    assert python == python_of(plan.folder)
    assert Path(ask(str(python)).prefix) == plan.folder
    assert list(plan.folder.rglob("tiny_framework.py"))
    assert [path.name for path in python.parent.iterdir() if b"runtime.new" in path.read_bytes()] == []
    shares = [share for share, _ in told if share is not None]
    assert shares == sorted(shares)
    assert told[-1] == (1.0, "ready")


def pretend(tmp_path: Path, pip: str) -> Recipe:
    """A Python that makes an environment in no time, whose pip is a line of shell."""
    base = tmp_path / "base"
    inner = f"#!/bin/sh\\n{pip}\\n"
    base.write_text(
        f"#!/bin/sh\nmkdir -p $4/bin\nprintf '{inner}' > $4/bin/python\nchmod 755 $4/bin/python\n"
        'echo "#!$4/bin/python" > $4/bin/pip\n'
    )
    base.chmod(0o755)
    return Recipe(tmp_path / "data" / "runtime", ("tensorflow",), str(base))


shell = pytest.mark.skipif(os.name == "nt", reason="a shell script stands for a Python")


@shell
def test_what_cannot_be_installed_leaves_nothing_behind(tmp_path: Path):
    plan = pretend(tmp_path, "echo ERROR: No matching distribution found for tensorflow; exit 1")
    with pytest.raises(WorkerFailed, match=r"could not be renewed.*No matching distribution.*the last lines"):
        make_runtime(plan, has_tensorflow, lambda _share, _words: None, threading.Event())
    assert _environments(plan) == []


def _environments(plan: Recipe) -> list[str]:
    """What stands where the environment belongs, besides the lock."""
    return sorted(path.name for path in plan.folder.parent.iterdir() if not path.name.endswith(".lock"))


def _make(plan: Recipe, cancel: threading.Event | None = None) -> Path:
    return make_runtime(plan, has_tensorflow, lambda _share, _words: None, cancel or threading.Event())


def _works(plan: Recipe) -> bool:
    return subprocess.run([python_of(plan.folder)], check=False).returncode == 0


@shell
def test_an_attempt_that_fails_leaves_the_older_environment_at_work(tmp_path: Path):
    _make(pretend(tmp_path, "exit 0"))
    broken = pretend(tmp_path, "exit 1")
    with pytest.raises(WorkerFailed):
        _make(broken)
    assert _environments(broken) == ["runtime"]
    assert _works(broken)


@shell
def test_a_new_environment_takes_the_place_of_the_older_one_and_its_programs_know_where_they_are(tmp_path: Path):
    plan = pretend(tmp_path, "echo older; exit 0")
    _make(plan)
    python = _make(pretend(tmp_path, "echo newer; exit 0"))
    assert subprocess.run([python], capture_output=True, text=True, check=True).stdout == "newer\n"
    assert (python.parent / "pip").read_text() == f"#!{python}\n"
    assert _environments(plan) == ["runtime"]


_MAKER = """
import sys, threading
from pathlib import Path
from app.core.types.machine import FrameworkBuild, Interpreter
from app.services.runtimes.make import make_runtime
from app.services.runtimes.recipe import Recipe
plan = Recipe(Path(sys.argv[1]), ("tensorflow",), sys.argv[2])
tensorflow = lambda path: Interpreter(path, "3.11", (FrameworkBuild("tensorflow", "1.0"),))
make_runtime(plan, tensorflow, lambda share, words: print(words, flush=True), threading.Event())
"""


def _start(plan: Recipe) -> "subprocess.Popen[str]":
    assert plan.base is not None
    command = [sys.executable, "-c", _MAKER, str(plan.folder), plan.base]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def _read_until(process: "subprocess.Popen[str]", words: str) -> None:
    assert process.stdout is not None
    assert any(words in line for line in process.stdout)


@shell
def test_a_program_that_is_killed_in_the_middle_leaves_the_older_environment_at_work(tmp_path: Path):
    _make(pretend(tmp_path, "exit 0"))
    slow = pretend(tmp_path, f"while [ ! -e {tmp_path}/go ]; do sleep 0.05; done; exit 0")
    with _start(slow) as killed:
        _read_until(killed, "making the environment")
        killed.kill()
    (tmp_path / "go").touch()
    assert _works(slow)
    assert _make(pretend(tmp_path, "exit 0")).exists()
    assert _environments(slow) == ["runtime"]


@shell
def test_an_end_between_the_two_names_brings_the_older_environment_back(tmp_path: Path):
    plan = pretend(tmp_path, "exit 0")
    _make(plan)
    plan.folder.rename(plan.folder.with_name("runtime.old"))
    data = plan.folder.parent
    find_runtimes(Settings(folders=Folders(data, data, data)), own=False)
    assert _works(plan)
    assert _environments(plan) == ["runtime"]


@shell
def test_of_two_that_make_one_environment_the_second_waits_and_says_so(tmp_path: Path):
    go = tmp_path / "go"
    plan = pretend(tmp_path, f"while [ ! -e {go} ]; do sleep 0.05; done; exit 0")
    with _start(plan) as first:
        _read_until(first, "making the environment")
        with _start(plan) as second:
            _read_until(second, "waiting: another window makes an environment")
            assert first.poll() is None
            go.touch()
            _read_until(second, "ready")
            assert first.wait() == 0
    assert second.returncode == 0


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path):
    (tmp_path / "data").write_text("")
    with pytest.raises(StoreError, match=r"cannot write .*runtime.*WILLITTRAIN_DATA_DIR"):
        _make(pretend(tmp_path, "exit 0"))


@shell
def test_offline_is_told_as_such(tmp_path: Path):
    plan = pretend(tmp_path, "echo Failed to establish a new connection; exit 1")
    with pytest.raises(WorkerFailed, match=r"connect this machine"):
        make_runtime(plan, has_tensorflow, lambda _share, _words: None, threading.Event())


@shell
def test_a_full_disk_is_told_as_such(tmp_path: Path):
    plan = pretend(tmp_path, "echo OSError: [Errno 28] No space left on device; exit 1")
    with pytest.raises(WorkerFailed, match=r"No space left.*free some space, or set WILLITTRAIN_DATA_DIR"):
        _make(plan)
    assert _environments(plan) == []


@shell
def test_a_framework_that_does_not_run_is_no_runtime(tmp_path: Path):
    def broken(path: str) -> Interpreter:
        return Interpreter(path, "3.11", (FrameworkBuild("tensorflow", "1.0", problem="ImportError: libcuda"),))

    plan = pretend(tmp_path, "exit 0")
    with pytest.raises(WorkerFailed, match=r"does not run.*libcuda"):
        make_runtime(plan, broken, lambda _share, _words: None, threading.Event())
    assert _environments(plan) == []


@shell
def test_a_cancel_ends_it_soon_and_leaves_nothing(tmp_path: Path):
    slow = tmp_path / "slow"
    slow.write_text(f"#!/bin/sh\nmkdir -p $4\nsleep 60 & echo $! > {tmp_path}/pid; wait\n")
    slow.chmod(0o755)
    plan = Recipe(tmp_path / "data" / "runtime", ("x",), str(slow), renew_pip=False)
    cancel = threading.Event()
    threading.Timer(0.5, cancel.set).start()
    began = time.monotonic()
    with pytest.raises(Cancelled):
        make_runtime(plan, has_tensorflow, lambda _share, _words: None, cancel)
    assert time.monotonic() - began < SOON_S
    assert _environments(plan) == []
    assert gone(int((tmp_path / "pid").read_text()), 2.5)


def test_a_base_that_cannot_be_started_is_told(tmp_path: Path):
    plan = Recipe(tmp_path / "runtime", ("x",), str(tmp_path / "nothing"))
    with pytest.raises(WorkerFailed, match=r"could not be made.*No such file"):
        make_runtime(plan, has_tensorflow, lambda _share, _words: None, threading.Event())


def test_pips_lines_become_a_bar():
    told: list[tuple[float | None, str]] = []
    bar = DownloadBar(100 * MIB, lambda share, words: told.append((share, words)))
    lines = [
        "Collecting tensorflow<2.22",
        "  Downloading https://files/tensorflow-2.21.0-cp311-manylinux.whl (80 MB)",
        f"Progress {40 * MIB} of {80 * MIB}",
        f"Progress {80 * MIB} of {80 * MIB}",
        "Downloading keras-3.15.1-py3-none-any.whl (20 MB)",
        f"Progress {20 * MIB} of {20 * MIB}",
        "Installing collected packages: keras, tensorflow",
    ]
    for line in lines:
        bar.on_line(line)
    assert [words for _, words in told] == [
        "fetching tensorflow · 0 MiB",
        "fetching tensorflow · 40 MiB",
        "fetching tensorflow · 80 MiB",
        "fetching keras · 80 MiB",
        "fetching keras · 100 MiB",
        "unpacking",
    ]
    shares = [share for share, _ in told]
    assert shares == sorted(shares)
    assert shares[-1] == 0.85
