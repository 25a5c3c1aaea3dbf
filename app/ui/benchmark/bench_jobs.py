"""What a start on the Benchmark page runs, and what is shown of its result.  No Qt."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from app.core.types.machine import Machine
from app.core.types.messages import Progress
from app.core.types.workload import Workload
from app.ui.benchmark.state_bench import result_state
from app.ui.benchmark.state_compare import MEASURES, compared_state, found_state
from app.ui.kit.quantities import format_count

if TYPE_CHECKING:
    from app.core.types.run import Run
    from app.services.advisor import Advisor

ONE_RUN = ("plan", "whole")
"""What ends in one run, not in several beside each other."""

Job = Callable[[Callable[[Any], None], threading.Event], Any]


def measures_for(workload: Workload | None, machine: Machine | None) -> tuple[str, ...]:
    """What can be measured of a workload on a machine.

    There is no second device without a card, no cache without data, and a script's whole is what its author wrote.
    """
    cards = machine is not None and any(not gpu.simulated for gpu in machine.gpus)
    real = workload is not None and workload.dataset is not None and workload.dataset.real
    threads = workload is None or workload.plan.backend == "tensorflow"
    trains = workload is None or (workload.model.kind != "script" and workload.plan.mode == "train")
    can = {"device": cards, "data": real, "threads": threads, "whole": trains}
    missing = {name for name, there in can.items() if not there}
    return tuple(name for name in MEASURES if name not in missing)


def job_of(
    measure: str, advisor: Advisor, workload: Workload, machine: Machine, seconds: float, devices: tuple[str, ...] = ()
) -> Job:
    """The work behind one start; it runs in a thread.

    Args:
        measure: One of `MEASURES`.
        advisor: The façade.
        workload: What to train.
        machine: This machine.
        seconds: Time to measure, of each variant where several are compared.
        devices: Those to compare, where devices are; empty for all.
    """

    def job(sink: Callable[[Any], None], cancel: threading.Event) -> Any:
        advisor.catalog.trust.require(workload)
        if advisor.predictor.graphs.get(workload) is None:
            advisor.predictor.graph(workload, sink, cancel)
        if measure in ONE_RUN:
            whole = measure == "whole"
            return advisor.benchmarks.bench(
                workload, machine, seconds=seconds, whole=whole, on_event=sink, cancel=cancel
            )
        if measure == "batch":
            return advisor.benchmarks.find_batch(workload, machine, on_event=sink, cancel=cancel)
        wishes = {measure: devices if measure == "device" else ()}
        return advisor.benchmarks.compare(workload, machine, wishes, seconds=seconds, on_event=sink, cancel=cancel)

    return job


def shown(measure: str, value: Any) -> dict[str, Any]:
    """The fields of `BenchState` that show a result."""
    if measure in ONE_RUN:
        return {"result": result_state(value)}
    if measure == "batch":
        return {"finding": found_state(value)}
    return {"comparison": compared_state(value)}


def runs_of(measure: str, value: Any) -> tuple[Run, ...]:
    """The runs that were stored."""
    if measure in ONE_RUN:
        return (value,)
    return tuple(one.run for one in (value.trials if measure == "batch" else value.variants))


def unwrapped(event: Any) -> tuple[str | None, Any]:
    """An event as (the variant or batch that it begins to tell of, what happened); None where that goes on.

    The progress of one variant says nothing of the whole comparison, which tells its own.
    """
    batch = getattr(event, "batch_size", None)
    if batch is not None:
        return format_count(batch), None
    label = getattr(event, "label", None)
    if label is None:
        return None, event
    return label, None if isinstance(event.event, Progress) else event.event
