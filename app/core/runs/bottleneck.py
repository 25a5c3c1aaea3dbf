"""What a measured step waits for: its input, the disk, a copy, or the device; and what holds the device.

Input and device overlap, so three runs tell them apart: the data alone, the computation alone on one batch in
memory, and both.  Reading the same files without decoding them tells the disk from the decoding.  What holds the
device is told by the operations of the traced step (roofline, Williams et al. 2009), where these explain the time
that was measured.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from app.core.types.measurement import MeasuredShares, RunResult
from app.core.types.predicted_time import Bound, StepParts

DISK_HALF = 0.5
"""The disk is what the input waits for if reading alone takes this share of reading and decoding."""
OVERHEAD_HALF = 0.5
"""A step is launches and not work if these take this share of it."""
EXPLAINED = 0.5
"""The predicted parts say what a step consists of only if their sum is at least this share of what was measured."""
LAUNCHES_EXPLAINED = 0.25
"""Launches vary more than work: on a busy machine a step of tiny operations took 2.4 times what idle launches add up
to, and waited for nothing else."""


@dataclass(frozen=True)
class StepEvidence:
    """Measured seconds of one step; None where there was no such run."""

    step_s: float
    compute_s: float | None = None
    """The same step on one batch in memory."""
    data_s: float | None = None
    """A batch from the input pipeline alone."""
    read_s: float = 0.0
    """The files of a batch read but not decoded, from where the measurement read them."""
    copy_s: float = 0.0
    """A batch copied from host to device."""

    def shares(self) -> MeasuredShares:
        """How the step divides.

        Input is what the step would save if its data were always there: all by which it is longer than computing
        alone.  (On a CPU, decoding takes the same cores.)
        """
        if self.compute_s is None or self.data_s is None:
            return MeasuredShares()
        waited = min(1.0, max(0.0, 1 - self.compute_s / self.step_s))
        disk = waited * min(1.0, self.read_s / self.data_s) if self.data_s else 0.0
        copy = min(self.copy_s / self.step_s, 1.0 - waited)
        return MeasuredShares(waited, copy, 1.0 - waited - copy, disk, waited - disk)

    def bound_by(self) -> Bound | None:
        """The slower of input and device; of the input, disk or decoding."""
        if self.compute_s is None or self.data_s is None:
            return None
        if self.data_s <= self.compute_s:
            return "compute"
        return "disk" if self.read_s >= DISK_HALF * self.data_s else "input"


def without_input(step_s: float, copy_s: float) -> StepEvidence:
    """Evidence of a run on made-up data: nothing was waited for."""
    return StepEvidence(step_s, compute_s=step_s, data_s=0.0, copy_s=copy_s)


def device_bound(compute_s: float, parts: StepParts) -> Bound:
    """What holds the device: computing, moving data or launching operations.

    A step that takes less than its parts was spared some of them (the framework merged operations, or cleared them
    away): none can have taken longer than the step.

    Args:
        compute_s: Measured time of a step on one batch in memory.
        parts: Predicted from the operations of the step and the device's measured rates.
    """
    computing_s, moving_s, launching_s = (
        min(part_s, compute_s) for part_s in (parts.compute_s, parts.memory_s, parts.overhead_s)
    )
    explained_s = computing_s + moving_s + launching_s
    launching = launching_s >= OVERHEAD_HALF * explained_s
    if explained_s < (LAUNCHES_EXPLAINED if launching else EXPLAINED) * compute_s:
        return "compute"
    if launching:
        return "overhead"
    return "memory" if moving_s > computing_s else "compute"


def with_device_bound(result: RunResult, parts: StepParts | None) -> RunResult:
    """A run whose step the device holds, with what holds the device."""
    found = result.measurement
    if found is None or parts is None or found.bound_by != "compute":
        return result
    compute_s = found.compute_only_step_s or found.step.median_s
    return replace(result, measurement=replace(found, bound_by=device_bound(compute_s, parts)))


def first_epoch_s(
    epoch_s: float | None, bytes_on_disk: int | None, read_bytes_per_s: float | None, share_from_disk: float | None
) -> float | None:
    """An epoch whose files come from the disk, not from memory as some did when it was measured; None if unknown.

    Reading runs ahead of the step, so the epoch takes the longer of the two.

    Args:
        epoch_s: As measured.
        bytes_on_disk: Of all files.
        read_bytes_per_s: The disk's own rate.
        share_from_disk: Share of the bytes that came from the disk when ``epoch_s`` was measured.
    """
    if epoch_s is None or not bytes_on_disk or not read_bytes_per_s or share_from_disk is None:
        return None
    return max(epoch_s, bytes_on_disk / read_bytes_per_s) if share_from_disk < 1 else epoch_s
