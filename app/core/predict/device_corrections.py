"""What a device has taught beyond one model: its probe, and how predictions of other models came out there.

The probe (`app.worker.rates.calibrate`) is made once per machine, framework build and device.  It replaces the
constants of `app.core.simulate.device`; what it says of the allocator counts only where every tiny step agrees.  Other
models' runs stretch or narrow the intervals (`app.core.predict.intervals`), if they were of comparable size: a network
of 20 MB says little of one of 2 GB.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from app.core.predict.correction import Correction, Interval
from app.core.predict.intervals import Sharpening, scores_by_model, sharpen
from app.core.simulate.device import MEASURED_ONCE
from app.core.types.basis import Explanation, Range
from app.core.types.machine import DeviceProbe
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


def of_probe(told: Range, probe: DeviceProbe | None, *, on_host: bool) -> Correction | None:
    """What the probe saw of this device's allocator and kernels.

    On a card the workspace that kernels were granted is added to the upper end; on the host the traced graph
    already holds their scratch.
    """
    if probe is None:
        return None
    factor = slack_factor(probe)
    granted = 0 if on_host else probe.workspace_bytes or 0
    interval = Interval.about(told._replace(high=told.high + granted / factor))
    return Correction(factor, interval, explanation=_explain(probe, factor, granted))


def slack_factor(probe: DeviceProbe) -> float:
    """What the allocator takes over what is counted, as far as all tiny steps have it in common; else 1."""
    least, most = probe.slack_low, probe.slack_high
    if least is not None and least > 1 + KNOWN_TO:
        return least
    return most if most is not None and most < 1 - KNOWN_TO else 1.0


def of_other_models(told: Range | None, witnesses: tuple[Witness, ...], fixed: float = 0.0) -> Correction | None:
    """What runs of other models have shown of a prediction; its basis stays what it was.

    Args:
        told: The prediction.
        witnesses: How those of other models came out.
        fixed: The part of it that is known exactly.
    """
    if told is None or told.value <= fixed:
        return None
    own = Range(*(end - fixed for end in told))
    found = sharpening(witnesses, own.value)
    if not found.models:
        return None
    sharpened = Range(*found.applied(*own))
    factor = sharpened.value / own.value
    return Correction(factor, Interval.about(sharpened), explanation=(_explain_sharpening(found, factor),), fixed=fixed)


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


def _explain(probe: DeviceProbe, factor: float, granted: int) -> tuple[Explanation, ...]:
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
    return tuple(lines)
