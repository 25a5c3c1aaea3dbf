"""Measure a workload: a child trains it for some seconds while the machine is watched.

The child tells steps and its allocator's memory; this side reads processor, RAM, GPU and disk.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from app.catalog import typed_json
from app.core.runs.doubts import Conditions, outside_doubts
from app.core.types.errors import WorkerFailed
from app.core.types.faults import outcome_of
from app.core.types.machine import Machine
from app.core.types.measurement import Measurement, RunResult, Sample
from app.core.types.messages import Done, Failed, Request
from app.core.types.plausible import Implausible, check_plausible
from app.core.types.prediction import Prediction
from app.core.types.text import Text, phrase
from app.core.types.whole import Length, MeasuredWhole
from app.core.types.workload import Plan, Workload
from app.services.benchmarks.memory_beside import with_outside_view
from app.services.benchmarks.partial import partial_measurement
from app.services.child.child_jobs import bench_arguments
from app.services.child.child_options import OWN_PYTHON, ChildOptions
from app.services.child.patience import Patience
from app.services.child.problems import not_finite, problem_of
from app.services.child.sandbox import sandboxed
from app.services.child.variables import child_variables
from app.services.child.watch import SAMPLES_PER_S, Event, Watch, mean
from app.services.child.worker_process import CancelFlag, Turns, run_worker
from app.services.held_folder import held_folder
from app.services.settings import Folders
from app.services.store.cache import SAMPLES
from app.services.whole_write import cannot_write, private_folder

DEFAULT_SECONDS = 20.0
_LONGEST_COMPILE_S = 1800.0
_READ_FROM_DISK_SHARE = 0.2
_READ_EACH_EPOCH = frozenset(("images", "tfrecord", "csv"))
"""Kinds of data whose files each epoch reads again; arrays are read once."""
_VARIABLES = {"TF_CPP_MIN_LOG_LEVEL": "1"}
"""With warnings, TensorFlow says that memory ran out before it crashes of it (`worker_endings`)."""

Measured = TypeVar("Measured", Measurement, MeasuredWhole)


@dataclass(frozen=True)
class BenchOptions:
    """How a benchmark measures."""

    seconds: float = DEFAULT_SECONDS
    """Time to measure after the step is compiled."""
    profile: bool | None = None
    """Profile a step after the measurement: True, False, or None for yes if it is cheap."""
    trace_dir: Path | None = None
    """Where the raw trace of that step goes; None to keep none."""
    waiting_s: float = 0.0
    """How much longer a child may live that waits for its turns."""
    patience: Patience = Patience()
    """How long the child may be silent."""
    samples_per_s: float = SAMPLES_PER_S
    """Readings of the machine, 2 to 10 a second."""
    whole: Length | None = None
    """Run so much of a whole ``fit`` instead of its steps."""
    room_bytes: int | None = None
    """What the step may need of a card (`room_for`), taken in one piece before it; None to let it grow."""


_USUAL = BenchOptions()


def bench(
    workload: Workload,
    machine: Machine | None = None,
    options: BenchOptions = _USUAL,
    child: ChildOptions = OWN_PYTHON,
    *,
    on_event: Callable[[Event], None] | None = None,
    cancel: CancelFlag | None = None,
    turns: Turns | None = None,
) -> RunResult:
    """Train ``workload`` for some seconds in a child process.

    Args:
        workload: What to train.
        machine: This machine as it was probed; its power source is told if the system tells no newer.
        options: How long, with a profiled step or not, and how it is watched.
        child: The Python that trains, its variables and limits; how long it may take follows from ``options``.
        on_event: Called with everything that happens, from this thread or a second one, never at once.
        cancel: Polled; once set, the run ends within 2 s.
        turns: The child measures in the turns that are put in here, and pauses between them.

    Returns:
        How it ended and what was measured until then.  Failures of the run are outcomes, not exceptions.
    """
    watch = Watch(child.allowed_bytes(), on_event=on_event, cancel=cancel, samples_per_s=options.samples_per_s)
    plan, seconds = workload.plan, options.seconds
    limited = dataclasses.replace(
        child,
        environment={**_VARIABLES, **child_variables(plan.backend, plan.device), **child.environment},
        limit_bytes=watch.limit_bytes,
        patience=options.patience,
        timeout_s=_LONGEST_COMPILE_S + 3 * seconds + options.waiting_s,
    )
    trace_dir = None if options.trace_dir is None else str(options.trace_dir)
    wish = {"profile": options.profile, "trace_dir": trace_dir, "room_bytes": options.room_bytes}
    with _cache_folder(plan) as folder, watch, sandboxed(workload.model) as sandbox:
        arguments = {**bench_arguments(workload, seconds), "cache_dir": folder, "turns": turns is not None, **wish}
        request = Request("script" if workload.model.kind == "script" else "bench", arguments)
        if sandbox is not None:
            request, limited = sandbox.request(request), sandbox.options(limited)
        if options.whole is not None:
            request = Request("whole", {**arguments, "length": dataclasses.asdict(options.whole)})
        ended = run_worker(
            request, limited, on_message=watch.on_message, cancel=watch.cancel, on_started=watch.on_started, turns=turns
        )
    watch.raise_if_failed()
    return _result(workload, machine, ended, watch, low_priority=child.low_priority)


def room_for(told: Prediction | None, *, whole: bool = False) -> int | None:
    """The memory of a card that a step is expected to need at most, of what it may use; None where nobody knows.

    Args:
        told: What was predicted.
        whole: A whole ``fit`` runs: its validation may need more than a step.
    """
    if told is None or told.fit.allowed_bytes is None:
        return None
    phases = told.whole.phases if whole and told.whole is not None else ()
    most = max([told.memory.high_bytes, *(phase.device.high for phase in phases if phase.device is not None)])
    return min(int(most), told.fit.allowed_bytes)


@contextmanager
def _cache_folder(plan: Plan) -> Iterator[str | None]:
    """A folder for the child's cache on disk; removed here, because the child may not live to do it.

    It lies among our caches: a system's temporary folder is often memory in disguise.

    Raises:
        StoreError: It cannot be made.
    """
    if plan.cache != "disk":
        yield None
        return
    place = Folders.default().cache_dir
    with ExitStack() as held:
        try:
            folder = held.enter_context(held_folder(private_folder(place), SAMPLES))
        except OSError as error:
            raise cannot_write(place, error, own=True) from error
        yield str(folder)


def _result(
    workload: Workload, machine: Machine | None, ended: Done | Failed, watch: Watch, *, low_priority: bool
) -> RunResult:
    """The child's answer together with what was seen from outside."""
    found = (ended.result if isinstance(ended, Done) else ended.partial) or {}
    measurement = with_outside_view(_measurement(found.get("measurement"), watch), watch.samples, watch.phases())
    if measurement is None and isinstance(ended, Failed):
        measurement = partial_measurement(workload, tuple(watch.readings), watch.samples, watch.phases())
    before = _known_battery(watch.before, machine)
    doubts = outside_doubts(watch.samples, before, watch.after, low_priority=low_priority, slept_s=watch.slept_s)
    warnings = [*_warnings(found.get("warnings", ())), *(doubt.text for doubt in doubts)]
    if watch.driver_hangs:
        warnings.append(phrase("a driver stopped answering: from then on nothing of this machine could be read"))
    if measurement is not None:
        warnings += _page_cache(workload, measurement, watch.samples)
        warnings += [doubt.text for doubt in measurement.doubts if doubt.kind == "partial"]
        measurement = dataclasses.replace(measurement, doubts=(*measurement.doubts, *doubts))
    problem = problem_of(ended, watch) if isinstance(ended, Failed) else not_finite(measurement)
    return RunResult(
        outcome="succeeded" if problem is None else outcome_of(problem.kind),
        measurement=measurement,
        problem=problem,
        warnings=tuple(warnings),
        phases=watch.phases(),
        samples=tuple(watch.samples),
        environment=found.get("environment", {}),
        whole=_understood(found.get("whole"), MeasuredWhole),
    )


def _warnings(found: Any) -> tuple[Text, ...]:
    """What the child told beside its figures.

    Raises:
        WorkerFailed: The child's answer has another shape than this version expects.
    """
    try:
        return typed_json.convert(found, tuple[Text, ...])
    except msgspec.ValidationError as error:
        raise WorkerFailed(phrase("the child's measurement was not understood"), received=str(error)) from error


def _measurement(found: Any, watch: Watch) -> Measurement | None:
    """The child's figures, with the use of processor and GPU while it measured, and the energy.

    Raises:
        WorkerFailed: The child's answer has another shape than this version expects.
    """
    measured = _understood(found, Measurement)
    if measured is None:
        return None
    during = [s for s in watch.samples if s.phase == "measure"]
    held = [s.gpu_memory_bytes for s in watch.samples if s.gpu_memory_bytes is not None]
    memory = dataclasses.replace(measured.memory, device_bytes=max(held, default=None))
    return dataclasses.replace(
        measured,
        memory=memory,
        cpu_percent=mean([s.cpu_percent for s in during]),
        gpu_percent=mean([s.gpu_percent for s in during]),
        others_percent=mean([s.others_cpu_percent for s in during]),
        energy=watch.power.energy(measured.epoch_s, watch.cpu_energy_reason),
    )


def _understood(found: Any, kind: type[Measured]) -> Measured | None:
    """What the child measured, as one of our types; None where it measured nothing.

    Raises:
        WorkerFailed: It has another shape than this version expects, or holds what cannot be.
    """
    if found is None:
        return None
    try:
        measured = typed_json.convert(found, kind)
        check_plausible(measured)
    except (msgspec.ValidationError, Implausible) as error:
        raise WorkerFailed(phrase("the child's measurement was not understood"), received=str(error)) from error
    return measured


def _known_battery(now: Conditions, machine: Machine | None) -> Conditions:
    """Where the system tells nothing now, the power source as it was probed."""
    if now.on_battery is not None or machine is None or machine.battery is None or machine.battery.plugged_in is None:
        return now
    return dataclasses.replace(now, on_battery=not machine.battery.plugged_in)


def _page_cache(workload: Workload, measurement: Measurement, samples: Sequence[Sample]) -> list[Text]:
    """A warning if the data was read from memory and not from the disk."""
    if not _came_from_memory(workload, measurement, samples):
        return []
    return [phrase("the files came from memory (page cache), not from the disk: a first epoch takes longer")]


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
