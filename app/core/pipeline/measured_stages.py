"""What a run says of its step's stages, carried to other plans and other machines.

Measured alone: the input (`Measurement.data_only_step_s`) and the computation (`compute_only_step_s`).  Where a run
has only shares, or only the use of the card, the rest of the step is its input, and nothing is taken to overlap:
that makes the most of what a faster device could gain, so that a bound drawn from it holds.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from app.core.pipeline.input_cost import FLOAT32_BYTES, SampleCost
from app.core.types.measurement import Measurement
from app.core.types.predicted_time import Stages
from app.core.types.workload import Plan

IDLE_CARD = 0.5
"""A card that computes less than this share of the time is waiting …"""
BUSY_HOST = 0.3
"""… for its data, if the processor is this busy meanwhile (else launching operations may be what takes the time)."""

AUGMENTING_HALF = 0.5
"""Of the host's work, where samples are augmented and nobody has measured how much of it that is."""

MOST_COPYING = 0.9
"""Of the device's side of a step: where the copy was not measured, a card that is busy does more than copy."""

READ_ANEW = 0.02
"""Input that takes this share of a step is no array in memory."""


@dataclass(frozen=True)
class MeasuredStages:
    """The stages of a run's step, seconds, and what they were predicted to be."""

    stages: Stages
    batch_size: int
    step_s: float
    decode_known: bool
    """The run decoded what it trained on; False where a cache had done it, or the data was made up."""
    disk_known: bool
    """Likewise of reading."""
    device_factor: float | None
    """Measured over predicted, of the device's part; None where the run says nothing of the device."""
    disk_rate: float | None = None
    """The usual rate of the disk it was read from, bytes per second, to carry it to another."""
    cached_sample_bytes: float | None = None
    host_busy: float | None = None
    """Use of the usable cores, 0..1."""
    first_epoch_s: float | None = None
    augments: bool = False
    compact: bool = True
    copy_factor: float = 1.0
    """Measured over predicted, of the copy to the device."""
    prefetch: bool = True
    """Of the run's plan."""
    contended: bool = False
    """The device's part was measured with the samples decoded beside it on the same processor: its factor is that of
    both, and what decoding takes away must not be added again."""

    @property
    def overhead(self) -> float:
        """Measured step over the one that its stages make: what overlapped worse than it could."""
        return self.step_s / self.stages.step_s if self.stages.step_s > 0 else 1.0

    def undivided(self, stages: Stages) -> Stages:
        """Stages whose device's part holds what decoding takes away, if the run was measured so."""
        if not self.contended or self.device_factor is None:
            return stages
        beside_s = self.device_factor * stages.contention * stages.decode_s
        return replace(stages, device_s=stages.device_s + beside_s, contention=0.0)

    def faster(self, slower: float) -> MeasuredStages:
        """The same on the machine alone, where everything was so many times slower."""
        factor = None if self.device_factor is None else self.device_factor / slower
        stages = self.stages.times(1 / slower, 1 / slower)
        return replace(self, stages=stages, step_s=self.step_s / slower, device_factor=factor, first_epoch_s=None)

    def cost(self, assumed: SampleCost) -> SampleCost:
        """What a sample costs, as the run showed it where it did."""
        per_sample = self.stages.decode_s / self.batch_size
        assemble_s = min(assumed.assemble_s, per_sample) if self.decode_known else assumed.assemble_s
        decode_core_s = (per_sample - assemble_s) * self.stages.workers if self.decode_known else assumed.decode_core_s
        read_anew = self.decode_known and self.stages.input_s > READ_ANEW * self.step_s
        augment = AUGMENTING_HALF * decode_core_s if self.augments else 0.0
        from_files = assumed.from_files or read_anew
        cached = assumed.cached_bytes
        if from_files and not assumed.from_files:
            cached = assumed.copied_bytes / FLOAT32_BYTES
        return replace(
            assumed,
            decode_core_s=decode_core_s - augment,
            augment_core_s=augment,
            overlaps=False if self.decode_known and self.prefetch and not self.stages.overlap else None,
            assemble_s=assemble_s,
            cached_bytes=self.cached_sample_bytes or cached,
            copied_bytes=assumed.copied_bytes * self.copy_factor,
            from_files=from_files,
            compact=self.compact,
            measured=self.decode_known,
            read_s=self.stages.disk_s / self.batch_size if self.disk_known and self.stages.disk_s > 0 else None,
            disk_rate=self.disk_rate,
        )


def measured_stages(
    found: Measurement, plan: Plan, predicted: Stages, *, made_up: bool = False
) -> MeasuredStages | None:
    """The stages of a run, or None if it tells nothing of them.

    Args:
        found: What the run measured.
        plan: The run's.
        predicted: For that plan, without this run.
        made_up: It trained on values made up, so that nothing was decoded beside it.
    """
    step_s = found.epoch_step_s(plan.batch_size)
    stages = _stages(found, plan, predicted, step_s)
    if stages is None or predicted.device_s <= 0 or stages.device_s <= 0:
        return None
    fresh = plan.cache == "none" and stages.input_s > 0
    decoding_s = predicted.contention * predicted.decode_s if predicted.overlap else 0.0
    contended = decoding_s > 0 and not made_up and not stages.contention and stages.input_s == 0
    return MeasuredStages(
        stages=stages,
        batch_size=plan.batch_size,
        step_s=step_s,
        decode_known=stages.decode_s > 0 and (fresh or plan.cache == "encoded"),
        disk_known=fresh,
        device_factor=stages.device_s / (predicted.device_s + (decoding_s if contended else 0.0)),
        disk_rate=predicted.disk_rate,
        cached_sample_bytes=found.data.cached_sample_bytes,
        host_busy=None if found.cpu_percent is None else found.cpu_percent / 100,
        first_epoch_s=found.data.first_epoch_s,
        augments=bool(found.data.augments),
        compact=found.data.cached_form == "compact" or found.data.cached_sample_bytes is None,
        copy_factor=stages.copy_s / predicted.copy_s if predicted.copy_s and stages.copy_s else 1.0,
        prefetch=plan.prefetch,
        contended=contended,
    )


def _stages(found: Measurement, plan: Plan, predicted: Stages, step_s: float) -> Stages | None:
    """What was measured, the best of it first."""
    how = replace(predicted, overlap=plan.prefetch)
    shares = found.shares
    if found.compute_only_step_s is not None and found.data_only_step_s is not None:
        return _divided(how, found, found.compute_only_step_s, found.data_only_step_s)
    serial = replace(how, overlap=False, contention=0.0)
    if shares.input is not None:
        return _divided(serial, found, step_s * (1 - shares.input), step_s * shares.input)
    busy = None if found.gpu_percent is None else found.gpu_percent / 100
    if busy is None or predicted.contention or not 0 < busy < IDLE_CARD or not _fed_by_a_busy_host(found):
        return None
    return _divided(serial, found, step_s * busy, step_s * (1 - busy))


def _divided(how: Stages, found: Measurement, device_side_s: float, input_s: float) -> Stages:
    """The two sides of a step as stages: copy and computing, disk and decoding."""
    shares = found.shares
    told = how.copy_s if shares.copy is None else shares.copy * found.step.median_s
    copy_s = min(MOST_COPYING * device_side_s, told)
    disk_share = 0.0
    if shares.disk is not None and shares.input:
        disk_share = min(1.0, shares.disk / shares.input)
    # Ahead of the step both go on at once, and the slower one takes all the time.
    overlapping = how.overlap and not how.one_thread
    disk_s, decode_s = disk_share * input_s, (1 - disk_share) * input_s
    if overlapping and disk_share >= 0.5:
        disk_s = input_s
    elif overlapping:
        decode_s = input_s
    return replace(how, device_s=device_side_s - copy_s, copy_s=copy_s, disk_s=disk_s, decode_s=decode_s)


def _fed_by_a_busy_host(found: Measurement) -> bool:
    """Does something on the host work while the card idles."""
    return bool(found.cpu_percent and found.cpu_percent / 100 >= BUSY_HOST) or bool(found.data.share_from_disk)
