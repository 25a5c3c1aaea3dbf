"""Time training steps of some workloads in turn, round after round, when asked, with a reference kernel about each.

``python -m studies.accuracy.learning_child``: the first line on stdin is a list of workloads as JSON; every further
line asks for a round, which is answered with one line on stdout.  Between rounds it waits and takes nothing of the
processor, so that rounds lie between whatever else is measured.  A step is that of a benchmark
(`app.worker.benchmark.feed`), and one visit is long enough that it goes on like a training: steps that have just
followed another network's take up to a quarter longer.
"""

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import Callable
from typing import Any

from app.catalog import typed_json
from app.core.types.workload import Workload

UNCOUNTED_S = 0.3
VISIT_S = 1.2
FEWEST = 3


def main() -> None:
    """Answer what is asked on stdin."""
    from app.worker.backends.tensorflow import BACKEND
    from app.worker.rates.reference import Reference

    workloads = typed_json.decode(sys.stdin.readline(), list[Workload])
    BACKEND.choose_device(workloads[0].plan)
    reference = Reference(False, BACKEND)
    steps = [_ready(workload) for workload in workloads]
    for _ in sys.stdin:
        print(json.dumps([_visit(step, reference) for step in steps]), flush=True)


def _visit(step: Callable[[], float], reference: Any) -> dict[str, float]:
    """A step's mean, and the reference's slower one of before and after, seconds."""
    before_s = reference.short_s()
    _for(UNCOUNTED_S, step, fewest=1)
    taken = _for(VISIT_S, step, fewest=FEWEST)
    return {"mean_s": statistics.mean(taken), "reference_s": max(before_s, reference.short_s())}


def _for(seconds: float, step: Callable[[], float], *, fewest: int) -> list[float]:
    """Take steps for so long."""
    taken: list[float] = []
    while len(taken) < fewest or sum(taken) < seconds:
        taken.append(step())
    return taken


def _ready(workload: Workload) -> Callable[[], float]:
    """A step that has been traced and has run twice."""
    from app.worker.backends.tensorflow import BACKEND
    from app.worker.benchmark.feed import one_batch
    from app.worker.data.batches import synthetic_batch
    from app.worker.models.build import build_for

    plan = workload.plan
    built: Any = build_for({"model": typed_json.plain(workload.model)}, plan)
    runner = BACKEND.runner(built, plan)
    feed = one_batch(synthetic_batch(built, plan.batch_size), plan.batch_size, BACKEND)
    feed.first(runner)
    feed.train(runner)
    return lambda: feed.train(runner).total_s


if __name__ == "__main__":
    main()
