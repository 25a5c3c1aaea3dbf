"""The network is gone for a whole process, threads and children too; so it is where a stranger's file is built."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from tests.worker.building import ROOT
from tests.worker.models.own import hostile

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux") or platform.machine() not in ("x86_64", "aarch64"),
    reason="other systems have no such filter",
)

TRY = """
def refused(family=socket.AF_INET):
    try:
        socket.socket(family).close()
    except PermissionError:
        return True
    return False
"""

EVERYWHERE = f"""
import ctypes, os, socket, subprocess, sys, threading
from app.worker.no_network import without_network
{TRY}
begin, seen = threading.Event(), []
def older():
    begin.wait()
    seen.append(refused())
thread = threading.Thread(target=older)
thread.start()
seen.append(not refused())
seen.append(without_network())
begin.set()
thread.join()
seen += [refused(), refused(socket.AF_INET6), refused(socket.AF_UNIX), refused(socket.AF_NETLINK)]
kernel = ctypes.CDLL(None, use_errno=True)
seen.append(kernel.syscall(425, 1, 0) == -1 and ctypes.get_errno() == 13)
inherited = "import socket\\ntry: socket.socket()\\nexcept PermissionError: raise SystemExit(5)"
seen.append(subprocess.run([sys.executable, "-c", inherited]).returncode == 5)
for end in socket.socketpair():
    end.close()
seen.append(without_network())
print(seen)
"""

BUILD = f"""
import socket, sys
from app.core.types.workload import ModelRef
from app.worker.models.build import build
from tests.fakes.own_code import allowed
{TRY}
model = ModelRef("file", "net", sys.argv[1])
build(allowed(model) if int(sys.argv[2]) else model)
print(refused())
"""


SCAN = f"""
import socket, sys
from unittest.mock import MagicMock
from app.worker.scanning.scan import run
{TRY}
run({{"path": sys.argv[1], "memory_bytes": 2**33, "time_s": 60}}, MagicMock())
print(refused())
"""


def answer(script: str, *arguments: str) -> str:
    """What a script prints last in a process of its own."""
    environment = os.environ | {"PYTHONPATH": str(ROOT), "CUDA_VISIBLE_DEVICES": ""}
    command = [sys.executable, "-c", script, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=240, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.splitlines()[-1]


def test_no_socket_is_had_by_older_threads_children_or_the_kernels_ring():
    assert answer(EVERYWHERE) == str([True] * 10)


def test_whoever_looks_into_a_strangers_data_has_no_network(tmp_path: Path):
    (tmp_path / "rows.csv").write_text("a,b\n1,2\n3,4\n")
    assert answer(SCAN, str(tmp_path / "rows.csv")) == "True"


@pytest.mark.worker
@pytest.mark.parametrize("trusted", [False, True])
def test_whoever_builds_a_strangers_file_has_no_network(tmp_path: Path, trusted: bool):
    net = hostile.write(tmp_path / "net.keras", hostile.stack(hostile.layer("Dense", units=2, name="d")))
    assert answer(BUILD, str(net), str(int(trusted))) == str(not trusted)
