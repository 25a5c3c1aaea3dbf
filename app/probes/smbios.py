"""Type and speed of the memory modules, from the firmware's SMBIOS table or from udev's copy of it.

Linux lets only root read the table, but udev (systemd 249 and later) reads it at start and everyone may
read what udev found.  Windows gives the table to everyone.  Layout: DMTF DSP0134, "Memory Device
(Type 17)".
"""

from __future__ import annotations

import ctypes
import re
import struct
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from app.probes.tree import read_text, whole

_TYPES = {
    0x12: "DDR",
    0x13: "DDR2",
    0x18: "DDR3",
    0x1A: "DDR4",
    0x1B: "LPDDR",
    0x1C: "LPDDR2",
    0x1D: "LPDDR3",
    0x1E: "LPDDR4",
    0x20: "HBM",
    0x21: "HBM2",
    0x22: "DDR5",
    0x23: "LPDDR5",
    0x24: "HBM3",
}
_MEMORY_DEVICE = 17
_UNKNOWN_SPEED = (0, 0xFFFF)


@dataclass(frozen=True)
class MemoryModules:
    """What the modules are; ``speed_mts`` is the configured speed in megatransfers per second."""

    kind: str | None = None
    speed_mts: int | None = None


def read_modules(root: Path) -> MemoryModules:
    """Type and speed on Linux, from udev or, with the right, from the firmware table."""
    found = from_udev(read_text(root / "run/udev/data/+dmi:id") or "")
    if found.kind is not None or found.speed_mts is not None:
        return found
    try:
        table = (root / "sys/firmware/dmi/tables/DMI").read_bytes()
    except OSError:
        return MemoryModules()
    return from_table(table)


def from_udev(text: str) -> MemoryModules:
    """Read the properties that udev's ``dmi_memory_id`` stored."""
    values = dict(re.findall(r"^E:(MEMORY_DEVICE_\d+_\w+)=(.+)$", text, re.MULTILINE))
    kinds = [v for k, v in values.items() if re.fullmatch(r"MEMORY_DEVICE_\d+_TYPE", k) and "DDR" in v]
    for ending in ("_CONFIGURED_SPEED_MTS", "_SPEED_MTS"):
        speeds = [speed for k, v in values.items() if k.endswith(ending) and (speed := whole(v)) is not None]
        if speeds:
            break
    return MemoryModules(kinds[0] if kinds else None, min((s for s in speeds if s > 0), default=None))


def from_table(table: bytes) -> MemoryModules:
    """Read the structures of an SMBIOS table; the slowest module sets the speed."""
    kinds, speeds = [], []
    for kind, body in _structures(table):
        if kind != _MEMORY_DEVICE or len(body) < 0x17 or struct.unpack_from("<H", body, 0x0C)[0] == 0:
            continue  # size 0: an empty slot
        if body[0x12] in _TYPES:
            kinds.append(_TYPES[body[0x12]])
        speed = struct.unpack_from("<H", body, 0x15)[0]
        if len(body) >= 0x22 and struct.unpack_from("<H", body, 0x20)[0] not in _UNKNOWN_SPEED:
            speed = struct.unpack_from("<H", body, 0x20)[0]
        if speed not in _UNKNOWN_SPEED:
            speeds.append(speed)
    return MemoryModules(kinds[0] if kinds else None, min(speeds, default=None))


def windows_table() -> bytes:
    """The raw table from ``GetSystemFirmwareTable``; empty where there is none."""
    if sys.platform != "win32":
        return b""
    kernel = ctypes.WinDLL("kernel32", use_last_error=True)
    provider = int.from_bytes(b"RSMB", "big")
    size = kernel.GetSystemFirmwareTable(provider, 0, None, 0)
    buffer = ctypes.create_string_buffer(size)
    written = kernel.GetSystemFirmwareTable(provider, 0, buffer, size)
    header_bytes = 8  # RawSMBIOSData: method, version, length
    return buffer.raw[header_bytes:written]


def _structures(table: bytes) -> Iterator[tuple[int, bytes]]:
    """Type and formatted part of each structure; strings behind it end with two zero bytes."""
    position = 0
    while position + 4 <= len(table):
        kind, length = table[position], table[position + 1]
        if length < 4:
            return
        yield kind, table[position : position + length]
        end = table.find(b"\0\0", position + length)
        if end < 0:
            return
        position = end + 2
