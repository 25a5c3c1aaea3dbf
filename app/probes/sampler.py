"""Live readings: processor, memory, disks and cards, of the whole machine and of one process tree.

`Sampler.take` is meant for once a second and costs well under a hundredth of a core.  A driver that goes
away turns its readings into None with a reason; it is asked again later.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

from app.core.types.text import phrase
from app.probes import amd, cpu, host_counters, nvidia, nvidia_live, pci, process_tree
from app.probes.cpu_live import CpuLive, CpuMeters
from app.probes.host_counters import HostTotals
from app.probes.nvml import Nvml, NvmlUnavailable
from app.probes.process_tree import ProcessTotals
from app.probes.tree import ROOT

RETRY_S = 30.0
"""How long to leave a driver alone that did not answer."""

FIRST_READING = phrase("a rate needs two readings")
PROCESS_ENDED = phrase("the process has ended")


@dataclass(frozen=True)
class GpuSnapshot:
    """One card now.  ``process_memory_bytes`` is what the watched process tree holds."""

    index: int
    utilization_percent: float | None = None
    memory_used_bytes: int | None = None
    memory_total_bytes: int | None = None
    process_memory_bytes: int | None = None
    power_w: float | None = None
    temperature_c: float | None = None
    sm_clock_mhz: int | None = None
    reason: str = ""
    """Why the card does not answer."""
    throttle: str | None = None
    """Why it holds its clock down, comma between; empty if it does not."""
    energy_j: float | None = None
    """Since the driver was loaded."""


@dataclass(frozen=True)
class ProcessSnapshot:
    """A process tree now; ``cpu_percent`` is of all usable cores, 0..100."""

    pid: int
    processes: int
    cpu_percent: float | None
    rss_bytes: int
    disk_read_bytes_per_s: float | None


@dataclass(frozen=True)
class Snapshot:
    """The machine at one moment.  ``t_s`` counts from the making of the sampler."""

    t_s: float
    cpu_percent: float | None = None
    ram_used_bytes: int | None = None
    ram_available_bytes: int | None = None
    ram_total_bytes: int | None = None
    disk_read_bytes_per_s: float | None = None
    gpus: tuple[GpuSnapshot, ...] = ()
    process: ProcessSnapshot | None = None
    unavailable: dict[str, str] = field(default_factory=dict)
    disk_write_bytes_per_s: float | None = None
    swap_used_bytes: int | None = None
    others_cpu_percent: float | None = None
    """Use of the whole machine by all but the watched process tree."""
    cpu: CpuLive = CpuLive()


_Totals = tuple[float, HostTotals, ProcessTotals | None]


class Sampler:
    """Takes snapshots; keep one per thread, and close it.

    Args:
        pid: A process to watch together with all that it starts.
        root: ``/``, or the root of a recorded Linux machine.
        clock: Seconds that only grow.
        nvml: Opens the connection to NVIDIA's driver; None asks for no NVIDIA card.
    """

    def __init__(
        self,
        pid: int | None = None,
        *,
        root: Path = ROOT,
        clock: Callable[[], float] = time.monotonic,
        nvml: Callable[[], Nvml] | None = Nvml,
    ) -> None:
        self.pid = pid
        self._root = root
        self._clock = clock
        self._start_s = clock()
        self._cores = cpu.usable_cores(root) or 1.0
        self._before: _Totals | None = None
        self._nvidia = _NvidiaCards(nvml, clock, expected=len(pci.cards(root, pci.NVIDIA)))
        self.meters = CpuMeters(root)
        self._amd = [card.folder for card in pci.cards(root, pci.AMD)]

    def __enter__(self) -> Sampler:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the driver."""
        self._nvidia.close()

    def take(self) -> Snapshot:
        """One snapshot; readings that are rates are None the first time."""
        now = self._clock()
        host = host_counters.read_totals(self._root)
        tree = None if self.pid is None else process_tree.read_tree(self.pid, self._root)
        before, self._before = self._before, (now, host, tree)
        span_s = 0.0 if before is None else now - before[0]
        missing: dict[str, str] = {}
        if before is None:
            missing |= dict.fromkeys(("cpu_percent", "disk_read_bytes_per_s"), FIRST_READING)
        if self.pid is not None and tree is None:
            missing["process"] = PROCESS_ENDED
        gpus = self._nvidia.take(tree.pids if tree is not None else ())
        gpus += tuple(_amd_snapshot(len(gpus) + n, folder) for n, folder in enumerate(self._amd))
        missing |= {f"gpus.{gpu.index}": gpu.reason for gpu in gpus if gpu.reason}
        if self._nvidia.reason:
            missing["nvidia"] = self._nvidia.reason
        total, available = host.ram_total_bytes, host.ram_available_bytes
        old = before[1] if before is not None else HostTotals()
        return Snapshot(
            t_s=now - self._start_s,
            cpu_percent=_share(old.busy_s, host.busy_s, old.all_s, host.all_s),
            ram_used_bytes=None if total is None or available is None else total - available,
            ram_available_bytes=available,
            ram_total_bytes=total,
            disk_read_bytes_per_s=_rate(old.read_bytes, host.read_bytes, span_s),
            gpus=gpus,
            process=None if tree is None else self._process(tree, before[2] if before is not None else None, span_s),
            unavailable=missing,
            disk_write_bytes_per_s=_rate(old.write_bytes, host.write_bytes, span_s),
            swap_used_bytes=host.swap_used_bytes,
            others_cpu_percent=_others(before, (now, host, tree)),
            cpu=self.meters.read(),
        )

    def _process(self, tree: ProcessTotals, old: ProcessTotals | None, span_s: float) -> ProcessSnapshot:
        """The watched tree since the last reading."""
        cores = _rate(old.cpu_s if old is not None else None, tree.cpu_s, span_s)
        return ProcessSnapshot(
            pid=tree.pids[0],
            processes=len(tree.pids),
            cpu_percent=None if cores is None else min(100.0, 100 * cores / self._cores),
            rss_bytes=tree.rss_bytes,
            disk_read_bytes_per_s=_rate(old.read_bytes if old is not None else None, tree.read_bytes, span_s),
        )


class _NvidiaCards:
    """NVIDIA's cards while the driver is there; after a failure it is left alone for `RETRY_S`.

    Cards that were there, or that the bus shows, keep their places while the driver is away.
    """

    def __init__(self, connect: Callable[[], Nvml] | None, clock: Callable[[], float], expected: int) -> None:
        self.reason = ""
        self._count = 0 if connect is None else expected
        self._connect = connect
        self._clock = clock
        self._nvml: Nvml | None = None
        self._handles: list[tuple[Any, str]] = []
        self._retry_at_s = 0.0

    def take(self, pids: tuple[int, ...]) -> tuple[GpuSnapshot, ...]:
        """All cards now."""
        if self._nvml is None and self._connect is not None and self._clock() >= self._retry_at_s:
            self._open(self._connect)
        if self._nvml is None:
            return tuple(GpuSnapshot(n, reason=self.reason) for n in range(self._count))
        found = tuple(_nvidia_snapshot(self._nvml, n, *card, pids) for n, card in enumerate(self._handles))
        if found and all(gpu.reason for gpu in found):
            # Perhaps the driver was replaced or the machine slept: connect anew after a while.
            self.close()
            self._retry_at_s = self._clock() + RETRY_S
            self.reason = found[0].reason
        return found

    def close(self) -> None:
        """Let go of the driver."""
        if self._nvml is not None:
            self._nvml.close()
            self._nvml = None

    def _open(self, connect: Callable[[], Nvml]) -> None:
        """Connect, or note why not."""
        self._retry_at_s = self._clock() + RETRY_S
        try:
            self._nvml = connect()
            self._handles = self._nvml.handles()
            self._count = len(self._handles)
            self.reason = ""
        except NvmlUnavailable as error:
            self.close()
            self.reason = error.reason


def _nvidia_snapshot(nvml: Nvml, index: int, handle: Any, lost: str, pids: tuple[int, ...]) -> GpuSnapshot:
    """One NVIDIA card; a reading that fails is None."""
    if handle is None:
        return GpuSnapshot(index, reason=lost)
    lib = nvml.library
    memory = nvidia.read_memory(nvml, handle)
    utilization, reason = nvml.read(lib.nvmlDeviceGetUtilizationRates, handle)
    power_mw, _ = nvml.read(lib.nvmlDeviceGetPowerUsage, handle)
    temperature, _ = nvml.read(lib.nvmlDeviceGetTemperature, handle, lib.NVML_TEMPERATURE_GPU)
    clock, _ = nvml.read(lib.nvmlDeviceGetClockInfo, handle, lib.NVML_CLOCK_SM)
    held = None
    if pids:
        processes, _ = nvidia.read_processes(nvml, handle)
        mine = [processes[pid] for pid in pids if pid in processes] if processes is not None else [None]
        held = None if None in mine else sum(size for size in mine if size is not None)
    return GpuSnapshot(
        index=index,
        utilization_percent=None if utilization is None else float(utilization.gpu),
        memory_used_bytes=None if memory is None else memory[1],
        memory_total_bytes=None if memory is None else memory[0],
        process_memory_bytes=held,
        power_w=None if power_mw is None else power_mw / 1000,
        temperature_c=None if temperature is None else float(temperature),
        sm_clock_mhz=clock,
        reason=reason if memory is None and utilization is None else "",
        throttle=nvidia_live.read_throttle(nvml, handle),
        energy_j=nvidia_live.read_energy_j(nvml, handle),
    )


def _amd_snapshot(index: int, folder: Path) -> GpuSnapshot:
    """One AMD card."""
    busy, used = amd.read_live(folder)
    reason = phrase("the amdgpu driver does not answer") if busy is None and used is None else ""
    return GpuSnapshot(index, utilization_percent=busy, memory_used_bytes=used, reason=reason)


def _others(before: _Totals | None, now: _Totals) -> float | None:
    """Use of the machine by all but the watched tree; None while the tree is not known at both ends."""
    if before is None or before[2] is None or now[2] is None:
        return None
    old, new, ours_s = before[1], now[1], now[2].cpu_s - before[2].cpu_s
    if old.busy_s is None or new.busy_s is None or ours_s < 0:  # a process of the tree ended: its time left the sum
        return None
    return _share(old.busy_s, max(old.busy_s, new.busy_s - ours_s), old.all_s, new.all_s)


def _rate(old: float | None, new: float | None, span_s: float) -> float | None:
    """Change per second; a counter that fell (a process ended, a disk left) gives no rate."""
    if old is None or new is None or span_s <= 0 or new < old:
        return None
    return (new - old) / span_s


def _share(old_part: float | None, new_part: float | None, old: float | None, new: float | None) -> float | None:
    """Percentage that one counter's change is of another's."""
    if old_part is None or new_part is None or old is None or new is None or new <= old:
        return None
    return min(100.0, max(0.0, 100 * (new_part - old_part) / (new - old)))
