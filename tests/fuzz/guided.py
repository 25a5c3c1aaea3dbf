"""Fuzzing guided by coverage (https://github.com/google/atheris), where atheris is installed.

libFuzzer ends the process at the first finding, so each target has processes of its own, one after another.
"""

from __future__ import annotations

import multiprocessing
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from hypothesis import HealthCheck, given, settings

from tests.fuzz.targets import CORPUS, TARGETS, Target

GRACE_S = 30


def run_guided(targets: Sequence[Target], minutes: float) -> int:
    """Give each target its share of the time; returns 1 if one of them ended with a finding."""
    share_s = max(1, round(60 * minutes / len(targets)))
    found = []
    for target in targets:
        process = multiprocessing.get_context("spawn").Process(target=_guide, args=(target.name, share_s))
        process.start()
        process.join(share_s + GRACE_S)
        if process.is_alive():
            process.kill()
            process.join()
            found.append(f"{target.name}: hangs")
        elif process.exitcode:
            found.append(f"{target.name}: exit code {process.exitcode}; libFuzzer printed the input above")
    sys.stdout.write("\n".join(found or [f"{len(targets)} targets, {share_s} s each: nothing found"]) + "\n")
    return 1 if found else 0


def _guide(name: str, seconds: int) -> None:
    """Let atheris feed one target; runs in a process of its own and does not return."""
    import atheris  # type: ignore[import-not-found]

    target = next(one for one in TARGETS if one.name == name)
    atheris.instrument_all()
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        kept = [str(CORPUS / name)] if (CORPUS / name).is_dir() else []
        arguments = [sys.argv[0], f"-max_total_time={seconds}", "-rss_limit_mb=4096", "-timeout=20", "-verbosity=0",
                     f"-artifact_prefix={Path(folder).parent}/fuzz-{name}-", folder, *kept]  # fmt: skip
        atheris.Setup(arguments, target.check if target.raw else _from_bytes(target))
        atheris.Fuzz()


def _from_bytes(target: Target) -> object:
    """A function that turns bytes into an input of the target's strategy and checks it."""

    @settings(database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(target.inputs)
    def examples(value: object) -> None:
        target.check(value)

    return examples.hypothesis.fuzz_one_input  # type: ignore[attr-defined]
