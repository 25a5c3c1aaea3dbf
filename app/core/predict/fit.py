"""The verdict: does what is needed fit what is allowed."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from app.core.simulate.device import Allowed
from app.core.types.predicted_memory import PredictedMemory
from app.core.types.prediction import Fit, Verdict
from app.core.types.text import Text, phrase
from app.core.types.units import format_bytes
from app.core.types.whole import PhaseKind, PredictedWhole

Place = Literal["found", "in_doubt", "none"]
"""Is there room in one piece: as predicted, and at the upper end too."""


def judge(
    memory: PredictedMemory,
    allowed: Allowed,
    device_name: str,
    max_batch_size: int | None = None,
    best_batch_size: int | None = None,
    *,
    place: Place = "found",
) -> Fit:
    """Compare *needed* with *allowed* on one device.

    Args:
        memory: What the step needs.
        allowed: What may be used.
        device_name: Whose memory that is.
        max_batch_size: The largest batch that trains there.
        best_batch_size: The one worth changing to.
        place: Does all that is asked for lie beside each other in what is allowed.

    Fits: even the upper end of the interval and the fastest kernels' workspace have room.  Tight: the
    step trains, but workspace requests may be refused (slower kernels, allocator warnings) or the
    interval crosses the limit.  Does not fit: the predicted peak alone, or that of the first step, is larger than what
    is allowed, or not all of it finds a place there.
    """
    verdict, reasons = _verdict(memory, allowed.bytes, place)
    return Fit(
        verdict,
        allowed.bytes,
        memory.allocator_peak_bytes,
        max_batch_size,
        best_batch_size,
        device_name,
        reasons,
        allowed.explanation,
    )


def judge_whole(fit: Fit, whole: PredictedWhole) -> Fit:
    """The verdict on the whole training, which is worse than that on a step where another phase needs more."""
    wall, allowed = whole.wall, fit.allowed_bytes
    if wall is None or wall.device is None or allowed is None or wall.device.high <= allowed:
        return fit
    more = PHASES_THAT_NEED[wall.kind]
    needed, high = format_bytes(wall.device.value), format_bytes(wall.device.high)
    if wall.device.value > allowed and fit.verdict in ("fits", "tight"):
        reason = phrase(
            "a step would fit, but {phase} needs {needed} and only {allowed} may be used",
            phase=more,
            needed=needed,
            allowed=format_bytes(allowed),
        )
        return replace(fit, verdict="does_not_fit", reasons=(reason,))
    if fit.verdict != "fits":
        return fit
    reason = phrase("{phase} may need up to {high}, more than may be used", phase=more, high=high)
    return replace(fit, verdict="tight", reasons=(reason,))


PHASES_THAT_NEED: dict[PhaseKind, Text] = {
    "prepare": phrase("getting ready"),
    "first_step": phrase("the first step"),
    "training": phrase("the first epoch"),
    "validation": phrase("the validation"),
    "saving": phrase("the end of an epoch"),
    "later": phrase("a later epoch"),
}
"""Phases in a sentence."""


def _verdict(memory: PredictedMemory, allowed_bytes: int | None, place: Place) -> tuple[Verdict, tuple[Text, ...]]:
    """The word and the reasons for it."""
    if allowed_bytes is None:
        return "unknown", (phrase("the device does not say how much memory is free"),)
    needed = memory.allocator_peak_bytes
    if needed > allowed_bytes:
        return "does_not_fit", (
            phrase(
                "the step needs {needed}, but only {allowed} may be used",
                needed=format_bytes(needed),
                allowed=format_bytes(allowed_bytes),
            ),
        )
    first = memory.first_step_peak_bytes or 0
    if first > allowed_bytes:
        return "does_not_fit", (
            phrase(
                "the first step, in which the optimizer's state is new, needs {first}, but only {allowed} may be used",
                first=format_bytes(first),
                allowed=format_bytes(allowed_bytes),
            ),
        )
    if place == "none":
        return "does_not_fit", (
            phrase(
                "finds no place in one piece: {needed} would go into {allowed}, but what is alive leaves only gaps",
                needed=format_bytes(needed),
                allowed=format_bytes(allowed_bytes),
            ),
        )
    reasons = []
    if needed + memory.wanted_workspace_bytes > allowed_bytes:
        reasons.append(
            phrase(
                "the fastest convolutions would like {wanted_workspace} of workspace and will not get "
                "it: expect allocator warnings and slower kernels, not a failure",
                wanted_workspace=format_bytes(memory.wanted_workspace_bytes),
            )
        )
    if memory.high_bytes > allowed_bytes:
        reasons.append(
            phrase(
                "the upper end of the prediction, {high}, is above the {allowed} that may be used",
                high=format_bytes(memory.high_bytes),
                allowed=format_bytes(allowed_bytes),
            )
        )
    elif place == "in_doubt":
        reasons.append(
            phrase(
                "at the upper end of the prediction, {high}, it may find no place in one piece",
                high=format_bytes(memory.high_bytes),
            )
        )
    if reasons:
        return "tight", tuple(reasons)
    spare = format_bytes(allowed_bytes - needed)
    return "fits", (phrase("{spare} stay free on the device", spare=spare),)
