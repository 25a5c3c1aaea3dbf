"""What a refinement needs to know before a child starts: is it possible here, and how much may it hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.core.device import TargetDevice
from app.core.errors import UsageError
from app.core.machine import Machine
from app.core.optimizers import slot_bytes
from app.core.stepgraph import StepGraph
from app.core.units import MIB
from app.core.workload import Workload
from app.services.bench import bench_arguments, device_variables
from app.services.bench_watch import memory_limit_bytes

REFINE_TIMEOUT_S = 1800.0
HOLLOW_SHARE = 0.5
"""Weights and optimizer state beyond this share of what may be held are asked for but not filled with values."""

_LIMIT_VARIABLE = "TF_CPU_BFC_MEM_LIMIT_IN_MB"
_NO_LIMIT_MIB = 1 << 24
_UNQUANTISED = 4
"""Values of 4 bytes are there before they are rounded to 8 bits."""


def refuse_elsewhere(machine: Machine, device: TargetDevice) -> None:
    """A refinement answers for the device that it ran on, so it must be this machine's own.

    Raises:
        UsageError: The device is a simulated one.
    """
    card = device.gpu is not None and device.gpu.simulated
    if card or (device.gpu is None and "cpu" in machine.simulated):
        raise UsageError(
            "an estimate can be refined only for a device of this machine",
            expected="a device that is here: XLA and the kernels lay out memory differently on another one",
            received=device.name,
            hint="leave --refine out, or refine on that machine itself",
        )


def refine_arguments(
    workload: Workload, graph: StepGraph, device: TargetDevice, *, xla: bool, reserve_bytes: int | None
) -> tuple[dict[str, Any], Mapping[str, str]]:
    """The arguments of the child's ``refine`` job, and its variables.

    Args:
        workload: What is refined.
        graph: Its traced step, which tells the size of the weights.
        device: A device of this machine.
        xla: The step is compiled.
        reserve_bytes: Host memory to leave to other programs; None for the usual.
    """
    limit = memory_limit_bytes(reserve_bytes)
    hollow = xla and device.gpu is None and limit is not None and _state_bytes(workload, graph) > HOLLOW_SHARE * limit
    name = "cpu" if device.gpu is None else f"gpu:{device.gpu.index}"
    arguments = {**bench_arguments(workload, 0), "device": name, "xla": xla, "hollow": hollow}
    variables = dict(device_variables(name))
    if hollow:
        variables[_LIMIT_VARIABLE] = str(_NO_LIMIT_MIB)
    elif device.gpu is None and limit is not None:
        variables[_LIMIT_VARIABLE] = str(max(1, limit // MIB))
    return arguments, variables


def _state_bytes(workload: Workload, graph: StepGraph) -> int:
    """Weights and the optimizer's state."""
    total = 0
    for variable in graph.variables:
        total += variable.size_bytes * (_UNQUANTISED if variable.dtype == "int8" else 1)
        if variable.gradient is not None and workload.plan.mode == "train":
            elements = 1
            for n in variable.shape:
                elements *= n
            total += sum(
                slot_bytes(workload.plan.optimizer, variable.shape, variable.size_bytes // max(1, elements))
            )
    return total
