"""Fill in what a driver does not say of a card from the card table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from app.catalog.gpu_names import match_reported
from app.core.types.machine import Gpu, GpuSpec, Machine

FIELDS = (
    "compute_capability",
    "num_sms",
    "memory_bandwidth_bytes_per_s",
    "fp32_flops_per_s",
    "tensor_fp16_flops_per_s",
    "tensor_tf32_flops_per_s",
)


def with_catalog_rates(machine: Machine, gpus: Iterable[GpuSpec]) -> Machine:
    """The machine with each card's peak rates as its maker states them, where the card is in the table.

    A driver derives rates from the highest clock a card admits, which is above what it sustains; and
    AMD's and Intel's drivers say nothing.  What the table does not know stays as it was read.
    """
    table = tuple(gpus)
    return replace(machine, gpus=tuple(_filled(gpu, table) for gpu in machine.gpus))


def _filled(gpu: Gpu, table: tuple[GpuSpec, ...]) -> Gpu:
    """One card with the table's facts."""
    spec = match_reported(gpu.name, gpu.memory_total_bytes, table)
    if spec is None:
        return gpu
    known = {name: getattr(spec, name) for name in FIELDS if getattr(spec, name) is not None}
    default = None if spec.default_clock_mhz is None else round(spec.default_clock_mhz)
    return replace(gpu, default_sm_clock_mhz=default, ecc_in_memory=_corrects_errors(gpu, spec), **known)


def _corrects_errors(gpu: Gpu, spec: GpuSpec) -> bool:
    """Is error correction on, whose bits are kept in the card's memory: then its driver counts less than is sold."""
    counted = gpu.memory_total_bytes or spec.visible_memory_bytes
    return spec.ecc_in_memory and counted < (spec.memory_bytes + spec.visible_memory_bytes) / 2
