"""Disks: what holds a path, and on what kind of device."""

from __future__ import annotations

import plistlib

import pytest

from app.probes.disk import read_disk, read_disks
from app.probes.disk_other import mac_kind
from app.probes.tree import read_text

MOUNTINFO = r"""
22 1 0:20 / /proc rw - proc proc rw
27 1 259:2 / / rw,relatime shared:1 - ext4 /dev/nvme0n1p2 rw
28 27 259:1 / /boot/efi rw - vfat /dev/nvme0n1p1 rw
29 27 8:1 / /mnt/data rw - ext4 /dev/sda1 rw
30 27 8:17 / /mnt/my\040disk rw - xfs /dev/sdb1 rw
31 27 253:0 / /home rw - btrfs /dev/mapper/vg-home rw
32 27 0:50 / /mnt/nas rw - nfs4 server:/export rw
33 27 0:51 / /dev/shm rw - tmpfs tmpfs rw
34 27 259:2 /var/lib /var/bind rw - ext4 /dev/nvme0n1p2 rw
35 27 7:0 / /snap/core/1 ro - squashfs /dev/loop0 ro
36 27 254:0 / /mnt/vm rw - ext4 /dev/vda rw
37 27 0:60 / /mnt/cloud rw - fuse.sshfs me@server: rw
"""


@pytest.fixture
def machine(tree):
    files = {"proc/self/mountinfo": MOUNTINFO}
    disks = {
        "nvme0n1": ("0", "259:0"),
        "sda": ("1", "8:0"),
        "sdb": ("0", "8:16"),
        "vda": ("1", "254:0"),
        "dm-0": ("0", "253:0"),
    }
    for name, (rotational, number) in disks.items():
        files[f"sys/devices/{name}/queue/rotational"] = rotational
        files[f"sys/devices/{name}/dev"] = number
    parts = {"nvme0n1p1": "259:1", "nvme0n1p2": "259:2", "sda1": "8:1", "sdb1": "8:17"}
    for name, number in parts.items():
        parent = name.removesuffix("p1").removesuffix("p2").removesuffix("1") if name.startswith("sd") else name[:7]
        files[f"sys/devices/{parent}/{name}/partition"] = name[-1]
        files[f"sys/devices/{parent}/{name}/dev"] = number
        files[f"sys/class/block/{name}"] = f"-> ../../devices/{parent}/{name}"
    files |= {f"sys/class/block/{name}": f"-> ../../devices/{name}" for name in disks}
    files["sys/devices/dm-0/dm/name"] = "vg-home"
    files["sys/devices/dm-0/slaves/sda1/dev"] = "8:1"
    return tree(files)


def test_every_disk_once(machine):
    found = {p.value.mount: p.value.kind for p in read_disks(machine)}
    assert found == {
        "/": "nvme",
        "/mnt/data": "hdd",
        "/mnt/my disk": "ssd",
        "/home": "hdd",
        "/mnt/nas": "network",
        "/mnt/vm": "virtual",
        "/mnt/cloud": "network",
    }


def test_network_disks_are_not_asked_for_their_size(machine):
    asked = []
    found = read_disks(machine, lambda mount: asked.append(mount) or (100, 40))
    assert "/mnt/nas" not in asked
    nas = next(p for p in found if p.value.mount == "/mnt/nas")
    assert nas.value.free_bytes is None
    assert nas.unavailable["free_bytes"] == "a network disk is asked only when it is used"
    assert next(p for p in found if p.value.mount == "/").value.free_bytes == 40


@pytest.mark.parametrize(
    ("path", "mount"),
    [
        ("/", "/"),
        ("/mnt/database", "/"),
        ("/mnt/data/images/1", "/mnt/data"),
        ("/mnt/my disk/x", "/mnt/my disk"),
        ("/var/bind/x", "/var/bind"),
        ("/mnt/nas", "/mnt/nas"),
        ("/home/me/../me/train", "/home"),
    ],
)
def test_disk_of_a_path(machine, path, mount):
    assert read_disk(path, machine).value.mount == mount


def test_a_path_on_a_network_disk_is_asked(machine):
    assert read_disk("/mnt/nas/x", machine, lambda mount: (10, 5)).value.free_bytes == 5


def test_this_machine(tmp_path):
    disk = read_disk(tmp_path / "not" / "yet").value
    assert disk.total_bytes >= disk.free_bytes > 0
    assert read_disks()[0].unavailable["read_bytes_per_s"] == "not measured yet"


@pytest.mark.parametrize(
    ("facts", "kind"),
    [
        ({"BusProtocol": "Apple Fabric", "SolidState": True}, "nvme"),
        ({"BusProtocol": "USB", "SolidState": False}, "hdd"),
        ({"BusProtocol": "SATA", "SolidState": True}, "ssd"),
        ({"VirtualOrPhysical": "Virtual"}, "virtual"),
        ({}, None),
    ],
)
def test_mac(facts, kind):
    assert mac_kind("/", lambda command: plistlib.dumps(facts).decode()) == kind


def test_mac_without_diskutil():
    assert mac_kind("/", lambda command: None) is None
    assert mac_kind("/", lambda command: "garbage") is None


@pytest.mark.parametrize("source", ["/dev/" + 300 * "a", "/dev/a\0b", "/dev/../../etc", "/dev/."])
def test_a_mount_may_call_its_source_as_it_likes(tree, source):
    root = tree({"proc/self/mountinfo": f"27 1 259:2 / / rw - ext4 {source} rw\n", "sys/class/block/sda/dev": "8:0"})
    assert [(p.value.mount, p.value.kind) for p in read_disks(root)] == [("/", None)]


def test_a_path_with_a_nul_is_a_file_that_is_not_there(tmp_path):
    assert read_text(tmp_path / "a\0b") is None
