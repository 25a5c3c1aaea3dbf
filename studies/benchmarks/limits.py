"""What large numbers and long times cost: 10,000 runs, a million files, a trillion parameters, the window for hours.

::

    python -m studies.benchmarks.limits [--only runs,files,graph,params,rest,hours] [--files 1000000] [--json]

Each figure stands beside its limit; ends with 1 if one is above it.  ``files`` makes hard links in a temporary
folder; ``params`` traces with TensorFlow; ``hours`` reads the machine as often as the window does in eight hours,
without the pauses.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import psutil

from app.core.types.units import MIB
from studies.benchmarks.fault_stores import _PNG

RUNS = 10_000
OPERATIONS = 100_000
LINKS_PER_FILE = 50_000
"""ext4 allows 65,000 links to one file."""
TRILLION = """
import keras

def build():
    return keras.Sequential([keras.Input((10**6,)), keras.layers.Dense(10**6, use_bias=False)])
"""
HOURS = 8
REST_S = 20.0
SETTLING_S = 240.0


@dataclass(frozen=True)
class Figure:
    """One measured number and its limit, in the unit of its name."""

    name: str
    value: float
    limit: float | None = None

    @property
    def good(self) -> bool:
        """Is it within its limit?"""
        return self.limit is None or self.value <= self.limit


def runs(options: argparse.Namespace) -> list[Figure]:
    """The list of a long history, as the Runs page asks for it; the first time includes looking for damage."""
    from app.services.store.history import History
    from tests.cli import answers

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "history.sqlite3"
        History(path).add(answers.run())
        with contextlib.closing(sqlite3.connect(path)) as store:
            names = ", ".join(row[1] for row in store.execute("PRAGMA table_info(run)") if row[1] != "run_id")
            count = f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {RUNS - 1})"
            store.execute(f"INSERT INTO run ({names}) {count} SELECT {names} FROM n, run WHERE run_id = 1")
            store.commit()
        history = History(path)
        return [
            Figure("runs: first list, ms", _ms(history.list), 200),
            Figure("runs: list, ms", _ms(history.list), 200),
            Figure("runs: filtered list, ms", _ms(lambda: history.list("cnn 2060 nothing")), 200),
            Figure("runs: the whole list, ms", _ms(lambda: history.list(limit=-1))),
            Figure("runs: track record, ms", _ms(history.track_record), 200),
        ]


def files(options: argparse.Namespace) -> list[Figure]:
    """A folder of very many images is scanned, and the scan is cancelled."""
    from app.core.types.errors import Cancelled
    from app.services.datasets.scan import scan_dataset

    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.files):
            group = number // LINKS_PER_FILE
            place = Path(folder) / f"class{group:03d}"
            if number % LINKS_PER_FILE == 0:
                place.mkdir()
                (place / "0.png").write_bytes(_PNG)
            else:
                os.link(place / "0.png", place / f"{number}.png")
        before = psutil.Process().memory_info().rss
        started = time.perf_counter()
        found = scan_dataset(folder)
        taken_s, grown = time.perf_counter() - started, psutil.Process().memory_info().rss - before
        cancel, asked_at = threading.Event(), time.perf_counter()
        threading.Timer(0.2, cancel.set).start()
        with contextlib.suppress(Cancelled):
            scan_dataset(folder, cancel=cancel)
        cancelled_s = time.perf_counter() - asked_at - 0.2
    if found.samples != options.files:
        raise AssertionError(f"{found.samples} of {options.files} files were found")
    return [
        Figure(f"files: {options.files:,} scanned, s", taken_s, 60),
        Figure("files: memory, MiB", grown / MIB, 500),
        Figure("files: cancelled after, s", cancelled_s, 2),
    ]


def graph(options: argparse.Namespace) -> list[Figure]:
    """An estimate of a graph of very many operations: simulated once, then arithmetic."""
    from app.core.predict.estimate import Estimator
    from app.core.predict.knowledge import Knowledge
    from app.core.types.workload import Plan, Workload
    from tests.cli import answers
    from tests.core.graphs import chain_graph

    made = chain_graph(layers=OPERATIONS // 4)
    estimator = Estimator(made)
    asked = [Workload(answers.WORKLOAD.model, None, Plan(batch_size=batch, device="cpu")) for batch in (32, 48)]
    used_s = [time.process_time()]
    for work in asked:
        estimator.predict(work, answers.MACHINE, Knowledge())
        used_s.append(time.process_time())
    first, second = (after - before for before, after in itertools.pairwise(used_s))
    size = psutil.Process().memory_info().rss / MIB
    name = f"graph of {len(made.operations):,} operations: "
    return [
        Figure(name + "first estimate, s of a core", first, 120),
        Figure(name + "another batch, s of a core", second, 20),
        Figure(name + "process, MiB", size, 2048),
    ]


def params(options: argparse.Namespace) -> list[Figure]:
    """An estimate of a network of a trillion parameters, which must not be allocated; and the same, called off."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "net.py").write_text(TRILLION)
        (Path(folder) / "small.py").write_text(TRILLION.replace("10**6", "10"))
        program = [sys.executable, "-m", "app", "estimate", "--trust", "--json"]
        environment = {**os.environ, "WILLITTRAIN_DATA_DIR": folder}
        begin = partial(
            subprocess.Popen[bytes],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        # The first question ever asked measures this machine besides.
        subprocess.run([*program, f"{folder}/small.py:build"], env=environment, check=True, capture_output=True)
        command = [*program, f"{folder}/net.py:build"]
        with begin(command) as called_off:
            while not psutil.Process(called_off.pid).children():
                time.sleep(0.01)
            time.sleep(1.0)
            asked_at = time.monotonic()
            called_off.send_signal(signal.SIGINT)
            called_off.wait()
            ended_s = time.monotonic() - asked_at
        started = time.monotonic()
        with begin(command) as asked:
            most = 0
            while asked.poll() is None:
                most = max(most, _tree_bytes(asked.pid))
                time.sleep(0.02)
            taken_s = time.monotonic() - started
            assert asked.stdout is not None
            answer = json.loads(asked.stdout.read())
    found = (answer["model"]["params"], answer["fit"]["verdict"])
    if found != (10**12, "does_not_fit"):
        raise AssertionError(f"a trillion parameters: {found}")
    return [
        Figure("a trillion parameters: estimate, s", taken_s, 60),
        Figure("a trillion parameters: memory of program and child, MiB", most / MIB, 2048),
        Figure("a trillion parameters: called off after, s", ended_s, 2),
    ]


def _tree_bytes(pid: int) -> int:
    """Resident memory of a process and all that it started; 0 once it is gone."""
    total = 0
    with contextlib.suppress(psutil.Error):
        root = psutil.Process(pid)
        for process in (root, *root.children(recursive=True)):
            with contextlib.suppress(psutil.Error):
                total += process.memory_info().rss
    return total


def _until_settled(process: psutil.Process) -> None:
    """Wait until the children of the start, which measure this machine's rates, have been gone for a while."""
    end, alone_since = time.monotonic() + SETTLING_S, None
    while time.monotonic() < end:
        time.sleep(1)
        if process.children():
            alone_since = None
        elif alone_since is None:
            alone_since = time.monotonic()
        elif time.monotonic() - alone_since > REST_S:
            return
    raise AssertionError("the window does not come to rest")


def rest(options: argparse.Namespace) -> list[Figure]:
    """The window, open and left alone, in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "WILLITTRAIN_DATA_DIR": folder}
        with subprocess.Popen([sys.executable, "-m", "app"], env=environment, stderr=subprocess.DEVNULL) as window:
            process = psutil.Process(window.pid)
            _until_settled(process)
            before, started = sum(process.cpu_times()[:2]), time.monotonic()
            time.sleep(REST_S)
            used_s = sum(process.cpu_times()[:2]) - before
            share = 100 * used_s / (time.monotonic() - started)
            held = process.memory_full_info().uss / MIB
            resident = process.memory_info().rss / MIB
            window.terminate()
    return [
        Figure("at rest: its own memory, MiB", held, 150),
        Figure("at rest: resident, shared included, MiB", resident),
        Figure("at rest: share of a core, %", share, 0.5),
    ]


def hours(options: argparse.Namespace) -> list[Figure]:
    """Readings of eight hours, one a second, kept as the window keeps them."""
    from app.probes.sampler import Sampler
    from app.services.child.samples import SampleLog, sample_of, used_card

    log, process = SampleLog(), psutil.Process()
    with Sampler(os.getpid()) as sampler:
        sizes = []
        for second in range(HOURS * 3600):
            now = sampler.take()
            log.add(sample_of(now, used_card(now), None, t_s=float(second), phase="measure", cpu_power_w=None))
            if second % 3600 == 600:
                sizes.append(process.memory_info().rss / MIB)
    return [Figure(f"hours: growth from the first of {HOURS} hours to the last, MiB", sizes[-1] - sizes[0], 5)]


def _ms(ask: Callable[[], object]) -> float:
    """How long an answer takes."""
    started = time.perf_counter()
    ask()
    return 1000 * (time.perf_counter() - started)


MEASURED = {"runs": runs, "files": files, "graph": graph, "params": params, "rest": rest, "hours": hours}


def main() -> int:
    """Answer the command line."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--only", default=",".join(MEASURED))
    options.add_argument("--files", type=int, default=1_000_000)
    options.add_argument("--json", action="store_true")
    given = options.parse_args()
    found = [figure for name in given.only.split(",") for figure in MEASURED[name](given)]
    if given.json:
        rows = [{"name": f.name, "value": f.value, "limit": f.limit, "good": f.good} for f in found]
        sys.stdout.write(json.dumps({"table": "limits", "rows": rows}) + "\n")
    else:
        for f in found:
            limit = "" if f.limit is None else f"  (limit {f.limit:g}{'' if f.good else ', ABOVE IT'})"
            sys.stdout.write(f"{f.name}: {f.value:.4g}{limit}\n")
    return 0 if all(f.good for f in found) else 1


if __name__ == "__main__":
    sys.exit(main())
