"""Faults that strangers' files and programs bring along; each says in a word what came of it.

Those with a test of their own, which injects the same fault for real, run that test.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import psutil

from app.core.types.errors import BadModel
from app.core.types.messages import Request
from app.core.types.workload import ModelRef, Workload
from app.services.advisor import Advisor
from app.services.child.child_options import ChildOptions
from app.services.child.worker_process import run_worker
from app.services.settings import Folders, Settings
from app.services.store.history import History
from app.services.store.model_contents import ModelContents
from studies.benchmarks.fault_stores import StoreFault
from studies.benchmarks.fault_table import ROOT
from tests.strangers import plant

LARGE_FILE_BYTES = 3 * 10**9
MOST_GROWTH_BYTES = 64 * 2**20


def among_strangers(folder: Path) -> str:
    """A child starts in a folder where every name of the standard library is taken."""
    found = plant(folder)
    before = os.getcwd()
    os.chdir(found.folder)
    try:
        run_worker(Request("no such job"), ChildOptions(environment={"PYTHONPATH": found.python_path}))
    finally:
        os.chdir(before)
    return f"{len(found.imported)} imported"


def outrun(folder: Path) -> str:
    """A file is changed after it was allowed to run."""
    advisor = Advisor(Settings(folders=Folders(folder, folder / "cache", folder)), History(folder / "h.sqlite3"))
    net, mark = folder / "net.py", folder / "mark"
    net.write_text("def build():\n    return None\n")
    work = Workload(advisor.catalog.find_model(f"{net}:build", trust=True))
    net.write_text(f"open({str(mark)!r}, 'w')\ndef build():\n    return None\n")
    with contextlib.suppress(BadModel):
        advisor.predictor.graph(work)
        return "asked nobody"
    return "ran" if mark.exists() else "refused"


def large(folder: Path) -> str:
    """A model file of 3 GB is asked what it holds."""
    path = folder / "model.h5"
    with path.open("wb") as file:
        file.truncate(LARGE_FILE_BYTES)
    before = psutil.Process().memory_info().rss
    digest = ModelContents(folder / "imports.json").digest(ModelRef("file", "model.h5", str(path)))
    grown = psutil.Process().memory_info().rss - before
    return "read in pieces" if digest and grown < MOST_GROWTH_BYTES else f"grew by {grown}"


def tested(file: str, *names: str | Path) -> str:
    """What the tests of a file say that inject the fault; of those names, in a folder of their own."""
    *chosen, folder = names
    words = [f"tests/{file}", *(("-k", str(chosen[0])) if chosen else ())]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--basetemp", f"{folder}/t", *words]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    return "passed" if done.returncode == 0 and " passed" in done.stdout else " ".join(done.stdout.split())[-160:]


_OWN = "services/child/test_own_code.py"
_DATA = "services/datasets/test_strange_data.py"
_KEPT = "services/test_whole_write.py"
TESTS = {
    "TensorFlow: a model's RAM above the limit while it is traced": f"{_OWN} -k takes_all_memory and itself",
    "TensorFlow: a grandchild's RAM above the limit while it is traced": f"{_OWN} -k takes_all_memory and grandchild",
    "TensorFlow: the same on the command line": f"{_OWN} -k command_line",
    "TensorFlow: RAM above the limit in calibration, doctor, benchmark": f"{_OWN} -k every_other_child",
    "TensorFlow: strays of a model and its data, the run ends": f"{_OWN} -k with_the_run and not crash",
    "TensorFlow: strays of a model and its data, SIGKILL": f"{_OWN} -k its and crash",
    "TensorFlow: strays of a model and its data, cancelled": f"{_OWN} -k cancel",
    "TensorFlow: strays of a model and its data, the app is killed": f"{_OWN} -k this_program",
    "TensorFlow: model files that would run, read or fetch": "worker/models/own/test_allowed.py",
    "RAM above the limit while the app is stopped": "services/child/test_guarded.py -k stopped",
    "RAM above the limit while nobody reads the app": "services/child/test_blocked.py -k terminal",
    "RAM above the limit while a driver hangs": "services/child/test_blocked.py -k driver",
    "the guard itself is killed": "services/child/test_guarded.py -k guard_that_is_ended",
    "compared with a variant that fits nowhere": "services/benchmarks/test_compare.py -k cannot_fit",
    "a measured file is edited": "services/predictor/test_edited_files.py -k before_an_edit_is_never",
    "markup in every name that the window shows": "ui/test_plain_text.py",
    "TensorFlow: a file that changes after the last check": "services/models/test_consent.py -k in_the_child",
    "consent is withdrawn": "services/models/test_consent.py -k withdrawn",
    "a stranger's file asks for a network": "worker/test_no_network.py -k no_socket",
    "data: a TFRecord whose lengths lead nowhere": f"{_DATA} -k TestRecords and not eight",
    "data: a line without end": f"{_DATA} -k TestTables",
    "data: an archive that unpacks to more than there is": f"{_DATA} -k TestArrays",
    "data: padding for an image, and what is no file": f"{_DATA} -k padding or is_no_file_is",
    "data: pipes and devices": f"{_DATA} -k or_a_device",
    "data: looking into it takes too much memory": f"{_DATA} -k more_memory",
    "data: looking into it takes too long": f"{_DATA} -k takes_longer",
    "disk full: an export is written over another": f"{_KEPT} -k disk_that_fills_up",
    "kept files: others would like to read them": f"{_KEPT} -k read_by_others",
    "kept files: an older version left them open": f"{_KEPT} -k left_open",
    "kept files: whoever holds the lock is killed": f"{_KEPT} -k holder_is_killed",
    "kept files: two processes change one": f"{_KEPT} -k two_processes",
    "settings of two windows": "services/test_settings.py -k two_windows",
    "launcher: no terminal, and apt-get on the path": "packaging/test_launch.py -k apt_get",
    "launcher: two first starts": "packaging/test_launch.py -k two_first_starts",
    "launcher: the first start is killed": "packaging/test_launch.py -k killed",
    "launcher: a file with another hash": "packaging/test_launch.py -k locked_one",
    "runtime create: killed in the middle": "services/runtimes/test_make.py -k killed_in_the_middle",
    "runtime create: fails": "services/runtimes/test_make.py -k attempt_that_fails",
    "runtime create: two at once": "services/runtimes/test_make.py -k second_waits",
}
"""Faults by the tests that inject them, below ``tests``."""

STRANGER_FAULTS = (
    StoreFault("a folder with every name of the standard library", "0 imported", among_strangers),
    StoreFault("a file that changes after the consent", "refused", outrun),
    StoreFault("a model file of 3 GB", "read in pieces", large),
    *(
        StoreFault(
            name, "passed", partial(tested, *words.split(" -k ")), needs_tensorflow=name.startswith("TensorFlow")
        )
        for name, words in TESTS.items()
    ),
)
"""Files, folders, programs and environments that are not what they should be."""
