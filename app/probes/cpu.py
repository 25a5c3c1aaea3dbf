"""The processor: name, cores, clock, vector instructions, caches.

Linux is read from ``/proc/cpuinfo`` and ``/sys/devices/system/cpu``; Windows and macOS answer in
`app.probes.cpu_other`.  The microarchitecture comes from archspec's table of instruction sets.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from app.core.types.machine import Cpu
from app.core.types.text import phrase
from app.probes import cgroup, cpu_other
from app.probes.tree import ROOT, Probed, explained, list_dir, parse_cpu_list, read_int, read_text

TRAINING_FEATURES = tuple(
    "sse4_2 avx f16c fma avx2 avx_vnni avx512f avx512bw avx512dq avx512vl avx512_vnni avx512_bf16 "
    "avx512_fp16 amx_tile amx_int8 amx_bf16 amx_fp16 asimd asimdhp asimddp bf16 i8mm sve sve2 sme sme2".split()
)
"""Instruction sets that change how fast a network trains, by the kernel's names (x86, then Arm)."""

_ARM_VENDORS = {
    "0x41": "ARM",
    "0x42": "Broadcom",
    "0x46": "Fujitsu",
    "0x48": "HiSilicon",
    "0x4e": "NVIDIA",
    "0x51": "Qualcomm",
    "0x53": "Samsung",
    "0x61": "Apple",
    "0xc0": "Ampere",
}
_VENDORS = {"AuthenticAMD": "AMD", "GenuineIntel": "Intel", "HygonGenuine": "Hygon"}


def read_cpu(root: Path = ROOT) -> Probed[Cpu]:
    """Read the processor of this machine, or of the recorded Linux machine under ``root``."""
    if root == ROOT and sys.platform != "linux":
        return cpu_other.read_cpu()
    blocks = _cpuinfo(read_text(root / "proc/cpuinfo") or "")
    first = blocks[0] if blocks else {}
    vendor = _vendor(first)
    flags = set((first.get("flags") or first.get("Features") or "").split())
    l1d, l2, l3 = _caches(root)
    logical = len(blocks) or None
    clock, clock_reason = _clock_mhz(root, blocks)
    cpu = Cpu(
        name=_name(root, first),
        vendor=vendor,
        microarchitecture=_microarchitecture(root, first, flags),
        physical_cores=_physical_cores(root, blocks),
        logical_cores=logical,
        usable_cores=_usable_cores(root, logical),
        max_clock_mhz=clock,
        features=tuple(name for name in TRAINING_FEATURES if name in flags),
        l1d_bytes=l1d,
        l2_bytes=l2,
        l3_bytes=l3,
    )
    reasons = {
        "max_clock_mhz": clock_reason,
        "microarchitecture": phrase("archspec does not know this processor"),
        "l3_bytes": phrase("the system names no third-level cache"),
    }
    return explained(cpu, reasons, phrase("the kernel does not tell"))


def usable_cores(root: Path = ROOT) -> float | None:
    """Cores that this process may use: affinity and the container's quota; may be fractional."""
    if root == ROOT and sys.platform != "linux":
        return cpu_other.usable_cores()
    blocks = _cpuinfo(read_text(root / "proc/cpuinfo") or "")
    return _usable_cores(root, len(blocks) or None)


def _cpuinfo(text: str) -> list[dict[str, str]]:
    """One dictionary per logical processor."""
    blocks = []
    for part in re.split(r"\n\s*\n", text):
        pairs = (line.partition(":") for line in part.splitlines())
        block = {key.strip(): value.strip() for key, colon, value in pairs if colon}
        if "processor" in block:
            blocks.append(block)
    return blocks


def _vendor(block: dict[str, str]) -> str | None:
    """The maker in everyday words."""
    name = block.get("vendor_id")
    if name is None:
        code = block.get("CPU implementer")
        return None if code is None else _ARM_VENDORS.get(code.lower(), code)
    return _VENDORS.get(name, name)


def _name(root: Path, block: dict[str, str]) -> str | None:
    """The processor's name; Arm boards tell it in the device tree."""
    name = block.get("model name") or block.get("Model") or block.get("Hardware")
    name = name or read_text(root / "sys/firmware/devicetree/base/model")
    return None if name is None else re.sub(r"\s+", " ", re.sub(r"\((R|TM)\)", "", name)).strip()


def _physical_cores(root: Path, blocks: list[dict[str, str]]) -> int | None:
    """Cores without their hyper-threads."""
    cores = {(b.get("physical id"), b["core id"]) for b in blocks if "core id" in b}
    if cores:
        return len(cores)
    siblings = set()
    for folder in _cpu_folders(root):
        text = read_text(folder / "topology/core_cpus_list") or read_text(folder / "topology/thread_siblings_list")
        if text is not None:
            siblings.add(text)
    return len(siblings) or None


def _usable_cores(root: Path, logical: int | None) -> float | None:
    """The smallest of: all cores, the affinity mask, the quota."""
    limits = [] if logical is None else [float(logical)]
    for line in (read_text(root / "proc/self/status") or "").splitlines():
        if line.startswith("Cpus_allowed_list:"):
            limits.append(float(len(parse_cpu_list(line.partition(":")[2]))))
    quota = cgroup.cpu_quota(root)
    if quota is not None:
        limits.append(quota)
    return min((limit for limit in limits if limit > 0), default=None)


def _clock_mhz(root: Path, blocks: list[dict[str, str]]) -> tuple[float | None, str]:
    """The highest clock of any core, in MHz; in a virtual machine the current one is all there is."""
    limits = [read_int(folder / "cpufreq/cpuinfo_max_freq") for folder in _cpu_folders(root)]
    known = [khz / 1000 for khz in limits if khz]
    if not known:
        known = [float(b["cpu MHz"]) for b in blocks if re.fullmatch(r"\d+(\.\d+)?", b.get("cpu MHz", ""))]
    return max(known, default=None), phrase("neither cpufreq nor /proc/cpuinfo tells a clock")


def _caches(root: Path) -> tuple[int | None, int | None, int | None]:
    """Bytes of L1 data and L2 of one core, and of all L3 caches together."""
    one: dict[int, int] = {}
    third: dict[tuple[str, str], int] = {}
    for cpu in _cpu_folders(root):
        for index in list_dir(cpu / "cache"):
            level, size = read_int(index / "level"), _cache_bytes(read_text(index / "size"))
            if level is None or size is None or read_text(index / "type") == "Instruction":
                continue
            if level == 3:
                third[(read_text(index / "shared_cpu_list") or cpu.name, index.name)] = size
            else:
                one[level] = max(size, one.get(level, 0))
    return one.get(1), one.get(2), sum(third.values()) or None


def _cache_bytes(text: str | None) -> int | None:
    """Read ``32K`` or ``16M``."""
    match = re.fullmatch(r"(\d{1,9})([KM]?)", text or "")
    return int(match[1]) * {"": 1, "K": 1024, "M": 1024**2}[match[2]] if match else None


def _cpu_folders(root: Path) -> list[Path]:
    """``/sys/devices/system/cpu/cpuN``."""
    return [p for p in list_dir(root / "sys/devices/system/cpu") if re.fullmatch(r"cpu\d+", p.name)]


def _microarchitecture(root: Path, block: dict[str, str], flags: set[str]) -> str | None:
    """Archspec's name, such as ``zen2`` or ``skylake_avx512``."""
    from archspec.cpu import host
    from archspec.cpu.detect import compatible_microarchitectures, partial_uarch

    if root == ROOT:
        return str(host().name)
    info = partial_uarch(vendor=block.get("vendor_id", "generic"), features=flags)
    best = max(compatible_microarchitectures(info), key=lambda m: (len(m.ancestors), len(m.features)))
    return str(best.name)
