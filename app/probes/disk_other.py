"""Disks on Windows and macOS, and the size of any mounted file system.

Windows tells the kind of a device through ``DeviceIoControl``, which needs no administrator when the
volume is opened without access; macOS through ``diskutil``.
"""

from __future__ import annotations

import ctypes
import os
import plistlib
import shutil
import sys
from xml.parsers.expat import ExpatError

import psutil

from app.core.types.machine import Disk
from app.core.types.text import phrase
from app.probes.commands import Ask, ask
from app.probes.tree import Probed, explained

_REASONS = {
    "read_bytes_per_s": phrase("not measured yet"),
    "kind": phrase("the system does not tell what this device is"),
}


def usage(mount: str) -> tuple[int, int] | None:
    """Total and free bytes of a mounted file system, or None."""
    try:
        found = shutil.disk_usage(mount)
    except OSError:
        return None
    return found.total, found.free


def read_disks() -> list[Probed[Disk]]:
    """All local disks of this Windows or macOS machine; the data volume stands for the Mac's disk."""
    parts = psutil.disk_partitions(all=False)
    if sys.platform == "darwin":
        parts = [p for p in parts if p.mountpoint == "/" or p.mountpoint.startswith("/Volumes/")]
    return [_disk(p.mountpoint, p.device, p.fstype) for p in parts if "cdrom" not in p.opts and p.fstype]


def read_disk(path: str) -> Probed[Disk] | None:
    """The disk that holds ``path``."""
    target = os.path.normcase(os.path.realpath(path))
    holding = [p for p in psutil.disk_partitions(all=True) if target.startswith(os.path.normcase(p.mountpoint))]
    if not holding:
        return None
    best = max(holding, key=lambda p: len(p.mountpoint))
    return _disk(best.mountpoint, best.device, best.fstype)


def _disk(mount: str, device: str, filesystem: str) -> Probed[Disk]:
    """What is known about one volume."""
    kind = mac_kind(mount) if sys.platform == "darwin" else _windows_kind(mount)
    total_free = None if kind == "network" else usage(mount)
    disk = Disk(
        mount=mount,
        device=device,
        kind=kind,
        filesystem=filesystem or None,
        total_bytes=None if total_free is None else total_free[0],
        free_bytes=None if total_free is None else total_free[1],
    )
    return explained(disk, _REASONS, phrase("the file system does not tell"))


def mac_kind(mount: str, run: Ask = ask) -> str | None:
    """What ``diskutil`` says about a volume; ``run`` can be a recorded answer."""
    answer = run(["/usr/sbin/diskutil", "info", "-plist", mount])
    if answer is None:
        return None
    try:
        facts = plistlib.loads(answer.encode())
    except (ExpatError, ValueError, LookupError, TypeError, AttributeError):  # plistlib lets through what it meets
        return None
    if not isinstance(facts, dict):
        return None
    if facts.get("BusProtocol") in ("Apple Fabric", "PCI-Express"):
        return "nvme"
    if facts.get("VirtualOrPhysical") == "Virtual" and "SolidState" not in facts:
        return "virtual"
    solid = facts.get("SolidState")
    return None if solid is None else ("ssd" if solid else "hdd")


def _windows_kind(mount: str) -> str | None:
    """Bus and seek penalty of a volume: ``IOCTL_STORAGE_QUERY_PROPERTY`` of winioctl.h."""
    if sys.platform != "win32":
        return None
    kernel = ctypes.WinDLL("kernel32", use_last_error=True)
    drive_remote = 4
    if kernel.GetDriveTypeW(mount) == drive_remote:
        return "network"
    kernel.CreateFileW.restype = ctypes.c_void_p
    share_read_write, open_existing = 3, 3
    volume = "\\\\.\\" + mount.rstrip("\\")
    handle = kernel.CreateFileW(volume, 0, share_read_write, None, open_existing, 0, None)
    if handle in (None, ctypes.c_void_p(-1).value):
        return None
    try:
        return _query_kind(kernel, handle)
    finally:
        kernel.CloseHandle(ctypes.c_void_p(handle))


def _query_kind(kernel: ctypes.CDLL, handle: int) -> str | None:
    """Ask an open volume for its bus (``StorageDeviceProperty``) and its seek penalty."""
    device_property, seek_penalty_property = 0, 7
    bus_offset, bus_nvme, bus_virtual = 28, 17, (14, 15)  # STORAGE_DEVICE_DESCRIPTOR.BusType, STORAGE_BUS_TYPE
    described = _query(kernel, handle, device_property)
    if len(described) >= bus_offset + 4:
        bus = int.from_bytes(described[bus_offset : bus_offset + 4], "little")
        if bus == bus_nvme:
            return "nvme"
        if bus in bus_virtual:
            return "virtual"
    penalty = _query(kernel, handle, seek_penalty_property)
    return None if len(penalty) < 9 else ("hdd" if penalty[8] else "ssd")


def _query(kernel: ctypes.CDLL, handle: int, what: int) -> bytes:
    """One property of an open volume; empty if the driver does not know it."""
    ioctl_storage_query_property = 0x2D1400
    query = (ctypes.c_uint32 * 3)(what, 0, 0)
    answer = ctypes.create_string_buffer(1024)
    written = ctypes.c_uint32(0)
    done = kernel.DeviceIoControl(
        ctypes.c_void_p(handle),
        ioctl_storage_query_property,
        query,
        ctypes.sizeof(query),
        answer,
        ctypes.sizeof(answer),
        ctypes.byref(written),
        None,
    )
    return answer.raw[: written.value] if done else b""
