"""Runs in a child with TensorFlow's card-like allocator: traces, predicts and measures workloads, one after the other.

Input (stdin): a list of arguments of the ``bench`` job.  The last line of stdout is a list of
[predicted bytes, measured bytes]: the peak of steps 2 and 3, less what was there before.
"""

from __future__ import annotations

import gc
import json
import multiprocessing
import os
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from app.core.simulate.device import TargetDevice, as_measured
from app.core.types.machine import DeviceProbe


def main() -> None:
    import keras  # noqa: F401 - once for all

    cases = json.load(sys.stdin)
    device = alone(this_processor)
    print("\n" + json.dumps([alone(both, case, device) for case in cases]))


def alone(function: Callable[..., Any], *arguments: Any) -> Any:
    """A function's answer from a process whose allocator nobody has used: what it hands out depends on what it has.

    The parent has loaded TensorFlow and done nothing with it, so it can be forked; where there is no fork all cases
    share an allocator.
    """
    if not hasattr(os, "fork"):
        return function(*arguments)
    with ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as pool:
        return pool.submit(function, *arguments).result()


def both(case: dict[str, Any], device: TargetDevice) -> list[int]:
    """What is predicted and what is measured."""
    return [predicted(case, device), measured(case)]


def this_processor() -> TargetDevice:
    """The processor as it is known once it was calibrated."""
    from app.worker.rates.host_kernels import probe_host_kernels

    probe = DeviceProbe("cpu", "", **probe_host_kernels())
    return as_measured(TargetDevice("CPU", None, len(os.sched_getaffinity(0))), probe)


def predicted(case: dict[str, Any], device: TargetDevice) -> int:
    from app.core.predict.memory import predict_memory
    from app.core.predict.model_steps import ModelSteps
    from app.core.types.plans import plan_from_json
    from app.worker.models.build import build_for
    from app.worker.tracing.trace import trace_built, without_memory

    plan = plan_from_json(case)
    with without_memory(case["model"]["kind"]):
        graph = trace_built(build_for(case, plan), precision=plan.precision, mode=plan.mode)
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
