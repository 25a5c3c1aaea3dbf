"""Fuzz everything that reads what somebody else wrote, for some minutes, and tell what broke.

::

    python -m tests.fuzz --minutes 10 [--only WORD] [--exact TARGET] [--json] [--atheris] [--seed 0]

Each target gets the same share of the time.  Each finding is printed with its input and counts once per kind of error
and place.  With ``--atheris`` a fuzzer that watches which code an input reaches (pip install atheris) makes up the
inputs, one target in a process of its own.  Ends with 1 if anything was found.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
import time
import traceback
from dataclasses import asdict

from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.fuzz.guided import run_guided
from tests.fuzz.tally import Tally
from tests.fuzz.target import Target
from tests.fuzz.targets import TARGETS

EXAMPLES = 400
"""In one turn of a target."""


def note(tally: Tally, given_input: object, error: BaseException) -> None:
    """Remember a kind of failure once."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    key = f"{type(error).__name__} at {place.filename.rpartition('/app/')[2]}:{place.lineno}"
    if key not in tally.found:
        tally.found[key] = f"{str(error)[:200]} | input {given_input!r:.600}"
        sys.stderr.write(f"FOUND {tally.target}: {key}\n      {tally.found[key]}\n")


def turn(target: Target, number: int, tally: Tally, until_s: float) -> None:
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
        try:
            target.check(value)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is a finding
            note(tally, value, error)

    examples()


def fuzz(target: Target, seconds: float, first_seed: int) -> Tally:
    """Rounds of examples for so long."""
    tally = Tally(target.name)
    started_s = time.monotonic()
    for number in itertools.count(first_seed):
        turn(target, number, tally, started_s + seconds)
        tally.seconds = time.monotonic() - started_s
        if tally.seconds > seconds:
            return tally
    raise AssertionError("the numbers have come to an end")


def main() -> int:
    """Answer the command line."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--minutes", type=float, default=1.0)
    options.add_argument("--only", default="", help="only targets whose name has this word")
    options.add_argument("--exact", default="", help="only the target of this name")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--atheris", action="store_true")
    options.add_argument("--json", action="store_true")
    wanted = options.parse_args()
    chosen = [t for t in TARGETS if wanted.only in t.name and wanted.exact in ("", t.name)]
    share_s = 60 * wanted.minutes / len(chosen)
    if wanted.atheris:
        tallies = [run_guided(target.name, share_s) for target in chosen]
    else:
        tallies = [fuzz(target, share_s, wanted.seed) for target in chosen]
    found = sum(len(tally.found) for tally in tallies)
    if wanted.json:
        sys.stdout.write(json.dumps({"table": "fuzz", "rows": [asdict(t) for t in tallies], "found": found}) + "\n")
    else:
        sys.stdout.writelines(f"{t.target:<20} {t.seconds:6.0f} s {t.inputs:9,} inputs  {t.words}\n" for t in tallies)
        sys.stdout.write(f"{sum(t.inputs for t in tallies):,} inputs: {found} kinds of failure\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
