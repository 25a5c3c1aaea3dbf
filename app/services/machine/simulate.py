"""Another machine in place of this one: replace the card, the RAM or the disk, and leave the rest as it was read.

Simulating measures nothing.  A simulated part has what its maker says and what was asked for; every live reading of it
(temperature, load, power, processes) is None, with the reason in `Machine.unavailable`.
"""

from __future__ import annotations

from dataclasses import replace

from app.core.simulate.device import GPU_CONTEXT_BYTES
from app.core.types.errors import UsageError
from app.core.types.machine import Disk, Gpu, GpuSpec, Machine, Ram
from app.core.types.text import Text, phrase
from app.core.types.units import GIB, MIB

DESKTOP_RESIDUAL_BYTES = 785 * MIB
"""Memory of a desktop card that a training does not get, besides what TensorFlow keeps back by its own rule.

Median over 12 desktop cards (GTX 1050 Ti … RTX 5090) of: sold memory − TensorFlow's rule (500/1050/1536/1800 MiB by
compute capability) − the limit TensorFlow logged ("Created device … with N MB").  The 12 range from 228 to 1997 MiB; a
thirteenth, whose owner had limited it, is left out.  It holds the screen, other programs *and* the CUDA context of the
training itself, which the log lines do not separate.  Nine servers' cards without a screen (a T4 … an H100, the median
of each one's log lines) keep 201 to 1357 MiB back, in the median 709: as much, so that one figure is for both
(docs/evidence.md, "Memory that a simulated card has").
"""

DESKTOP_HELD_BYTES = DESKTOP_RESIDUAL_BYTES - GPU_CONTEXT_BYTES
"""What the screen and other programs hold of a simulated card, as its driver would show it before a training starts.

The context comes on top where the allowed memory is counted (`app.core.simulate.device`), so that the two add up to the
median.
"""

UNIFIED_GPU_SHARES = ((36 * GIB, 2 / 3), (None, 3 / 4))
"""Share of a unified memory that Metal recommends to use at most (``recommendedMaxWorkingSetSize``), by total size.

As Apple's driver reports it: 10.7 of 16 GiB, 21.3 of 32, 48 of 64, 72 of 96, 144 of 192.
"""

SIMULATED_REASON = phrase("not measured: this part is simulated")
_VENDOR_NAMES = {"nvidia": "NVIDIA", "amd": "AMD", "intel": "Intel", "apple": "Apple"}
"""As the probes write them."""
_LIVE_READINGS = (
    "temperature_c",
    "utilization_percent",
    "power_w",
    "processes",
    "uuid",
    "pcie_generation",
    "pcie_width",
)


def simulate(
    machine: Machine, *, gpu: GpuSpec | None = None, ram_bytes: int | None = None, disk_bytes_per_s: float | None = None
) -> Machine:
    """Replace parts of a machine.

    Args:
        machine: The machine as it was read; it is not changed.
        gpu: The only card of the new machine; None keeps the cards that are there.
        ram_bytes: RAM in total; what is in use now stays in use.
        disk_bytes_per_s: Read rate of every disk, in bytes per second.

    Returns:
        The machine with `Machine.simulated` naming the replaced parts.

    Raises:
        UsageError: A size or a rate is not above 0.
    """
    if gpu is not None:
        machine = replace_gpu(machine, gpu)
    if ram_bytes is not None:
        machine = replace_ram(machine, ram_bytes)
    if disk_bytes_per_s is not None:
        machine = replace_disk(machine, disk_bytes_per_s)
    return machine


def replace_gpu(machine: Machine, spec: GpuSpec) -> Machine:
    """The machine with one simulated card, index 0, in place of all its cards."""
    unavailable = _without(machine.unavailable, "gpus")
    unavailable |= {f"gpus.0.{reading}": SIMULATED_REASON for reading in _LIVE_READINGS}
    return replace(
        machine, gpus=(simulated_gpu(spec),), unavailable=unavailable, simulated=_with(machine.simulated, "gpu")
    )


def simulated_gpu(spec: GpuSpec) -> Gpu:
    """A card as its maker describes it, with as much memory free as a desktop usually leaves (`DESKTOP_HELD_BYTES`)."""
    free_bytes = usable_memory_bytes(spec)
    return Gpu(
        index=0,
        vendor=_VENDOR_NAMES.get(spec.vendor, spec.vendor),
        name=spec.name,
        memory_total_bytes=spec.visible_memory_bytes,
        memory_used_bytes=spec.visible_memory_bytes - free_bytes,
        memory_free_bytes=free_bytes,
        unified=spec.segment == "soc",
        compute_capability=spec.compute_capability,
        cuda_cores=spec.cores if spec.vendor == "nvidia" else None,
        num_sms=spec.num_sms,
        sm_clock_max_mhz=None if spec.boost_clock_mhz is None else round(spec.boost_clock_mhz),
        memory_bandwidth_bytes_per_s=spec.memory_bandwidth_bytes_per_s,
        fp32_flops_per_s=spec.fp32_flops_per_s,
        tensor_fp16_flops_per_s=spec.tensor_fp16_flops_per_s,
        tensor_tf32_flops_per_s=spec.tensor_tf32_flops_per_s,
        power_limit_w=spec.tdp_w,
        default_sm_clock_mhz=None if spec.default_clock_mhz is None else round(spec.default_clock_mhz),
        ecc_in_memory=spec.ecc_in_memory,
        simulated=True,
    )


def usable_memory_bytes(spec: GpuSpec) -> int:
    """What a simulated card has free before TensorFlow's own reserve, in bytes; never below 0."""
    if spec.segment != "soc":
        return max(0, spec.visible_memory_bytes - DESKTOP_HELD_BYTES)
    share = next(share for limit, share in UNIFIED_GPU_SHARES if limit is None or spec.memory_bytes <= limit)
    return int(spec.memory_bytes * share)


def replace_ram(machine: Machine, ram_bytes: int) -> Machine:
    """The machine with another amount of RAM; programs keep what they use, a container's limit falls away.

    Raises:
        UsageError: ``ram_bytes`` is not above 0.
    """
    if ram_bytes <= 0:
        raise UsageError(
            phrase("impossible amount of RAM"), expected=phrase("more than 0 bytes"), received=str(ram_bytes)
        )
    old = machine.ram
    available_bytes = None
    unavailable = _without(machine.unavailable, "ram")
    if old.total_bytes is None or old.available_bytes is None:
        unavailable["ram.available_bytes"] = phrase("not known: what the programs here use could not be read")
    else:
        # within a container "available" counts from its limit, so what is in use does too
        whole_bytes = min(old.total_bytes, old.limit_bytes or old.total_bytes)
        available_bytes = min(ram_bytes, max(0, ram_bytes - (whole_bytes - old.available_bytes)))
    ram = Ram(
        total_bytes=ram_bytes,
        available_bytes=available_bytes,
        kind=old.kind,
        swap_total_bytes=old.swap_total_bytes,
        swap_used_bytes=old.swap_used_bytes,
    )
    return replace(machine, ram=ram, unavailable=unavailable, simulated=_with(machine.simulated, "ram"))


def replace_disk(machine: Machine, disk_bytes_per_s: float) -> Machine:
    """The machine with every disk reading at one rate, for nobody knows which of them will hold the data.

    Raises:
        UsageError: ``disk_bytes_per_s`` is not above 0.
    """
    if not 0 < disk_bytes_per_s < float("inf"):
        raise UsageError(
            phrase("impossible disk rate"), expected=phrase("bytes per second above 0"), received=str(disk_bytes_per_s)
        )
    disks = machine.disks or (Disk(mount="simulated"),)
    fast = tuple(replace(disk, device=None, kind=None, read_bytes_per_s=disk_bytes_per_s) for disk in disks)
    unavailable = {
        path: reason
        for path, reason in machine.unavailable.items()
        if not (path.startswith("disks.") and path.endswith((".read_bytes_per_s", ".kind", ".device")))
    }
    for index in range(len(fast)):
        unavailable[f"disks.{index}.kind"] = SIMULATED_REASON
    return replace(machine, disks=fast, unavailable=unavailable, simulated=_with(machine.simulated, "disk"))


def replace_cores(machine: Machine, cores: int) -> Machine:
    """The machine with a processor of so many cores of the same kind; what its name was no longer counts.

    Raises:
        UsageError: ``cores`` is not above 0.
    """
    if cores <= 0:
        raise UsageError(phrase("impossible number of cores"), expected=phrase("more than 0"), received=str(cores))
    cpu = replace(machine.cpu, name=None, physical_cores=None, logical_cores=cores, usable_cores=float(cores))
    return replace(machine, cpu=cpu, simulated=_with(machine.simulated, "cpu"))


def _with(parts: tuple[str, ...], part: str) -> tuple[str, ...]:
    """The names with one more, once each."""
    return parts if part in parts else (*parts, part)


def _without(unavailable: dict[str, Text], part: str) -> dict[str, Text]:
    """The reasons that do not belong to a replaced part."""
    return {path: why for path, why in unavailable.items() if path != part and not path.startswith(part + ".")}
