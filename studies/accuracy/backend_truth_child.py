"""What one training step needs on JAX or PyTorch, in a process of the interpreter that has it.

JAX: its allocator's peak on a card, else the compiler's plan of the step.  PyTorch: ``max_memory_allocated`` on a
card, else the profiler's count of tensors over two steps, on top of what was there before.  Only Keras, NumPy and
that framework are needed.  The answer is one line of JSON.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from app.worker.backends.base import load
from app.worker.data.batches import synthetic_batch
from app.worker.models.build import build
from studies.accuracy.xla_rows import XlaRow

STEPS = 3


def main() -> None:
    """Train the row that the command line describes for some steps."""
    name, device, row = sys.argv[1], sys.argv[2], XlaRow(**json.loads(sys.argv[3]))
    workload = row.workload()
    plan = workload.plan.__class__(row.batch, row.optimizer, row.precision, device=device, backend=name)  # type: ignore[arg-type]
    backend = load(name)
    chosen = backend.choose_device(plan)
    built = build(workload.model, input_shape=workload.input_shape, precision=row.precision)
    batch = synthetic_batch(built, row.batch)
    runner, memory = backend.runner(built, plan), backend.memory(chosen)
    runner.first_of(iter([batch]))
    memory.reset_peak()
    for _ in range(STEPS - 1):
        runner.step_of(iter([batch]))
    reading = memory.read()
    needed = backend.needed(runner, batch, reading.peak_bytes if reading else None)
    peak, basis = needed.peak_bytes, needed.basis
    if peak is None and name == "torch":
        peak, basis = profiled_bytes(runner, batch), "torch.profiler's count of tensors on the processor"
    print(json.dumps({"peak_bytes": peak, "basis": basis, "device": chosen.description, **backend.describe()}))


def profiled_bytes(runner: Any, batch: Any) -> int:
    """Peak of tensors over two steps, of which the first frees what older gradients took, plus what was there."""
    import torch

    model = runner.model
    model.zero_grad()
    held: dict[int, int] = {}
    variables = [*model.variables, *model.optimizer.variables, *model.metrics_variables]
    for tensor in [v.value for v in variables]:
        storage = tensor.untyped_storage()
        held[storage.data_ptr()] = storage.nbytes()
    activities = [torch.profiler.ProfilerActivity.CPU]
    with torch.profiler.profile(activities=activities, profile_memory=True) as profile:
        runner.step_of(iter([batch]))
        runner.step_of(iter([batch]))
    events = [e for e in profile.profiler.kineto_results.events() if e.name() == "[memory]"]
    current = peak = 0
    for event in sorted(events, key=lambda e: e.start_ns()):
        current += event.nbytes()
        peak = max(peak, current)
    return sum(held.values()) + peak


if __name__ == "__main__":
    main()
