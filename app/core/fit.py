"""The verdict: does what is needed fit what is allowed, and how large may the batch be."""

from __future__ import annotations

from collections.abc import Callable

from app.core.device import Allowed
from app.core.memory import StepMemory
from app.core.prediction import Fit, PredictedMemory, Verdict
from app.core.units import format_bytes

LARGEST_BATCH = 1 << 22
LARGEST_OVERHEAD = 4
"""Far more than the upper end is ever above what is alive: the allocator hands out less than twice what is asked
for.  Batches that certainly fit need no replay."""
GOOD_ENOUGH_THROUGHPUT = 0.95
"""A batch counts as best if no larger one that fits is more than 5 % faster."""


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
    return Fit(verdict, allowed.bytes, headroom, max_batch_size, best_batch_size, device_name, reasons,
               allowed.explanation)  # fmt: skip


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
    if memory.high_bytes > allowed_bytes:
        reasons.append(
            f"the upper end of the prediction, {format_bytes(memory.high_bytes)}, is above the "
            f"{format_bytes(allowed_bytes)} that may be used"
        )
    if needed + memory.wanted_workspace_bytes > allowed_bytes:
        reasons.append(
            f"the fastest convolutions would like {format_bytes(memory.wanted_workspace_bytes)} of workspace and will "
            "not get it: expect allocator warnings and slower kernels, not a failure"
        )
    if reasons:
        return "tight", tuple(reasons)
    spare = format_bytes(allowed_bytes - needed)
    return "fits", (f"{spare} stay free on the device",)


def largest_batch(step: StepMemory, allowed_bytes: int | None) -> int | None:
    """The largest batch whose predicted peak fits; 0 if not even one sample does, None if unknown."""
    if allowed_bytes is None:
        return None
    return _largest(lambda batch: _quick(step, batch, allowed_bytes, lambda: step.needed_bytes(batch)))


def largest_comfortable_batch(step: StepMemory, allowed_bytes: int | None, *, cuda: bool) -> int | None:
    """The largest batch with the verdict "fits"."""
    if allowed_bytes is None:
        return None

    def fits(batch: int) -> bool:
        wanted = step.wanted_workspace_bytes(batch) if cuda else 0
        return _quick(
            step, batch, allowed_bytes - wanted,
            lambda: max(step.peak_bytes(batch), max(step.interval_bytes(batch)[1], step.needed_bytes(batch)) - wanted),
        )  # fmt: skip

    return _largest(fits)


def best_batch(comfortable: int | None, samples_per_s: Callable[[int], float | None]) -> int | None:
    """The smallest power of two that is nearly as fast as the fastest one up to ``comfortable``."""
    if not comfortable:
        return None
    candidates = [1 << i for i in range(comfortable.bit_length())]
    rates = {batch: samples_per_s(batch) for batch in candidates}
    known = {batch: rate for batch, rate in rates.items() if rate is not None}
    if not known:
        return None
    fastest = max(known.values())
    return next(batch for batch, rate in known.items() if rate >= GOOD_ENOUGH_THROUGHPUT * fastest)


def _quick(step: StepMemory, batch: int, allowed_bytes: int, needed_bytes: Callable[[], int]) -> bool:
    """Is what is needed allowed; asked only where the bytes that are alive do not decide it."""
    live = step.live_bytes(batch)
    if live > allowed_bytes:
        return False
    return LARGEST_OVERHEAD * live <= allowed_bytes or needed_bytes() <= allowed_bytes


def _largest(fits: Callable[[int], bool]) -> int:
    """The largest batch for which ``fits`` holds, by doubling and bisection; 0 if none does."""
    if not fits(1):
        return 0
    low = 1
    while low < LARGEST_BATCH and fits(2 * low):
        low *= 2
    if low >= LARGEST_BATCH:
        return LARGEST_BATCH
    high = 2 * low
    while high - low > max(1, low // 256):
        middle = (low + high) // 2
        if fits(middle):
            low = middle
        else:
            high = middle
    return low
