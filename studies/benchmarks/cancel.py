"""Cancel a benchmark in each of its phases: how long until it has ended, and is anything left?

::

    python -m studies.benchmarks.cancel [--json] [--rounds 2] [--late 0.2]

Trains a small network with XLA on real data (a file of arrays), so that every phase occurs.  The time is
from the setting of the cancel flag to the return of `bench`; it must stay below 2 s.  Ends with 1 otherwise.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

from app.core.types.messages import Phase
from app.core.types.workload import Dataset, ModelRef, Plan, Workload
from app.services.benchmarks.bench import BenchOptions, bench
from studies.accuracy.command import finish, table
from studies.benchmarks.left_over import alone, inherit_orphans, left

PHASES = ("start", "import", "build", "compile", "warm-up", "measure", "data-only", "compute-only")
LIMIT_S = 2.0
SAMPLES = 20_000


def main() -> int:
    """Answer the command line."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--json", action="store_true")
    options.add_argument("--rounds", type=int, default=1)
    options.add_argument("--late", type=float, default=0.2, help="seconds into the phase")
    given = options.parse_args()
    alone("studies.benchmarks.cancel")
    inherit_orphans()
    with tempfile.TemporaryDirectory() as folder:
        workload = _workload(Path(folder))
        rows = [cancel(workload, phase, given.late) for _ in range(given.rounds) for phase in PHASES]
    worst = max(row[3] for row in rows)
    lost = sum(row[4] for row in rows)
    head = ("asked in", "outcome", "ended in", "s", "left", "kept figures")
    answer = {
        "table": "cancel",
        "n": len(rows),
        "worst_s": worst,
        "left": lost,
        "rows": [dict(zip(head, row, strict=True)) for row in rows],
    }
    finish(answer, as_json=given.json, tables=[table("Cancelled in each phase", head, rows)])
    return 0 if worst <= LIMIT_S and lost == 0 and all(row[1] == "cancelled" for row in rows) else 1


def cancel(workload: Workload, phase: str, late_s: float) -> tuple[str, str, str, float, int, bool]:
    """Cancel once, some moments into a phase."""
    flag, asked_s = threading.Event(), [0.0]

    def ask() -> None:
        asked_s[0] = time.monotonic()
        flag.set()

    timer = threading.Timer(late_s, ask)

    def listen(event: object) -> None:
        if isinstance(event, Phase) and event.name == phase:
            timer.start()

    if phase == "start":
        timer.start()
    result = bench(workload, options=BenchOptions(seconds=6), on_event=listen, cancel=flag)
    ended_s = time.monotonic()
    timer.cancel()
    kept = result.measurement is not None
    return phase, result.outcome, result.phases[-1].name, ended_s - asked_s[0], left(), kept


def _workload(folder: Path) -> Workload:
    """A network and a file of data for it."""
    noise, path = np.random.default_rng(0), folder / "data.npz"
    x = noise.integers(0, 256, (SAMPLES, 28, 28, 1), dtype=np.uint8)
    np.savez(path, x=x, y=noise.integers(0, 10, SAMPLES))
    data = Dataset(
        "noise",
        "npz",
        str(path),
        samples=SAMPLES,
        sample_shape=(28, 28, 1),
        dtype="uint8",
        classes=10,
        bytes_on_disk=path.stat().st_size,
        files=1,
        real=True,
    )
    return Workload(ModelRef("catalog", "fashion_mnist_cnn"), data, Plan(batch_size=64, device="cpu", jit=True))


if __name__ == "__main__":
    sys.exit(main())
