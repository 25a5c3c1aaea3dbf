"""The time of a step, an epoch and a whole training, from the step's work and the rates of a device."""

from __future__ import annotations

import math
from dataclasses import dataclass

from app.core.predict.correction import Correction, Interval
from app.core.predict.disturbed import Speed
from app.core.predict.other_backends import why_no_rates
from app.core.simulate.device import TargetDevice
from app.core.timing.card_rates import card_rates, has_no_units, rates_here, why_no_card_rates
from app.core.timing.card_steptime import CardWork
from app.core.timing.card_transfer import Transfer, data_sheet_interval
from app.core.timing.host_prior import AT_A_GLANCE, HOST, USUAL_INTERVAL, usual_rates
from app.core.timing.steptime import MEASURED_RATES_INTERVAL, StepTime, StepWork
from app.core.types.basis import Explanation, Range
from app.core.types.machine import DeviceRates, Glance, Machine
from app.core.types.predicted_time import FROM_A_GLANCE, FROM_DATA_SHEET, PredictedTime, Schedule, StepParts
from app.core.types.stepgraph import StepGraph
from app.core.types.text import Text, phrase, verbatim
from app.core.types.units import format_number, format_seconds, format_share
from app.core.types.workload import Plan, Workload

TIMED_INTERVAL = (1 / 1.45, 1.45)
"""A first answer from operations timed alone on this very machine, with what they save side by side simulated.

47 of 48 steps of twenty networks lay within (docs/evidence.md, "Operation times"), on a machine whose own steps
scattered by up to 25 % within a minute."""
MOST_OTHERS = 0.9
"""Of the processor, by other programs: something is left for a program that measures."""
QUIET_SPREAD = 0.1
"""The same figure measured twice on a machine that is left alone; what it moved beyond that widens the interval."""


@dataclass(frozen=True)
class Rates:
    """Rates of the devices that can be chosen: measured for the host, by card for cards that were measured.

    A host that was measured while other programs had more of it than the measurement counts as not measured.
    """

    host: DeviceRates | None = None
    cards: dict[str, DeviceRates] | None = None
    glance: Glance | None = None
    """At this machine's processor, where it was not measured."""

    def of(self, device: TargetDevice, precision: str, machine: Machine) -> tuple[DeviceRates | None, bool]:
        """(rates, measured here) for a device of a machine, whose processor launches a card's kernels."""
        if device.gpu is None:
            known = None if self.host is None or speed_then(self.host).mostly_others else self.host
            return known or usual_rates(machine, precision, self.glance) or self.host, known is not None
        sheet = card_rates(device.gpu, precision, machine.cpu.max_clock_mhz)
        measured = (self.cards or {}).get(device.gpu.name)
        if measured is None or device.gpu.simulated or has_no_units(device.gpu, precision):
            return sheet, False
        return rates_here(sheet, measured, precision), True


def device_time(
    work: StepWork | CardWork,
    time: StepTime | None,
    workload: Workload,
    device: TargetDevice,
    rates: DeviceRates | None,
    *,
    measured: bool,
) -> PredictedTime:
    """What a step takes of the device alone, without its input, with its interval.

    Args:
        work: The step's operations.
        time: Of one step; None if the device's speed is not known.
        workload: Model, dataset and plan.
        device: Where it runs.
        rates: The device's.
        measured: The rates were measured here.
    """
    plan = workload.plan
    schedule = Schedule(plan.batch_size, workload.steps_per_epoch, plan.epochs, workload.trainings)
    if time is None or rates is None:
        return unknown_time(_why_unknown(plan, device), schedule)
    step_s, low_s, high_s = device_range(time, rates, device, measured=measured)
    return PredictedTime(
        step_s=step_s,
        low_s=low_s,
        high_s=high_s,
        schedule=schedule,
        device_bound=time.bound_by,
        basis="predicted",
        parts=StepParts(time.compute_s, time.memory_s, time.overhead_s),
        dominant_assumption=_assumption(rates, device, measured=measured),
        explanation=_explain_time(work, plan, time, rates),
    )


def device_range(time: StepTime, rates: DeviceRates, device: TargetDevice, *, measured: bool) -> Range:
    """The figures of that: seconds of a step on the device alone."""
    if device.gpu is not None:
        low, high = data_sheet_interval(device.gpu)
    elif not measured:
        low, high = USUAL_INTERVAL
    else:
        low, high = timed_interval(rates) if rates.operations else MEASURED_RATES_INTERVAL
    return Range(time.step_s, time.step_s * low, time.step_s * high)


def of_another_card(alone: Range | None, transfer: Transfer | None) -> Correction | None:
    """What a run on another card makes of this card's time; only the reason where it says nothing of it."""
    if transfer is None or alone is None:
        return None
    if transfer.factor is None:
        return Correction(1.0, Interval.about(alone), explanation=transfer.explanation)
    interval = Interval(1 / transfer.width, transfer.width)
    return Correction(transfer.factor, interval, "carried", verbatim(transfer.assumption), transfer.explanation)


def _assumption(rates: DeviceRates, device: TargetDevice, *, measured: bool) -> Text:
    """What the interval rests on."""
    if measured and device.gpu is not None:
        return phrase("what kernels of the card's architecture reach, at the speed of large ones and of launching here")
    if measured and rates.operations:
        return phrase("operations timed on this machine")
    if measured:
        return phrase("rates measured on this machine")
    if rates.device == HOST:
        return FROM_A_GLANCE if rates.framework == AT_A_GLANCE else FROM_DATA_SHEET
    return phrase("step time from the card's data sheet and what kernels of its architecture reach of it")


def _why_unknown(plan: Plan, device: TargetDevice) -> Text:
    """Why no time is predicted, in words."""
    if not usual_threads(plan, device):
        return phrase("the speed with {threads} threads is known only from a run", threads=plan.threads)
    if device.gpu is not None and plan.backend == "tensorflow":
        return why_no_card_rates(device.gpu, plan.precision)
    return why_no_rates(plan.backend)


def timed_interval(rates: DeviceRates) -> tuple[float, float]:
    """Factors of the ends of a first answer's interval: wider if the machine was busy when it was measured."""
    low, high = TIMED_INTERVAL
    busy = 1 + max(0.0, (rates.spread or 0.0) - QUIET_SPREAD)
    return low / busy, high * busy


def of_busy_measurement(alone: Range | None, rates: DeviceRates | None) -> Correction | None:
    """What is left of a time from rates that were measured beside other programs.

    The shortest calls were taken, so a load that comes and goes delays little; one that stays may have taken its share.
    """
    if alone is None or rates is None or not speed_then(rates).beside_others:
        return None
    others = min(MOST_OTHERS, (rates.others_percent or 0.0) / 100)
    interval = Interval.about(alone)
    line = Explanation(
        phrase("other programs while the machine was measured"),
        format_share(others),
        phrase("the machine alone may be faster by as much"),
    )
    return Correction(1.0, Interval(interval.below * (1 - others), interval.above), explanation=(line,))


def speed_then(rates: DeviceRates) -> Speed:
    """What is known of the device when it was measured."""
    return Speed(rates.reference_s, rates.others_percent)


def usual_threads(plan: Plan, device: TargetDevice, host: DeviceRates | None = None) -> bool:
    """Is the device's speed known with as many threads as the plan takes: of the host, if operations were timed."""
    timed = host is not None and bool(host.operations)
    return device.gpu is not None or timed or plan.threads in (None, device.host_threads)


def sample_elements(graph: StepGraph) -> int:
    """Elements of one sample of all inputs, targets left out."""
    return sum(math.prod(n or 1 for n in shape) for shape in graph.model.input_shapes)


def unknown_time(reason: str, schedule: Schedule | None = None) -> PredictedTime:
    """A time that nobody knows, with the reason."""
    return PredictedTime(None, None, None, schedule, None, "predicted", None, verbatim(reason))


def _explain_time(work: StepWork | CardWork, plan: Plan, time: StepTime, rates: DeviceRates) -> tuple[Explanation, ...]:
    """The basis of the step time."""
    flops = work.flops(plan.batch_size)
    if rates.operations:
        return _explain_timed(flops, time, rates)
    rate = rates.conv_flops_per_s
    return (
        Explanation(
            phrase("work of one step"),
            phrase("{work} GFLOP", work=format_number(flops / 1e9, ",.1f")),
            phrase("2 per multiply-add"),
            phrase("traced graph"),
        ),
        Explanation(
            phrase("rate for convolutions"),
            phrase("not available")
            if rate is None
            else phrase("{rate} GFLOP/s", rate=format_number(rate / 1e9, ",.0f")),
            Text(),
            verbatim(rates.framework),
        ),
        Explanation(phrase("computing"), format_seconds(time.compute_s), phrase("work / rate where that is longer")),
        Explanation(
            phrase("moving data"), format_seconds(time.memory_s), phrase("bytes / bandwidth where that is longer")
        ),
        Explanation(
            phrase("launching operations"),
            format_seconds(time.overhead_s),
            phrase("count x cost of an empty operation"),
        ),
    )


def _explain_timed(flops: float, time: StepTime, rates: DeviceRates) -> tuple[Explanation, ...]:
    """The basis of a step time that operations timed on this machine make up."""
    nearest = phrase("each operation is priced like the timed ones of its kind with the nearest sizes")
    side_by_side = phrase("its operations alone, times what a simulation of the threads says they save side by side")
    noise = phrase("not available") if rates.spread is None else format_share(rates.spread)
    return (
        Explanation(
            phrase("work of one step"),
            phrase("{work} GFLOP", work=format_number(flops / 1e9, ",.1f")),
            phrase("2 per multiply-add"),
            phrase("traced graph"),
        ),
        Explanation(
            phrase("operations timed on this machine"),
            phrase("{count}", count=len(rates.operations)),
            nearest,
            verbatim(rates.framework),
        ),
        Explanation(phrase("computing"), format_seconds(time.compute_s), side_by_side),
        Explanation(phrase("moving data"), format_seconds(time.memory_s), phrase("the same for all other operations")),
        Explanation(
            phrase("launching operations"),
            format_seconds(time.overhead_s),
            phrase("count x cost of an empty operation, and an empty step of fit"),
        ),
        Explanation(phrase("the machine's own noise then"), noise, phrase("the same figure measured twice")),
    )
