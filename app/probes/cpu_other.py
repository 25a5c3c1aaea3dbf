"""The processor on Windows and macOS.

Windows: registry, ``GetLogicalProcessorInformation`` and archspec's ``cpuid``; macOS: ``sysctl``.
"""

from __future__ import annotations

import ctypes
import re
import sys

import psutil

from app.core.types.machine import Cpu
from app.core.types.text import phrase
from app.probes.commands import Ask, ask, sysctl
from app.probes.tree import Probed, explained, whole

_MAC_NAMES = tuple(
    "machdep.cpu.brand_string machdep.cpu.vendor hw.physicalcpu hw.logicalcpu hw.cpufrequency_max "
    "hw.l1dcachesize hw.perflevel0.l1dcachesize hw.l2cachesize hw.perflevel0.l2cachesize hw.l3cachesize".split()
)
_FEATURES = tuple(
    "sse4_2 avx f16c fma avx2 avx512f avx512bw avx512dq avx512vl avx512_vnni avx512_bf16 amx_tile "
    "amx_int8 amx_bf16".split()
)


def read_cpu() -> Probed[Cpu]:
    """Read the processor of this Windows or macOS machine."""
    return read_mac_cpu() if sys.platform == "darwin" else _read_windows_cpu()


def usable_cores() -> float | None:
    """Cores that this process may use; Windows has an affinity mask, macOS has not."""
    if sys.platform == "win32":
        try:
            allowed = len(psutil.Process().cpu_affinity() or ())
        except psutil.Error:  # more than one processor group
            allowed = 0
        if allowed:
            return float(allowed)
    logical = psutil.cpu_count()
    return None if logical is None else float(logical)


def read_mac_cpu(run: Ask = ask) -> Probed[Cpu]:
    """Read the processor from ``sysctl``; ``run`` can be a recorded answer."""
    values = sysctl(_MAC_NAMES, run)
    name = values.get("machdep.cpu.brand_string")
    apple = name is not None and name.startswith("Apple")
    logical = whole(values.get("hw.logicalcpu"))
    hertz = whole(values.get("hw.cpufrequency_max"))
    uarch, features = _archspec()
    cpu = Cpu(
        name=name,
        vendor="Apple" if apple else {"GenuineIntel": "Intel"}.get(values.get("machdep.cpu.vendor", "")),
        microarchitecture=uarch,
        physical_cores=whole(values.get("hw.physicalcpu")),
        logical_cores=logical,
        usable_cores=None if logical is None else float(logical),
        max_clock_mhz=None if hertz is None else hertz / 1e6,
        features=("asimd", "asimdhp") if apple else features,
        l1d_bytes=whole(values.get("hw.perflevel0.l1dcachesize") or values.get("hw.l1dcachesize")),
        l2_bytes=whole(values.get("hw.perflevel0.l2cachesize") or values.get("hw.l2cachesize")),
        l3_bytes=whole(values.get("hw.l3cachesize")),
    )
    return explained(
        cpu, {"max_clock_mhz": phrase("Apple silicon does not tell its clock")}, phrase("sysctl does not tell")
    )


def _read_windows_cpu() -> Probed[Cpu]:
    """Registry for the names, psutil for counts, kernel32 for caches, archspec for instructions."""
    uarch, features = _archspec()
    name, vendor, clock = _registry()
    caches = _windows_caches()
    cpu = Cpu(
        name=name,
        vendor={"AuthenticAMD": "AMD", "GenuineIntel": "Intel"}.get(vendor or "", vendor),
        microarchitecture=uarch,
        physical_cores=psutil.cpu_count(logical=False),
        logical_cores=psutil.cpu_count(),
        usable_cores=usable_cores(),
        max_clock_mhz=clock,
        features=features,
        l1d_bytes=caches.get(1),
        l2_bytes=caches.get(2),
        l3_bytes=caches.get(3),
    )
    return explained(cpu, {}, phrase("Windows does not tell"))


def _archspec() -> tuple[str | None, tuple[str, ...]]:
    """Microarchitecture and instruction sets; the names that archspec shares with Linux."""
    from archspec.cpu import host

    found = host()
    known = {re.sub(r"^avx512(vnni|bf16)$", r"avx512_\1", name) for name in found.features}
    return str(found.name), tuple(name for name in _FEATURES if name in known)


def _registry() -> tuple[str | None, str | None, float | None]:
    """Name, vendor and nominal clock in MHz as Windows wrote them at start."""
    if sys.platform != "win32":
        return None, None, None
    import winreg

    values: dict[str, object] = {}
    path = r"HARDWARE\DESCRIPTION\System\CentralProcessor\0"
    try:
        with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, path) as key:
            for value in ("ProcessorNameString", "VendorIdentifier", "~MHz"):
                values[value] = winreg.QueryValueEx(key, value)[0]
    except OSError:
        pass  # what was read so far is the answer
    clock = values.get("~MHz")
    name, vendor = values.get("ProcessorNameString"), values.get("VendorIdentifier")
    return (
        str(name).strip() if name else None,
        str(vendor).strip() if vendor else None,
        float(clock) if isinstance(clock, int) else None,
    )


class _Cache(ctypes.Structure):
    """``SYSTEM_LOGICAL_PROCESSOR_INFORMATION`` of winnt.h, 64 bit, with the cache arm of its union."""

    _fields_ = (
        ("mask", ctypes.c_size_t),
        ("relationship", ctypes.c_uint32),
        ("padding", ctypes.c_uint32),
        ("level", ctypes.c_ubyte),
        ("associativity", ctypes.c_ubyte),
        ("line_size", ctypes.c_ushort),
        ("size", ctypes.c_uint32),
        ("type", ctypes.c_uint32),
        ("rest", ctypes.c_ubyte * 4),
    )


def _windows_caches() -> dict[int, int]:
    """Bytes by level: L1 data and L2 of one core, all L3 together."""
    if sys.platform != "win32":
        return {}
    kernel = ctypes.WinDLL("kernel32", use_last_error=True)
    length = ctypes.c_uint32(0)
    kernel.GetLogicalProcessorInformation(None, ctypes.byref(length))
    rows = (_Cache * (length.value // ctypes.sizeof(_Cache)))()
    if not kernel.GetLogicalProcessorInformation(rows, ctypes.byref(length)):
        return {}
    found: dict[int, int] = {}
    for row in rows:
        relation_cache, instruction = 2, 1
        if row.relationship == relation_cache and row.type != instruction:
            found[row.level] = found.get(3, 0) + row.size if row.level == 3 else row.size
    return found
