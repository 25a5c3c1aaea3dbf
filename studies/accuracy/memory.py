"""Predicted peak of the allocator against our own truth, on networks that nothing was developed with.

    python -m studies.accuracy.memory [--json]            today's prediction against the stored truth
    python -m studies.accuracy.memory --group held        the half that is for checking only
    python -m studies.accuracy.memory --fresh 5           and five random rows measured again, as a check
    python -m studies.accuracy.memory --measure           measure the rows that have no truth (--all: every row)

Truth: one fresh process per configuration and repeat, three ``train_on_batch`` steps on one batch in
memory, highest peak of steps 2 and 3, median over three repeats; with XLA one repeat, whose peak has no
scatter (with accumulation a step is a whole round up to the update).  It belongs to the machine, the threads
and the versions in ``memory_truth.csv``; predictions are made for the same number of threads.

Rows of the held half are counted in figures of at least `FEWEST` rows and printed nowhere one by one, so that
nobody comes to know them.  ``above high``: share of rows whose highest truth lies above the interval ("fits",
and then it dies).  ``high/truth``: median of the interval's upper end over the truth.  ``formula``: median
error of the textbook formula.  ``spread``: the truth's own scatter, highest over lowest process, median.
"""

from __future__ import annotations

import random
import statistics
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from app.core.predict.memory import predict_memory
from app.core.predict.model_steps import ModelSteps
from app.core.predict.textbook import textbook_bytes
from app.core.simulate.device import TargetDevice
from app.core.types.errors import WillItTrainError
from app.core.types.units import MIB
from app.services.advisor import Advisor
from studies.accuracy import command, truth
from studies.accuracy.command import finish, parser, percent, signed, table
from studies.accuracy.figures import Pair, summary
from studies.accuracy.memory_rows import Row, rows
from studies.accuracy.product import graph_of, open_advisor, say

Figures = dict[str, float | int | None]
FEWEST = 3
"""Held rows that a figure needs at least, so that it does not give away a row."""


@dataclass(frozen=True)
class Judged:
    """A row with its truth, the prediction and the textbook formula's answer."""

    row: Row
    truth: truth.Truth
    pair: Pair
    textbook: Pair


def main() -> None:
    """Measure if asked, predict, compare."""
    options = parser(__doc__)
    options.add_argument("--measure", action="store_true", help="measure rows without a truth of so many processes")
    options.add_argument("--all", action="store_true", help="with --measure: measure every row again")
    options.add_argument("--repeats", type=int, default=3, help="fresh processes for each row")
    options.add_argument("--fresh", type=int, default=0, metavar="N", help="measure N random rows again and compare")
    options.add_argument("--only", default="", metavar="TEXT", help="only open rows whose network holds TEXT")
    options.add_argument("--group", choices=("open", "held"), help="only one half of the networks")
    given = options.parse_args()
    wanted = [r for r in rows() if given.only in r.network and given.group in (None, r.group)]
    if given.measure:
        truth.measure_all(wanted if given.all else truth.missing(wanted, given.repeats), given.repeats, say)
    if given.only:  # a figure over the rows of one held network would show them
        wanted = [r for r in wanted if r.group == "open"]
    judged = judge(wanted)
    if not judged:
        sys.exit("error: no open row with a stored truth; expected some in memory_truth.csv (--measure takes it)")
    answer = answer_of(judged, missing=len(wanted) - len(judged))
    if given.fresh:
        answer["fresh"] = measure_again(judged, given.fresh, given.repeats)
    shown = [j for j in judged if j.row.group == "open"]
    tables = [rows_table(shown)] if shown else []
    for title, name in (("by kind of row", "groups"), ("by family of network", "families")):
        tables.append(figures_table(title, answer[name]))
    finish(answer, as_json=given.json, tables=tables)


PARTS: dict[str, Callable[[Judged], bool]] = {
    ", open": lambda j: j.row.group == "open",
    ", held": lambda j: j.row.group == "held",
    ", held and drawn": lambda j: j.row.drawn,
}
"""Parts of the table by the ending of their names; the last are the rows of `studies.accuracy.memory_draw`."""


def judge(wanted: list[Row]) -> list[Judged]:
    """Predict every row that has a truth."""
    advisor = open_advisor()
    known = truth.load()
    found = []
    for row in wanted:
        measured = known.get(row.key)
        if measured is None:
            continue
        try:
            found.append(_judge(advisor, row, measured))
        except WillItTrainError as error:
            say(f"no prediction for {row.label} {row.extra}: {error}")
    return found


def _judge(advisor: Advisor, row: Row, measured: truth.Truth) -> Judged:
    """Predict one row."""
    workload = row.workload()
    plan = workload.plan
    graph = graph_of(advisor, workload, row.label)
    threads = int(measured.machine.rpartition(",")[2].split()[0])
    step = ModelSteps(graph).step_memory(plan, TargetDevice("CPU", None, threads))
    told = predict_memory(step, batch_size=plan.batch_size, context_bytes=0, host_process_bytes=0, cuda=False)
    formula = textbook_bytes(graph, batch_size=plan.batch_size, optimizer=plan.rule)
    pair = Pair(told.allocator_peak_bytes, measured.peak_bytes, told.low_bytes, told.high_bytes, measured.highest_bytes)
    return Judged(row, measured, pair, Pair(formula, measured.peak_bytes))


def answer_of(judged: list[Judged], *, missing: int) -> dict[str, Any]:
    """The command's figures: over all rows, by kind of row and by family of networks, for each half and for both."""
    return {
        "table": "memory",
        **summary([j.pair for j in judged]),
        "baselines": {"textbook formula": summary([j.textbook for j in judged])["median_error"]},
        "rows_without_answer": missing,
        "truth_spread": truth_spread(judged),
        "groups": figures_by(judged, lambda j: j.row.kind),
        "families": figures_by([j for j in judged if j.row.xla == "off"], lambda j: j.row.family),
        "rows": [
            {
                "row": j.row.label,
                "kind": j.row.kind,
                "group": j.row.group,
                "family": j.row.family,
                "truth_bytes": j.truth.peak_bytes,
                "predicted_bytes": j.pair.predicted,
                "error": j.pair.error,
                "inside": j.pair.inside,
                "textbook_error": j.textbook.error,
            }
            for j in judged
            if j.row.group == "open"
        ],
    }


def figures_by(judged: list[Judged], name_of: Callable[[Judged], str]) -> dict[str, Figures]:
    """Figures of the rows of one name, for each part of the table that has some.

    Held rows of names that have fewer than `FEWEST` of them are put together as "others", and left out if even
    those are fewer, because a figure over one or two rows is those rows.
    """
    found = {}
    for ending, belongs in PARTS.items():
        by_name: dict[str, list[Judged]] = {}
        for j in filter(belongs, judged):
            by_name.setdefault(name_of(j), []).append(j)
        few = [name for name, rows in by_name.items() if 0 < _held(rows) < FEWEST]
        others = [j for name in few for j in by_name.pop(name)]
        if _held(others) >= FEWEST:
            by_name["others"] = others
        found.update({name + ending: _with_formula(members) for name, members in by_name.items()})
    return found


def _held(judged: list[Judged]) -> int:
    """How many rows are of the held half."""
    return sum(j.row.group == "held" for j in judged)


def _with_formula(members: list[Judged]) -> Figures:
    """The figures of one group, the scatter of their truths and the formula's error beside them."""
    return {
        **summary([j.pair for j in members]),
        "truth_spread": truth_spread(members),
        "textbook_median_error": summary([j.textbook for j in members])["median_error"],
    }


def truth_spread(members: list[Judged]) -> float | None:
    """Median over the rows measured more than once of how far the highest process lies above the lowest."""
    spreads = [j.truth.highest_bytes / j.truth.lowest_bytes - 1 for j in members if j.truth.repeats > 1]
    return statistics.median(spreads) if spreads else None


def measure_again(judged: list[Judged], count: int, repeats: int) -> list[dict[str, object]]:
    """Measure random rows anew: does the stored truth still hold here; the error of open rows only."""
    found = []
    for chosen in random.sample(judged, min(count, len(judged))):
        fresh = truth.measure(chosen.row, repeats)
        change = fresh.peak_bytes / chosen.truth.peak_bytes - 1
        error = chosen.pair.predicted / fresh.peak_bytes - 1 if chosen.row.group == "open" else None
        say(f"{chosen.row.label} {chosen.row.extra}: truth {change:+.1%} against the stored, error now {signed(error)}")
        found.append({"row": chosen.row.label, "truth_changed": change, "error": error})
    return found


def rows_table(judged: list[Judged]) -> str:
    """Every open row."""
    return table(
        "memory of one training step, MiB, open half",
        ("row", "kind", "group", "truth", "spread", "predicted", "error", "inside", "formula"),
        [
            (
                j.row.label,
                j.row.kind,
                j.row.group,
                round(j.truth.peak_bytes / MIB, 1),
                percent(j.truth.highest_bytes / j.truth.lowest_bytes - 1),
                round(j.pair.predicted / MIB, 1),
                signed(j.pair.error),
                j.pair.inside,
                signed(j.textbook.error),
            )
            for j in judged
        ],
    )


def figures_table(title: str, figures: dict[str, Figures]) -> str:
    """Figures of groups of rows, with the formula's errors on them and the truth's own scatter."""
    more = {"formula": "textbook_median_error", "spread": "truth_spread"}
    return command.figures_table(title, dict(sorted(figures.items())), more)


if __name__ == "__main__":
    main()
