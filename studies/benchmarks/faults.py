"""Inject faults into real children and look what is said of each, how soon, and what is left.

::

    python -m studies.benchmarks.faults [--json] [--only WORD] [--without-tensorflow]

For each fault: the kind of problem that is expected and the one seen, seconds until the run had ended, and
the processes left after it, which must be 0 (`left_over` counts them by other means than the product does).  Ends with
1 if any kind is wrong or a process is left.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import threading
import time
from dataclasses import asdict, dataclass

import psutil

from app.services.benchmarks.bench import BenchOptions, bench
from app.services.child.child_options import ChildOptions
from studies.accuracy.command import finish, table
from studies.benchmarks.fault_stores import STORE_FAULTS, StoreFault, can_mount, see
from studies.benchmarks.fault_strangers import STRANGER_FAULTS
from studies.benchmarks.fault_table import FAULTS, LONGER, ROOT, SHORT, Fault, circumstances, command_of, workload_of
from studies.benchmarks.left_over import alone, inherit_orphans, left

ASLEEP_S = 8.0


@dataclass(frozen=True)
class Seen:
    """What came of a fault."""

    fault: str
    expected: str
    seen: str
    outcome: str
    seconds: float
    left: int
    phase: str
    partial: bool
    message: str

    @property
    def right(self) -> bool:
        """The right word, and nothing left."""
        return self.expected == self.seen and self.left == 0


def main() -> int:
    """Answer the command line."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--json", action="store_true")
    options.add_argument("--only", default="", help="only faults whose name or job has this word")
    options.add_argument("--without-tensorflow", action="store_true")
    given = options.parse_args()
    counted = "all processes of a namespace" if alone("studies.benchmarks.faults") else "descendants"
    inherit_orphans()
    chosen = [
        f
        for f in FAULTS
        if given.only in f"{f.name} {f.job} {f.model}" and not (given.without_tensorflow and f.needs_tensorflow)
    ]
    seen = [_noted(inject(fault)) for fault in chosen]
    if not given.only:
        seen += [_noted(orphaned(job, at_once=False)) for job in ("starts_twenty", "sleeps_beside_a_stray")]
        seen += [_noted(orphaned("starts_twenty", at_once=True)), _noted(suspended())]
    told = [f for f in STRANGER_FAULTS if not (given.without_tensorflow and f.needs_tensorflow)]
    seen += [_noted(stored(f)) for f in (*told, *STORE_FAULTS) if given.only in f.name and (not f.disk or can_mount())]
    rows = [
        (s.fault, s.expected, s.seen, s.outcome, round(s.seconds, 1), s.left, s.phase, s.partial, s.right) for s in seen
    ]
    head = ("fault", "expected", "seen", "outcome", "s", "left", "phase", "partial", "right")
    answer = {
        "table": "faults",
        "n": len(seen),
        "right": sum(s.right for s in seen),
        "left": sum(s.left for s in seen),
        "counted": counted,
        "rows": [asdict(s) for s in seen],
    }
    finish(answer, as_json=given.json, tables=[table("Faults injected into real children", head, rows)])
    return 0 if all(s.right for s in seen) else 1


def _noted(seen: Seen) -> Seen:
    """Say on standard error how far the table is."""
    sys.stderr.write(f"{'right' if seen.right else 'WRONG'} {seen.seconds:6.1f} s, {seen.left} left: {seen.fault}\n")
    return seen


def inject(fault: Fault) -> Seen:
    """Run one fault as a benchmark."""
    inherit_orphans()
    cancel = threading.Event()
    timer = threading.Timer(fault.cancel_s or 0.0, cancel.set)
    with circumstances(fault) as folder:
        started = time.monotonic()
        if fault.cancel_s is not None:
            timer.start()
        result = bench(
            workload_of(fault, folder),
            options=BenchOptions(
                seconds=2, patience=SHORT if fault.expected == "hung" and not fault.needs_tensorflow else LONGER
            ),
            child=ChildOptions(
                command=command_of(fault), interpreter=fault.program or None, environment=fault.environment
            ),
            cancel=cancel,
        )
        seconds = time.monotonic() - started
        timer.cancel()
    problem = result.problem
    return Seen(
        fault.name,
        fault.expected or "-",
        problem.kind if problem else "-",
        result.outcome,
        seconds,
        left(),
        (problem.phase or "") if problem else "",
        result.measurement is not None,
        problem.message[:200] if problem else "",
    )


def orphaned(job: str, *, at_once: bool) -> Seen:
    """Kill the parent itself, while the child has processes in other sessions; at once, or when all of it runs."""
    inherit_orphans()
    code = (
        "import sys\nfrom app.core.types.messages import Request\n"
        "from app.services.child.child_options import ChildOptions\n"
        "from app.services.child.worker_process import run_worker\n"
        "from studies.benchmarks.fault_table import Fault, command_of\n"
        "say = lambda _: print('x', flush=True)\n"
        "run_worker(Request('bench'), ChildOptions(command=command_of(Fault('', None, job=sys.argv[1]))),"
        " on_started=say, on_message=say)"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen([sys.executable, "-c", code, job], stdout=subprocess.PIPE, env=environment) as parent:
        assert parent.stdout is not None
        for _ in range(1 if at_once else 4):  # started; hello, phase and the first reading
            parent.stdout.readline()
        started = time.monotonic()
        parent.kill()
    count = left()
    beside = "a stray" if "stray" in job else "twenty grandchildren"
    name = "the app is killed as the child starts" if at_once else f"the app is killed beside {beside}"
    return Seen(name, "-", "-", "-", time.monotonic() - started, count, "", False, "")


def suspended() -> Seen:
    """The computer sleeps in the middle of a run: parent and child are stopped for longer than any patience."""
    inherit_orphans()
    code = (
        "from app.services.benchmarks.bench import BenchOptions, bench\n"
        "from app.services.child.child_options import ChildOptions\nfrom studies.benchmarks.fault_table import *\n"
        "fault = Fault('', None, job='steps_for_seconds')\n"
        "with circumstances(fault) as folder:\n"
        "    child = ChildOptions(command=command_of(fault))\n"
        "    found = bench(workload_of(fault, folder), None, BenchOptions(patience=SHORT), child,"
        " on_event=lambda _: print('x', flush=True))\n"
        "print(found.outcome, found.problem.kind if found.problem else '-', *found.warnings, sep='|', flush=True)"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    started = time.monotonic()
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=environment) as parent:
        assert parent.stdout is not None
        for _ in range(20):
            parent.stdout.readline()
        both = [psutil.Process(parent.pid), *psutil.Process(parent.pid).children(recursive=True)]
        for process in both:
            process.suspend()
        time.sleep(ASLEEP_S)
        for process in both:
            process.resume()
        outcome, kind, *warnings = parent.stdout.read().decode().strip().splitlines()[-1].split("|")
    told = any("slept" in warning for warning in warnings)
    name = f"the computer sleeps for {ASLEEP_S:g} s" + ("" if told else " (and nothing is said of it)")
    return Seen(name, "-" if told else "told", kind, outcome, time.monotonic() - started, left(), "", True, "")


def stored(fault: StoreFault) -> Seen:
    """Run a fault that says itself what came of it."""
    started = time.monotonic()
    word = see(fault)
    return Seen(fault.name, fault.expected, word, "-", time.monotonic() - started, left(), "", False, "")


if __name__ == "__main__":
    sys.exit(main())
