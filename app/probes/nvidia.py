"""NVIDIA cards through NVML: every reading of `app.core.types.machine.Gpu`, each with a reason if it is missing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any, TypeVar

import psutil

from app.core.types.machine import Gpu, GpuProcess
from app.core.types.text import phrase
from app.probes import nvidia_rates
from app.probes.nvml import TOO_OLD, Nvml, NvmlUnavailable
from app.probes.tree import Probed, explained

T = TypeVar("T")

PROCESS_MEMORY_HIDDEN = phrase("the driver does not tell how much each process holds (as under Windows and WSL2)")


@dataclass(frozen=True)
class NvidiaReading:
    """All NVIDIA cards; ``reason`` says why there is none to read."""

    gpus: tuple[Probed[Gpu], ...] = ()
    driver: str | None = None
    cuda_version: str | None = None
    reason: str = ""
    driver_reason: str = ""
    cuda_reason: str = ""


def read_nvidia() -> NvidiaReading:
    """Read all NVIDIA cards of this machine; never raises."""
    try:
        with Nvml() as nvml:
            library = nvml.library
            driver, driver_reason = nvml.read(library.nvmlSystemGetDriverVersion)
            version, cuda_reason = nvml.read(library.nvmlSystemGetCudaDriverVersion_v2)
            if version is None:
                version, cuda_reason = nvml.read(library.nvmlSystemGetCudaDriverVersion)
            handles = nvml.handles()
            gpus = tuple(_gpu(nvml, index, handle, why) for index, (handle, why) in enumerate(handles))
    except NvmlUnavailable as error:
        return NvidiaReading(reason=error.reason, driver_reason=error.reason, cuda_reason=error.reason)
    cuda = None if version is None else f"{version // 1000}.{version % 1000 // 10}"
    return NvidiaReading(gpus, driver, cuda, "" if gpus else phrase("no NVIDIA card"), driver_reason, cuda_reason)


@dataclass
class _Readings:
    """Collects the readings of one card and the reasons for those that are missing."""

    nvml: Nvml
    handle: Any
    reasons: dict[str, str] = field(default_factory=dict)

    def take(self, name: str, call: Callable[..., T], *arguments: Any) -> T | None:
        """One reading of this card."""
        value, reason = self.nvml.read(call, self.handle, *arguments)
        if value is None:
            self.reasons[name] = reason
        return value


def _gpu(nvml: Nvml, index: int, handle: Any, lost: str) -> Probed[Gpu]:
    """One card; a lost one keeps its place and its reason."""
    if handle is None:
        return explained(Gpu(index=index, vendor="NVIDIA", name="NVIDIA GPU"), {"name": lost}, lost)
    take = _Readings(nvml, handle)
    gpu = _live(take, _facts(take, Gpu(index=index, vendor="NVIDIA")))
    gpu, reasons = with_rates(gpu)
    reasons["default_sm_clock_mhz"] = phrase("the card table knows it, of cards that start below their highest clock")
    return explained(gpu, {**reasons, **take.reasons}, phrase("it follows from readings that are missing"))


def _facts(take: _Readings, gpu: Gpu) -> Gpu:
    """What does not change while the machine runs."""
    lib = take.nvml.library
    return replace(
        gpu,
        name=take.take("name", lib.nvmlDeviceGetName) or "NVIDIA GPU",
        uuid=take.take("uuid", lib.nvmlDeviceGetUUID),
        compute_capability=take.take("compute_capability", lib.nvmlDeviceGetCudaComputeCapability),
        cuda_cores=take.take("cuda_cores", lib.nvmlDeviceGetNumGpuCores),
        bus_width_bits=take.take("bus_width_bits", lib.nvmlDeviceGetMemoryBusWidth),
        sm_clock_max_mhz=take.take("sm_clock_max_mhz", lib.nvmlDeviceGetMaxClockInfo, lib.NVML_CLOCK_SM),
        memory_clock_max_mhz=take.take("memory_clock_max_mhz", lib.nvmlDeviceGetMaxClockInfo, lib.NVML_CLOCK_MEM),
        pcie_generation_max=take.take("pcie_generation_max", lib.nvmlDeviceGetMaxPcieLinkGeneration),
        pcie_width_max=take.take("pcie_width_max", lib.nvmlDeviceGetMaxPcieLinkWidth),
    )


def _live(take: _Readings, gpu: Gpu) -> Gpu:
    """What changes from moment to moment."""
    lib = take.nvml.library
    memory = read_memory(take.nvml, take.handle)
    if memory is None:
        reason = take.nvml.read(lib.nvmlDeviceGetMemoryInfo, take.handle)[1]
        take.reasons |= dict.fromkeys(("memory_total_bytes", "memory_used_bytes", "memory_free_bytes"), reason)
    limit_mw = take.take("power_limit_w", lib.nvmlDeviceGetPowerManagementLimit)
    power_mw = take.take("power_w", lib.nvmlDeviceGetPowerUsage)
    utilization = take.take("utilization_percent", lib.nvmlDeviceGetUtilizationRates)
    return replace(
        gpu,
        memory_total_bytes=None if memory is None else memory[0],
        memory_used_bytes=None if memory is None else memory[1],
        memory_free_bytes=None if memory is None else memory[2],
        power_limit_w=None if limit_mw is None else limit_mw / 1000,
        power_w=None if power_mw is None else power_mw / 1000,
        pcie_generation=take.take("pcie_generation", lib.nvmlDeviceGetCurrPcieLinkGeneration),
        pcie_width=take.take("pcie_width", lib.nvmlDeviceGetCurrPcieLinkWidth),
        temperature_c=_temperature(take),
        utilization_percent=None if utilization is None else float(utilization.gpu),
        processes=_processes(take),
    )


def read_memory(nvml: Nvml, handle: Any) -> tuple[int, int, int] | None:
    """Total, used and free bytes; "used" without what the driver reserves, where the driver can tell."""
    lib = nvml.library
    info, _ = nvml.read(lib.nvmlDeviceGetMemoryInfo, handle, lib.nvmlMemory_v2)
    if info is None:  # drivers before 510 know only the first version
        info, _ = nvml.read(lib.nvmlDeviceGetMemoryInfo, handle)
    return None if info is None else (int(info.total), int(info.used), int(info.free))


def read_processes(nvml: Nvml, handle: Any) -> tuple[dict[int, int | None] | None, str]:
    """Bytes by process id, computing and drawing together, or None and the reason."""
    lib = nvml.library
    held: dict[int, int | None] = {}
    answered, reason = False, ""
    for kind in ("Compute", "Graphics"):
        found = None
        for version in ("_v3", "_v2"):
            found, why = nvml.read(getattr(lib, f"nvmlDeviceGet{kind}RunningProcesses{version}"), handle)
            if found is not None or why != TOO_OLD:
                break
        reason = reason or why
        answered = answered or found is not None
        for process in found or ():
            sizes = [size for size in (held.get(process.pid), process.usedGpuMemory) if size is not None]
            held[process.pid] = max(sizes, default=None)
    return (held, "") if answered else (None, reason)


def _processes(take: _Readings) -> tuple[GpuProcess, ...]:
    """Who holds memory of the card, the largest first."""
    held, reason = read_processes(take.nvml, take.handle)
    if held is None:
        take.reasons["processes"] = reason
        return ()
    found = sorted(held.items(), key=lambda item: (-(item[1] or 0), item[0]))
    for position, (_, used) in enumerate(found):
        if used is None:
            take.reasons[f"processes.{position}.used_bytes"] = PROCESS_MEMORY_HIDDEN
    return tuple(GpuProcess(pid, _process_name(take.nvml, pid), used) for pid, used in found)


def _process_name(nvml: Nvml, pid: int) -> str | None:
    """A program's name without its folder; NVML knows processes of other containers too."""
    try:
        return psutil.Process(pid).name()
    except psutil.Error:
        path, _ = nvml.read(nvml.library.nvmlSystemGetProcessName, pid)
    if not path:
        return None
    return PureWindowsPath(path).name if "\\" in path else PurePosixPath(path.split(" ")[0]).name


def _temperature(take: _Readings) -> float | None:
    """Degrees Celsius; the older call is the one that old drivers know."""
    lib = take.nvml.library
    value = take.take("temperature_c", lib.nvmlDeviceGetTemperatureV, lib.NVML_TEMPERATURE_GPU)
    if value is None:
        value = take.take("temperature_c", lib.nvmlDeviceGetTemperature, lib.NVML_TEMPERATURE_GPU)
    return None if value is None else float(value)


def with_rates(gpu: Gpu) -> tuple[Gpu, dict[str, str]]:
    """Add what follows from clocks, cores and bus width, with reasons for what does not."""
    reasons: dict[str, str] = {}
    capability, cores, clock = gpu.compute_capability, gpu.cuda_cores, gpu.sm_clock_max_mhz
    if gpu.memory_clock_max_mhz and gpu.bus_width_bits:
        rate = nvidia_rates.bandwidth_bytes_per_s(gpu.memory_clock_max_mhz, gpu.bus_width_bits)
        gpu = replace(gpu, memory_bandwidth_bytes_per_s=rate)
    if cores and clock:
        gpu = replace(gpu, fp32_flops_per_s=nvidia_rates.fp32_flops_per_s(cores, clock))
    if cores and capability:
        gpu = replace(gpu, num_sms=nvidia_rates.num_sms(cores, capability))
        reasons["num_sms"] = phrase("cores per multiprocessor are not known for this compute capability")
    if capability and clock and gpu.num_sms:
        fp16, tf32, why = nvidia_rates.tensor_flops_per_s(gpu.name, capability, gpu.num_sms, clock)
        gpu = replace(gpu, tensor_fp16_flops_per_s=fp16, tensor_tf32_flops_per_s=tf32)
        reasons |= {"tensor_fp16_flops_per_s": why, "tensor_tf32_flops_per_s": why}
    return gpu, reasons
