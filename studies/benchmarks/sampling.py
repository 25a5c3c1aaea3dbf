"""What watching a benchmark costs this side: sampler, guard, messages; in percent of one core.

::

    python -m studies.benchmarks.sampling [--json] [--seconds 10]

The child only says that it steps, twenty readings a second, as a real one does at most; what it and the machine
do otherwise costs this side nothing.  The bare loop of a parent that reads the same messages is taken along.
"""

from __future__ import annotations

import argparse
import sys
import time

from app.core.types.messages import Request
from app.core.types.workload import ModelRef, Workload
from app.services.benchmarks.bench import BenchOptions, bench
from app.services.child.child_options import ChildOptions
from app.services.child.worker_process import run_worker
from studies.accuracy.command import finish, table

RATES_PER_S = (2.0, 4.0, 10.0)
TARGET_PERCENT = 2.0
CHILD = """
import json, sys, time
say = lambda _kind, **body: print(json.dumps({{"v": 1, "kind": _kind, "body": body}}), flush=True)
say("phase", name="measure", t_s=0.0)
until = time.monotonic() + {seconds}
step = 0
while time.monotonic() < until:
    time.sleep(0.05)
    step += 1
    say("reading", t_s=step / 20, step=step, step_s=0.05, peak_bytes=step)
    if step % 4 == 0:
        say("progress", fraction=0.5, text="measuring")
say("done", result={{}})
"""


def main() -> int:
    """Answer the command line."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--json", action="store_true")
    options.add_argument("--seconds", type=float, default=10.0)
    given = options.parse_args()
    child = [sys.executable, "-c", CHILD.format(seconds=given.seconds)]
    workload = Workload(ModelRef("catalog", "x"))
    rows = [("messages only", _percent(lambda: run_worker(Request("bench"), ChildOptions(command=child))), 0)]
    for rate in RATES_PER_S:
        taken: list[int] = []
        cost = _percent(
            lambda rate=rate, taken=taken: taken.append(
                len(
                    bench(workload, options=BenchOptions(samples_per_s=rate), child=ChildOptions(command=child)).samples
                )
            )
        )
        rows.append((f"watched, {rate:g} samples a second", cost, taken[0]))
    head = ("way", "% of a core", "samples")
    worst = max(row[1] for row in rows)
    answer = {
        "table": "sampling",
        "worst_percent": worst,
        "target_percent": TARGET_PERCENT,
        "rows": [dict(zip(head, row, strict=True)) for row in rows],
    }
    finish(answer, as_json=given.json, tables=[table("Watching a benchmark", head, rows)])
    return 0 if worst <= TARGET_PERCENT else 1


def _percent(run: object) -> float:
    """Processor time of this process over elapsed time."""
    cpu_s, wall_s = time.process_time(), time.perf_counter()
    run()  # type: ignore[operator]
    return 100 * (time.process_time() - cpu_s) / (time.perf_counter() - wall_s)


if __name__ == "__main__":
    sys.exit(main())
