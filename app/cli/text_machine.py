"""What people read of a machine and its frameworks."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from app.cli.text import list_text, plain_table, record_text
from app.core.types.machine import DeviceProbe, Gpu, GpuSupport, Interpreter, Machine
from app.core.types.units import NOT_AVAILABLE, format_bytes
from app.services.machine.doctor import Doctor

NO_CONTEXT = "none"
"""A processor needs no context."""

_USABLE = {True: "✔ yes", False: "✘ no", None: "? cannot tell"}


def doctor_text(doctor: Doctor) -> RenderableType:
    """All of a doctor's answer."""
    parts: list[RenderableType] = [machine_table(doctor.machine), Text(), framework_table(doctor.interpreters)]
    if doctor.support:
        parts += [Text(), support_text(doctor.support)]
    if doctor.probes:
        parts += [Text(), probe_table(doctor.probes)]
    if doctor.track_record is not None:
        parts += [Text(), record_text(doctor.track_record)]
    reasons = [f"{name}: {reason}" for name, reason in doctor.machine.unavailable.items()]
    return Group(*parts, *list_text("Not available", reasons))


def machine_table(machine: Machine) -> RenderableType:
    """The machine, one part a row."""
    table = plain_table("Part", "What is there")
    system = " ".join(part for part in (machine.os, machine.os_version) if part) or NOT_AVAILABLE
    table.add_row("System", system + (" in WSL2" * machine.wsl) + (" in a container" * machine.container))
    table.add_row("Processor", _cpu_words(machine))
    table.add_row("RAM", _ram_words(machine))
    for gpu in machine.gpus:
        table.add_row(f"GPU {gpu.index}", gpu_words(gpu))
    if not machine.gpus:
        table.add_row("GPU", "none found")
    if machine.nvidia_driver:
        table.add_row("Driver", f"NVIDIA {machine.nvidia_driver}, CUDA up to {machine.cuda_version or NOT_AVAILABLE}")
    for disk in machine.disks:
        kind = " ".join(part for part in (disk.kind, disk.filesystem) if part)
        free = f"{format_bytes(disk.free_bytes)} free of {format_bytes(disk.total_bytes)}"
        table.add_row(f"Disk {disk.mount}", f"{kind} · {free}" if kind else free)
    if machine.battery is not None and machine.battery.plugged_in is not None:
        table.add_row("Power", "plugged in" if machine.battery.plugged_in else "on battery: it computes slower")
    return table


def gpu_words(gpu: Gpu) -> str:
    """A card in one line."""
    memory = f"{format_bytes(gpu.memory_free_bytes)} free of {format_bytes(gpu.memory_total_bytes)}"
    words = [gpu.name, memory + (" (shared with the processor)" * gpu.unified)]
    if gpu.compute_capability:
        words.append("compute capability {}.{}".format(*gpu.compute_capability))
    if gpu.power_limit_w is not None:
        words.append(f"{gpu.power_limit_w:.0f} W")
    holders = [p.name or str(p.pid) for p in gpu.processes]
    return " · ".join(words + [f"held by {', '.join(holders)}"] * bool(holders))


def framework_table(interpreters: tuple[Interpreter, ...]) -> RenderableType:
    """The frameworks of each interpreter, and the devices each offers."""
    table = plain_table("Framework", "Version", "Devices", "Python")
    for interpreter in interpreters:
        name = f"{interpreter.python_version or NOT_AVAILABLE} at {interpreter.path}"
        if interpreter.problem or not interpreter.frameworks:
            table.add_row("none", "", interpreter.problem or "no framework found", name)
        for build in interpreter.frameworks:
            devices = build.problem or ", ".join(build.devices)
            cuda = f" (CUDA {build.cuda})" if build.cuda else ""
            table.add_row(build.name, build.version + cuda, devices, name)
            name = ""
    return table


def support_text(support: tuple[GpuSupport, ...]) -> RenderableType:
    """Which framework can use which card, and if not, why, and what to do."""
    table = plain_table("Card", "Framework", "Usable", "Why, and what to do")
    for one in support:
        words = f"{one.reason}\nFix: {one.fix}" if one.fix else one.reason
        table.add_row(f"{one.gpu_index}: {one.gpu_name}", one.framework, _USABLE[one.usable], words)
    return table


def probe_table(probes: tuple[DeviceProbe, ...]) -> RenderableType:
    """What tiny steps have shown of each device."""
    table = plain_table("Measured once", "Process in RAM", "Context", "Kernel scratch", "Allocator over count")
    for probe in probes:
        known = probe.slack_low is not None and probe.slack_high is not None
        table.add_row(
            f"{probe.device}, {probe.framework}",
            format_bytes(probe.host_process_bytes),
            NO_CONTEXT if probe.device == "cpu" else format_bytes(probe.context_bytes),
            format_bytes(probe.workspace_bytes),
            f"× {probe.slack_low:.3f} to {probe.slack_high:.3f}" if known else NOT_AVAILABLE,
        )
    return table


def _cpu_words(machine: Machine) -> str:
    """The processor in one line."""
    cpu = machine.cpu
    cores = [f"{cpu.physical_cores} cores"] * (cpu.physical_cores is not None)
    if cpu.usable_cores is not None and cpu.usable_cores != cpu.logical_cores:
        cores.append(f"{cpu.usable_cores:g} usable of {cpu.logical_cores} logical")
    elif cpu.logical_cores is not None:
        cores.append(f"{cpu.logical_cores} logical")
    shown = [name.upper() for name in cpu.features if name in {"avx2", "avx512f", "amx_tile", "neon"}]
    return " · ".join([cpu.name or NOT_AVAILABLE, *cores, *shown])


def _ram_words(machine: Machine) -> str:
    """RAM in one line."""
    ram = machine.ram
    words = [f"{format_bytes(ram.available_bytes)} free of {format_bytes(ram.total_bytes)}"]
    if ram.limit_bytes is not None:
        words.append(f"this container may use {format_bytes(ram.limit_bytes)}")
    if ram.kind:
        words.append(ram.kind + (f"-{ram.speed_mts}" if ram.speed_mts else ""))
    return " · ".join(words)
