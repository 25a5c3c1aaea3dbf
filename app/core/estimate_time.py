"""The time of a step, an epoch and a whole training, from the step's work and the rates of a device."""

from __future__ import annotations

import math
from dataclasses import dataclass

from app.core.device import TargetDevice
from app.core.machine import DeviceRates, Machine
from app.core.other_backends import why_no_rates
from app.core.pipeline import InputTime, input_time
from app.core.prediction import Bound, Explanation, PredictedTime, StepParts
from app.core.stepgraph import StepGraph
from app.core.steptime import CARD_EFFICIENCY, MEASURED_RATES_INTERVAL, StepTime, StepWork, card_rates
from app.core.units import format_seconds
from app.core.workload import Plan, Workload

TIMED_INTERVAL = (1 / 1.4, 1.4)
"""A first answer from operations timed alone on this very machine, with what they save side by side simulated."""
QUIET_SPREAD = 0.1
"""The same figure measured twice on a machine that is left alone; what it moved beyond that widens the interval."""


@dataclass(frozen=True)
class Rates:
    """Rates of the devices that can be chosen: measured for the host, by card for cards that were measured."""

    host: DeviceRates | None = None
    cards: dict[str, DeviceRates] | None = None

    def of(self, device: TargetDevice, precision: str) -> tuple[DeviceRates | None, bool]:
        """(rates, measured here) for a device."""
        if device.gpu is None:
            return self.host, self.host is not None
        measured = (self.cards or {}).get(device.gpu.name)
        if measured is not None and not device.gpu.simulated:
            return measured, True
        return card_rates(device.gpu, precision), False


def predict_time(
    work: StepWork | None,
    time: StepTime | None,
    workload: Workload,
    machine: Machine,
    device: TargetDevice,
    rates: DeviceRates | None,
    *,
    elements: int,
    measured: bool,
    cached_sample_bytes: float | None = None,
) -> PredictedTime:
    """Step, epoch and total time with interval and what the step waits for.

    Args:
        work: The step's operations; None where ``time`` is.
        time: Of one step without its input; None if the device's speed is not known.
        workload: Model, dataset and plan.
        machine: Where it shall run.
        device: On which device of it.
        rates: The device's.
        elements: Of one sample of all inputs.
        measured: The rates were measured here.
        cached_sample_bytes: What a sample takes in a cache, if a run has measured it.
    """
    plan = workload.plan
    if work is None or time is None or rates is None:
        alone = usual_threads(plan, device)
        return unknown_time(why_no_rates(plan.backend) if alone else
                            f"the speed with {plan.threads} threads is known only from a run")  # fmt: skip
    data = input_time(workload.dataset, machine, plan, elements, cached_sample_bytes)
    step_s = max(time.step_s, data.step_s if data else 0.0)
    efficiency = CARD_EFFICIENCY
    low, high = MEASURED_RATES_INTERVAL if measured else (efficiency.interval_low, efficiency.interval_high)
    if rates.operations:
        low, high = timed_interval(rates)
    steps = workload.steps_per_epoch
    epoch_s = None if steps is None else steps * step_s
    bound, share = _bound(time, data, step_s)
    return PredictedTime(
        step_s=step_s,
        low_s=step_s * low,
        high_s=step_s * high,
        epoch_s=epoch_s,
        total_s=None if epoch_s is None else epoch_s * plan.epochs,
        samples_per_s=plan.batch_size / step_s,
        bound_by=bound,
        bound_share=share,
        basis="predicted",
        parts=StepParts(
            time.compute_s, time.memory_s, time.overhead_s,
            data.decode_s + data.assemble_s if data else None, data.disk_s if data else None,
        ),
        dominant_assumption=(
            "rates measured on this machine" if measured else "a usual share of the card's data-sheet rates"
        ),
        explanation=_explain_time(work, plan, time, rates),
    )  # fmt: skip


def timed_interval(rates: DeviceRates) -> tuple[float, float]:
    """Factors of the ends of a first answer's interval: wider if the machine was busy when it was measured."""
    low, high = TIMED_INTERVAL
    busy = 1 + max(0.0, (rates.spread or 0.0) - QUIET_SPREAD)
    return low / busy, high * busy


def usual_threads(plan: Plan, device: TargetDevice, host: DeviceRates | None = None) -> bool:
    """Is the device's speed known with as many threads as the plan takes: of the host, if operations were timed."""
    timed = host is not None and bool(host.operations)
    return device.gpu is not None or timed or plan.threads in (None, device.host_threads)


def sample_elements(graph: StepGraph) -> int:
    """Elements of one sample of all inputs, targets left out."""
    return sum(math.prod(n or 1 for n in shape) for shape in graph.model.input_shapes)


def unknown_time(reason: str) -> PredictedTime:
    """A time that nobody knows, with the reason."""
    return PredictedTime(None, None, None, None, None, None, None, None, "predicted", None, reason)


def _bound(time: StepTime, data: InputTime | None, step_s: float) -> tuple[Bound, float]:
    """What the step waits for, and for which share of it."""
    if data is not None and data.step_s > time.step_s:
        return ("disk" if data.disk_s >= data.decode_s + data.assemble_s else "input"), data.step_s / step_s
    parts: dict[Bound, float] = {
        "compute": time.compute_s, "memory": time.memory_s, "overhead": time.overhead_s,
    }  # fmt: skip
    bound = time.bound_by
    return bound, min(1.0, parts[bound] / step_s)


def _explain_time(work: StepWork, plan: Plan, time: StepTime, rates: DeviceRates) -> tuple[Explanation, ...]:
    """The basis of the step time."""
    flops = work.flops(plan.batch_size)
    if rates.operations:
        return _explain_timed(flops, time, rates)
    rate = rates.conv_flops_per_s
    return (
        Explanation("work of one step", f"{flops / 1e9:,.1f} GFLOP", "2 per multiply-add", "traced graph"),
        Explanation("rate for convolutions", "not available" if rate is None else f"{rate / 1e9:,.0f} GFLOP/s", "",
                    rates.framework),
        Explanation("computing", format_seconds(time.compute_s), "work / rate where that is longer"),
        Explanation("moving data", format_seconds(time.memory_s), "bytes / bandwidth where that is longer"),
        Explanation("launching operations", format_seconds(time.overhead_s), "count x cost of an empty operation"),
    )  # fmt: skip


def _explain_timed(flops: float, time: StepTime, rates: DeviceRates) -> tuple[Explanation, ...]:
    """The basis of a step time that operations timed on this machine make up."""
    nearest = "each operation is priced like the timed ones of its kind with the nearest sizes"
    side_by_side = "its operations alone, times what a simulation of the threads says they save side by side"
    noise = "not available" if rates.spread is None else f"{rates.spread:.0%}"
    return (
        Explanation("work of one step", f"{flops / 1e9:,.1f} GFLOP", "2 per multiply-add", "traced graph"),
        Explanation("operations timed on this machine", f"{len(rates.operations)}", nearest, rates.framework),
        Explanation("computing", format_seconds(time.compute_s), side_by_side),
        Explanation("moving data", format_seconds(time.memory_s), "the same for all other operations"),
        Explanation("launching operations", format_seconds(time.overhead_s),
                    "count x cost of an empty operation, and an empty step of fit"),
        Explanation("the machine's own noise then", noise, "the same figure measured twice"),
    )  # fmt: skip
