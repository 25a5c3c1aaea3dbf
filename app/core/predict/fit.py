"""The verdict: does what is needed fit what is allowed."""

from __future__ import annotations

from app.core.simulate.device import Allowed
from app.core.types.prediction import Fit, PredictedMemory, Verdict
from app.core.types.units import format_bytes


def judge(
    memory: PredictedMemory,
    allowed: Allowed,
    *,
    device_name: str,
    max_batch_size: int | None,
    best_batch_size: int | None,
) -> Fit:
    """Compare *needed* with *allowed* on one device.

    Fits: even the upper end of the interval and the fastest kernels' workspace have room.  Tight: the
    step trains, but workspace requests may be refused (slower kernels, allocator warnings) or the
    interval crosses the limit.  Does not fit: the predicted peak alone, or that of the first step, is larger than what
    is allowed.
    """
    verdict, reasons = _verdict(memory, allowed.bytes)
    headroom = None if allowed.bytes is None else allowed.bytes - memory.allocator_peak_bytes
    return Fit(
        verdict, allowed.bytes, headroom, max_batch_size, best_batch_size, device_name, reasons, allowed.explanation
    )


def _verdict(memory: PredictedMemory, allowed_bytes: int | None) -> tuple[Verdict, tuple[str, ...]]:
    """The word and the reasons for it."""
    if allowed_bytes is None:
        return "unknown", ("the device does not say how much memory is free",)
    needed = memory.allocator_peak_bytes
    if needed > allowed_bytes:
        return "does_not_fit", (
            f"the step needs {format_bytes(needed)}, but only {format_bytes(allowed_bytes)} may be used",
        )
    first = memory.first_step_peak_bytes or 0
    if first > allowed_bytes:
        return "does_not_fit", (
            f"the first step, in which the optimizer's state is new, needs {format_bytes(first)}, but only "
            f"{format_bytes(allowed_bytes)} may be used",
        )
    reasons = []
    if needed + memory.wanted_workspace_bytes > allowed_bytes:
        reasons.append(
            f"the fastest convolutions would like {format_bytes(memory.wanted_workspace_bytes)} of workspace and will "
            "not get it: expect allocator warnings and slower kernels, not a failure"
        )
    if memory.high_bytes > allowed_bytes:
        reasons.append(
            f"the upper end of the prediction, {format_bytes(memory.high_bytes)}, is above the "
            f"{format_bytes(allowed_bytes)} that may be used"
        )
    if reasons:
        return "tight", tuple(reasons)
    spare = format_bytes(allowed_bytes - needed)
    return "fits", (f"{spare} stay free on the device",)
