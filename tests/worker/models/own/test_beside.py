"""What the user let run is what runs: children that import a file of whose folder something else has become."""

from __future__ import annotations

import importlib.util
import os
import py_compile
import subprocess
import sys
from pathlib import Path

import pytest

from app.services.models.own_code import read_own
from tests.worker.building import ROOT

RUN = """
import inspect, sys
from pathlib import Path
from app.core.types.errors import BadModel
from app.worker.models.own.beside import loaded_beside
from app.worker.models.own.user_code import find_function
path = Path(sys.argv[1])
try:
    made = find_function(path, "build", sys.argv[2].split(","))()
except BadModel as error:
    print("refused:", error)
else:
    print("made:", made, sorted(loaded_beside(path)))
"""


@pytest.fixture
def net(tmp_path: Path) -> Path:
    """A file that imports two others, which may run."""
    folder = tmp_path / "mine"
    (folder / "parts").mkdir(parents=True)
    (folder / "net.py").write_text("import helper\n\ndef build():\n    return helper.size()\n")
    (folder / "helper.py").write_text("from parts.units import UNITS\n\ndef size():\n    return UNITS\n")
    (folder / "parts" / "units.py").write_text("UNITS = 5\n")
    return folder / "net.py"


def consent(path: Path) -> str:
    """What the user said yes to."""
    return ",".join(read_own(str(path)).digests.values())


def ran(path: Path, allowed: str, script: str = RUN) -> str:
    """What a child says that runs the file, given that yes."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", script, str(path), allowed]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def marking(path: Path) -> str:
    """Code that would leave a mark."""
    return f"open({str(path.parent.parent / 'mark')!r}, 'w')\n"


@pytest.fixture(autouse=True)
def unmarked(tmp_path: Path):
    yield
    assert not (tmp_path / "mark").exists()


def test_what_was_allowed_runs_with_the_modules_that_it_imports(net: Path):
    assert ran(net, consent(net)) == "made: 5 ['helper.py', 'parts/units.py']"


@pytest.mark.parametrize("name", ["net.py", "helper.py", "parts/units.py"])
def test_a_file_that_was_written_to_since_does_not_run(net: Path, name: str):
    allowed = consent(net)
    changed = net.parent / name
    changed.write_text(marking(net) + changed.read_text())
    assert ran(net, allowed).startswith("refused:")
    assert name.rpartition("/")[2] in ran(net, allowed)


def test_a_module_that_takes_a_name_of_the_standard_library_later_is_not_seen(net: Path):
    net.write_text("import wave\n" + net.read_text())
    allowed = consent(net)
    (net.parent / "wave.py").write_text(marking(net))
    assert ran(net, allowed).startswith("made: 5")


def test_a_module_that_had_such_a_name_when_it_was_allowed_is_the_users(net: Path):
    net.write_text("import wave\n\ndef build():\n    return wave.LENGTH\n")
    (net.parent / "wave.py").write_text("LENGTH = 7\n")
    assert ran(net, consent(net)) == "made: 7 ['wave.py']"


def test_a_compiled_copy_that_claims_to_be_the_source_is_not_run(net: Path):
    allowed, helper = consent(net), net.parent / "helper.py"
    honest, times = helper.read_text(), helper.stat()
    helper.write_text(marking(net) + honest)
    cached = Path(importlib.util.cache_from_source(str(helper)))
    py_compile.compile(str(helper), str(cached), doraise=True)
    header = cached.read_bytes()[:8] + int(times.st_mtime).to_bytes(4, "little") + len(honest).to_bytes(4, "little")
    cached.write_bytes(header + cached.read_bytes()[16:])
    helper.write_text(honest)
    os.utime(helper, ns=(times.st_atime_ns, times.st_mtime_ns))
    subprocess.run([sys.executable, "-c", "import helper"], cwd=net.parent, check=True)
    (net.parent.parent / "mark").unlink()  # Python itself believes it
    assert ran(net, allowed).startswith("made: 5")


@pytest.mark.parametrize("reached", ["sys.path.insert(0, here)", "sys.path.append(here)", "pass"])
def test_a_module_of_the_folder_that_nobody_was_asked_about_is_refused(net: Path, reached: str):
    net.write_text(
        "import sys, os\nhere = os.path.dirname(__file__)\n"
        f"{reached}\nhidden = 'str' + 'ange'\nexec('import ' + hidden)\n\ndef build():\n    return 1\n"
    )
    allowed = consent(net)
    (net.parent / "strange.py").write_text(marking(net))
    assert "strange.py" in ran(net, allowed)
    assert ran(net, allowed).startswith("refused:")


def test_a_name_that_is_made_up_when_it_runs_may_mean_any_module_of_the_folder(net: Path):
    net.write_text(
        "import importlib\n\ndef build():\n    return importlib.import_module('.'.join(['parts', 'units'])).UNITS\n"
    )
    assert ran(net, consent(net)) == "made: 5 ['parts/units.py']"


def test_packages_that_are_installed_below_the_folder_count_as_installed(net: Path):
    packages = net.parent / "venv" / "lib" / "site-packages"
    packages.mkdir(parents=True)
    (packages / "theirs.py").write_text("SIZE = 9\n")
    net.write_text(
        f"import sys\nsys.path.append({str(packages)!r})\nimport theirs\n\ndef build():\n    return theirs.SIZE\n"
    )
    assert ran(net, consent(net)) == "made: 9 []"


def test_whoever_asks_for_the_source_gets_what_was_compiled(net: Path):
    """AutoGraph makes new code from the source of a function, long after it was compiled."""
    later = RUN.replace(
        "try:", "find_function(path, 'build', sys.argv[2].split(','))\npath.write_text('changed')\ntry:"
    )
    later = later.replace('print("made:"', 'print(inspect.getsource(find_function(path, "build", ())), "made:"')
    assert ran(net, consent(net), later).startswith("def build():\n    return helper.size()")


def test_an_empty_folder_of_that_name_hides_no_installed_package(net: Path):
    (net.parent / "msgspec").mkdir()
    net.write_text("import msgspec\n\ndef build():\n    return msgspec.json.decode(b'4')\n")
    assert ran(net, consent(net)) == "made: 4 []"
