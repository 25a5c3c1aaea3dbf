"""What TensorFlow's own counter shows of a card whose autotuners are on, beside what the program says it will show.

    python -m studies.accuracy.card_shown [--json]           the stored measurements
    python -m studies.accuracy.card_shown --measure 30       first measures rows without a truth, for 30 minutes

Autotuners try kernels with what room there is, so that ``get_memory_info(device)["peak"]`` holds more than a training
needs.  The first rows of the draw on small cards are trained with them, within the memory that the program says may
be used of the card.

``shown``: the counter after the first step against ``shown_peak_bytes``; ``a step``: the peak of a later epoch against
what is told of one, to which the kernels that were chosen belong; ``largest``: the largest batch that trains so
(`card_largest` searches it), as in everybody's training: a kernel whose workspace finds no room is left out.  On the
emulated card all kernels take the same time, so that TensorFlow chooses the first that it tries: another may be chosen
on a real one.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass

from app.core.types.units import MIB
from studies.accuracy import card_truth
from studies.accuracy.card_judging import Figures, figures_of_largest
from studies.accuracy.card_largest import AUTOTUNED, small_rows, told_of
from studies.accuracy.card_rows import CardRow
from studies.accuracy.command import figures_table, finish, parser, signed, table
from studies.accuracy.figures import Pair, share, summary
from studies.accuracy.memory_card import largest_table
from studies.accuracy.product import open_advisor, say

ROWS = 40


@dataclass(frozen=True)
class Compared:
    """A row with its autotuners on, and as it is told."""

    row: CardRow
    shown: Pair
    step: Pair
    largest: Pair | None


def main() -> None:
    """Measure if asked, compare."""
    options = parser(__doc__)
    options.add_argument("--measure", type=float, metavar="MINUTES", help="measure rows that have no stored truth")
    given = options.parse_args()
    if given.measure is not None:
        measure(time.monotonic() + 60 * given.measure)
    compared = list(compare())
    if not compared:
        sys.exit("error: no row with autotuners is stored; expected some (--measure takes truths)")
    figures, largest = groups(compared), largest_by_group(compared)
    finish(
        {
            "table": "card_shown",
            **summary([c.shown for c in compared]),
            "baselines": {},
            "groups": figures,
            "largest_batch": largest,
            "rows": [
                {
                    "row": c.row.label,
                    "shown_error": c.shown.error,
                    "step_error": c.step.error,
                    "inside": c.step.inside,
                    "largest_batch_error": c.largest.error if c.largest else None,
                }
                for c in compared
                if c.row.group == "open"
            ],
        },
        as_json=given.json,
        tables=(rows_table(compared), figures_table("autotuners on", figures), largest_table(largest)),
    )


def measure(until_s: float) -> None:
    """Measure the rows that have no truth, each within what may be used of its card."""
    driver, python = card_truth.instrument()
    wheels, version, advisor = card_truth.wheels_of(python), card_truth.digest(driver), open_advisor()
    for row in small_rows(ROWS):
        if row.key in AUTOTUNED.load():
            continue
        if time.monotonic() > until_s:
            return
        limit_mib = (told_of(advisor, row).fit.allowed_bytes or 0) // MIB
        environment = card_truth.environment(driver, wheels, row.card, autotuned=True)
        found = card_truth.measured(row, str(python), environment, version, str(limit_mib))
        if found is not None:
            found |= {"largest_batch": "", "largest_within_mib": limit_mib}
            AUTOTUNED.store({**AUTOTUNED.load(), row.key: found})


def compare() -> Iterator[Compared]:
    """Every row that was measured."""
    truths, advisor = AUTOTUNED.load(), open_advisor()
    for row in small_rows(ROWS):
        if row.key not in truths:
            continue
        truth, told = truths[row.key], told_of(advisor, row)
        first, steady = (int(truth[name]) for name in ("first_step_peak_bytes", "steady_peak_bytes"))
        memory, largest = told.memory, truth["largest_batch"]
        if (told.fit.allowed_bytes or 0) // MIB != int(truth["largest_within_mib"]):
            say(f"{row.shown} was measured within {truth['largest_within_mib']} MiB, which is not what may be used now")
            continue
        yield Compared(
            row,
            Pair(told.shown_peak_bytes or 0, max(first, steady)),
            Pair(memory.allocator_peak_bytes, steady, memory.low_bytes, memory.high_bytes),
            Pair(told.fit.max_batch_size or 0, int(largest)) if largest else None,
        )


def groups(compared: list[Compared]) -> dict[str, Figures]:
    """Figures by XLA and half; ``not less``: shares of rows of which at least as much is told as is shown."""
    found: dict[str, Figures] = {}
    for name, members in by_group(compared).items():
        shown = [c.shown for c in members]
        enough = share([pair.predicted >= pair.truth for pair in shown])
        found[f"shown, {name}"] = {**summary(shown), "not_less": enough}
        found[f"a step, {name}"] = summary([c.step for c in members])
    return found


def largest_by_group(compared: list[Compared]) -> dict[str, Figures]:
    """Figures of the largest batch by XLA and half."""
    return {
        name: figures
        for name, members in by_group(compared).items()
        if (figures := figures_of_largest([c.largest for c in members if c.largest is not None]))["n"]
    }


def by_group(compared: list[Compared]) -> dict[str, list[Compared]]:
    """The rows by XLA and half."""
    found: dict[str, list[Compared]] = {}
    for c in compared:
        found.setdefault(f"XLA {c.row.xla}, {c.row.group}", []).append(c)
    return dict(sorted(found.items(), reverse=True))


def rows_table(compared: list[Compared]) -> str:
    """Every row that may be seen."""
    return table(
        "what TensorFlow's counter shows with autotuners on, MiB",
        ("row", "shown", "told", "error", "a step", "told", "error", "inside", "largest", "told", "error"),
        [
            (
                c.row.label,
                round(c.shown.truth / MIB, 1),
                round(c.shown.predicted / MIB, 1),
                signed(c.shown.error),
                round(c.step.truth / MIB, 1),
                round(c.step.predicted / MIB, 1),
                signed(c.step.error),
                c.step.inside,
                c.largest.truth if c.largest else None,
                c.largest.predicted if c.largest else None,
                signed(c.largest.error if c.largest else None),
            )
            for c in compared
            if c.row.group == "open"
        ],
    )


if __name__ == "__main__":
    main()
