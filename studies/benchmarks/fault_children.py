"""Jobs that go wrong, each in its own way, run by the real worker; none of them needs a framework."""

from __future__ import annotations

import ctypes
import mmap
import os
import re
import runpy
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

from app.worker.channel import Channel

Arguments = dict[str, Any]
GIGABYTE = 10**9
FOREVER_S = 3217
"""Nobody else on the machine sleeps for exactly so long."""


def _steps(channel: Channel, count: int = 3) -> None:
    """A few steps, so that the parent knows how long one takes."""
    channel.phase("compile")
    channel.phase("measure")
    for step in range(count):
        time.sleep(0.06)
        channel.reading(step=step, step_s=0.06)


def _sleeper(new_session: bool) -> None:
    """A grandchild that would sleep for an hour."""
    command = [sys.executable, "-c", f"import time; time.sleep({FOREVER_S})"]
    subprocess.Popen(command, start_new_session=new_session, stdin=subprocess.DEVNULL)


def _stray() -> None:
    """A process that wants to be found by nobody: in a session of its own, without a variable or a file of ours."""
    ready, left = os.pipe()
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.closerange(0, 4096)
            os.execve("/bin/sleep", ["sleep", str(FOREVER_S)], {})
        os._exit(0)
    os.close(left)
    os.read(ready, 1)  # it has closed its end


def answers(arguments: Arguments, channel: Channel) -> Arguments:
    _steps(channel)
    return {}


def host_memory(arguments: Arguments, channel: Channel) -> Arguments:
    _steps(channel)
    return {"size": len(bytearray(1 << 60))}


def takes_memory(arguments: Arguments, channel: Channel) -> Arguments:
    _steps(channel)
    kept = []
    while True:
        kept.append(bytearray(16 << 20))
        time.sleep(0.01)


def grandchild_takes_memory(arguments: Arguments, channel: Channel) -> Arguments:
    _steps(channel)
    code = "import time\nkept = []\nwhile True: kept.append(bytearray(16 << 20)); time.sleep(0.01)"
    subprocess.run([sys.executable, "-c", code], start_new_session=True, check=False)
    return {}


def daemon_takes_memory(arguments: Arguments, channel: Channel) -> Arguments:
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            kept = []
            while True:
                kept.append(bytearray(16 << 20))
                time.sleep(0.01)
        os._exit(0)
    _steps(channel)
    time.sleep(FOREVER_S)
    return {}


def killed(arguments: Arguments, channel: Channel) -> Arguments:
    _steps(channel)
    os.kill(os.getpid(), signal.SIGKILL)
    return {}


def touches_address_zero(arguments: Arguments, channel: Channel) -> Arguments:
    _steps(channel)
    return {"text": str(ctypes.string_at(0))}


def aborts(arguments: Arguments, channel: Channel) -> Arguments:
    _steps(channel)
    os.abort()


def reads_beyond_a_file(arguments: Arguments, channel: Channel) -> Arguments:
    _steps(channel)
    with tempfile.TemporaryFile() as file:
        file.truncate(1 << 20)
        view = mmap.mmap(file.fileno(), 1 << 20)
        file.truncate(0)
        return {"byte": view[1 << 19]}


def unknown_instruction(arguments: Arguments, channel: Channel) -> Arguments:
    _steps(channel)
    os.kill(os.getpid(), signal.SIGILL)
    return {}


def divides_by_zero(arguments: Arguments, channel: Channel) -> Arguments:
    _steps(channel)
    os.kill(os.getpid(), signal.SIGFPE)
    return {}


def check_failed_on_a_card(arguments: Arguments, channel: Channel) -> Arguments:
    _steps(channel)
    words = "F0000 00:00:00.000000 1 gpu.cc:1] Check failed: Alloc() CUDA_ERROR_OUT_OF_MEMORY: out of memory"
    print(words, file=sys.stderr, flush=True)
    os.abort()


def bad_alloc(arguments: Arguments, channel: Channel) -> Arguments:
    _steps(channel)
    print("terminate called ...\n  what():  std::bad_alloc", file=sys.stderr, flush=True)
    os.abort()


def told_to_end(arguments: Arguments, channel: Channel) -> Arguments:
    _steps(channel)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(FOREVER_S)
    return {}


def exits(arguments: Arguments, channel: Channel) -> Arguments:
    _steps(channel)
    sys.exit("the user's model called sys.exit")


def exits_at_once(arguments: Arguments, channel: Channel) -> Arguments:
    _steps(channel)
    os._exit(7)


def prints_garbage(arguments: Arguments, channel: Channel) -> Arguments:
    _steps(channel)
    for _ in range(200):
        print('{"v":1,"kind":"done","body":{}}', "\x00\xff garbage" * 50)
    os.write(1, b"\xff" * 65536)
    os.system("echo one from C")
    return {}


def writes_to_all_descriptors(arguments: Arguments, channel: Channel) -> Arguments:
    _steps(channel)
    for descriptor in range(3, 30):
        try:
            os.write(descriptor, b"garbage\n")
        except OSError:
            continue
    time.sleep(FOREVER_S)
    return {}


def closes_standard_output(arguments: Arguments, channel: Channel) -> Arguments:
    sys.stdout.close()
    os.close(1)
    _steps(channel)
    return {}


def closes_all_descriptors(arguments: Arguments, channel: Channel) -> Arguments:
    _steps(channel)
    os.closerange(0, 100)
    time.sleep(FOREVER_S)
    return {}


def answers_nan(arguments: Arguments, channel: Channel) -> Arguments:
    _steps(channel)
    return {"loss": float("nan")}


def floods_standard_error(arguments: Arguments, channel: Channel) -> Arguments:
    _steps(channel)
    for _ in range(800):
        os.write(2, b"z" * 65535 + b"\n")
    return {}


def sleeps_in_a_step(arguments: Arguments, channel: Channel) -> Arguments:
    _steps(channel)
    time.sleep(FOREVER_S)
    return {}


def hangs_in_c(arguments: Arguments, channel: Channel) -> Arguments:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    _steps(channel)
    return {"found": str(re.match(r"(a+)+$", "a" * 60 + "b"))}  # for years, with the interpreter locked


def stops_itself(arguments: Arguments, channel: Channel) -> Arguments:
    _steps(channel)
    os.kill(os.getpid(), signal.SIGSTOP)
    return {}


def compiles_forever(arguments: Arguments, channel: Channel) -> Arguments:
    channel.phase("compile")
    time.sleep(FOREVER_S)
    return {}


def forks(arguments: Arguments, channel: Channel) -> Arguments:
    if os.fork() == 0:
        time.sleep(FOREVER_S)
    _steps(channel)
    return {}


def leaves_a_daemon(arguments: Arguments, channel: Channel) -> Arguments:
    _sleeper(new_session=True)
    _steps(channel)
    return {}


def crashes_beside_a_daemon(arguments: Arguments, channel: Channel) -> Arguments:
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(FOREVER_S)
        os._exit(0)
    _steps(channel)
    os.abort()


def starts_twenty(arguments: Arguments, channel: Channel) -> Arguments:
    for number in range(20):
        _sleeper(new_session=number % 2 == 0)
    _steps(channel)
    time.sleep(FOREVER_S)
    return {}


def leaves_a_stray(arguments: Arguments, channel: Channel) -> Arguments:
    _stray()
    _steps(channel)
    return {}


def aborts_beside_a_stray(arguments: Arguments, channel: Channel) -> Arguments:
    _stray()
    _steps(channel)
    os.abort()


def killed_beside_a_stray(arguments: Arguments, channel: Channel) -> Arguments:
    _stray()
    return killed(arguments, channel)


def sleeps_beside_a_stray(arguments: Arguments, channel: Channel) -> Arguments:
    _stray()
    return sleeps_in_a_step(arguments, channel)


def leaves_one_that_forks_and_forks(arguments: Arguments, channel: Channel) -> Arguments:
    if os.fork() == 0:
        os.setsid()
        os.closerange(0, 4096)
        while True:
            if os.fork():
                os._exit(0)
    _steps(channel)
    return {}


def stray_takes_memory(arguments: Arguments, channel: Channel) -> Arguments:
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.closerange(0, 4096)
            code = "import time\nkept = []\nwhile True: kept.append(bytearray(16 << 20)); time.sleep(0.01)"
            os.execve(sys.executable, [sys.executable, "-c", code], {})
        os._exit(0)
    return sleeps_in_a_step(arguments, channel)


def user_code_raises(arguments: Arguments, channel: Channel) -> Arguments:
    _steps(channel)
    return dict(runpy.run_path(arguments["model"]["path"])["broken"]())


def user_data_raises(arguments: Arguments, channel: Channel) -> Arguments:
    _steps(channel)
    return dict(runpy.run_path(arguments["dataset"]["path"])["broken"]())


def killed_in(phase: str) -> Callable[[Arguments, Channel], Arguments]:
    """A job that is killed as soon as it reaches a phase."""

    def job(arguments: Arguments, channel: Channel) -> Arguments:
        for name in PHASES:
            channel.phase(name)
            if name == phase:
                os.kill(os.getpid(), signal.SIGKILL)
            channel.reading(step=1, step_s=0.01)
        return {}

    return job


PHASES = ("import", "build", "compile", "warm-up", "measure", "parts", "profile")
killed_in_import, killed_in_build, killed_in_compile, killed_in_warm_up, killed_in_measure, killed_in_parts = (
    killed_in(phase) for phase in PHASES[:-1]
)
killed_in_profile = killed_in(PHASES[-1])


def floods_standard_output(arguments: Arguments, channel: Channel) -> Arguments:
    """1 GB, most of it in short lines."""
    _steps(channel)
    for number in range(GIGABYTE // 65536):
        os.write(1, b"a line of some model\n" * 3120 + b"x" * 15 + b"\n")
        channel.reading(step=number, step_s=0.06)
    return {}


def steps_for_seconds(arguments: Arguments, channel: Channel) -> Arguments:
    """Long enough to be suspended in the middle."""
    channel.phase("measure")
    for step in range(80):
        time.sleep(0.05)
        channel.reading(step=step, step_s=0.05)
    return {}
