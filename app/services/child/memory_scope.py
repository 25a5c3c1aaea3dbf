"""A memory limit that the kernel itself keeps, where a user may set one: a scope of systemd's user manager.

The second net under the guard (`warden`), which looks ten times a second and explains what it did: a child
that takes gigabytes between two looks meets the scope's limit, and the kernel ends the child and not the
desktop.  Needs Linux with control groups version 2, whose memory controller systemd has handed to the user
(so on the usual desktops since 2021), and no privileges.

``RLIMIT_AS`` and ``RLIMIT_DATA`` are no such net: each process has its own, so that what a child starts counts
for itself, and the first counts address space (TensorFlow 2.21 training a small network on a CPU: 1.9 GB mapped,
0.63 GB resident, 0.40 GB of it "data"; with CUDA the card's whole address range is mapped besides).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from app.probes.tree import ROOT, read_text
from app.services.child.start_place import found_program

HEADROOM = 1.05
"""The scope's limit over the guard's, so that the guard, which can say why, comes first."""
_TRY_S = 3.0


def in_scope(command: Sequence[str], limit_bytes: int | None, *, root: Path = ROOT) -> list[str]:
    """The command under a limit of the kernel's, or unchanged where there is none to be had.

    ``systemd-run --scope`` becomes the command: same process, same pipes.

    Args:
        command: Program and arguments.
        limit_bytes: What the guard allows; None for no limit.
        root: ``/``, or the root of a recorded Linux machine.
    """
    program = scope_program(os.environ, root) if limit_bytes is not None and shutil.which(command[0]) else None
    if program is None or limit_bytes is None or not _works(program):
        return list(command)
    limits = [f"MemoryMax={int(limit_bytes * HEADROOM)}", "MemorySwapMax=0"]
    return [*_scope(program), *(word for limit in limits for word in ("-p", limit)), "--", *command]


def scope_program(environment: Mapping[str, str], root: Path = ROOT) -> str | None:
    """``systemd-run``, if this user's manager runs and may limit memory."""
    runtime = environment.get("XDG_RUNTIME_DIR")
    if sys.platform != "linux" or not runtime or not (root / runtime.lstrip("/") / "systemd/private").exists():
        return None
    manager = root / f"sys/fs/cgroup/user.slice/user-{os.getuid()}.slice/user@{os.getuid()}.service"
    if "memory" not in (read_text(manager / "cgroup.controllers") or "").split():
        return None
    return found_program("systemd-run", environment)


def _scope(program: str) -> list[str]:
    """A scope that leaves nothing behind."""
    return [program, "--user", "--scope", "--quiet", "--collect"]


@cache
def _works(program: str) -> bool:
    """Can a scope be made?  A sandbox may show all the files and refuse all the same; asked once."""
    command = [*_scope(program), "-p", "MemoryMax=1G", "--", "true"]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=_TRY_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
