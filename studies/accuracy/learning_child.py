"""Time training steps of many workloads in turn in one process, with a reference kernel about each of them.

``python -m studies.accuracy.learning_child``: a list of workloads as JSON on stdin, the answer as the last line of
stdout.  Round after round every workload takes a few steps, so that whatever the machine does meanwhile touches all of
them alike.  A step is that of a benchmark (`app.worker.benchmark.feed`).
"""

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import Callable
from typing import Any

from app.catalog import typed_json
from app.core.types.workload import Workload

ROUNDS = 4
VISIT_S = 0.3
FEWEST, MOST = 2, 60


def main() -> None:
    """Answer what is asked on stdin."""
    workloads = typed_json.decode(sys.stdin.buffer.read(), list[Workload])
    print(json.dumps(measure(workloads)))


def measure(workloads: list[Workload]) -> list[list[dict[str, float]]]:
    """For each workload what each round found: a step's mean, and the reference's slower one of two, seconds."""
    from app.worker.backends.tensorflow import BACKEND
    from app.worker.rates.reference import Reference

    BACKEND.choose_device(workloads[0].plan)
    reference = Reference(False, BACKEND)
    steps = [_ready(workload) for workload in workloads]
    found: list[list[dict[str, float]]] = [[] for _ in workloads]
    for _ in range(ROUNDS):
        for step, rounds in zip(steps, found, strict=True):
            reference_s = reference.short_s()
            step()  # finds what the reference has left in the caches
            taken = [step()]
            while len(taken) < FEWEST or (sum(taken) < VISIT_S and len(taken) < MOST):
                taken.append(step())
            reference_s = max(reference_s, reference.short_s())
            rounds.append({"mean_s": statistics.mean(taken), "reference_s": reference_s})
    return found


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
