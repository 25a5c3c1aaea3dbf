"""The steps that several verbs share: which card can be used, the traced graph, the machine's speed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.cli.session import Live, warn
from app.core.types.backends import TITLES
from app.core.types.errors import WorkerFailed

if TYPE_CHECKING:
    from app.core.types.machine import Machine
    from app.core.types.stepgraph import StepGraph
    from app.core.types.workload import Workload
    from app.services.advisor import Advisor


def prepare(advisor: Advisor, workload: Workload, machine: Machine, state: Live) -> StepGraph:
    """Everything that costs seconds before an estimate; all of it is kept for the next time.

    Raises:
        BadModel: The model cannot be built.
        WorkerFailed: The child died.
        Cancelled: The user cancelled.
    """
    device = device_key(advisor, workload, machine, state)
    graph = advisor.predictor.graph(workload, state.on_event, state.cancel)
    if device is not None and workload.plan.backend == "tensorflow":  # the rates are those of its kernels
        try:
            advisor.machine.rates(device, state.on_event, state.cancel)
        except WorkerFailed as error:
            warn(f"the speed of this machine could not be measured: {error}")
    return graph


def prepare_if_possible(advisor: Advisor, workload: Workload, machine: Machine, state: Live) -> None:
    """Likewise before a measurement, which needs no estimate: a child that died is told and forgotten.

    Raises:
        BadModel: The model cannot be built.
        Cancelled: The user cancelled.
    """
    try:
        prepare(advisor, workload, machine, state)
    except WorkerFailed as error:
        warn(f"no estimate to compare with: {error}")


def device_key(advisor: Advisor, workload: Workload, machine: Machine, state: Live) -> str | None:
    """``cpu`` or ``gpu:N`` for the device of this machine that will train; None if it is a simulated one.

    A card that is present may still be of no use to the framework, so a child is asked where it matters.
    """
    from app.core.simulate.device import choose_device

    usable = None
    own_cards = [gpu for gpu in machine.gpus if not gpu.simulated]
    if own_cards and workload.plan.device == "auto":
        backend = workload.plan.backend
        state.on_event(_phase(f"asking {TITLES[backend]} which cards it can use"))
        usable = advisor.machine.usable_cards(backend)
    device = choose_device(machine, workload.plan.device, usable)
    if device.gpu is None:
        return None if "cpu" in machine.simulated else "cpu"
    return None if device.gpu.simulated else f"gpu:{device.gpu.index}"


def _phase(name: str) -> object:
    """A phase of our own, shown like those of a child."""
    from app.core.types.messages import Phase

    return Phase(name, 0.0)
