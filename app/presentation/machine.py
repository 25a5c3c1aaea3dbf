"""A machine: its parts, what could not be read of them, and which framework can use which card."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from app.core.types.text import Text, join, phrase
from app.core.types.units import NOT_AVAILABLE, format_bytes, format_count, format_moment, format_number
from app.presentation.layout import Table, fact, facts
from app.presentation.words import KINDS

if TYPE_CHECKING:  # the window paints without them
    from app.core.types.machine import Cpu, Disk, Gpu, GpuSupport, Machine, Ram

DISK_KINDS = {
    "nvme": "NVMe",
    "ssd": "SSD",
    "hdd": "HDD",
    "network": phrase("network disk"),
    "virtual": phrase("virtual disk"),
}
VECTOR_UNITS = ("avx2", "avx512f", "amx_tile", "neon")
"""What makes matrix products fast; the rest of a processor's features tells a reader nothing."""
USABLE = {True: phrase("✔ yes"), False: phrase("✘ no"), None: phrase("? cannot tell")}

_PARTS = {
    "cpu": phrase("processor"),
    "ram": "RAM",
    "gpus": phrase("graphics card"),
    "disks": phrase("disks"),
    "battery": phrase("battery"),
    "nvidia_driver": phrase("NVIDIA driver"),
    "cuda_version": phrase("CUDA version"),
}
READINGS = {
    "name": phrase("name"),
    "vendor": phrase("maker"),
    "microarchitecture": phrase("microarchitecture"),
    "physical_cores": phrase("cores"),
    "logical_cores": phrase("logical cores"),
    "usable_cores": phrase("usable cores"),
    "max_clock_mhz": phrase("highest clock"),
    "features": phrase("vector units"),
    "l1d_bytes": phrase("L1 cache"),
    "l2_bytes": phrase("L2 cache"),
    "l3_bytes": phrase("L3 cache"),
    "total_bytes": phrase("size"),
    "available_bytes": phrase("free memory"),
    "limit_bytes": phrase("limit of the container"),
    "kind": phrase("type"),
    "speed_mts": phrase("speed"),
    "swap_total_bytes": phrase("swap"),
    "swap_used_bytes": phrase("used swap"),
    "device": phrase("device"),
    "filesystem": phrase("file system"),
    "free_bytes": phrase("free space"),
    "read_bytes_per_s": phrase("read speed"),
    "uuid": phrase("identifier"),
    "memory_total_bytes": phrase("memory"),
    "memory_used_bytes": phrase("used memory"),
    "memory_free_bytes": phrase("free memory"),
    "compute_capability": phrase("compute capability"),
    "cuda_cores": phrase("cores"),
    "num_sms": phrase("multiprocessors"),
    "bus_width_bits": phrase("width of the memory bus"),
    "sm_clock_max_mhz": phrase("highest clock"),
    "memory_clock_max_mhz": phrase("highest memory clock"),
    "memory_bandwidth_bytes_per_s": phrase("memory bandwidth"),
    "fp32_flops_per_s": phrase("float32 speed"),
    "tensor_fp16_flops_per_s": phrase("float16 speed"),
    "tensor_tf32_flops_per_s": phrase("TF32 speed"),
    "power_limit_w": phrase("power limit"),
    "pcie_generation": phrase("PCIe generation"),
    "pcie_width": phrase("PCIe lanes"),
    "pcie_generation_max": phrase("highest PCIe generation"),
    "pcie_width_max": phrase("most PCIe lanes"),
    "temperature_c": phrase("temperature"),
    "utilization_percent": phrase("load"),
    "power_w": phrase("power"),
    "processes": phrase("programs on it"),
    "default_sm_clock_mhz": phrase("usual clock"),
}
"""The readings of a part, by the names of their fields."""


def machine_table(machine: Machine, *, short: bool = False) -> Table:
    """Part by part, with one line on all that could not be read; ``short`` keeps what a training meets first."""
    cpu = machine.cpu
    rows = [
        fact(phrase("System"), *_system(machine)),
        fact(phrase("Processor"), cpu.name or NOT_AVAILABLE, cpu.microarchitecture or ""),
        fact(phrase("Cores"), *_cores(cpu)),
        fact(phrase("Vector units"), *(name.upper() for name in cpu.features if name in VECTOR_UNITS and not short)),
        fact(phrase("Caches"), *(() if short else _caches(cpu))),
        fact("RAM", *_ram(machine.ram)),
        fact("Swap", format_bytes(machine.ram.swap_total_bytes) if machine.ram.swap_total_bytes else ""),
        *(row for gpu in machine.gpus for row in _gpu_rows(gpu)),
        fact("GPU", "" if machine.gpus else phrase("none found")),
        fact(phrase("Driver"), *_driver(machine)),
        *(fact(_disk_name(disk), *_disk(disk)) for disk in machine.disks),
        fact(phrase("Power"), _power(machine)),
        fact(phrase("Simulated"), join(", ", (KINDS.get(part, part) for part in machine.simulated))),
        fact(phrase("Read"), format_moment(machine.taken_at) if machine.taken_at and not short else ""),
        fact(phrase("Not available"), "" if short else unavailable(machine)),
    ]
    return facts(phrase("Machine"), rows)


def unavailable(machine: Machine) -> Text:
    """Everything that could not be read, in one line: ``RAM (type, speed); CUDA version``."""
    parts: dict[str, list[str]] = {}
    for part, reading in (_words(path, machine) for path in sorted(machine.unavailable)):
        parts.setdefault(part, []).extend([reading] if reading else [])
    told = (
        phrase("{part} ({readings})", part=part, readings=join(", ", readings)) if readings else part
        for part, readings in parts.items()
    )
    return join("; ", told)


def unavailable_reasons(machine: Machine) -> Table:
    """Why each of these could not be read."""
    rows = tuple(
        (join(" · ", filter(None, _words(path, machine))), why) for path, why in sorted(machine.unavailable.items())
    )
    return Table((phrase("Reading"), phrase("Why")), rows, title=phrase("Not available"))


def support_table(support: Sequence[GpuSupport]) -> Table:
    """Which framework can use which card, and if not, why, and what to do."""
    rows = tuple((f"{one.gpu_index}: {one.gpu_name}", one.framework, USABLE[one.usable], why(one)) for one in support)
    return Table(
        (phrase("Card"), phrase("Framework"), phrase("Usable"), phrase("Why, and what to do")),
        rows,
        title=phrase("Cards"),
    )


def why(support: GpuSupport) -> Text:
    """Why a framework can use a card or not, and what would help."""
    if not support.fix:
        return phrase("{Reason}.", Reason=support.reason)
    return phrase("{Reason}. {Fix}", Reason=support.reason, Fix=support.fix)


def _words(path: str, machine: Machine) -> tuple[str, str]:
    """The part and the reading that a path of `Machine.unavailable` speaks of."""
    head, *rest = path.split(".")
    part: str = _PARTS.get(head, head.replace("_", " "))
    if rest and rest[0].isdecimal():
        number, rest = int(rest[0]), rest[1:]
        if head == "disks" and number < len(machine.disks):
            part = _disk_name(machine.disks[number])
        elif head == "gpus":
            part = phrase("GPU {index}", index=number)
    return part, READINGS.get(rest[0], rest[0].replace("_", " ")) if rest else ""


def _system(machine: Machine) -> Iterator[str]:
    """The system, and what it runs inside."""
    yield " ".join(filter(None, (machine.os, machine.os_version))) or NOT_AVAILABLE
    yield phrase("in WSL2") * machine.wsl
    yield phrase("in a container") * machine.container


def _cores(cpu: Cpu) -> Iterator[str]:
    """How many cores there are, and how many of them may be used."""
    if cpu.physical_cores is not None:
        yield phrase("{cores} cores", cores=format_count(cpu.physical_cores))
    if cpu.logical_cores is not None:
        yield phrase("{cores} logical", cores=format_count(cpu.logical_cores))
    if cpu.usable_cores is not None and cpu.usable_cores != cpu.logical_cores:
        yield phrase("{cores} usable", cores=format_number(cpu.usable_cores, "g"))


def _caches(cpu: Cpu) -> Iterator[str]:
    """The caches that are known."""
    for name, size in (("L1d", cpu.l1d_bytes), ("L2", cpu.l2_bytes), ("L3", cpu.l3_bytes)):
        if size is not None:
            yield join(" ", (name, format_bytes(size)))


def _ram(ram: Ram) -> Iterator[str]:
    """The memory, what may be used of it, and its kind."""
    yield _free(ram.available_bytes, ram.total_bytes)
    if ram.limit_bytes is not None:
        yield phrase("this container may use {limit}", limit=format_bytes(ram.limit_bytes))
    if ram.kind:
        yield f"{ram.kind}-{ram.speed_mts}" if ram.speed_mts else ram.kind


def _gpu_rows(gpu: Gpu) -> Iterator[tuple[str, str]]:
    """A card, how fast it is, and who holds its memory."""
    memory = _free(gpu.memory_free_bytes, gpu.memory_total_bytes)
    yield fact(
        phrase("GPU {index}", index=gpu.index),
        gpu.name,
        phrase("{memory} (shared with the processor)", memory=memory) if gpu.unified else memory,
        phrase("simulated") * gpu.simulated,
    )
    yield fact(phrase("GPU {index}, in figures", index=gpu.index), *_gpu_figures(gpu))
    held = (join(" ", filter(None, (one.name or str(one.pid), _known(one.used_bytes)))) for one in gpu.processes)
    yield fact(phrase("GPU {index}, held by", index=gpu.index), join(", ", held))


def _gpu_figures(gpu: Gpu) -> Iterator[str]:
    """What a card can do, as far as it is known."""
    if gpu.compute_capability:
        yield phrase("compute capability {version}", version="{}.{}".format(*gpu.compute_capability))
    if gpu.memory_bandwidth_bytes_per_s:
        yield phrase("{rate} GB/s", rate=format_number(gpu.memory_bandwidth_bytes_per_s / 1e9, ",.0f"))
    if gpu.fp32_flops_per_s:
        yield phrase("{rate} TFLOP/s in float32", rate=format_number(gpu.fp32_flops_per_s / 1e12, ".1f"))
    if gpu.power_limit_w is not None:
        yield phrase("{power} W", power=format_number(gpu.power_limit_w))
    if gpu.pcie_generation and gpu.pcie_width:
        yield f"PCIe {gpu.pcie_generation}.0 × {gpu.pcie_width}"


def _driver(machine: Machine) -> Iterator[str]:
    """The driver, and the newest CUDA that it knows."""
    if machine.nvidia_driver:
        yield f"NVIDIA {machine.nvidia_driver}"
        if machine.cuda_version:
            yield phrase("CUDA up to {version}", version=machine.cuda_version)


def _disk_name(disk: Disk) -> Text:
    """A disk by its place."""
    return phrase("Disk {mount}", mount=disk.mount)


def _disk(disk: Disk) -> Iterator[str]:
    """A disk's kind, its room and its speed."""
    kind = DISK_KINDS.get(disk.kind, disk.kind) if disk.kind else ""
    yield join(" ", filter(None, (kind, disk.filesystem)))
    yield _free(disk.free_bytes, disk.total_bytes)
    if disk.read_bytes_per_s:
        yield phrase("reads {rate}/s", rate=format_bytes(disk.read_bytes_per_s))


def _power(machine: Machine) -> Text:
    """Where the machine has its power from, if it can be without."""
    if machine.battery is None or machine.battery.plugged_in is None:
        return Text()
    return phrase("plugged in") if machine.battery.plugged_in else phrase("on battery: it computes slower")


def _free(free_bytes: int | None, total_bytes: int | None) -> Text:
    """A memory's size, and what of it is free."""
    if free_bytes is None:
        return format_bytes(total_bytes)
    return phrase("{free} free of {total}", free=format_bytes(free_bytes), total=format_bytes(total_bytes))


def _known(size: int | None) -> str:
    """A size, or nothing where it is not known."""
    return "" if size is None else format_bytes(size)
