"""The device that will train, and how much of its memory TensorFlow may use."""

from __future__ import annotations

from dataclasses import dataclass, replace

from app.core.simulate.eigen_kernels import runs_onednn
from app.core.simulate.host_process import host_process_bytes
from app.core.types.basis import Explanation
from app.core.types.errors import InvalidWorkload
from app.core.types.machine import DeviceProbe, Gpu, Machine
from app.core.types.text import Text, phrase, verbatim
from app.core.types.units import GIB, MIB, format_bytes, format_share

GPU_CONTEXT_BYTES = 420 * MIB
"""CUDA context with cuDNN and cuBLAS: 300 to 500 MB, different by card (docs/evidence.md, "Context of a card"); a probe
replaces it."""

MEASURED_ONCE = phrase("measured once on this machine")
"""The source of what a probe (`app.core.types.machine.DeviceProbe`) found."""

HOST_RESERVE_SHARE = 0.05
HOST_RESERVE_BYTES = 512 * MIB
"""What a desktop must keep to stay usable while a training runs on the CPU."""

SYSTEM_RESERVE_MIB = {6: 500, 7: 1050, 8: 1536}
SYSTEM_RESERVE_NEWEST_MIB = 1800
SYSTEM_RESERVE_TINY_MIB = 225
"""What TensorFlow keeps back of the free memory, by major compute capability
(core/common_runtime/gpu/gpu_device.cc, ``MinSystemMemory``)."""


@dataclass(frozen=True)
class TargetDevice:
    """Where the step runs.  ``gpu=None`` is the host's processor."""

    name: str
    gpu: Gpu | None = None
    host_threads: int = 2
    onednn: bool = True
    """Whether TensorFlow computes by oneDNN on the processor (`app.core.simulate.eigen_kernels`)."""
    cache_bytes: int | None = None
    """What Eigen takes for the processor's third-level cache, if somebody has measured it."""
    likely_cache_bytes: int | None = None
    """That cache as the system names it."""
    allocator_bytes: int | None = None
    """What TensorFlow's allocator may take of a card, which tells it so (`as_measured`)."""

    @property
    def is_cuda(self) -> bool:
        """Does cuDNN run the convolutions."""
        return self.gpu is not None and (self.gpu.vendor or "").lower() == "nvidia"


@dataclass(frozen=True)
class Allowed:
    """What TensorFlow's allocator may take, and how that was found; None with the reason as explanation."""

    bytes: int | None
    explanation: tuple[Explanation, ...]


def is_elsewhere(machine: Machine, device: TargetDevice) -> bool:
    """Is the device not one of this machine's, but simulated?"""
    return "cpu" in machine.simulated if device.gpu is None else device.gpu.simulated


def choose_device(machine: Machine, device: str, usable: frozenset[int] | None = None) -> TargetDevice:
    """The device a plan means.

    Args:
        machine: The machine.
        device: ``auto`` (the first usable card, else the processor), ``cpu`` or ``gpu:N``.
        usable: Indices of the cards that the framework can use; None if nobody has asked.

    Raises:
        InvalidWorkload: There is no such card.
    """
    cores = machine.cpu.usable_cores or machine.cpu.logical_cores or 2
    threads = max(1, round(cores))
    cards = {gpu.index: gpu for gpu in machine.gpus}
    if device == "auto":
        candidates = [g for g in machine.gpus if g.simulated or usable is None or g.index in usable]
        if not candidates:
            return _host(machine, threads)
        return TargetDevice(candidates[0].name, candidates[0], threads)
    if device == "cpu":
        return _host(machine, threads)
    index = device.removeprefix("gpu:")
    if not device.startswith("gpu:") or not index.isdigit():
        raise InvalidWorkload(
            phrase("unknown device"), expected=phrase("auto, cpu or gpu:0, gpu:1 …"), received=repr(device)
        )
    if int(index) not in cards:
        known = ", ".join(f"gpu:{i} ({g.name})" for i, g in cards.items()) or phrase("no card at all")
        raise InvalidWorkload(phrase("there is no such GPU"), expected=known, received=device)
    return TargetDevice(cards[int(index)].name, cards[int(index)], threads)


def _host(machine: Machine, threads: int) -> TargetDevice:
    """The machine's processor."""
    cpu = machine.cpu
    return TargetDevice(cpu.name or "CPU", None, threads, runs_onednn(machine), likely_cache_bytes=cpu.l3_bytes)


def as_measured(device: TargetDevice, probe: DeviceProbe | None) -> TargetDevice:
    """A device whose kernels are known as far as its probe has seen them, and a card's memory with it."""
    if device.gpu is not None:
        return replace(device, allocator_bytes=_allowed_on_card(device.gpu, context_bytes(device, probe), probe).bytes)
    if probe is None or probe.onednn is None:
        return device
    return replace(device, onednn=probe.onednn, cache_bytes=probe.cache_bytes)


def context_bytes(device: TargetDevice, probe: DeviceProbe | None) -> int:
    """What the framework takes on the device besides its allocator: as measured there, else as usual."""
    if device.gpu is None:
        return 0
    measured = probe.context_bytes if probe else None
    return GPU_CONTEXT_BYTES if measured is None else measured


def system_reserve_bytes(free_bytes: int, compute_capability: tuple[int, int] | None) -> int:
    """What TensorFlow keeps back of a card's free memory."""
    if free_bytes < 2 * GIB:
        return SYSTEM_RESERVE_TINY_MIB * MIB
    if compute_capability is None:
        return SYSTEM_RESERVE_NEWEST_MIB * MIB
    major = max(6, compute_capability[0])
    return SYSTEM_RESERVE_MIB.get(major, SYSTEM_RESERVE_NEWEST_MIB) * MIB


def allowed_memory(
    machine: Machine, device: TargetDevice, probe: DeviceProbe | None = None, program_bytes: int = 0
) -> Allowed:
    """What the framework's allocator may take on the device, now.

    Args:
        machine: The machine.
        device: Where the step runs.
        probe: What was measured of that device.
        program_bytes: What the step's program takes of the host (`app.core.simulate.host_process`).
    """
    if device.gpu is None:
        return _allowed_on_host(machine, probe, program_bytes)
    return _allowed_on_card(device.gpu, context_bytes(device, probe), probe)


def _allowed_on_card(gpu: Gpu, context: int, probe: DeviceProbe | None) -> Allowed:
    """Free memory minus context minus TensorFlow's own reserve."""
    free = gpu.memory_free_bytes
    if free is None and gpu.memory_total_bytes is not None and gpu.memory_used_bytes is not None:
        free = gpu.memory_total_bytes - gpu.memory_used_bytes
    if free is None:
        return Allowed(
            None, (Explanation(phrase("free memory of the card"), phrase("not available"), Text(), phrase("driver")),)
        )
    if gpu.unified:
        return Allowed(
            free, (Explanation(phrase("free for the GPU"), format_bytes(free), phrase("share of the memory both use")),)
        )
    unmeasured = probe is None or probe.context_bytes is None
    after_context = max(0, free - context)
    reserve = system_reserve_bytes(after_context, gpu.compute_capability)
    allowed = max(0, after_context - reserve)
    return Allowed(
        allowed,
        (
            Explanation(
                phrase("free now on the card"),
                format_bytes(free),
                phrase("total - held by others"),
                phrase("assumed for a simulated card") if gpu.simulated else verbatim("NVML"),
            ),
            Explanation(
                phrase("framework's context"),
                format_bytes(context),
                Text(),
                phrase("300-500 MB, differs by card") if unmeasured else MEASURED_ONCE,
            ),
            Explanation(
                phrase("kept back by TensorFlow"),
                format_bytes(reserve),
                phrase("by compute capability"),
                verbatim("gpu_device.cc, MinSystemMemory"),
            ),
            Explanation(phrase("allowed"), format_bytes(allowed), phrase("free - context - kept back")),
        ),
    )


def _allowed_on_host(machine: Machine, probe: DeviceProbe | None, program_bytes: int) -> Allowed:
    """Available RAM (or the container's limit) minus the process, its program and a reserve for the desktop."""
    ram = machine.ram
    candidates = [n for n in (ram.available_bytes, ram.limit_bytes) if n is not None]
    if not candidates:
        return Allowed(None, (Explanation(phrase("available RAM"), phrase("not available")),))
    available = min(candidates)
    reserve = max(HOST_RESERVE_BYTES, int(HOST_RESERVE_SHARE * (ram.total_bytes or available)))
    process = host_process_bytes(probe)
    unmeasured = probe is None or probe.host_process_bytes is None
    allowed = max(0, available - reserve - process - program_bytes)
    return Allowed(
        allowed,
        (
            Explanation(phrase("available RAM now"), format_bytes(available), Text(), phrase("operating system")),
            Explanation(
                phrase("kept for the desktop"),
                format_bytes(reserve),
                phrase("at least {host_reserve_share} of RAM", host_reserve_share=format_share(HOST_RESERVE_SHARE)),
            ),
            Explanation(
                phrase("TensorFlow itself"),
                format_bytes(process),
                Text(),
                phrase("measured on TensorFlow 2.21") if unmeasured else MEASURED_ONCE,
            ),
            Explanation(
                phrase("the network's program"),
                format_bytes(program_bytes),
                phrase("by the operations of its step"),
                phrase("measured on TensorFlow 2.21"),
            ),
            Explanation(phrase("allowed"), format_bytes(allowed), phrase("available - kept - TensorFlow - program")),
        ),
    )
