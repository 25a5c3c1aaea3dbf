"""Disks: which file system holds a path, on what kind of device, and how much room it has.

Linux is read from ``/proc/self/mountinfo`` and ``/sys/class/block``; Windows and macOS answer in
`app.probes.disk_other`.  How fast a disk reads is measured elsewhere: a figure from the page cache would
be many times too high.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from app.core.types.machine import Disk
from app.core.types.text import phrase
from app.probes import disk_other
from app.probes.tree import ROOT, Probed, explained, list_dir, read_int, read_text

Usage = Callable[[str], tuple[int, int] | None]
"""Total and free bytes of a mount, or None."""

_NETWORK = {"nfs", "nfs4", "cifs", "smb3", "smbfs", "ceph", "glusterfs", "lustre", "beegfs", "gpfs", "afs", "9p"}
_LOCAL_FUSE = {"fuseblk"}
_MEMORY = {"overlay", "tmpfs", "ramfs", "virtiofs", "aufs"}
_PLAIN = set(
    "ext2 ext3 ext4 xfs btrfs zfs f2fs bcachefs jfs reiserfs vfat exfat ntfs ntfs3 fuseblk apfs hfsplus".split()
)
_NOT_MEASURED = phrase("not measured yet")


@dataclass(frozen=True)
class _Mount:
    """One line of mountinfo."""

    number: str
    point: str
    filesystem: str
    source: str


def read_disks(root: Path = ROOT, usage: Usage | None = None) -> list[Probed[Disk]]:
    """All disks that can hold data, each once, the root first.

    A network file system is named but not asked for its size: a server that is away would hang us.
    """
    if root == ROOT and sys.platform != "linux":
        return disk_other.read_disks()
    seen: dict[str, _Mount] = {}
    for mount in sorted(_mounts(root), key=lambda m: (m.point.count("/"), len(m.point))):
        wanted = mount.point == "/" or mount.filesystem in _PLAIN or _is_network(mount.filesystem)
        if wanted and not mount.point.startswith(("/boot", "/efi", "/snap/")):
            seen.setdefault(mount.source if mount.source.startswith("/") else mount.number, mount)
    return [_disk(root, mount, usage, _is_network(mount.filesystem)) for mount in seen.values()]


def read_disk(path: str | os.PathLike[str], root: Path = ROOT, usage: Usage | None = None) -> Probed[Disk] | None:
    """The disk that holds ``path``, or None if no mount does.

    Args:
        path: A file or folder, which need not exist yet.
        root: ``/``, or a recorded machine.
        usage: Where total and free bytes come from; `shutil.disk_usage` if left out.
    """
    if root == ROOT and sys.platform != "linux":
        return disk_other.read_disk(os.fspath(path))
    target = os.path.realpath(path) if root == ROOT else os.path.normpath(path)
    holding = [m for m in _mounts(root) if m.point == "/" or target == m.point or target.startswith(m.point + "/")]
    if not holding:
        return None
    # Of two mounts on one point the later one hides the earlier.
    _, mount = max(enumerate(holding), key=lambda pair: (len(pair[1].point), pair[0]))
    return _disk(root, mount, usage, quiet=False)


def _disk(root: Path, mount: _Mount, usage: Usage | None, quiet: bool) -> Probed[Disk]:
    """What is known about one mount; ``quiet`` asks nothing that could hang."""
    if usage is None:
        usage = disk_other.usage if root == ROOT else _no_usage
    total_free = None if quiet else usage(mount.point)
    disk = Disk(
        mount=mount.point,
        device=mount.source,
        kind=_kind(root, mount),
        filesystem=mount.filesystem,
        total_bytes=None if total_free is None else total_free[0],
        free_bytes=None if total_free is None else total_free[1],
    )
    why = phrase("a network disk is asked only when it is used") if quiet else phrase("the file system does not tell")
    reasons = {"read_bytes_per_s": _NOT_MEASURED, "kind": phrase("the kernel does not tell what this device is")}
    return explained(disk, reasons, why)


def _no_usage(_mount: str) -> None:
    """A recorded machine has no live file system."""


def _mounts(root: Path) -> list[_Mount]:
    """Parse mountinfo (man proc_pid_mountinfo); spaces in paths are written as octal."""
    found = []
    for line in (read_text(root / "proc/self/mountinfo") or "").splitlines():
        left, _, right = line.partition(" - ")
        head, tail = left.split(), right.split()
        if len(head) >= 5 and len(tail) >= 2:
            point = re.sub(r"\\([0-7]{3})", lambda m: chr(int(m[1], 8)), head[4])
            found.append(_Mount(head[2], point, tail[0], tail[1]))
    return found


def _is_network(filesystem: str) -> bool:
    """Whether data comes over a wire, or from a program that may wait for one."""
    return filesystem in _NETWORK or (filesystem.startswith("fuse") and filesystem not in _LOCAL_FUSE)


def _kind(root: Path, mount: _Mount) -> str | None:
    """``nvme``, ``ssd``, ``hdd``, ``network``, ``virtual`` or None."""
    if _is_network(mount.filesystem):
        return "network"
    if mount.filesystem in _MEMORY:
        return "virtual"
    return _device_kind(root, _block_name(root, mount), depth=0)


def _block_name(root: Path, mount: _Mount) -> str:
    """The kernel's name of the device: ``/dev/mapper/vg-root`` is a link to ``dm-0``."""
    name, devices = mount.source.removeprefix("/dev/"), _devices(root)
    if name not in devices:
        for known, device in devices.items():
            if read_text(device / "dev") == mount.number or read_text(device / "dm/name") == name.split("/")[-1]:
                return known
    return name


def _devices(root: Path) -> dict[str, Path]:
    """Every block device by the kernel's name; a mount's source, whatever it is called, is looked for among these."""
    return {device.name: device for device in list_dir(root / "sys/class/block")}


def _device_kind(root: Path, name: str, depth: int) -> str | None:
    """Follow partitions to disks, and mapped or mirrored devices to what lies below."""
    device = _devices(root).get(name)
    if device is None or depth > 4:
        return "virtual" if re.match(r"(vd|xvd|loop|zram|ram|nbd)", name) else None
    below = [p.name for p in list_dir(device / "slaves")]
    if below:
        kinds = {_device_kind(root, slave, depth + 1) for slave in below}
        return kinds.pop() if len(kinds) == 1 else next((k for k in ("hdd", "ssd", "nvme") if k in kinds), None)
    if (device / "partition").exists():
        return _device_kind(root, device.resolve().parent.name, depth + 1)
    if name.startswith("nvme"):
        return "nvme"
    if re.match(r"(vd|xvd|loop|zram|ram|nbd)", name):
        return "virtual"  # what a hypervisor says about rotation means nothing
    rotational = read_int(device / "queue/rotational")
    return None if rotational is None else ("hdd" if rotational else "ssd")
