"""What a refinement needs to know before a child starts: is it possible here, at which batch, how much may it hold."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from app.catalog import typed_json
from app.core.predict.refining_time import Refining, Stage, left_s
from app.core.simulate.device import TargetDevice, is_elsewhere
from app.core.simulate.optimizers import slot_bytes
from app.core.types.basis import Range
from app.core.types.errors import UsageError
from app.core.types.machine import DeviceProbe, Machine, TimedOperation
from app.core.types.messages import Progress, Request
from app.core.types.stepgraph import StepGraph
from app.core.types.text import phrase
from app.core.types.units import GIB, MIB
from app.core.types.workload import Plan, Workload
from app.services.child.child_jobs import EventSink, bench_arguments, run_job
from app.services.child.child_options import ChildOptions
from app.services.child.guarded import memory_limit_bytes
from app.services.child.load_watch import LoadWatch
from app.services.child.watch import Event
from app.services.child.worker_process import CancelFlag
from app.services.predictor.query import Query
from app.services.store.refined_store import LARGEST_PROBE, PROBED_SHARE, SMALLEST_PROBE

REFINE_TIMEOUT_S = 1800.0
HOLLOW_SHARE = 0.5
"""Weights and optimizer state beyond this share of what may be held are asked for but not filled with values."""

PROBE_BYTES = GIB
"""A probe that would take so much more than a batch of 4 is made smaller."""
LARGE_PROBE_BYTES = 2 * GIB
"""A batch of 4 that would take so much is made one of 2: its steps take seconds, and are not tiny either."""

MANY_VARIABLES = 1000
"""So large a network's step is traced once for both batch sizes.  One for any size computes shapes as it runs: in loops
over a sequence it holds a tenth more, elsewhere about the same (docs/evidence.md, "A step for any size")."""

_LIMIT_VARIABLE = "TF_CPU_BFC_MEM_LIMIT_IN_MB"
_NO_LIMIT_MIB = 1 << 24
_UNQUANTISED = 4
"""Values of 4 bytes are there before they are rounded to 8 bits."""


def refuse_elsewhere(machine: Machine, device: TargetDevice) -> None:
    """A refinement answers for the device that it ran on, so it must be this machine's own.

    Raises:
        UsageError: The device is a simulated one.
    """
    if is_elsewhere(machine, device):
        raise UsageError(
            phrase("an estimate can be refined only for a device of this machine"),
            expected=phrase("a device that is here: XLA and the kernels lay out memory differently on another one"),
            received=device.name,
            hint=phrase("leave --refine out, or refine on that machine itself"),
        )


def probe_batch(batch_size: int, peak_bytes: Callable[[int], int]) -> int:
    """The larger of the two batch sizes that are run; a power of two, so that a slider finds what was probed.

    Args:
        batch_size: The batch that is asked about.
        peak_bytes: The predicted peak of a batch.
    """
    probe = SMALLEST_PROBE if batch_size < PROBED_SHARE else PROBED_SHARE
    while 2 * PROBED_SHARE * probe <= batch_size and probe < LARGEST_PROBE:
        probe *= 2
    while probe > PROBED_SHARE and peak_bytes(probe) - peak_bytes(PROBED_SHARE) > PROBE_BYTES:
        probe //= 2
    if probe == PROBED_SHARE and peak_bytes(probe) > LARGE_PROBE_BYTES:
        probe = SMALLEST_PROBE
    return probe


def refine(
    query: Query,
    *,
    probe: int | None,
    interpreter: str | None,
    reserve_bytes: int | None,
    timed: Sequence[TimedOperation] = (),
    stages: Sequence[Stage] = (),
    on_event: EventSink | None = None,
    cancel: CancelFlag | None = None,
) -> dict[str, Any]:
    """Run the ``refine`` job in a child that may hold what can be spared of this machine's memory.

    Args:
        query: What is refined, on a device of this machine.
        probe: The larger batch size to run; None if the step is compiled.
        interpreter: Whose Python; this program's own if None.
        reserve_bytes: Host memory to leave to other programs; None for the usual.
        timed: Operations timed on this machine; the step's dearest are timed too if it is not compiled.
        stages: How long each is expected to take.
        on_event: Hears what the child says before its answer.
        cancel: Ends the child.

    Raises:
        BadModel: The model cannot be built.
        Cancelled: The user cancelled.
        WorkerFailed: The child died or took too much memory, or XLA cannot compile the model.
    """
    limit = memory_limit_bytes(reserve_bytes)
    arguments, variables = refine_arguments(query, probe=probe, limit_bytes=limit)
    if probe is not None and query.device.gpu is None:
        arguments["timed"] = typed_json.plain(timed)
    watch = LoadWatch(with_time_left(on_event, stages) if on_event is not None and stages else on_event)
    answer = run_job(
        Request("refine", arguments),
        arguments["device"],
        ChildOptions(interpreter, variables, limit_bytes=limit, timeout_s=REFINE_TIMEOUT_S),
        on_event=watch.on_event,
        cancel=cancel,
        on_started=watch.on_started,
    )
    for operation in answer.get("operations", ()):
        operation["others_percent"] = watch.others_percent()
    return answer


def traced_once(graph: StepGraph) -> bool:
    """Does one trace do for both batch sizes."""
    loops = any(operation.loop is not None for operation in graph.operations)
    return len(graph.variables) > MANY_VARIABLES and not loops


def stages_of(
    graph: StepGraph,
    plan: Plan,
    probe: int | None,
    *,
    work: tuple[int, int],
    step: Callable[[int], Range | None],
    known: DeviceProbe | None,
) -> tuple[Stage, ...]:
    """How long the stages of a refinement should take.

    Args:
        graph: The traced step.
        plan: How it is trained.
        probe: The larger batch size to run; None if the step is compiled.
        work: Operations of the step, and of the optimizer's update.
        step: Tells the time of a step of so many samples.
        known: What was measured of the device.
    """
    import_s = known.import_s if known is not None else None
    if probe is None:
        return Refining(*work, xla=True, import_s=import_s).stages()
    first, other = (told.value if (told := step(batch)) is not None else 0.0 for batch in (probe, probe // 2))
    return Refining(*work, first, other, traced_once(graph), import_s=import_s, accumulate=plan.accumulate).stages()


def with_time_left(
    on_event: EventSink, stages: Sequence[Stage], clock: Callable[[], float] = time.monotonic
) -> EventSink:
    """Let a listener hear with every progress how long it will take yet."""
    begun_s = clock()

    def listen(event: Event) -> None:
        if isinstance(event, Progress):
            event = replace(event, left_s=left_s(stages, event.fraction, clock() - begun_s))
        on_event(event)

    return listen


def refine_arguments(
    query: Query, *, probe: int | None, limit_bytes: int | None
) -> tuple[dict[str, Any], Mapping[str, str]]:
    """The arguments of the child's ``refine`` job, and its variables.

    Args:
        query: What is refined, on a device of this machine; its traced step tells the size of the weights.
        probe: The larger batch size to run; None if the step is compiled.
        limit_bytes: Host memory that the child may hold.
    """
    device, xla = query.device, probe is None
    large = limit_bytes is not None and _state_bytes(query.workload, query.graph) > HOLLOW_SHARE * limit_bytes
    hollow = xla and device.gpu is None and large
    name = "cpu" if device.gpu is None else f"gpu:{device.gpu.index}"
    arguments = {**bench_arguments(query.workload, 0), "device": name, "xla": xla, "hollow": hollow}
    if probe is not None:
        arguments["probe"] = [probe, probe // 2]
        arguments["any_size"] = traced_once(query.graph)
    variables = {"TF_CPP_MIN_LOG_LEVEL": "1"}
    if hollow:
        variables[_LIMIT_VARIABLE] = str(_NO_LIMIT_MIB)
    elif device.gpu is None and limit_bytes is not None:
        variables[_LIMIT_VARIABLE] = str(max(1, limit_bytes // MIB))
    return arguments, variables


def _state_bytes(workload: Workload, graph: StepGraph) -> int:
    """Weights and the optimizer's state."""
    total = 0
    for variable in graph.variables:
        total += variable.size_bytes * (_UNQUANTISED if variable.dtype == "int8" else 1)
        if variable.gradient is not None and workload.plan.mode == "train":
            total += sum(
                slot_bytes(
                    workload.plan.rule, variable.shape, variable.item_bytes, variable.path, ema=workload.plan.ema
                )
            )
    return total
