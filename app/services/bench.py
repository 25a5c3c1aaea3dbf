"""Measure a workload: a child trains it for some seconds while the machine is watched.

The child tells steps and its allocator's memory; this side reads processor, RAM, GPU and disk, and stops
the child before it could take the last memory of the machine.
"""

from __future__ import annotations

import dataclasses
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec

from app.core.errors import WorkerFailed
from app.core.machine import Machine
from app.core.measurement import Measurement, Outcome, Problem, RunResult, Sample
from app.core.messages import Done, Failed, Request
from app.core.units import format_bytes
from app.core.workload import Plan, Workload
from app.services.bench_watch import Event, Watch, mean, memory_limit_bytes
from app.services.settings import Folders
from app.services.worker_process import CancelFlag, run_worker

DEFAULT_SECONDS = 20.0
HOST_LIMIT_HINT = "try a smaller batch, close other programs, or do not cache the data in RAM"
_LONGEST_COMPILE_S = 1800.0
_READ_FROM_DISK_SHARE = 0.2
_READ_EACH_EPOCH = frozenset(("images", "tfrecord", "csv"))
"""Kinds of data whose files each epoch reads again; arrays are read once."""
_VARIABLES = {"TF_CPP_MIN_LOG_LEVEL": "1"}
"""With warnings, TensorFlow says that memory ran out before it crashes of it (`worker_endings`)."""
_OUTCOMES: dict[str, Outcome] = {
    "out_of_memory": "out_of_memory",
    "cancelled": "cancelled",
    "crashed": "crashed",
}


def bench(
    workload: Workload,
    machine: Machine | None = None,
    *,
    seconds: float = DEFAULT_SECONDS,
    interpreter: str | None = None,
    environment: Mapping[str, str] | None = None,
    reserve_bytes: int | None = None,
    on_event: Callable[[Event], None] | None = None,
    cancel: CancelFlag | None = None,
    command: Sequence[str] | None = None,
) -> RunResult:
    """Train ``workload`` for about ``seconds`` in a child process.

    Args:
        workload: What to train.
        machine: This machine; its power source is told in a warning.
        seconds: Time to measure after the step is compiled.
        interpreter: Python to use; this program's own if None.
        environment: Variables to add to the child's environment.
        reserve_bytes: Memory to leave to other programs; None for the larger of 1 GiB and 10 %.
        on_event: Called with everything that happens, from this thread or a second one, never at once.
        cancel: Polled; once set, the run ends within 2 s.
        command: A child to start instead of the worker.

    Returns:
        How it ended and what was measured until then.  Failures of the run are outcomes, not exceptions.
    """
    watch = Watch(memory_limit_bytes(reserve_bytes), on_event=on_event, cancel=cancel)
    variables = {**_VARIABLES, **device_variables(workload.plan.device), **(environment or {})}
    with _cache_folder(workload.plan) as folder, watch:
        request = Request("bench", {**bench_arguments(workload, seconds), "cache_dir": folder})
        ended = run_worker(
            request,
            interpreter=interpreter,
            environment=variables,
            on_message=watch.on_message,
            cancel=watch.cancel,
            timeout_s=_LONGEST_COMPILE_S + 3 * seconds,
            on_started=watch.on_started,
            command=command,
        )
    watch.raise_if_failed()
    return _result(workload, machine, ended, watch)


def bench_arguments(workload: Workload, seconds: float) -> dict[str, Any]:
    """The arguments of the child's ``bench`` job."""
    arguments: dict[str, Any] = msgspec.to_builtins(workload.plan)
    arguments["model"] = msgspec.to_builtins(workload.model)
    arguments["dataset"] = msgspec.to_builtins(workload.dataset)
    arguments["input_shape"] = workload.input_shape
    arguments["classes"] = workload.classes
    arguments["seconds"] = seconds
    return arguments


def device_variables(device: str) -> dict[str, str]:
    """Variables that hide the GPUs where the CPU was asked for.

    Keras takes XLA as soon as TensorFlow *sees* a GPU, so that hiding it later would not do.
    """
    return {"CUDA_VISIBLE_DEVICES": "-1", "HIP_VISIBLE_DEVICES": "-1"} if device == "cpu" else {}


@contextmanager
def _cache_folder(plan: Plan) -> Iterator[str | None]:
    """A folder for the child's cache on disk; removed here, because the child may not live to do it.

    It lies among our caches: a system's temporary folder is often memory in disguise.
    """
    if plan.cache != "disk":
        yield None
        return
    place = Folders.default().cache_dir
    place.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="samples-", dir=place, ignore_cleanup_errors=True) as folder:
        yield folder


def _result(workload: Workload, machine: Machine | None, ended: Done | Failed, watch: Watch) -> RunResult:
    """The child's answer together with what was seen from outside."""
    found = (ended.result if isinstance(ended, Done) else ended.partial) or {}
    measurement = _measurement(found.get("measurement"), watch.samples)
    outcome: Outcome = "succeeded"
    problem = None
    if isinstance(ended, Failed):
        problem = _problem(ended, watch)
        outcome = _OUTCOMES.get(problem.kind, "failed")
    warnings = [*found.get("warnings", ()), *_outside_warnings(workload, machine, measurement, watch.samples)]
    return RunResult(
        outcome=outcome,
        measurement=measurement,
        problem=problem,
        warnings=tuple(warnings),
        phases=watch.phases(),
        samples=tuple(watch.samples),
        environment=found.get("environment", {}),
    )


def _measurement(found: Any, samples: Sequence[Sample]) -> Measurement | None:
    """The child's figures, with the use of processor and GPU while it measured.

    Raises:
        WorkerFailed: The child's answer has another shape than this version expects.
    """
    if found is None:
        return None
    try:
        measured = msgspec.convert(found, Measurement)
    except msgspec.ValidationError as error:
        raise WorkerFailed("the child's measurement was not understood", received=str(error)) from error
    during = [s for s in samples if s.phase == "measure"]
    held = [s.gpu_memory_bytes for s in samples if s.gpu_memory_bytes is not None]
    memory = dataclasses.replace(measured.memory, device_bytes=max(held, default=None))
    return dataclasses.replace(
        measured,
        memory=memory,
        cpu_percent=mean([s.cpu_percent for s in during]),
        gpu_percent=mean([s.gpu_percent for s in during]),
    )


def _problem(failed: Failed, watch: Watch) -> Problem:
    """Why the run ended, in the user's words."""
    if watch.stopped_at_bytes is not None:
        return Problem(
            kind="out_of_memory",
            message=f"stopped because it held {format_bytes(watch.stopped_at_bytes)} of this machine's memory"
            f" and {format_bytes(watch.limit_bytes)} is all that can be spared",
            phase=failed.phase or watch.phase,
            hint=HOST_LIMIT_HINT,
            needed_bytes=watch.stopped_at_bytes,
            had_bytes=watch.limit_bytes,
            stderr=failed.stderr,
        )
    message = failed.message
    if failed.expected:
        message += f"; expected {failed.expected}"
    if failed.received:
        message += f"; received {failed.received}"
    return Problem(
        kind=failed.kind,
        message=message,
        phase=failed.phase or watch.phase,
        hint=failed.hint,
        needed_bytes=failed.needed_bytes,
        had_bytes=failed.had_bytes,
        where=failed.where,
        stderr=failed.stderr,
    )


def _outside_warnings(
    workload: Workload, machine: Machine | None, measurement: Measurement | None, samples: Sequence[Sample]
) -> list[str]:
    """What this side saw that casts doubt on the figures."""
    warnings = []
    if machine is not None and machine.battery is not None and machine.battery.plugged_in is False:
        warnings.append("the machine runs on battery and may be slower than on mains power")
    if measurement is not None and _came_from_memory(workload, measurement, samples):
        warnings.append("the files came from memory (page cache), not from the disk: a first epoch takes longer")
    return warnings


def _came_from_memory(workload: Workload, measurement: Measurement, samples: Sequence[Sample]) -> bool:
    """Did files that each epoch reads pass, but hardly come from the disk?"""
    dataset = workload.dataset
    if dataset is None or not dataset.real or dataset.kind not in _READ_EACH_EPOCH:
        return False
    share = measurement.data.share_from_disk
    if share is None and dataset.bytes_on_disk and dataset.samples:
        read = mean([s.disk_read_bytes_per_s for s in samples if s.phase == "measure"])
        share = None if read is None else read / (dataset.bytes_on_disk / dataset.samples * measurement.samples_per_s)
    return share is not None and share < _READ_FROM_DISK_SHARE
