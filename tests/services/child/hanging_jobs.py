"""Jobs for real children of the tests: each misbehaves in its own way."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from typing import Any

from app.worker.channel import Channel, JobFailed


def echo(arguments: dict[str, Any], channel: Channel) -> dict[str, Any]:
    channel.phase("work")
    channel.progress(0.5, "half")
    channel.reading(step=1, step_s=0.25, peak_bytes=7)
    print("a stray print of the user's model")
    os.system("echo one from C")
    return arguments


def read_stdin(arguments: dict[str, Any], channel: Channel) -> dict[str, Any]:
    return {"read": sys.stdin.read()}


def obeys_cancel(arguments: dict[str, Any], channel: Channel) -> dict[str, Any]:
    channel.partial = {"steps": 3}
    channel.phase("measure")
    while True:
        channel.check()
        time.sleep(0.01)


def sleeps(arguments: dict[str, Any], channel: Channel) -> dict[str, Any]:
    channel.phase("asleep")
    time.sleep(300)
    return {}


def busy_in_c(arguments: dict[str, Any], channel: Channel) -> dict[str, Any]:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    channel.phase("busy")
    ctypes.PyDLL(None).sleep(300)  # PyDLL keeps the interpreter locked: no thread of Python runs
    return {}


def starts_another(arguments: dict[str, Any], channel: Channel) -> dict[str, Any]:
    other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)"])
    channel.progress(0.0, str(other.pid))
    time.sleep(300)
    return {}


def starts_a_daemon(arguments: dict[str, Any], channel: Channel) -> dict[str, Any]:
    code = "import time; time.sleep(300)"
    other = subprocess.Popen([sys.executable, "-c", code], start_new_session=True)
    channel.progress(0.0, str(other.pid))
    time.sleep(300)
    return {}


def fails(arguments: dict[str, Any], channel: Channel) -> dict[str, Any]:
    raise JobFailed("bad_dataset", "no pictures", hint="choose another folder", received="0 files")


def runs_out_of_memory(arguments: dict[str, Any], channel: Channel) -> dict[str, Any]:
    channel.phase("compile")
    raise MemoryError("Unable to allocate 2.00 GiB for an array")


def answers_nan(arguments: dict[str, Any], channel: Channel) -> dict[str, Any]:
    return {"loss": float("nan")}


def exits(arguments: dict[str, Any], channel: Channel) -> dict[str, Any]:
    sys.exit("the user's model called sys.exit")


def runs_a_file(arguments: dict[str, Any], channel: Channel) -> dict[str, Any]:
    import runpy

    runpy.run_path(arguments["model"]["path"])["model"]()
    return {}
