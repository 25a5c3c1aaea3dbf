"""Machines to predict for, among them those of the founding cases."""

from __future__ import annotations

from app.core.types.machine import Cpu, DeviceRates, Disk, Gpu, Machine, Ram
from app.core.types.units import GIB

HOST_RATES = DeviceRates(
    "cpu",
    "test",
    matmul_flops_per_s=1e11,
    conv_flops_per_s=1e11,
    depthwise_flops_per_s=2e10,
    elementwise_bytes_per_s=1e10,
    launch_s=5e-6,
    step_overhead_s=1e-3,
)


def card(name: str = "RTX 2060", gib: float = 6.0, held_gib: float = 0.8, **known: object) -> Gpu:
    """An NVIDIA card with some of its memory held by the desktop."""
    given: dict[str, object] = {
        "compute_capability": (7, 5),
        "memory_bandwidth_bytes_per_s": 336e9,
        "fp32_flops_per_s": 6.45e12,
        "tensor_fp16_flops_per_s": 25.8e12,
    } | known
    total = int(gib * GIB)
    used = int(held_gib * GIB)
    return Gpu(0, "NVIDIA", name, None, total, used, total - used, **given)  # type: ignore[arg-type]


def desktop(*gpus: Gpu, ram_gib: float = 16, free_gib: float = 12, disk: str = "ssd", cores: int = 8) -> Machine:
    """A desktop computer."""
    return Machine(
        os="Linux",
        cpu=Cpu(name="Test CPU", logical_cores=cores, usable_cores=cores),
        ram=Ram(total_bytes=int(ram_gib * GIB), available_bytes=int(free_gib * GIB)),
        disks=(Disk("/", kind=disk),),
        gpus=gpus,
    )
