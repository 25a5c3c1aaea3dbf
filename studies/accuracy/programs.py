"""Whole programs, unmodified: does ``estimate FILE.py`` answer, and is its peak the bare program's own?

    python -m studies.accuracy.programs [--json]                      the stored answers in programs.csv
    python -m studies.accuracy.programs --ask [--only WORD]           asks anew about our own programs
    python -m studies.accuracy.programs --ask --measure --others DIR  asks and measures, those of others in DIR too

DIR holds a checkout ``owner+name`` of each repository of ``program_others.csv`` at the commit that stands there.
``--python`` is the Python that has what the programs import.  Downloads are answered with made-up files of the
documented shapes (`studies.accuracy.program_made_up`), for the bare program and for us alike.

``answered``: the share of the programs that train in bare Keras of which we tell a peak; a program is ``wrong`` if
its truth, the median of three processes, is outside the interval.  What does not train bare is counted apart.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.core.types.units import MIB
from app.services.file_lock import file_lock
from studies.accuracy.command import finish, parser, signed, table
from studies.accuracy.figures import Pair, share, summary
from studies.accuracy.product import own_folder, say
from studies.accuracy.program_rows import ProgramRow, others, own
from studies.accuracy.program_runs import asked, bare
from studies.accuracy.truth_table import TruthTable

REPEATS = 3
TOLD = ("why_refused", "told_bytes", "low_bytes", "high_bytes", "seconds")
TRUTH = (
    "why_not_bare",
    "peak_bytes",
    "highest_bytes",
    "reached_s",
    "repeats",
    "tensorflow",
    "keras",
    "machine",
    "date",
)
STORED = TruthTable(Path(__file__).with_name("programs.csv"), ("program",), (*TOLD, *TRUTH))


@dataclass(frozen=True)
class Outcome:
    """What came of one program.

    Attributes:
        name: Of the program.
        record: What is stored of it.
    """

    name: str
    record: dict[str, str]

    @property
    def trains(self) -> bool:
        """Does it train in bare Keras?"""
        return not self.record["why_not_bare"]

    @property
    def pair(self) -> Pair | None:
        """What was told and what is true; None if one of them is not there."""
        told, truth = self.record["told_bytes"], self.record["peak_bytes"]
        if not told or not truth:
            return None
        low, high = int(self.record["low_bytes"]), int(self.record["high_bytes"])
        return Pair(int(told), int(truth), low, high, int(self.record["highest_bytes"]))

    @property
    def word(self) -> str:
        """``answered``, ``wrong``, ``refused`` or ``does not train``."""
        if not self.trains:
            return "does not train"
        if not self.record["told_bytes"]:
            return "refused"
        return "wrong" if self.pair is not None and not self.pair.inside else "answered"


def main() -> None:
    """Ask and measure if that is wanted, then print what is stored."""
    options = parser(__doc__)
    options.add_argument("--others", type=Path, metavar="DIR", help="checkouts of the repositories of others")
    options.add_argument("--ask", action="store_true", help="ask the product anew")
    options.add_argument("--measure", action="store_true", help="measure bare programs that have no stored truth")
    options.add_argument("--repeats", type=int, default=REPEATS, help="processes for each truth")
    options.add_argument("--only", default="", metavar="WORD", help="programs with this in their name")
    options.add_argument("--python", default=sys.executable, help="the Python that has what the programs import")
    given = options.parse_args()
    rows = [*own(), *others()]
    named = [row for row in rows if row.name == given.only] or [row for row in rows if given.only in row.name]
    for row in named:
        if given.others or not row.repository:
            renew(row, given.others or Path(), os.path.abspath(given.python), given.repeats, given.ask, given.measure)
    known = STORED.load()
    outcomes = [Outcome(row.name, known[(row.name,)]) for row in rows if (row.name,) in known]
    if not outcomes:
        sys.exit("error: nothing is stored; expected some (--ask --measure)")
    finish(figures(outcomes), as_json=given.json, tables=[outcomes_table(outcomes)])


def renew(row: ProgramRow, folder: Path, python: str, repeats: int, ask: bool, measure: bool) -> None:
    """Ask about a program and measure it, as far as that is wanted, and store what came of it."""
    record = STORED.load().get((row.name,), dict.fromkeys((*TOLD, *TRUTH), ""))
    if ask:
        record |= told_of(asked(row, folder, python))
        say(f"{row.name}: {record['why_refused'] or record['told_bytes']} in {record['seconds']} s")
    if measure and (record["repeats"] or "0") < str(repeats):
        truth = bare(row, folder, python, repeats)
        record |= {name: str(truth.get(name, "")) for name in TRUTH} | {"why_not_bare": truth.get("why", "")}
        say(f"{row.name}: {record['why_not_bare'] or record['peak_bytes']} bare")
    if ask or measure:
        with file_lock(own_folder() / "programs.csv"):
            STORED.store(STORED.load() | {(row.name,): record})


def told_of(found: dict[str, Any]) -> dict[str, str]:
    """What is stored of an answer of ours."""
    memory = found.get("answer", {}).get("memory", {})
    numbers = {"told_bytes": "allocator_peak_bytes", "low_bytes": "low_bytes", "high_bytes": "high_bytes"}
    told = {name: str(memory.get(there, "")) for name, there in numbers.items()}
    return {"why_refused": found.get("why", ""), "seconds": str(found["seconds"]), **told}


def figures(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """The summary."""
    trained = [one for one in outcomes if one.trains]
    pairs = [one.pair for one in trained if one.pair is not None]
    late = [float(one.record["seconds"]) - float(one.record["reached_s"]) for one in trained if one.pair is not None]
    return {
        "table": "programs",
        **summary(pairs),
        "programs": len(outcomes),
        "do_not_train": len(outcomes) - len(trained),
        "answered": share([bool(one.record["told_bytes"]) for one in trained]),
        "median_seconds_behind_fit": sorted(late)[len(late) // 2] if late else None,
    }


def outcomes_table(outcomes: Sequence[Outcome]) -> str:
    """Every program."""
    return table(
        "whole programs, peaks in MiB",
        ("program", "outcome", "truth", "told", "error", "low", "high", "seconds", "to fit bare", "why"),
        [
            (
                one.name,
                one.word,
                *(_mib(one.record[name]) for name in ("peak_bytes", "told_bytes")),
                signed(one.pair.error if one.pair else None),
                *(_mib(one.record[name]) for name in ("low_bytes", "high_bytes")),
                one.record["seconds"],
                one.record["reached_s"] or None,
                (one.record["why_not_bare"] or one.record["why_refused"])[:160] or None,
            )
            for one in outcomes
        ],
    )


def _mib(cell: str) -> float | None:
    """Bytes of a cell in MiB."""
    return round(int(cell) / MIB, 1) if cell else None


if __name__ == "__main__":
    main()
