"""Fuzzing guided by coverage (https://github.com/google/atheris), where atheris is installed.

libFuzzer ends the process at the first finding, so each target has a process of its own, one after another.  The
targets are imported in there, while atheris watches what is imported of this program.
"""

from __future__ import annotations

import importlib
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.fuzz.targets import Target

GRACE_S = 60


def run_guided(names: Sequence[str], minutes: float) -> int:
    """Give each target its share of the time; returns 1 if one of them ended with a finding."""
    share_s = max(1, round(60 * minutes / len(names)))
    found = []
    for name in names:
        command = [sys.executable, "-m", "tests.fuzz.guided", name, str(share_s)]
        try:
            code = subprocess.run(command, check=False, timeout=share_s + GRACE_S).returncode
        except subprocess.TimeoutExpired:
            code = -1
        if code:
            found.append(f"{name}: exit code {code}; the input is printed above")
    sys.stdout.write("\n".join(found or [f"{len(names)} targets, {share_s} s each: nothing found"]) + "\n")
    return 1 if found else 0


def main(name: str, seconds: str) -> None:
    """Let atheris feed one target; does not return."""
    import atheris  # type: ignore[import-not-found]

    with atheris.instrument_imports(include=["app"]):
        targets = importlib.import_module("tests.fuzz.targets")
    target: Target = next(one for one in targets.TARGETS if one.name == name)
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        kept = [str(targets.CORPUS / name)] if (targets.CORPUS / name).is_dir() else []
        arguments = [
            sys.argv[0], f"-max_total_time={seconds}", "-rss_limit_mb=4096", "-timeout=20", "-print_final_stats=1",
            f"-artifact_prefix={tempfile.gettempdir()}/fuzz-{name}-", folder, *kept,
        ]  # fmt: skip
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
