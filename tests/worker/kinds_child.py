"""Runs in a child with TensorFlow's card-like allocator: traces, predicts and measures workloads, one after the other.

Input (stdin): a list of arguments of the ``bench`` job.  The last line of stdout is a list of
[predicted bytes, measured bytes]: the peak of steps 2 and 3, less what was there before.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from typing import Any


def main() -> None:
    print("\n" + json.dumps([[predicted(case), measured(case)] for case in json.load(sys.stdin)]))


def predicted(case: dict[str, Any]) -> int:
    from app.core.predict.memory import predict_memory
    from app.core.predict.model_steps import ModelSteps
    from app.core.simulate.device import TargetDevice
    from app.core.types.plans import plan_from_json
    from app.worker.models.build import build_for
    from app.worker.tracing.trace import trace_built, without_memory

    plan = plan_from_json(case)
    with without_memory(case["model"]["kind"]):
        graph = trace_built(build_for(case, plan), precision=plan.precision, mode=plan.mode)
    device = TargetDevice("CPU", None, len(os.sched_getaffinity(0)))
    step = ModelSteps(graph).step_memory(plan, device)
    told = predict_memory(step, batch_size=plan.batch_size, context_bytes=0, host_process_bytes=0, cuda=False)
    return told.allocator_peak_bytes


def measured(case: dict[str, Any]) -> int:
    from app.core.types.plans import plan_from_json
    from app.worker.backends.tensorflow import Allocator, StepRunner
    from app.worker.data.batches import synthetic_batch
    from app.worker.models.build import build_for

    plan = plan_from_json(case)
    gc.collect()
    allocator = Allocator("CPU:0")
    before = allocator.read().current_bytes
    built = build_for(case, plan)
    runner = StepRunner(built, plan)
    batch = synthetic_batch(built, plan.batch_size)
    runner.first(batch)
    allocator.reset_peak()
    for _ in range(2):
        runner.first(batch)
    return allocator.read().peak_bytes - before


if __name__ == "__main__":
    main()
