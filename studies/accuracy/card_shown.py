"""What TensorFlow's own counter shows of a card whose autotuners are on, beside what the program says it will show.

    python -m studies.accuracy.card_shown [--json]           the stored measurements
    python -m studies.accuracy.card_shown --measure 30       first measures rows without a truth, for 30 minutes

Autotuners try kernels with what room there is, so that ``get_memory_info(device)["peak"]`` holds more than a training
needs.  The first rows of the draw on small cards are trained with them, within the memory that the program says may
be used of the card.  ``shown``: the counter after the first step against ``shown_peak_bytes``; ``a step``: the peak of
a later epoch against what is told of one, to which the kernels that were chosen belong.  On the emulated card all
kernels take the same time, so that TensorFlow chooses the first that it tries: another may be chosen on a real one.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from app.core.types.units import MIB
from studies.accuracy import card_truth
from studies.accuracy.card_largest import small_rows, told_of
from studies.accuracy.card_rows import CardRow
from studies.accuracy.command import figures_table, finish, parser, signed, table
from studies.accuracy.figures import Pair, share, summary
from studies.accuracy.product import open_advisor
from studies.accuracy.truth_table import TruthTable

ROWS = 40
AUTOTUNED = TruthTable(
    Path(__file__).with_name("card_shown.csv"),
    key=card_truth.TRUTHS.key,
    answer=("steady_peak_bytes", "first_step_peak_bytes", "within_mib", *card_truth.VERSIONS),
)


@dataclass(frozen=True)
class Compared:
    """A row with its autotuners on, and as it is told."""

    row: CardRow
    shown: Pair
    step: Pair


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
    figures = groups(compared)
    finish(
        {
            "table": "card_shown",
            **summary([c.shown for c in compared]),
            "baselines": {},
            "groups": figures,
            "rows": [
                {"row": c.row.label, "shown_error": c.shown.error, "step_error": c.step.error, "inside": c.step.inside}
                for c in compared
                if c.row.group == "open"
            ],
        },
        as_json=given.json,
        tables=(rows_table(compared), figures_table("autotuners on", figures)),
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
        environment = card_truth.environment(driver, wheels, row.card)
        tuned = {name: value for name, value in environment.items() if name not in card_truth.NO_AUTOTUNING}
        found = card_truth.measured(row, str(python), tuned, version, str(limit_mib))
        if found is not None:
            AUTOTUNED.store({**AUTOTUNED.load(), row.key: {**found, "within_mib": limit_mib}})


def compare() -> Iterator[Compared]:
    """Every row that was measured."""
    truths, advisor = AUTOTUNED.load(), open_advisor()
    for row in small_rows(ROWS):
        if row.key not in truths:
            continue
        truth, told = truths[row.key], told_of(advisor, row)
        first, steady = (int(truth[name]) for name in ("first_step_peak_bytes", "steady_peak_bytes"))
        memory = told.memory
        yield Compared(
            row,
            Pair(told.shown_peak_bytes or 0, max(first, steady)),
            Pair(memory.allocator_peak_bytes, steady, memory.low_bytes, memory.high_bytes),
        )


def groups(compared: list[Compared]) -> dict[str, dict[str, float | int | None]]:
    """Figures by XLA and half; ``not less``: shares of rows of which at least as much is told as is shown."""
    found: dict[str, dict[str, float | int | None]] = {}
    for xla in ("off", "auto"):
        for half in ("open", "held"):
            members = [c for c in compared if (c.row.xla, c.row.group) == (xla, half)]
            if not members:
                continue
            shown = [c.shown for c in members]
            found[f"shown, XLA {xla}, {half}"] = {
                **summary(shown),
                "not_less": share([pair.predicted >= pair.truth for pair in shown]),
            }
            found[f"a step, XLA {xla}, {half}"] = summary([c.step for c in members])
    return found


def rows_table(compared: list[Compared]) -> str:
    """Every row that may be seen."""
    return table(
        "what TensorFlow's counter shows with autotuners on, MiB",
        ("row", "shown", "told", "error", "a step", "told", "error", "inside"),
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
            )
            for c in compared
            if c.row.group == "open"
        ],
    )


if __name__ == "__main__":
    main()
