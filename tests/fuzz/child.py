"""One target in a process of its own, which has a limit of memory and of time: what grows or loops is a finding too.

``python -m tests.fuzz.child NAME SECONDS SEED FILE`` writes what came of it as JSON to standard output, and the input
that it is busy with to FILE, so that it can be told even if the process does not come back.
"""

from __future__ import annotations

import itertools
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from types import FrameType
from typing import BinaryIO, NoReturn

import psutil
from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.fuzz.tally import Tally
from tests.fuzz.target import Target

EXAMPLES = 400
"""In one turn of a target."""
INPUT_CPU_S = 10.0
"""For one input.  The largest are 64 MiB; the slowest honest parser takes a second for them."""
INPUT_BYTES = 512 * 2**20
"""By which one input may raise the most that the process ever held."""
MEMORY_BYTES = 3 * 2**30
"""Of the process with all that it imports."""
GRACE_S = 120.0
"""Of the processor, beyond its share: imports, and the last input.  And so long it may wait for something else."""
_POLL_S = 1.0
_SHOWN = 600
_COMES_BACK_S = 15.0
"""On a busy machine; reading takes milliseconds."""


class TooSlow(BaseException):
    """An input took all of its time; no `Exception`, so that no parser takes it for a bad file."""


def run_in_child(name: str, seconds: float, first_seed: int) -> Tally:
    """Let a process of its own have a target for so long."""
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        busy = Path(folder) / "input"
        busy.touch()
        command = [sys.executable, "-m", "tests.fuzz.child", name, str(seconds), str(first_seed), str(busy)]
        begun_s = time.monotonic()
        environment = {**os.environ, "TMPDIR": folder}
        with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
            told, ending = _outlived(process, seconds * (os.cpu_count() or 1))
        if process.returncode == 0:
            return Tally(**json.loads(told.splitlines()[-1]))
        last = busy.read_bytes()[:_SHOWN].decode("utf-8", "replace")
    sys.stderr.write(f"FOUND {name}: {ending}\n      input {last}\n")
    return Tally(name, seconds=time.monotonic() - begun_s, found={ending: f"input {last}"})


def _outlived(process: subprocess.Popen[bytes], cpu_s: float) -> tuple[bytes, str]:
    """What a child says before it ends, and how it ended; it is ended if it never would.

    Neither a busy machine nor one that was asleep counts: what the child has had of the processor does, and how often
    it was seen to wait for something else.
    """
    child = psutil.Process(process.pid)
    used_s, waited_s = 0.0, 0.0
    while True:
        with suppress(subprocess.TimeoutExpired):
            told, _ = process.communicate(timeout=_POLL_S)
            return told, f"exit code {process.returncode}"
        times, status = child.cpu_times(), child.status()
        if status in (psutil.STATUS_SLEEPING, psutil.STATUS_DISK_SLEEP) and times.user + times.system == used_s:
            waited_s += _POLL_S
        used_s = times.user + times.system
        if used_s > cpu_s + GRACE_S or waited_s > GRACE_S:
            process.kill()
            return process.communicate()[0], "did not come back"


def fuzz(target: Target, seconds: float, first_seed: int, busy: BinaryIO) -> Tally:
    """Rounds of examples for so long."""
    tally = Tally(target.name)
    if target.ready is not None:
        target.ready()
    begun_s = time.monotonic()
    for number in itertools.count(first_seed):
        _turn(target, number, tally, begun_s + seconds, busy)
        tally.seconds = time.monotonic() - begun_s
        if tally.seconds > seconds:
            return tally
    raise AssertionError("the numbers have come to an end")


def _turn(target: Target, number: int, tally: Tally, until_s: float, busy: BinaryIO) -> None:
    """One round of examples for a target; what breaks is noted and the round goes on."""

    @seed(number)
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(target.inputs)
    def examples(value: object) -> None:
        if time.monotonic() > until_s:
            return
        tally.inputs += 1
        busy.seek(0)
        busy.write(f"{value!r:.{_SHOWN}}\n".encode("utf-8", "replace"))
        busy.truncate()
        if target.may_not_end and not _ends(target, value):
            return
        before_bytes = _most_bytes()
        try:
            with limited_s(INPUT_CPU_S):
                target.check(value)
            if _most_bytes() - before_bytes > INPUT_BYTES:
                raise MemoryError(f"held {(_most_bytes() - before_bytes) >> 20} MiB more")
        except (Exception, TooSlow) as error:  # noqa: BLE001 - whatever it is, it is a finding
            _note(tally, value, error)

    examples()


def _ends(target: Target, value: object) -> bool:
    """Does the check come back at all?

    It is tried in a copy of this process, which has one thread; what it finds there is found again.
    """
    pid = os.fork()
    if pid == 0:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, _COMES_BACK_S)
        with suppress(Exception):
            target.check(value)
        os._exit(0)
    _, status = os.waitpid(pid, 0)
    return not (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM)


@contextmanager
def limited_s(cpu_s: float) -> Iterator[None]:
    """What is done within may take so much of the processor's time.

    Raises:
        TooSlow: It took more.
    """

    def end(_number: int, _frame: FrameType | None) -> NoReturn:
        raise TooSlow(f"more than {cpu_s:g} s")

    before: Callable[[int, FrameType | None], object] | int | None = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, cpu_s)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _note(tally: Tally, given_input: object, error: BaseException) -> None:
    """Remember a kind of failure once."""
    calls = traceback.extract_tb(error.__traceback__)
    place = next((c for c in reversed(calls) if "/app/" in c.filename), calls[-1])
    key = f"{type(error).__name__} at {place.filename.rpartition('/app/')[2]}:{place.lineno}"
    if key not in tally.found:
        tally.found[key] = f"{str(error)[:200]} | input {given_input!r:.{_SHOWN}}"
        sys.stderr.write(f"FOUND {tally.target}: {key}\n      {tally.found[key]}\n")


def _most_bytes() -> int:
    """The most memory that this process ever held."""
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return held if sys.platform == "darwin" else held * 1024


def main(name: str, seconds: str, first_seed: str, busy: str) -> None:
    """Fuzz one target and tell what came of it."""
    from tests.fuzz.targets import TARGETS

    target = next(one for one in TARGETS if one.name == name)
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with open(busy, "wb", buffering=0) as file:
        tally = fuzz(target, float(seconds), int(first_seed), file)
    sys.stdout.write(json.dumps(asdict(tally)) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
