"""Host memory, its limits and its modules."""

from __future__ import annotations

import struct

from hypothesis import given
from hypothesis import strategies as st

from app.probes import smbios
from app.probes.memory import read_ram

MIB = 1024**2
MEMINFO = "MemTotal: 16384 kB\nMemFree: 1 kB\nMemAvailable: 8192 kB\nSwapTotal: 2048 kB\nSwapFree: 1024 kB\n"


def module(kind=0x1A, speed=3200, configured=2666, size=8192):
    body = bytearray(0x22)
    body[0:2] = bytes((17, len(body)))
    struct.pack_into("<H", body, 0x0C, size)
    body[0x12] = kind
    struct.pack_into("<H", body, 0x15, speed)
    struct.pack_into("<H", body, 0x20, configured)
    return bytes(body) + b"DIMM 0\0bank\0\0"


def test_plain_machine(tree):
    probed = read_ram(tree({"proc/meminfo": MEMINFO, "sys/firmware/dmi/tables/other": ""}))
    ram = probed.value
    assert (ram.total_bytes, ram.available_bytes) == (16 * MIB, 8 * MIB)
    assert (ram.swap_total_bytes, ram.swap_used_bytes) == (2 * MIB, MIB)
    assert (ram.limit_bytes, ram.kind) == (None, None)
    assert probed.unavailable["limit_bytes"] == "no limit is set"
    assert "only root" in probed.unavailable["kind"]


def test_cgroup_v2_limit_counts_what_is_left_below_it(tree):
    ram = read_ram(
        tree(
            {
                "proc/meminfo": MEMINFO,
                "proc/mounts": "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n",
                "proc/self/cgroup": "0::/job\n",
                "sys/fs/cgroup/job/memory.max": str(4 * MIB),
                "sys/fs/cgroup/job/memory.current": str(3 * MIB),
                "sys/fs/cgroup/job/memory.stat": f"anon 1\ninactive_file {MIB}\n",
            }
        )
    ).value
    assert (ram.limit_bytes, ram.available_bytes) == (4 * MIB, 2 * MIB)


def test_cgroup_v1_limit_and_its_word_for_none(tree):
    files = {
        "proc/meminfo": MEMINFO,
        "proc/mounts": "cgroup /sys/fs/cgroup/memory cgroup rw,memory 0 0\n",
        "proc/self/cgroup": "7:memory:/\n0::/\n",
        "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712",
    }
    root = tree(files)
    assert read_ram(root).value.limit_bytes is None
    (root / "sys/fs/cgroup/memory/memory.limit_in_bytes").write_text(str(5 * MIB))
    assert read_ram(root).value.limit_bytes == 5 * MIB


def test_modules_from_udev_without_root(tree):
    facts = {"TYPE": "DDR5", "SPEED_MTS": "5600", "CONFIGURED_SPEED_MTS": "4800"}
    udev = "I:1\n" + "".join(f"E:MEMORY_DEVICE_0_{name}={value}\n" for name, value in facts.items())
    ram = read_ram(tree({"proc/meminfo": MEMINFO, "run/udev/data/+dmi:id": udev})).value
    assert (ram.kind, ram.speed_mts) == ("DDR5", 4800)


def test_modules_from_the_firmware_table(tree):
    bios = bytes((0, 24)) + bytes(22) + b"Maker\0\0"
    empty_slot = module(size=0, configured=1)
    ram = read_ram(tree({"proc/meminfo": MEMINFO, "sys/firmware/dmi/tables/DMI": bios + empty_slot + module()})).value
    assert (ram.kind, ram.speed_mts) == ("DDR4", 2666)


def test_slowest_module_counts():
    assert smbios.from_table(module(configured=3200) + module(configured=2400)).speed_mts == 2400
    assert smbios.from_table(module(configured=0xFFFF)).speed_mts == 3200


@given(st.binary(max_size=300))
def test_any_table_is_read_without_failing(table):
    smbios.from_table(table)


def test_nothing_to_read(tree):
    probed = read_ram(tree({"proc/x": ""}))
    assert probed.value.total_bytes is None
    assert probed.unavailable["total_bytes"]


def test_this_machine():
    ram = read_ram().value
    assert ram.total_bytes > ram.available_bytes > 0
