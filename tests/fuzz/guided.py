"""Fuzzing guided by coverage (https://github.com/google/atheris), where atheris is installed.

libFuzzer ends the process at the first finding, so each target has a process of its own, one after another.  The
targets are imported in there, while atheris watches what is imported of this program.
"""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tests.fuzz.tally import Tally

if TYPE_CHECKING:
    from tests.fuzz.target import Target

GRACE_S = 60


def run_guided(name: str, seconds: float) -> Tally:
    """Let atheris have a target for so long."""
    tally = Tally(name)
    command = [sys.executable, "-m", "tests.fuzz.guided", name, str(max(1, round(seconds)))]
    started_s = time.monotonic()
    try:
        # atheris writes the traceback of a finding to standard output, libFuzzer its counts to standard error.
        done = subprocess.run(
            command, check=False, timeout=seconds + GRACE_S, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        code, told = done.returncode, done.stdout.decode("utf-8", "replace")
    except subprocess.TimeoutExpired as error:
        code, told = -1, (error.stdout or b"").decode("utf-8", "replace")
    tally.seconds = time.monotonic() - started_s
    counts = re.findall(r"number_of_executed_units: (\d+)|^#(\d+)\t", told, re.MULTILINE)
    tally.inputs = int("".join(counts[-1])) if counts else 0
    if code:
        sys.stderr.write(told)
        tally.found[f"exit code {code}"] = told[-2000:]
    return tally


def main(name: str, seconds: str) -> None:
    """Let atheris feed one target; does not return."""
    import atheris  # type: ignore[import-not-found]

    with atheris.instrument_imports(include=["app"]):
        targets = importlib.import_module("tests.fuzz.targets")
        corpus = importlib.import_module("tests.fuzz.target").CORPUS
    target: Target = next(one for one in targets.TARGETS if one.name == name)
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        kept = [str(corpus / name)] if (corpus / name).is_dir() else []
        arguments = [
            sys.argv[0],
            f"-max_total_time={seconds}",
            "-rss_limit_mb=4096",
            "-timeout=20",
            "-print_final_stats=1",
            f"-artifact_prefix={tempfile.gettempdir()}/fuzz-{name}-",
            folder,
            *kept,
        ]
        atheris.Setup(arguments, target.check if target.raw else _from_bytes(target))
        atheris.Fuzz()


def _from_bytes(target: Target) -> Callable[[bytes], Any]:
    """A function that turns bytes into an input of the target's strategy and checks it."""
    from hypothesis import HealthCheck, given, settings

    @settings(database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(target.inputs)
    def examples(value: object) -> None:
        target.check(value)

    fuzz_one: Callable[[bytes], Any] = examples.hypothesis.fuzz_one_input  # type: ignore[attr-defined]
    return fuzz_one


if __name__ == "__main__":
    main(*sys.argv[1:])
