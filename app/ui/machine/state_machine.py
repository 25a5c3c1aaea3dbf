"""What the Machine panel shows: parts, live readings, what TensorFlow can use.  No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.core.types.machine import Disk, Gpu, GpuSupport, Machine
from app.core.types.text import phrase
from app.core.types.units import GIB, NOT_AVAILABLE
from app.presentation.words import short_name
from app.ui.kit.quantities import format_bytes, format_number


@dataclass(frozen=True)
class LiveReading:
    """What the machine does at one moment; None is not available."""

    cpu_percent: float | None = None
    ram_used_bytes: int | None = None
    gpu_percent: float | None = None
    gpu_memory_used_bytes: int | None = None
    disk_read_bytes_per_s: float | None = None


@dataclass(frozen=True)
class MachineRow:
    """One part: key, name and the scale of its small graph."""

    key: str
    """``cpu``, ``ram``, ``gpu``, ``vram`` or ``disk``."""
    name: str
    full_scale: float | None
    simulated: bool = False


@dataclass(frozen=True)
class DetailLine:
    """One line of the details: key or name, and value."""

    name: str
    value: str


@dataclass(frozen=True)
class SupportLine:
    """Whether a framework can use a card, why not, and the fix."""

    gpu: str
    usable: bool | None
    reason: str
    fix: str


@dataclass(frozen=True)
class MachineState:
    """The Machine panel."""

    loaded: bool = False
    rows: tuple[MachineRow, ...] = ()
    details: tuple[DetailLine, ...] = ()
    simulated: tuple[str, ...] = ()
    framework: str = ""
    """Name and version of the framework, empty while it is being asked."""
    support: tuple[SupportLine, ...] = ()


def disk_of_data(machine: Machine) -> Disk | None:
    """The disk to show: the largest that is not read-only system space."""
    disks = [d for d in machine.disks if d.total_bytes]
    return max(disks, key=lambda d: d.total_bytes or 0) if disks else None


def machine_rows(machine: Machine) -> tuple[MachineRow, ...]:
    """The rows of the panel; cards are shown one by one."""
    ram = machine.ram
    sizes = [size for size in (ram.total_bytes, ram.limit_bytes) if size]
    total = min(sizes) if sizes else None
    kind = " ".join(filter(None, (format_bytes(total), ram.kind)))
    rows = [
        MachineRow("cpu", short_name(machine.cpu.name), 100.0, "cpu" in machine.simulated),
        MachineRow("ram", kind, float(total) if total else None, "ram" in machine.simulated),
    ]
    for gpu in machine.gpus[:1]:
        rows.append(MachineRow("gpu", short_name(gpu.name), 100.0, gpu.simulated))
        vram = gpu.memory_total_bytes
        rows.append(MachineRow("vram", format_bytes(vram), float(vram) if vram else None, gpu.simulated))
    disk = disk_of_data(machine)
    if disk is not None:
        kinds = {"nvme": "NVMe", "ssd": "SSD", "hdd": "HDD"}
        name = " ".join(filter(None, (kinds.get(disk.kind or "", disk.kind), disk.mount)))
        rows.append(MachineRow("disk", name, None, "disk" in machine.simulated))
    return tuple(rows)


def _gpu_lines(gpu: Gpu) -> list[DetailLine]:
    """Everything known of one card."""
    lines = [
        DetailLine(phrase("GPU {index}", index=gpu.index), gpu.name),
        DetailLine("VRAM", format_bytes(gpu.memory_total_bytes)),
    ]
    if gpu.compute_capability:
        lines.append(DetailLine(phrase("Compute capability"), ".".join(map(str, gpu.compute_capability))))
    if gpu.memory_bandwidth_bytes_per_s:
        rate = gpu.memory_bandwidth_bytes_per_s / 1e9
        lines.append(DetailLine(phrase("Memory bandwidth"), format_number(rate, ".0f", "GB/s")))
    if gpu.fp32_flops_per_s:
        lines.append(DetailLine("Float32", format_number(gpu.fp32_flops_per_s / 1e12, ".1f", "TFLOP/s")))
    if gpu.pcie_generation and gpu.pcie_width:
        lines.append(DetailLine("PCIe", f"{gpu.pcie_generation}.0 × {gpu.pcie_width}"))
    lines += [
        DetailLine(phrase("Holds VRAM: {p}", p=p.name or p.pid), format_bytes(p.used_bytes)) for p in gpu.processes
    ]
    return lines


def machine_details(machine: Machine) -> tuple[DetailLine, ...]:
    """Everything known of the machine, in the order of the panel."""
    cpu, ram = machine.cpu, machine.ram
    cores = f"{cpu.physical_cores or '?'} / {cpu.logical_cores or '?'}"
    features = ", ".join(f for f in cpu.features if f.startswith(("avx2", "avx512f", "amx"))) or NOT_AVAILABLE
    caches = " / ".join(format_bytes(size) for size in (cpu.l1d_bytes, cpu.l2_bytes, cpu.l3_bytes))
    speed = f"{ram.speed_mts} MT/s" if ram.speed_mts else NOT_AVAILABLE
    lines = [
        DetailLine("CPU", cpu.name or NOT_AVAILABLE),
        DetailLine(phrase("Microarchitecture"), cpu.microarchitecture or NOT_AVAILABLE),
        DetailLine(phrase("Cores, physical / logical"), cores),
        DetailLine(phrase("Usable cores"), format_number(cpu.usable_cores or None, "g")),
        DetailLine(phrase("Vector units"), features),
        DetailLine("Caches L1d / L2 / L3", caches),
        DetailLine(
            phrase("RAM free of total"), f"{format_bytes(ram.available_bytes)} / {format_bytes(ram.total_bytes)}"
        ),
        DetailLine(phrase("RAM limit of the container"), format_bytes(ram.limit_bytes)) if ram.limit_bytes else None,
        DetailLine(phrase("RAM type and speed"), f"{ram.kind or NOT_AVAILABLE}, {speed}"),
        DetailLine(phrase("Swap"), format_bytes(ram.swap_total_bytes)),
    ]
    known = [line for line in lines if line is not None]
    for gpu in machine.gpus:
        known += _gpu_lines(gpu)
    for disk in machine.disks:
        kind = disk.kind or NOT_AVAILABLE
        known.append(
            DetailLine(
                phrase("Disk {mount}", mount=disk.mount),
                phrase("{kind}, {free} free", kind=kind, free=format_bytes(disk.free_bytes)),
            )
        )
    known.append(
        DetailLine(phrase("System"), " ".join(filter(None, (machine.os, machine.os_version))) or NOT_AVAILABLE)
    )
    known += [
        DetailLine(phrase("Not available: {path}", path=path), why) for path, why in sorted(machine.unavailable.items())
    ]
    return tuple(known)


def machine_state(
    machine: Machine, framework: str = "", support: Sequence[GpuSupport] = (), backend: str = "tensorflow"
) -> MachineState:
    """The panel for a machine; ``backend`` is the framework whose cards are told."""
    lines = tuple(SupportLine(s.gpu_name, s.usable, s.reason, s.fix) for s in support if s.framework == backend)
    return MachineState(True, machine_rows(machine), machine_details(machine), machine.simulated, framework, lines)


def live_text(key: str, reading: LiveReading) -> str:
    """The present value of a row, written for people."""
    percent = {"cpu": reading.cpu_percent, "gpu": reading.gpu_percent}
    if key in percent:
        value = percent[key]
        return format_number(value, ".0f", "%")
    if key == "disk":
        rate = reading.disk_read_bytes_per_s
        return NOT_AVAILABLE if rate is None else format_number(rate / 1e6, ".0f", "MB/s")
    size = reading.ram_used_bytes if key == "ram" else reading.gpu_memory_used_bytes
    return NOT_AVAILABLE if size is None else format_number(size / GIB, ".1f", "GiB")


def live_value(key: str, reading: LiveReading) -> float | None:
    """The present value of a row for its small graph."""
    values: dict[str, float | None] = {
        "cpu": reading.cpu_percent,
        "ram": reading.ram_used_bytes,
        "gpu": reading.gpu_percent,
        "vram": reading.gpu_memory_used_bytes,
        "disk": reading.disk_read_bytes_per_s,
    }
    return values.get(key)
