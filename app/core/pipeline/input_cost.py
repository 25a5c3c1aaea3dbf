"""What one sample asks of the host: bytes to read, core seconds to decode, bytes to keep and to hand on.

Assumed from the dataset's facts, or taken from a run on the user's own files (`app.core.pipeline.measured_stages`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from app.core.simulate.device import HOST_RESERVE_BYTES, HOST_RESERVE_SHARE
from app.core.simulate.host_process import HOST_PROCESS_BYTES
from app.core.types.machine import Gpu, Machine
from app.core.types.workload import Dataset, Workload

DECODE_PIXELS_PER_S_PER_CORE = 60e6
"""JPEG decode and resize on one desktop core, pixels of the result per second; libjpeg-turbo decodes
100 to 200 megapixels per second, resizing to float32 takes the other half.  Replaced by a measurement."""

HOST_COPY_BYTES_PER_S = 6e9
"""Batch assembly in RAM: one read and one write of pageable memory."""

DISK_READ_BYTES_PER_S = {"nvme": 1.5e9, "ssd": 450e6, "hdd": 120e6, "network": 100e6}
"""Sustained reads of middling devices of each kind, used until the disk's own rate has been measured."""

PCIE_LANE_BYTES_PER_S = {1: 0.25e9, 2: 0.5e9, 3: 0.985e9, 4: 1.97e9, 5: 3.94e9, 6: 7.56e9}
"""Payload of one lane in one direction (PCI-SIG: 8 GT/s with 128b/130b coding is 0.985 GB/s for generation 3)."""

PCIE_SHARE = 0.8
"""What a copy from pinned memory reaches of it (about 12 GB/s on generation 3 with 16 lanes)."""

FLOAT32_BYTES = 4

ARENA_GROWTH = 1.5
"""RAM that a cache of small decoded samples takes over their bytes: they lie between the holes that decoding leaves.
1.3 with samples of 12 KB, 1.5 with 49 KB, 1.0 with 196 KB (`studies.benchmarks.expansion`, glibc)."""

MMAP_BYTES = 128 * 1024
"""From here on glibc gives a buffer pages of its own (mallopt(3), ``M_MMAP_THRESHOLD``)."""

IMAGE_CHANNELS = 3


@dataclass(frozen=True)
class SampleCost:
    """One sample on its way to the device.

    ``decode_core_s`` and ``augment_core_s`` are seconds of one core, the latter of what a cache does not take away;
    ``assemble_s`` is what no worker shortens: putting the batch together.  ``from_files``: read and decoded anew in
    each epoch unless cached.
    """

    read_bytes: float = 0.0
    decode_core_s: float = 0.0
    assemble_s: float = 0.0
    cached_bytes: float = 0.0
    """In a cache of decoded samples."""
    copied_bytes: float = 0.0
    """From host to device."""
    from_files: bool = False
    measured: bool = False
    read_s: float | None = None
    """Measured seconds to read it from the disk with ``disk_rate``; None where the disk was not waited for."""
    disk_rate: float | None = None
    augment_core_s: float = 0.0
    overlaps: bool | None = None
    """Seen to overlap with the step or not; None for what the plan says."""
    compact: bool = True
    """``cached_bytes`` are those of bytes and whole numbers; False where floats may be kept."""

    @property
    def held_bytes(self) -> float:
        """What the process grows by when it is cached in RAM."""
        return held_in_ram_bytes(self.cached_bytes, decoded=self.decode_core_s > 0)


def held_in_ram_bytes(sample_bytes: float, *, decoded: bool) -> float:
    """What a process grows by for each sample that a cache in RAM keeps.

    Args:
        sample_bytes: Of the sample's tensors.
        decoded: It was decoded just before, and the buffers of that were given back beside it.
    """
    return sample_bytes * (ARENA_GROWTH if decoded and sample_bytes < MMAP_BYTES else 1.0)


def assumed_cost(dataset: Dataset, machine: Machine, sample_elements: int) -> SampleCost:
    """The usual cost of a sample.

    A cache holds images as bytes, as the pipeline of a benchmark keeps them; other data as float32.

    Args:
        dataset: Where the samples come from; arrays that fit into RAM only have to be assembled.
        machine: Its RAM decides whether a dataset of the catalog is read anew in each epoch.
        sample_elements: Elements of one sample as the model gets it.
    """
    copied = float(sample_elements * FLOAT32_BYTES)
    assemble_s = copied / HOST_COPY_BYTES_PER_S
    if not is_read_from_files(dataset, machine):
        larger = larger_than_ram(dataset, machine, copied)
        return SampleCost(copied if larger else 0.0, 0.0, assemble_s, copied, copied, from_files=larger)
    per_sample = dataset.bytes_on_disk / dataset.samples if dataset.bytes_on_disk and dataset.samples else 0.0
    return SampleCost(
        read_bytes=per_sample,
        decode_core_s=sample_elements / IMAGE_CHANNELS / DECODE_PIXELS_PER_S_PER_CORE,
        assemble_s=assemble_s,
        cached_bytes=float(sample_elements),
        copied_bytes=copied,
        from_files=True,
    )


def cached_sample_bytes(workload: Workload, machine: Machine, sample_elements: int) -> float | None:
    """What the process grows by for each sample that the plan's cache in RAM keeps; None without data or cache."""
    data, cache = workload.dataset, workload.plan.cache
    if data is None or cache not in ("ram", "encoded"):
        return None
    cost = assumed_cost(data, machine, sample_elements)
    return cost.read_bytes if cache == "encoded" else cost.held_bytes


def is_read_from_files(dataset: Dataset, machine: Machine) -> bool:
    """Is the data read and decoded while training, not held in RAM from the start?

    A dataset of the catalog is, if it is larger than half the RAM.
    """
    if dataset.kind in ("images", "tfrecord"):
        return True
    available = machine.ram.available_bytes
    large = bool(dataset.bytes_on_disk and available and dataset.bytes_on_disk > available / 2)
    return dataset.kind == "catalog" and large


def larger_than_ram(dataset: Dataset, machine: Machine, sample_bytes: float) -> bool:
    """Are there too many samples to be one array, so that they must be read from the disk as they are?"""
    available = machine.ram.available_bytes
    return bool(dataset.samples and available and dataset.samples * sample_bytes > available)


def decoded_bytes(dataset: Dataset, item_bytes: int = FLOAT32_BYTES) -> int | None:
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


def cache_room_bytes(machine: Machine) -> int | None:
    """RAM that a cache may take: what is free now, less the desktop's reserve and the training process; or None."""
    ram = machine.ram
    free = [n for n in (ram.available_bytes, ram.limit_bytes) if n is not None]
    if ram.available_bytes is None:
        return None
    reserve = max(HOST_RESERVE_BYTES, int(HOST_RESERVE_SHARE * (ram.total_bytes or ram.available_bytes)))
    return max(0, min(free) - reserve - HOST_PROCESS_BYTES)


def disk_rate_bytes_per_s(machine: Machine) -> float | None:
    """The measured rate of the first disk, else the usual one of its kind."""
    for disk in machine.disks:
        if disk.read_bytes_per_s:
            return disk.read_bytes_per_s
        if disk.kind in DISK_READ_BYTES_PER_S:
            return DISK_READ_BYTES_PER_S[disk.kind]
    return None


def copy_rate_bytes_per_s(gpu: Gpu | None) -> float | None:
    """What a copy to a card reaches; the usual slot where nobody knows it; None for the processor itself."""
    if gpu is None or gpu.unified:
        return None
    generation, lanes = gpu.pcie_generation_max or 3, gpu.pcie_width_max or 16
    return PCIE_LANE_BYTES_PER_S.get(generation, PCIE_LANE_BYTES_PER_S[3]) * lanes * PCIE_SHARE


def cores_of(machine: Machine) -> float:
    """Cores that the input may use."""
    return machine.cpu.usable_cores or machine.cpu.logical_cores or 1
