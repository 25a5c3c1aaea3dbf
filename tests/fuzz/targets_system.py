"""Fuzzed: what the system's tools and files say, what another Python answers, and the framework's profile."""

from __future__ import annotations

import struct
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from unittest.mock import patch

from hypothesis import strategies as st

from app.core.advising.variants import read_wishes
from app.core.types.errors import UsageError
from app.probes import amd, apple, battery, cgroup, cpu, disk, disk_other, intel, memory, oom_kills, smbios, windows_gpu
from app.probes.cpu_other import read_mac_cpu
from app.services.runtimes.find import Answer, answer_of
from app.worker.recording.requests import Log, read_log
from app.worker.recording.xspace import operations_of_instructions, read_space
from tests.fuzz.mutation import WILD_VALUES, mutated
from tests.fuzz.target import Target, of_bytes

SYSCTL = (
    b"machdep.cpu.brand_string: Apple M2\nhw.memsize: 17179869184\niogpu.wired_limit_mb: 0\nhw.physicalcpu: 8\n"
    b"hw.logicalcpu: 8\nhw.cpufrequency_max: 2400000000\nhw.l2cachesize: 4194304\n"
    b'"PerformanceStatistics" = {"In use system memory"=1234,"Device Utilization %"=5}\n"gpu-core-count" = 10\n'
)
PLIST = (
    b'<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict><key>BusProtocol</key><string>SATA</string>'
    b"<key>SolidState</key><true/></dict></plist>\n"
)
ANSWER = (
    b'{"path": "/usr/bin/python3", "prefix": "/usr", "version": "3.11.2", "bits": 64, "packages": {"keras": "3"},'
    b' "parts": ["venv"]}'
)
TREE: dict[str, bytes] = {
    "sys/bus/pci/devices/0000:03:00.0/class": b"0x030000\n",
    "sys/bus/pci/devices/0000:03:00.0/vendor": b"0x1002\n",
    "sys/bus/pci/devices/0000:03:00.0/device": b"0x744c\n",
    "sys/bus/pci/devices/0000:03:00.0/mem_info_vram_total": b"25753026560\n",
    "sys/bus/pci/devices/0000:03:00.0/mem_info_vram_used": b"1000000\n",
    "sys/bus/pci/devices/0000:03:00.0/pp_dpm_sclk": b"0: 500Mhz\n1: 2304Mhz *\n",
    "sys/bus/pci/devices/0000:03:00.0/current_link_speed": b"16.0 GT/s PCIe\n",
    "sys/bus/pci/devices/0000:03:00.0/current_link_width": b"16\n",
    "sys/bus/pci/devices/0000:03:00.0/hwmon/hwmon1/power1_cap": b"300000000\n",
    "sys/bus/pci/devices/0000:00:02.0/class": b"0x030000\n",
    "sys/bus/pci/devices/0000:00:02.0/vendor": b"0x8086\n",
    "sys/bus/pci/devices/0000:00:02.0/device": b"0x46a6\n",
    "sys/class/power_supply/BAT0/type": b"Battery\n",
    "sys/class/power_supply/BAT0/status": b"Discharging\n",
    "sys/class/power_supply/BAT0/capacity": b"55\n",
    "sys/devices/system/cpu/online": b"0-3\n",
    "sys/devices/system/cpu/possible": b"0-7\n",
    "sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq": b"3500000\n",
    "sys/devices/system/cpu/cpu0/cache/index0/level": b"1\n",
    "sys/devices/system/cpu/cpu0/cache/index0/size": b"32K\n",
    "sys/devices/system/cpu/cpu0/cache/index0/type": b"Data\n",
    "sys/devices/system/cpu/cpu0/topology/core_id": b"0\n",
    "proc/cpuinfo": b"processor\t: 0\nmodel name\t: Some CPU\nflags\t\t: avx avx2\ncpu cores\t: 2\nphysical id\t: 0\n",
    "proc/meminfo": b"MemTotal: 16384 kB\nMemAvailable: 8192 kB\nSwapTotal: 0 kB\nSwapFree: 0 kB\nCached: 5 kB\n",
    "proc/vmstat": b"oom_kill 3\npswpin 0\npswpout 0\n",
    "proc/mounts": b"cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n/dev/sda1 / ext4 rw 0 0\n",
    "proc/self/mountinfo": b"26 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n",
    "proc/self/cgroup": b"0::/user.slice\n",
    "sys/fs/cgroup/user.slice/memory.max": b"1073741824\n",
    "sys/fs/cgroup/user.slice/memory.current": b"1000\n",
    "sys/fs/cgroup/user.slice/memory.stat": b"inactive_file 10\n",
    "sys/fs/cgroup/user.slice/cpu.max": b"50000 100000\n",
    "run/udev/data/+dmi:id": b"E:MEMORY_DEVICE_0_TYPE=DDR4\nE:MEMORY_DEVICE_0_CONFIGURED_SPEED_MTS=3200\n",
    "usr/share/hwdata/pci.ids": b"1002  AMD\n\t744c  Navi 31 [Radeon RX 7900 XTX]\n8086  Intel\n",
}
MODULE = (
    b"\x11\x54\x10\x00"
    + bytes(8)
    + struct.pack("<H", 16384)
    + bytes(4)
    + b"\x1a"
    + bytes(2)
    + struct.pack("<H", 3200)
    + bytes(9)
    + struct.pack("<H", 2933)
    + bytes(50)
    + b"DIMM\0\0\x7f\x04\xff\xfe\0\0"
)


@st.composite
def strange_machine(draw: st.DrawFn) -> dict[str, bytes]:
    """A recorded Linux machine, some of its files changed or gone."""
    tree = dict(TREE)
    for name in draw(st.lists(st.sampled_from(sorted(tree)), min_size=1, max_size=5, unique=True)):
        tree[name] = draw(st.one_of(mutated([tree[name]]), st.just(b""), st.binary(max_size=6)))
    return tree


def linux_tree(tree: dict[str, bytes]) -> None:
    """A strange file of ``/proc`` or ``/sys`` is a reading that is not available."""
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        root = Path(folder)
        for name, content in tree.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(content)
        found = (
            amd.read_amd(root),
            intel.read_intel(root, ram_bytes=2**34),
            battery.read_battery(root),
            cgroup.cpu_quota(root),
            cgroup.memory_limit(root),
            cgroup.in_container(root),
            oom_kills.oom_kills(root),
            smbios.read_modules(root),
            cpu.read_cpu(root),
            memory.read_ram(root),
            disk.read_disks(root),
        )
    del found


def system_tools(content: bytes) -> None:
    """Whatever ``sysctl``, ``ioreg`` and ``diskutil`` print is read or not available."""
    text = content.decode("utf-8", "replace")

    def answer(_command: Sequence[str]) -> str:
        return text

    apple.read_apple(answer)
    read_mac_cpu(answer)
    disk_other.mac_kind("/", answer)
    smbios.from_udev(text)


def firmware_table(content: bytes) -> None:
    """A table of memory modules."""
    found = smbios.from_table(content)
    if found.speed_mts is not None and not 0 < found.speed_mts < 2**16:
        raise AssertionError(f"{found}")


def registry(adapters: list[dict[str, Any]]) -> None:
    """Adapters from the registry of Windows."""
    windows_gpu.from_registry(adapters, ram_bytes=2**34)


def other_python(content: bytes) -> None:
    """What a Python that is asked what it has says is understood, or it is no Python that works."""

    class Done:
        stdout, returncode = content, 0

    with patch("app.services.runtimes.find.subprocess.run", lambda *_args, **_options: Done):
        found = answer_of(sys.executable)
    if not isinstance(found, Answer | str):
        raise AssertionError(f"{found!r}")


def compared(text: str) -> None:
    """``--compare xla,threads=1,4``."""
    with suppress(UsageError):
        read_wishes([text])


def _message(*parts: tuple[int, bytes | int]) -> bytes:
    """A protocol buffer."""
    out = b""
    for number, value in parts:
        if isinstance(value, int):
            out += _varint(number << 3) + _varint(value)
        else:
            out += _varint(number << 3 | 2) + _varint(len(value)) + value
    return out


def _varint(value: int) -> bytes:
    """A number of variable length."""
    out = b""
    while value > 0x7F:
        out, value = out + bytes([value & 0x7F | 0x80]), value >> 7
    return out + bytes([value])


def _profile() -> bytes:
    """An XSpace: a plane with a thread, an allocation with facts, and a compiled program."""
    named = [
        _message((1, n), (2, _message((1, n), (2, name))))
        for n, name in enumerate((b"MemoryAllocation", b"MatMul", b"willittrain step"), 1)
    ]
    facts = [
        _message((1, n), (2, _message((1, n), (2, name))))
        for n, name in enumerate((b"addr", b"requested_bytes", b"tf_op", b"allocator_name"), 1)
    ]
    stats = [
        _message((1, 1), (3, 4096)),
        _message((1, 2), (3, 256)),
        _message((1, 3), (5, b"MatMul")),
        _message((1, 4), (7, 2)),
        b"\x08\x01\x11" + struct.pack("<d", 0.5),
    ]
    events = [_message((1, n), (2, 10 * n), (3, 5), *((4, s) for s in stats)) for n in (1, 2, 3)]
    line = _message((1, 7), (2, b"thread"), (3, 1000), *((4, e) for e in events))
    plane = _message((2, b"/host:CPU"), (3, line), *((4, n) for n in named), *((5, f) for f in facts))
    instruction = _message((1, b"fusion.1"), (7, _message((2, b"MatMul"))))
    program = _message((1, _message((3, _message((2, instruction))))))
    metadata = _message((2, b"/host:metadata"), (4, _message((1, 1), (2, _message((5, _message((6, program))))))))
    return _message((1, plane), (1, metadata))


def profile(content: bytes) -> None:
    """A profile of the framework is read, or is none."""
    wanted: Callable[[str, str], bool] = lambda _plane, _name: True  # noqa: E731
    reads: tuple[Callable[[], object], ...] = (
        lambda: list(read_space(content, wanted, frozenset({"addr", "requested_bytes", "tf_op", "allocator_name"}))),
        lambda: operations_of_instructions(content),
        lambda: read_log(content, Log(), on_gpu=True),
    )
    for read in reads:
        with suppress(ValueError):
            read()


ADAPTER = {
    "DriverDesc": "AMD Radeon",
    "MatchingDeviceId": r"pci\ven_1002&dev_744c",
    "HardwareInformation.qwMemorySize": 2**34,
}
ADAPTERS = st.lists(
    st.fixed_dictionaries(
        {},
        optional={
            k: st.one_of(st.just(v), st.sampled_from(WILD_VALUES), st.binary(max_size=9)) for k, v in ADAPTER.items()
        },
    ),
    max_size=3,
)
COMPARED = ("xla,threads", "threads=1,4", "precision=float32,mixed_float16,xla", "device=cpu,gpu:0", "data=none,ram")
SYSTEM_TARGETS: tuple[Target, ...] = (
    Target("linux_tree", strange_machine(), linux_tree),
    of_bytes("system_tools", [SYSCTL, PLIST], system_tools),
    of_bytes("firmware_table", [MODULE, MODULE + MODULE], firmware_table),
    Target("registry", ADAPTERS, registry),
    of_bytes("other_python", [ANSWER, b"warning: x\n" + ANSWER + b"\n"], other_python),
    Target(
        "compared",
        st.one_of(
            st.text(max_size=40), mutated([c.encode() for c in COMPARED]).map(lambda b: b.decode("utf-8", "replace"))
        ),
        compared,
    ),
    of_bytes("profile", [_profile()], profile),
)
