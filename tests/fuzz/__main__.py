"""Fuzz everything that reads what somebody else wrote, for some minutes, and tell what broke, grew or took long.

::

    python -m tests.fuzz --minutes 10 [--only WORD] [--exact TARGET] [--json] [--atheris] [--seed 0]

Each target gets the same share of the time, in a process of its own.  Each finding is printed with its input and
counts once per kind of error and place.  With ``--atheris`` a fuzzer that watches which code an input reaches (pip
install atheris) makes up the inputs.  Ends with 1 if anything was found.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict

from tests.fuzz.child import run_in_child
from tests.fuzz.guided import run_guided
from tests.fuzz.targets import TARGETS


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
    tallies = []
    for target in chosen:
        name = target.name
        tally = run_guided(name, share_s) if wanted.atheris else run_in_child(name, share_s, wanted.seed)
        tallies.append(tally)
        line = f"{name:<20} {tally.seconds:6.0f} s {tally.inputs:9,} inputs  {tally.words}\n"
        (sys.stderr if wanted.json else sys.stdout).write(line)
        sys.stdout.flush()
    found = sum(len(tally.found) for tally in tallies)
    if wanted.json:
        sys.stdout.write(json.dumps({"table": "fuzz", "rows": [asdict(t) for t in tallies], "found": found}) + "\n")
    else:
        sys.stdout.write(f"{sum(t.inputs for t in tallies):,} inputs: {found} kinds of failure\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
