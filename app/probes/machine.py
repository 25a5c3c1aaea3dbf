"""The whole machine at one moment: all probes together, with a reason for every missing reading."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from app.core.simulate.eigen_kernels import runs_onednn
from app.core.types.machine import Gpu, Machine
from app.core.types.text import Text, phrase, verbatim
from app.probes import amd, apple, battery, cgroup, cpu, disk, intel, memory, nvidia, pci, windows_gpu
from app.probes.nvidia import NvidiaReading
from app.probes.tree import ROOT, Probed, read_text

NO_BATTERY = phrase("no battery")
_RECORDED = phrase("this is a recorded machine")


def read_machine(
    root: Path = ROOT, *, nvidia_reader: Callable[[], NvidiaReading] | None = None, usage: disk.Usage | None = None
) -> Machine:
    """Read this machine, or a recorded Linux machine.

    Args:
        root: ``/``, or the root of recorded ``/proc`` and ``/sys`` trees.
        nvidia_reader: Asks for NVIDIA cards; NVML for this machine and nobody for a recorded one.
        usage: Total and free bytes of a mount; asks the file system of this machine if left out.

    Returns:
        A snapshot.  Every reading that is None has its reason in ``unavailable``.
    """
    live = root == ROOT
    system = platform.system() if live else "Linux"
    reader = nvidia_reader or (nvidia.read_nvidia if live else lambda: NvidiaReading(reason=_RECORDED))
    probed_cpu, probed_ram = cpu.read_cpu(root), memory.read_ram(root)
    disks = disk.read_disks(root, usage)
    cards = reader()
    gpus = _gpus(root, system, cards, probed_ram.value.total_bytes)
    power = battery.read_battery(root)
    unavailable = {**probed_cpu.reasons_under("cpu"), **probed_ram.reasons_under("ram")}
    for position, part in enumerate(disks):
        unavailable |= part.reasons_under(f"disks.{position}")
    for position, card in enumerate(gpus):
        unavailable |= card.reasons_under(f"gpus.{position}")
    if not gpus:
        unavailable["gpus"] = _why_no_gpu(cards)
    if power is None:
        unavailable["battery"] = NO_BATTERY
    if cards.driver is None:
        unavailable["nvidia_driver"] = cards.driver_reason or cards.reason
    if cards.cuda_version is None:
        unavailable["cuda_version"] = cards.cuda_reason or cards.reason
    machine = Machine(
        os={"Darwin": "macOS"}.get(system, system) or None,
        os_version=_os_version(root, system),
        wsl="microsoft" in (read_text(root / "proc/sys/kernel/osrelease") or "").lower(),
        container=cgroup.in_container(root) if system == "Linux" else False,
        cpu=probed_cpu.value,
        ram=probed_ram.value,
        disks=tuple(d.value for d in disks),
        gpus=tuple(g.value for g in gpus),
        battery=power,
        nvidia_driver=cards.driver,
        cuda_version=cards.cuda_version,
        unavailable={path: verbatim(reason) for path, reason in unavailable.items()},
        taken_at=datetime.now().astimezone().isoformat(timespec="seconds"),
    )
    asked = _onednn_asked() if live else None
    return replace(machine, onednn=runs_onednn(machine) if asked is None else asked)


def _onednn_asked() -> bool | None:
    """What the variable says that a child inherits, as TensorFlow reads it (``ReadBoolFromEnvVar``, env_var.cc)."""
    said = os.environ.get("TF_ENABLE_ONEDNN_OPTS", "").lower()
    return {"0": False, "false": False, "1": True, "true": True}.get(said)


def _gpus(root: Path, system: str, cards: NvidiaReading, ram_bytes: int | None) -> list[Probed[Gpu]]:
    """All cards, NVIDIA's first, numbered through."""
    found: list[Probed[Gpu]] = list(cards.gpus)
    if system == "Linux":
        if not found:
            found += _unread_nvidia(root, cards.reason)
        found += amd.read_amd(root, len(found))
        found += intel.read_intel(root, len(found), ram_bytes)
    elif system == "Windows":
        found += windows_gpu.read_windows_gpus(len(found), ram_bytes)
    elif system == "Darwin":
        found += _numbered(apple.read_apple(), len(found))
    return found


def _unread_nvidia(root: Path, reason: str) -> list[Probed[Gpu]]:
    """NVIDIA cards that the bus shows although no driver answers."""
    unread = []
    for number, card in enumerate(pci.cards(root, pci.NVIDIA)):
        gpu = pci.with_link(pci.unread_gpu(root, card, number), card.folder)
        missing = {name: reason for name, value in vars(gpu).items() if value is None}
        unread.append(Probed(gpu, missing))
    return unread


def _numbered(gpus: Sequence[Probed[Gpu]], first_index: int) -> list[Probed[Gpu]]:
    """The same cards, numbered from ``first_index``."""
    return [Probed(replace(g.value, index=first_index + n), g.unavailable) for n, g in enumerate(gpus)]


def _why_no_gpu(cards: NvidiaReading) -> Text:
    """Why the list of cards is empty."""
    return phrase("no card found (NVIDIA: {reason})", reason=cards.reason) if cards.reason else phrase("no card found")


def _os_version(root: Path, system: str) -> str | None:
    """The system's version in the words of its maker."""
    if system == "Linux":
        match = re.search(r'^PRETTY_NAME="?([^"\n]+)"?$', read_text(root / "etc/os-release") or "", re.MULTILINE)
        return match[1] if match else read_text(root / "proc/sys/kernel/osrelease")
    if system == "Darwin":
        return platform.mac_ver()[0] or None
    return platform.version() or None
