"""What the Machine panel shows: parts, live readings, what TensorFlow can use.  No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.core.types.text import join, phrase
from app.core.types.units import GIB, NOT_AVAILABLE
from app.presentation.layout import Table
from app.presentation.machine import DISK_KINDS, machine_table, unavailable_reasons
from app.presentation.words import short_name
from app.ui.kit.quantities import axis_unit, format_bytes, format_number

if TYPE_CHECKING:  # the window paints without them
    from app.core.types.machine import Disk, GpuSupport, Machine

NOTHING = Table((), ())
PARTS = {"cpu": "CPU", "ram": "RAM", "gpu": "GPU", "vram": "VRAM", "disk": phrase("Disk")}
"""The rows of the panel."""


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
class MachineState:
    """The Machine panel."""

    loaded: bool = False
    rows: tuple[MachineRow, ...] = ()
    details: Table = NOTHING
    reasons: Table = NOTHING
    """Why what is not available is not."""
    simulated: tuple[str, ...] = ()
    framework: str = ""
    """Name and version of the framework, or that it is not installed; empty while it is being asked."""
    support: tuple[GpuSupport, ...] = ()
    trains: bool = True
    """The framework is there, so that it can use something."""


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
        kind = DISK_KINDS.get(disk.kind, disk.kind) if disk.kind else ""
        name = join(" ", filter(None, (kind, disk.mount)))
        rows.append(MachineRow("disk", name, None, "disk" in machine.simulated))
    return tuple(rows)


def machine_state(
    machine: Machine, framework: str = "", support: Sequence[GpuSupport] = (), backend: str = "tensorflow"
) -> MachineState:
    """The panel for a machine; ``backend`` is the framework whose cards are told."""
    told = tuple(one for one in support if one.framework == backend)
    details, reasons = machine_table(machine), unavailable_reasons(machine)
    return MachineState(True, machine_rows(machine), details, reasons, machine.simulated, framework, told)


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
    unit, factor = axis_unit("GiB")
    return NOT_AVAILABLE if size is None else format_number(size / GIB * factor, ".1f", unit)


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
