"""Memory with XLA on, predicted from the traced graph alone, against what compiling says.

    python -m studies.accuracy.memory_xla [--json]           the stored truth in xla_truth.csv
    python -m studies.accuracy.memory_xla --measure          compiles rows that have no stored truth (--all: every row)
    python -m studies.accuracy.memory_xla --only lstm

The truth is deterministic and needs no race to be repeated: the step is compiled and not run, and what it
asks of the allocator is replayed (`app.worker.refining.compiled`); against real runs that is within 0.6 %.
Rows of the group ``held`` are counted, never listed.

Steps of 16 bits on a processor have bounds instead of a prediction (`app.core.simulate.xla.widening`): they are a group
of their own, whose coverage counts, and are left out of the figures over all rows.
"""

from __future__ import annotations

import datetime
import json
import os
import statistics
import sys
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from app.core.predict.memory import predict_memory
from app.core.predict.model_steps import ModelSteps
from app.core.simulate.device import TargetDevice
from app.core.types.errors import WillItTrainError
from app.core.types.units import MIB
from app.services.advisor import Advisor
from studies.accuracy.command import figures_table, finish, parser, signed, table
from studies.accuracy.figures import Pair, summary
from studies.accuracy.product import graph_of, open_advisor, say
from studies.accuracy.truth_table import ChildFailed, TruthTable, ask_child
from studies.accuracy.xla_rows import XlaRow, rows

ENVIRONMENT = {"TF_CPU_ALLOCATOR_USE_BFC": "true", "TF_CPP_MIN_LOG_LEVEL": "2", "CUDA_VISIBLE_DEVICES": "-1"}
TRUTHS = TruthTable(
    Path(__file__).with_name("xla_truth.csv"),
    key=tuple(f.name for f in fields(XlaRow) if f.name != "group"),
    answer=("peak_bytes", "first_step_bytes", "tensorflow", "keras", "date"),
)
HOST_THREADS = 2
BOUNDED = "16 bits: bounds only"
"""The group of the rows that are not followed instruction by instruction."""


@dataclass(frozen=True)
class Judged:
    """A row, the prediction beside the truth, and the time that the first and a later answer took."""

    row: XlaRow
    pair: Pair
    first_s: float
    again_s: float


def main() -> None:
    """Compile if asked, predict, compare."""
    options = parser(__doc__)
    options.add_argument("--measure", action="store_true", help="compile rows that have no stored truth")
    options.add_argument("--all", action="store_true", help="with --measure: compile every row again")
    options.add_argument("--only", default="", metavar="TEXT", help="only rows whose network holds TEXT")
    options.add_argument("--group", choices=("open", "held"), help="only one half of the networks")
    given = options.parse_args()
    wanted = [r for r in rows() if given.only in r.network and given.group in (None, r.group)]
    if given.measure:
        measure_all([r for r in wanted if given.all or r.key not in TRUTHS.load()])
    judged = judge(wanted)
    if not judged:
        sys.exit("error: no stored truth for these rows; expected some in xla_truth.csv (--measure takes it)")
    finish(
        answer_of(judged),
        as_json=given.json,
        tables=(
            rows_table(judged),
            figures_table("by group", {n: summary([j.pair for j in g]) for n, g in _groups(judged).items()}),
        ),
    )


def measure_all(wanted: Iterable[XlaRow]) -> None:
    """Compile row by row; each truth is stored as soon as it is known."""
    for row in wanted:
        started = time.perf_counter()
        command = [sys.executable, "-m", "studies.accuracy.xla_truth_child", json.dumps(asdict(row))]
        try:
            found = ask_child(command, {**os.environ, **ENVIRONMENT})
        except ChildFailed as error:
            say(f"{row.label}: {error}")
            continue
        TRUTHS.store({**TRUTHS.load(), row.key: {**found, "date": datetime.date.today().isoformat()}})
        say(f"{row.label} compiled in {time.perf_counter() - started:.0f} s")


def judge(wanted: list[XlaRow]) -> list[Judged]:
    """Predict every row that has a truth."""
    advisor, known, found = open_advisor(), TRUTHS.load(), []
    for row in wanted:
        if row.key not in known:
            continue
        try:
            found.append(_judge(advisor, row, int(known[row.key]["peak_bytes"])))
        except WillItTrainError as error:
            say(f"no prediction for {row.label}: {error}")
    return found


def _judge(advisor: Advisor, row: XlaRow, truth_bytes: int) -> Judged:
    """Predict one row, and a second time for the neighbouring batch, as a slider would."""
    workload = row.workload()
    graph = graph_of(advisor, workload, row.label)
    started = time.perf_counter()
    step = ModelSteps(graph).step_memory(workload.plan, TargetDevice("CPU", None, HOST_THREADS))
    told = predict_memory(step, batch_size=row.batch, context_bytes=0, host_process_bytes=0, cuda=False)
    first_s = time.perf_counter() - started
    started = time.perf_counter()
    step.peak_bytes(row.batch + 1)
    again_s = time.perf_counter() - started
    return Judged(row, Pair(told.allocator_peak_bytes, truth_bytes, told.low_bytes, told.high_bytes), first_s, again_s)


def answer_of(judged: list[Judged]) -> dict[str, object]:
    """The command's figures, over all rows and by group; rows of the open group only."""
    return {
        "table": "memory_xla",
        **summary([j.pair for j in _followed(judged) or judged]),
        "baselines": {},
        "groups": {name: summary([j.pair for j in members]) for name, members in _groups(judged).items()},
        "first_s": statistics.median(j.first_s for j in judged),
        "again_s": statistics.median(j.again_s for j in judged),
        "worst_first_s": max(j.first_s for j in judged),
        "worst_again_s": max(j.again_s for j in judged),
        "rows": [
            {
                "row": j.row.label,
                "precision": j.row.precision,
                "truth_bytes": j.pair.truth,
                "predicted_bytes": j.pair.predicted,
                "error": j.pair.error,
                "inside": j.pair.inside,
            }
            for j in judged
            if j.row.group == "open"
        ],
    }


def _groups(judged: list[Judged]) -> dict[str, list[Judged]]:
    """Members of each half of the networks, and what has bounds only."""
    followed = _followed(judged)
    found = {name: [j for j in followed if j.row.group == name] for name in ("open", "held")}
    found[BOUNDED] = [j for j in judged if j not in followed]
    return {name: members for name, members in found.items() if members}


def _followed(judged: list[Judged]) -> list[Judged]:
    """The rows whose compilation is followed."""
    return [j for j in judged if j.row.precision == "float32"]


def rows_table(judged: list[Judged]) -> str:
    """Every open row."""
    return table(
        "memory of one compiled training step, MiB",
        ("row", "precision", "truth", "predicted", "error", "low", "high", "inside", "first ms", "again ms"),
        [
            (
                j.row.label,
                j.row.precision,
                round(j.pair.truth / MIB, 1),
                round(j.pair.predicted / MIB, 1),
                signed(j.pair.error),
                round((j.pair.low or 0) / MIB, 1),
                round((j.pair.high or 0) / MIB, 1),
                j.pair.inside,
                round(1000 * j.first_s),
                round(1000 * j.again_s, 2),
            )
            for j in judged
            if j.row.group == "open"
        ],
    )


if __name__ == "__main__":
    main()
