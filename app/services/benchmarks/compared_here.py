"""What this machine makes of a plan, for comparisons and for the batch finder."""

from __future__ import annotations

from app.core.advising.variants import Here
from app.core.simulate.xla.choice import uses_xla
from app.core.types.errors import InvalidWorkload, UsageError
from app.core.types.machine import Machine
from app.core.types.prediction import Prediction
from app.core.types.text import phrase
from app.core.types.workload import Workload
from app.services.benchmarks.batch_finder import Room
from app.services.child.guarded import memory_limit_bytes
from app.services.predictor.predictor import Predictor


def here(workload: Workload, machine: Machine, predictor: Predictor) -> Here:
    """Device, XLA, threads and cards as the plan means them here."""
    plan, graph = workload.plan, predictor.graphs.get(workload)
    device = predictor.facts.device(workload, machine)
    return Here(
        device="cpu" if device.gpu is None else f"gpu:{device.gpu.index}",
        xla=bool(plan.jit) if graph is None or plan.backend == "torch" else uses_xla(plan, device, graph),
        threads=device.host_threads,
        gpus=tuple(gpu.index for gpu in machine.gpus if not gpu.simulated),
        real_data=workload.dataset is not None and workload.dataset.real,
    )


def room_of(
    workload: Workload,
    machine: Machine,
    predictor: Predictor,
    told: Prediction | None,
    limit_bytes: int | None,
    reserve_bytes: int | None,
) -> Room:
    """What a batch has to fit into on the plan's device.

    Raises:
        UsageError: The limit is for the host, but a card trains.
    """
    try:
        on_host = predictor.facts.device(workload, machine).gpu is None
    except InvalidWorkload:
        on_host = False
    if on_host:
        return Room(limit_bytes or memory_limit_bytes(reserve_bytes), on_host=True)
    if limit_bytes is not None:
        raise UsageError(
            phrase("the limit is for the host's memory, but a card trains"),
            received="--memory-limit",
            hint=phrase("leave it out, or use --device cpu"),
        )
    return Room(told.fit.allowed_bytes if told else None, on_host=False)
