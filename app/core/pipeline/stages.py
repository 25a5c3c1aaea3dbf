"""The whole step as a pipeline: disk → read → decode → augment → host-to-device → compute.

What runs ahead of the step overlaps with it, so the slowest stage decides; what does not, adds up.  A cache takes
stages away from later epochs; a cache that is larger than the RAM swaps, which costs more than reading the files.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from app.core.pipeline.input_cost import (
    SampleCost,
    cache_room_bytes,
    copy_rate_bytes_per_s,
    cores_of,
    disk_rate_bytes_per_s,
)
from app.core.types.machine import Gpu, Machine
from app.core.types.predicted_time import Stages
from app.core.types.workload import Plan

RANDOM_READ_SHARE = 0.5
"""Many small files read at about half the sequential rate of a flash disk."""

SWAP_PASSES = 2.0
"""What has no room goes to the disk and comes back: a pass in random order over least-recently-used pages hits none
of those that it will need next, so each of them is written out and read once an epoch."""

Part = Literal["gpu", "cpu", "disk", "ram"]

UNBOUNDED = 100.0
"""A gain above this says only that the rest is negligible."""


@dataclass(frozen=True)
class Epochs:
    """The stages of a step in the first epoch and in later ones."""

    first: Stages
    later: Stages
    swaps: bool = False
    """The cache has no room: what is too much goes to the disk and back."""


def epochs(
    cost: SampleCost | None, machine: Machine, plan: Plan, *, gpu: Gpu | None, device_s: float, samples: int | None
) -> Epochs:
    """The stages of a step under a plan.

    Args:
        cost: Of one sample; None without a dataset.
        machine: Cores, RAM and disk.
        plan: Batch, cache, workers, prefetch.
        gpu: The card that trains; None for the processor.
        device_s: Seconds of the step itself.
        samples: In the dataset.
    """
    if cost is None:
        alone = Stages(device_s)
        return Epochs(alone, alone)
    cores = cores_of(machine)
    workers = min(plan.input_workers or cores, cores)
    rate = copy_rate_bytes_per_s(gpu)
    fresh = Stages(
        device_s=device_s,
        copy_s=plan.batch_size * cost.copied_bytes / rate if rate else 0.0,
        decode_s=plan.batch_size * ((cost.decode_core_s + cost.augment_core_s) / workers + cost.assemble_s),
        disk_s=_read_s(cost, machine, plan) if cost.from_files else 0.0,
        overlap=plan.prefetch if cost.overlaps is None else cost.overlaps,
        one_thread=workers == 1,
        contention=workers / cores if gpu is None else 0.0,
        workers=workers,
        disk_rate=disk_rate_bytes_per_s(machine),
    )
    if not cost.from_files:
        return Epochs(fresh, fresh)
    in_memory = holds(cost.read_bytes, samples, _page_cache_bytes(cost, machine, plan, samples))
    warm = replace(fresh, disk_s=0.0) if in_memory else fresh
    if plan.cache == "none":
        return Epochs(fresh, warm)
    cached, swaps = _cached(fresh, cost, machine, plan, samples)
    return Epochs(fresh, mixed(cached, warm, plan.cache_share), swaps)


def mixed(one: Stages, other: Stages, share: float) -> Stages:
    """A step of which a share of the samples goes one way and the rest the other."""

    def of(a: float, b: float) -> float:
        return share * a + (1 - share) * b

    return replace(one, decode_s=of(one.decode_s, other.decode_s), disk_s=of(one.disk_s, other.disk_s))


def holds(sample_bytes: float, samples: int | None, room_bytes: float | None) -> bool:
    """Is there certainly room for all samples in so many bytes?"""
    return samples is not None and room_bytes is not None and samples * sample_bytes <= room_bytes


def share_with_room(cost: SampleCost, machine: Machine, samples: int | None) -> float | None:
    """Which share of the decoded samples a cache in RAM has room for; None if nobody knows."""
    room = cache_room_bytes(machine)
    if samples is None or room is None or cost.cached_bytes <= 0:
        return None
    return min(1.0, room / (samples * cost.held_bytes))


def gain_limit(stages: Stages, part: Part) -> float:
    """Upper bound of the speed-up that a better part can bring: what is left when its stages take no time (Amdahl)."""
    without: dict[Part, Callable[[], Stages]] = {
        "gpu": lambda: replace(stages, device_s=0.0, copy_s=0.0),
        "cpu": lambda: replace(stages, decode_s=0.0, device_s=0.0 if stages.contention else stages.device_s),
        "disk": lambda: replace(stages, disk_s=0.0),
        "ram": lambda: replace(stages, disk_s=0.0, decode_s=0.0),
    }
    rest = without[part]().step_s
    return min(UNBOUNDED, stages.step_s / rest) if rest > 0 else UNBOUNDED


def _page_cache_bytes(cost: SampleCost, machine: Machine, plan: Plan, samples: int | None) -> float | None:
    """RAM that is left to the system to keep files in: what the pipeline's own cache does not take."""
    room = cache_room_bytes(machine)
    if room is None or samples is None or plan.cache in ("none", "disk"):
        return room
    kept = cost.read_bytes if plan.cache == "encoded" else cost.held_bytes
    return max(0.0, room - plan.cache_share * samples * kept)


def _read_s(cost: SampleCost, machine: Machine, plan: Plan) -> float:
    """Seconds to read one batch from the disk; as measured, carried to another disk by the ratio of the rates."""
    rate = disk_rate_bytes_per_s(machine)
    if cost.read_s is not None:
        ratio = cost.disk_rate / rate if cost.disk_rate and rate else 1.0
        return plan.batch_size * cost.read_s * ratio
    return plan.batch_size * cost.read_bytes / (rate * RANDOM_READ_SHARE) if rate else 0.0


def _cached(fresh: Stages, cost: SampleCost, machine: Machine, plan: Plan, samples: int | None) -> tuple[Stages, bool]:
    """The stages of a sample that is in the cache, and whether the cache swaps."""
    rate, room = disk_rate_bytes_per_s(machine), cache_room_bytes(machine)
    prepare_s = plan.batch_size * (cost.augment_core_s / fresh.workers + cost.assemble_s)
    kept_bytes = cost.read_bytes if plan.cache == "encoded" else cost.cached_bytes
    if plan.cache == "disk":
        reads_s = plan.batch_size * kept_bytes / rate if rate else 0.0
        in_memory = holds(kept_bytes, samples, room)
        return replace(fresh, decode_s=prepare_s, disk_s=0.0 if in_memory else reads_s), False
    decode_s = fresh.decode_s if plan.cache == "encoded" else prepare_s
    if samples is None or room is None:
        return fresh, False
    held_bytes = cost.read_bytes if plan.cache == "encoded" else cost.held_bytes
    needed = plan.cache_share * samples * held_bytes
    excess = max(0.0, 1 - room / needed) if needed else 0.0
    swapped = plan.batch_size * excess * held_bytes * SWAP_PASSES
    swap_s = swapped / (rate * RANDOM_READ_SHARE) if rate else 0.0
    return replace(fresh, decode_s=decode_s, disk_s=swap_s), excess > 0
