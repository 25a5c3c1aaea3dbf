"""Predicted peak of the allocator against our own truth, on networks that nothing was developed with.

    python -m tests.accuracy.memory [--json]            today's prediction against the stored truth
    python -m tests.accuracy.memory --fresh 5           and five random rows measured again, as a check
    python -m tests.accuracy.memory --measure           measure the rows that have no truth (--all: every row)

Truth: one fresh process per configuration and repeat, three ``train_on_batch`` steps on one batch in
memory, highest peak of steps 2 and 3, median over the repeats (with accumulation a step is a whole round
up to the update).  It belongs to the machine, the threads
and the versions in ``memory_truth.csv``; predictions are made for the same number of threads.
"""

from __future__ import annotations

import random
import sys
from dataclasses import dataclass

from app.core.device import TargetDevice
from app.core.errors import WillItTrainError
from app.core.estimate import Estimator
from app.core.memory import predict_memory
from app.core.textbook import textbook_bytes
from app.core.units import MIB
from app.services.advisor import Advisor
from tests.accuracy import truth
from tests.accuracy.command import finish, parser, percent, signed, table
from tests.accuracy.figures import Pair, summary
from tests.accuracy.memory_rows import Row, rows
from tests.accuracy.product import graph_of, open_advisor, say


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
    options.add_argument("--measure", action="store_true", help="measure rows that have no stored truth")
    options.add_argument("--all", action="store_true", help="with --measure: measure every row again")
    options.add_argument("--repeats", type=int, default=2, help="fresh processes for each row")
    options.add_argument("--fresh", type=int, default=0, metavar="N", help="measure N random rows again and compare")
    options.add_argument("--only", default="", metavar="TEXT", help="only rows whose network holds TEXT")
    options.add_argument("--group", choices=("open", "held"), help="only one half of the networks")
    given = options.parse_args()
    wanted = [r for r in rows() if given.only in r.network and given.group in (None, r.group)]
    if given.measure:
        known = truth.load()
        truth.measure_all([r for r in wanted if given.all or r.key not in known], given.repeats, say)
    judged = judge(wanted)
    if not judged:
        sys.exit("error: no stored truth for these rows; expected some in memory_truth.csv (--measure takes it)")
    answer = answer_of(judged)
    if given.fresh:
        answer["fresh"] = measure_again(judged, given.fresh, given.repeats)
    finish(answer, as_json=given.json, tables=(rows_table(judged), groups_table(answer)))


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
    step = Estimator(graph).step_memory(plan, TargetDevice("CPU", None, threads))
    told = predict_memory(step, batch_size=plan.batch_size, context_bytes=0, host_process_bytes=0, cuda=False)
    formula = textbook_bytes(graph, batch_size=plan.batch_size, optimizer=plan.optimizer)
    pair = Pair(
        told.allocator_peak_bytes, measured.peak_bytes, told.low_bytes, told.high_bytes, measured.highest_bytes
    )
    return Judged(row, measured, pair, Pair(formula, measured.peak_bytes))


def answer_of(judged: list[Judged]) -> dict[str, object]:
    """The command's figures: over all rows, by kind of row and by group of networks."""
    groups = {kind: [j for j in judged if j.row.kind == kind] for kind in dict.fromkeys(j.row.kind for j in judged)}
    plain = groups.get("op by op", [])
    groups["op by op, open"] = [j for j in plain if j.row.group == "open"]
    groups["op by op, held"] = [j for j in plain if j.row.group == "held"]
    return {
        "table": "memory",
        **summary([j.pair for j in judged]),
        "baselines": {"textbook formula": summary([j.textbook for j in judged])["median_error"]},
        "groups": {kind: _with_formula(members) for kind, members in groups.items() if members},
        "truth_spread": summary([Pair(j.truth.highest_bytes, j.truth.lowest_bytes) for j in judged])["median_error"],
        "rows": [
            {
                "row": j.row.label, "kind": j.row.kind, "group": j.row.group, "truth_bytes": j.truth.peak_bytes,
                "predicted_bytes": j.pair.predicted, "error": j.pair.error, "inside": j.pair.inside,
                "textbook_error": j.textbook.error,
            }
            for j in judged
        ],
    }  # fmt: skip


def _with_formula(members: list[Judged]) -> dict[str, object]:
    """The figures of one group, the formula's beside them."""
    return {
        **summary([j.pair for j in members]),
        "textbook_median_error": summary([j.textbook for j in members])["median_error"],
    }


def measure_again(judged: list[Judged], count: int, repeats: int) -> list[dict[str, object]]:
    """Measure random rows anew: does the stored truth still hold here."""
    found = []
    for chosen in random.sample(judged, min(count, len(judged))):
        fresh = truth.measure(chosen.row, repeats)
        change = fresh.peak_bytes / chosen.truth.peak_bytes - 1
        error = chosen.pair.predicted / fresh.peak_bytes - 1
        say(f"{chosen.row.label} {chosen.row.extra}: truth {change:+.1%} against the stored, error now {error:+.1%}")
        found.append({"row": chosen.row.label, "truth_changed": change, "error": error})
    return found


def rows_table(judged: list[Judged]) -> str:
    """Every row."""
    return table(
        "memory of one training step, MiB",
        ("row", "kind", "group", "truth", "spread", "predicted", "error", "inside", "formula"),
        [
            (
                j.row.label, j.row.kind, j.row.group, round(j.truth.peak_bytes / MIB, 1),
                percent(j.truth.highest_bytes / j.truth.lowest_bytes - 1), round(j.pair.predicted / MIB, 1),
                signed(j.pair.error), j.pair.inside, signed(j.textbook.error),
            )
            for j in judged
        ],
    )  # fmt: skip


def groups_table(answer: dict[str, object]) -> str:
    """The figures by kind of row."""
    groups = answer["groups"]
    assert isinstance(groups, dict)
    return table(
        "by kind of row",
        ("rows", "n", "median", "signed", "p95", "worst", "coverage", "above high", "high/truth", "formula"),
        [
            (
                kind, g["n"], percent(g["median_error"]), signed(g["median_signed_error"]), percent(g["p95_error"]),
                percent(g["worst_error"]), percent(g["coverage"]), percent(g["truth_above_high"]),
                g["high_over_truth"], percent(g["textbook_median_error"]),
            )
            for kind, g in groups.items()
        ],
    )  # fmt: skip


if __name__ == "__main__":
    main()
