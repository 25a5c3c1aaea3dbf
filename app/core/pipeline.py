"""What the data costs: reading, decoding and moving one batch, and what a cache would change.

With ``prefetch`` the input pipeline overlaps with the device, so a step takes the longer of the two.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from app.core.machine import Machine
from app.core.workload import Dataset, Plan

DECODE_PIXELS_PER_S_PER_CORE = 60e6
"""JPEG decode and resize on one desktop core, pixels of the result per second; libjpeg-turbo decodes
100 to 200 megapixels per second, resizing to float32 takes the other half.  Replaced by a measurement."""

HOST_COPY_BYTES_PER_S = 6e9
"""Batch assembly in RAM: one read and one write of pageable memory."""

DISK_READ_BYTES_PER_S = {"nvme": 1.5e9, "ssd": 450e6, "hdd": 120e6, "network": 100e6}
"""Sustained reads of middling devices of each kind, used until the disk's own rate has been measured."""

RANDOM_READ_SHARE = 0.5
"""Many small files read at about half the sequential rate of a flash disk."""


@dataclass(frozen=True)
class InputTime:
    """Seconds per step of the input pipeline's parts; they overlap with each other across workers."""

    decode_s: float
    disk_s: float
    assemble_s: float
    cached: bool

    @property
    def step_s(self) -> float:
        """The slowest part decides."""
        return max(self.decode_s + self.assemble_s, self.disk_s)


def decoded_bytes(dataset: Dataset, item_bytes: int = 4) -> int | None:
    """Bytes of all samples decoded to float32; None if the size is not known."""
    if dataset.samples is None or dataset.sample_shape is None:
        return None
    known = [n for n in dataset.sample_shape if n is not None]
    if len(known) != len(dataset.sample_shape):
        return None
    return dataset.samples * math.prod(known) * item_bytes


def expansion(dataset: Dataset) -> float | None:
    """K: bytes in memory per byte on disk (case S5 saw 2 to more than 3)."""
    decoded = decoded_bytes(dataset)
    if decoded is None or not dataset.bytes_on_disk:
        return None
    return decoded / dataset.bytes_on_disk


def input_time(
    dataset: Dataset | None,
    machine: Machine,
    plan: Plan,
    sample_elements: int,
    cached_sample_bytes: float | None = None,
) -> InputTime | None:
    """Input cost of one step in epochs after the first; None without a dataset that must be read.

    Args:
        dataset: Where the samples come from; arrays that fit into RAM only have to be assembled.
        machine: Cores and disk.
        plan: Batch size and cache.
        sample_elements: Elements of one sample as the model gets it.
        cached_sample_bytes: Memory of one sample in the pipeline's cache, as a run measured it.
    """
    if dataset is None:
        return None
    assemble_s = plan.batch_size * sample_elements * 4 / HOST_COPY_BYTES_PER_S
    files = dataset.kind in ("images", "tfrecord") or (dataset.kind == "catalog" and _must_be_read(dataset, machine))
    if not files:
        return InputTime(0.0, 0.0, assemble_s, cached=True)
    in_ram = plan.cache == "ram" and fits_in_ram(dataset, machine, sample_elements, cached_sample_bytes)
    if in_ram:
        return InputTime(0.0, 0.0, assemble_s, cached=True)
    cores = machine.cpu.usable_cores or machine.cpu.logical_cores or 1
    pixels = sample_elements / 3
    decode_s = 0.0 if plan.cache == "disk" else plan.batch_size * pixels / (DECODE_PIXELS_PER_S_PER_CORE * cores)
    return InputTime(decode_s, _disk_s(dataset, machine, plan, sample_elements), assemble_s, cached=False)


def fits_in_ram(
    dataset: Dataset, machine: Machine, sample_elements: int, cached_sample_bytes: float | None = None
) -> bool | None:
    """Would all decoded samples fit into the RAM that is free now; None if unknown.

    A sample counts as a run measured it (case S5: K is measured on the user's files), else as float32.
    """
    if dataset.samples is None or machine.ram.available_bytes is None:
        return None
    sample_bytes = cached_sample_bytes or sample_elements * 4
    return dataset.samples * sample_bytes <= 0.8 * machine.ram.available_bytes


def disk_rate_bytes_per_s(machine: Machine) -> float | None:
    """The measured rate of the first disk, else the usual one of its kind."""
    for disk in machine.disks:
        if disk.read_bytes_per_s:
            return disk.read_bytes_per_s
        if disk.kind in DISK_READ_BYTES_PER_S:
            return DISK_READ_BYTES_PER_S[disk.kind]
    return None


def _must_be_read(dataset: Dataset, machine: Machine) -> bool:
    """A catalog dataset that is larger than half the RAM is read from disk every epoch."""
    available = machine.ram.available_bytes
    return bool(dataset.bytes_on_disk and available and dataset.bytes_on_disk > available / 2)


def _disk_s(dataset: Dataset, machine: Machine, plan: Plan, sample_elements: int) -> float:
    """Seconds to read one batch; 0 if the page cache will hold the files or the rate is unknown."""
    rate = disk_rate_bytes_per_s(machine)
    if not dataset.bytes_on_disk or not dataset.samples or rate is None:
        return 0.0
    per_sample = dataset.bytes_on_disk / dataset.samples
    if plan.cache == "disk":
        return plan.batch_size * sample_elements * 4 / rate
    available = machine.ram.available_bytes
    if available is not None and dataset.bytes_on_disk < 0.6 * available:
        return 0.0
    return plan.batch_size * per_sample / (rate * RANDOM_READ_SHARE)
