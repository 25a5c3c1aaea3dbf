"""What a device has taught beyond one model: its probe, and how predictions of other models came out there.

The probe (`app.worker.rates.calibrate`) is made once per machine, framework build and device.  It replaces the
constants of `app.core.simulate.device`; what it says of the allocator counts only where every tiny step agrees.  Other
models' runs stretch or narrow the intervals (`app.core.predict.intervals`), if they were of comparable size: a network
of 20 MB says little of one of 2 GB.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from app.core.predict.corrections import host_bytes_at, scaled_parts
from app.core.predict.intervals import Sharpening, scores_by_model, sharpen
from app.core.simulate.device import MEASURED_ONCE
from app.core.types.machine import DeviceProbe
from app.core.types.prediction import Explanation, PredictedMemory, PredictedTime
from app.core.types.text import join, phrase
from app.core.types.units import format_bytes, format_number

COMPARABLE = 10.0
"""Predictions within a tenth and ten times the one asked about may speak for it."""

KNOWN_TO = 0.02
"""The bytes of the probe's steps are counted to this: which gradient is written over which output is left to the
executor, and the ends of the allocator's regions are handed out whole (tape 0.996 to 1.004, dense 1.015 to 1.031
in seven processes of TensorFlow 2.21 on two threads)."""


@dataclass(frozen=True)
class Witness:
    """How one earlier prediction came out: its model, its value, and its score (`app.core.predict.intervals`)."""

    model: str
    predicted: float
    score: float


@dataclass(frozen=True)
class DeviceLessons:
    """What is known of the device that will train; nothing by default."""

    probe: DeviceProbe | None = None
    memory: tuple[Witness, ...] = ()
    time: tuple[Witness, ...] = ()


def probed_memory(memory: PredictedMemory, probe: DeviceProbe | None, *, on_host: bool) -> PredictedMemory:
    """The prediction after what the probe saw of this device's allocator and kernels.

    On a card the workspace that kernels were granted is added to the upper end; on the host the traced graph
    already holds their scratch.
    """
    if probe is None:
        return memory
    factor = slack_factor(probe)
    granted = 0 if on_host else probe.workspace_bytes or 0
    peak = int(memory.allocator_peak_bytes * factor)
    return replace(
        memory,
        allocator_peak_bytes=peak,
        low_bytes=int(memory.low_bytes * factor),
        high_bytes=int(memory.high_bytes * factor) + granted,
        device_bytes=peak + memory.parts.framework,
        host_bytes=host_bytes_at(memory, peak),
        parts=memory.parts if factor == 1 else scaled_parts(memory.parts, peak),
        explanation=(*memory.explanation, *_explain(probe, factor, granted)),
    )


def slack_factor(probe: DeviceProbe) -> float:
    """What the allocator takes over what is counted, as far as all tiny steps have it in common; else 1."""
    least, most = probe.slack_low, probe.slack_high
    if least is not None and least > 1 + KNOWN_TO:
        return least
    return most if most is not None and most < 1 - KNOWN_TO else 1.0


def sharpened_memory(memory: PredictedMemory, lessons: DeviceLessons) -> PredictedMemory:
    """The prediction after what runs of other models have shown; its basis stays what it was."""
    found = sharpening(lessons.memory, memory.allocator_peak_bytes)
    if not found.models:
        return memory
    value, low, high = (int(n) for n in found.applied(memory.allocator_peak_bytes, memory.low_bytes, memory.high_bytes))
    more = value - memory.allocator_peak_bytes
    return replace(
        memory,
        allocator_peak_bytes=value,
        low_bytes=min(low, value),
        high_bytes=max(high, value),
        device_bytes=memory.device_bytes + more,
        host_bytes=host_bytes_at(memory, value),
        parts=scaled_parts(memory.parts, value),
        explanation=(*memory.explanation, _explain_sharpening(found, value / (value - more))),
    )


def sharpened_time(time: PredictedTime, lessons: DeviceLessons) -> PredictedTime:
    """The same for time."""
    if time.step_s is None or time.low_s is None or time.high_s is None:
        return time
    found = sharpening(lessons.time, time.step_s)
    if not found.models:
        return time
    step_s, low_s, high_s = found.applied(time.step_s, time.low_s, time.high_s)
    factor = step_s / time.step_s
    return replace(
        time,
        step_s=step_s,
        low_s=low_s,
        high_s=high_s,
        epoch_s=None if time.epoch_s is None else time.epoch_s * factor,
        total_s=None if time.total_s is None else time.total_s * factor,
        first_epoch_s=None if time.first_epoch_s is None else time.first_epoch_s * factor,
        samples_per_s=None if time.samples_per_s is None else time.samples_per_s / factor,
        explanation=(*time.explanation, _explain_sharpening(found, factor)),
    )


def sharpening(witnesses: tuple[Witness, ...], predicted: float) -> Sharpening:
    """The rule of `app.core.predict.intervals` over the witnesses of comparable size."""
    near = [w for w in witnesses if abs(math.log(w.predicted / max(predicted, 1e-9))) <= math.log(COMPARABLE)]
    return sharpen(scores_by_model((w.model, w.score) for w in near))


def _explain_sharpening(found: Sharpening, factor: float) -> Explanation:
    """How other models' runs changed a number and its interval."""
    models = phrase("1 other model") if found.models == 1 else phrase("{models} other models", models=found.models)
    return Explanation(
        phrase("runs of {models} on this device", models=models),
        phrase("interval × {width}", width=format_number(found.width, ".2f")),
        phrase(
            "value × {factor}; prior counted as eight runs, never narrower than what was seen",
            factor=format_number(factor, ".3f"),
        ),
        phrase("your runs on this machine"),
    )


def _explain(probe: DeviceProbe, factor: float, granted: int) -> list[Explanation]:
    """What the probe found."""
    lines = []
    if probe.slack_low is not None and probe.slack_high is not None:
        seen = phrase(
            "× {slack_low} to {slack_high}",
            slack_low=format_number(probe.slack_low, ".3f"),
            slack_high=format_number(probe.slack_high, ".3f"),
        )
        effect = (
            phrase("as counted")
            if factor == 1
            else phrase("every prediction × {factor}", factor=format_number(factor, ".3f"))
        )
        source = join(", ", (probe.framework, MEASURED_ONCE))
        lines.append(Explanation(phrase("allocator over tiny steps of known size"), seen, effect, source))
    if probe.workspace_bytes is not None:
        effect = phrase("added to the upper end") if granted else phrase("the graph holds it already")
        scratch = format_bytes(probe.workspace_bytes)
        lines.append(Explanation(phrase("scratch that kernels were granted"), scratch, effect, MEASURED_ONCE))
    return lines
