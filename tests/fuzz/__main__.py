"""Fuzz everything that reads what somebody else wrote, for some minutes, and tell what broke.

::

    python -m tests.fuzz --minutes 10 [--only TARGET] [--json] [--atheris] [--seed 0]

Each finding is printed with its input and counts once per kind of error and place.  With ``--atheris`` a fuzzer that
watches which code an input reaches (pip install atheris) makes up the inputs, one target in a process of its own.
Ends with 1 if anything was found.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
import time
import traceback
from dataclasses import dataclass, field

from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.fuzz.guided import run_guided
from tests.fuzz.targets import TARGETS, Target

EXAMPLES = 400
"""In one turn of a target."""


@dataclass
class Findings:
    """What broke: target, error and place, with one input of each."""

    inputs: int = 0
    found: dict[str, str] = field(default_factory=dict)

    def note(self, target: Target, given_input: object, error: BaseException) -> None:
        """Remember a kind of failure once."""
        place = traceback.extract_tb(error.__traceback__)[-1]
        key = f"{target.name}: {type(error).__name__} at {place.filename.rpartition('/app/')[2]}:{place.lineno}"
        if key not in self.found:
            self.found[key] = f"{str(error)[:200]} | input {given_input!r:.600}"
            sys.stderr.write(f"FOUND {key}\n      {self.found[key]}\n")


def turn(target: Target, number: int, findings: Findings, until_s: float) -> None:
    """One round of examples for a target; what breaks is noted and the round goes on."""

    @seed(number)
    @settings(max_examples=EXAMPLES, deadline=None, database=None, phases=(Phase.generate,),
              suppress_health_check=list(HealthCheck))  # fmt: skip
    @given(target.inputs)
    def examples(value: object) -> None:
        if time.monotonic() > until_s:
            return
        findings.inputs += 1
        try:
            target.check(value)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is a finding
            findings.note(target, value, error)

    examples()


def main() -> int:
    """Answer the command line."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--minutes", type=float, default=1.0)
    options.add_argument("--only", default="", help="only targets whose name has this word")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--atheris", action="store_true")
    options.add_argument("--json", action="store_true")
    given_options = options.parse_args()
    chosen = [target for target in TARGETS if given_options.only in target.name]
    if given_options.atheris:
        return run_guided([target.name for target in chosen], given_options.minutes)
    findings = Findings()
    until_s = time.monotonic() + 60 * given_options.minutes
    for number in itertools.count(given_options.seed):
        for target in chosen:
            turn(target, number, findings, until_s)
        if time.monotonic() > until_s:
            break
    answer = {"inputs": findings.inputs, "minutes": given_options.minutes, "targets": len(chosen),
              "found": findings.found}  # fmt: skip
    text = f"{findings.inputs} inputs for {len(chosen)} targets: {len(findings.found)} kinds of failure"
    sys.stdout.write((json.dumps(answer, indent=2) if given_options.json else text) + "\n")
    return 1 if findings.found else 0


if __name__ == "__main__":
    sys.exit(main())
