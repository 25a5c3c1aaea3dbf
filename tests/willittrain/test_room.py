"""What a process may still take, from recorded systems and from this one."""

from __future__ import annotations

from pathlib import Path

import psutil
import pytest

from willittrain.room import HostRoom

MIB = 1024**2


def write(root: Path, files: dict[str, str]) -> Path:
    """Files of a system."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def group(folder: str, limit: object, current: int, inactive: int) -> dict[str, str]:
    """The files of a group of cgroup v2."""
    files = {"memory.max": limit, "memory.current": current, "memory.stat": f"anon 1\ninactive_file {inactive}\n"}
    return {f"sys/fs/cgroup{folder}/{name}": f"{text}\n" for name, text in files.items()}


V2 = {"proc/mounts": "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n", "proc/self/cgroup": "0::/user/job\n"}
V1 = {
    "proc/mounts": "cgroup /sys/fs/cgroup/memory cgroup rw,memory 0 0\n",
    "proc/self/cgroup": "4:memory:/docker/1\n1:cpu:/x\n",
    "sys/fs/cgroup/memory/docker/1/memory.limit_in_bytes": f"{80 * MIB}",
    "sys/fs/cgroup/memory/docker/1/memory.usage_in_bytes": f"{50 * MIB}",
    "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712",
    "sys/fs/cgroup/memory/memory.usage_in_bytes": "1",
}


def test_the_tightest_group_counts_and_file_cache_is_free(tmp_path):
    inner, outer = group("/user/job", "max", 60 * MIB, 0), group("/user", 100 * MIB, 70 * MIB, 20 * MIB)
    room = HostRoom(root=write(tmp_path, {**V2, **inner, **outer})).read()
    assert (room.room_bytes, room.limit) == (50 * MIB, "container")


def test_the_older_groups_are_read_too(tmp_path):
    assert HostRoom(root=write(tmp_path, V1)).read().room_bytes == 30 * MIB


def test_without_groups_the_machine_or_a_given_limit_counts(tmp_path):
    held = psutil.Process().memory_info().rss
    room = HostRoom(held + 64 * MIB, tmp_path).read()
    assert room.limit == "given"
    assert room.room_bytes == pytest.approx(64 * MIB, abs=16 * MIB)
    assert room.used_bytes == pytest.approx(held, abs=16 * MIB)
    assert HostRoom(root=tmp_path).read().limit in ("machine", "address space")
