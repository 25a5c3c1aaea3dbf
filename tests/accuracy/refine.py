"""Refined predictions against measured truth: compiled without running (XLA on), probed and scaled (XLA off).

    python -m tests.accuracy.refine [--json]            six networks, batch 8 and 32, truth measured now
    python -m tests.accuracy.refine --stored            every row with a truth in memory_truth.csv, nothing measured
    python -m tests.accuracy.refine --only vit --xla on

Truth as in `tests.accuracy.memory`.  Every row is refined anew; ``seconds`` is the whole child, loading
TensorFlow included, after the graph has been traced.
"""

from __future__ import annotations

import itertools
import shutil
import time
from dataclasses import dataclass

from app.core.errors import WillItTrainError
from app.core.units import MIB
from app.services.advisor import Advisor
from tests.accuracy import truth
from tests.accuracy.command import finish, parser, percent, signed, table
from tests.accuracy.figures import Pair, summary
from tests.accuracy.memory_rows import Row, rows
from tests.accuracy.product import graph_of, open_advisor, say

NETWORKS = (
    ("fashion_mnist_cnn", "-"), ("resnet50v2", "96x96x3"), ("mobilenetv3small", "128x128x3"), ("vit_small", "96x96x3"),
    ("autoencoder", "-"), ("gru_2", "-"), ("vgg19", "96x96x3"),
)  # fmt: skip
BATCHES = (8, 32)


@dataclass(frozen=True)
class Refinement:
    """One row: truth, what was predicted from the graph, what the refinement says and what it took."""

    row: Row
    traced: Pair
    refined: Pair
    lowest_bytes: int
    seconds: float


def main() -> None:
    """Refine, measure, compare."""
    options = parser(__doc__)
    options.add_argument("--stored", action="store_true", help="rows with a stored truth; measure nothing")
    options.add_argument("--repeats", type=int, default=2, help="fresh processes for each truth")
    options.add_argument("--only", default="", metavar="TEXT", help="only rows whose network holds TEXT")
    options.add_argument("--xla", choices=("on", "off"), help="only one of both")
    options.add_argument("--group", choices=("open", "held"), help="with --stored: only one half of the networks")
    given = options.parse_args()
    candidates = rows() if given.stored else own_rows()
    wanted = [
        r for r in candidates
        if given.only in r.network and given.xla in (None, r.xla) and given.group in (None, r.group)
    ]  # fmt: skip
    advisor = open_advisor()
    shutil.rmtree(advisor.settings.cache_dir / "refined", ignore_errors=True)
    known = truth.load() if given.stored else {}
    found = []
    for row in wanted:
        if given.stored and row.key not in known:
            continue
        try:
            found.append(_refine(advisor, row, known.get(row.key) or truth.measure(row, given.repeats)))
        except (WillItTrainError, truth.MeasureFailed) as error:
            say(f"{row.label} xla {row.xla} {row.extra}: {error}")
    finish(answer_of(found), as_json=given.json, tables=(rows_table(found),))


def own_rows() -> list[Row]:
    """Networks with XLA on and off at two batch sizes."""
    return [
        Row("open", name, shape, batch, "adam", "float32", xla)
        for (name, shape), xla, batch in itertools.product(NETWORKS, ("on", "off"), BATCHES)
    ]


def _refine(advisor: Advisor, row: Row, measured: truth.Truth) -> Refinement:
    """Predict, refine and predict again."""
    workload, machine = row.workload(), advisor.machine()
    graph = graph_of(advisor, workload, row.label)
    before = advisor.estimate(workload, machine, graph).memory
    started = time.perf_counter()
    advisor.refine(workload, machine)
    seconds = time.perf_counter() - started
    after = advisor.estimate(workload, machine, graph).memory
    pairs = [
        Pair(m.allocator_peak_bytes, measured.peak_bytes, m.low_bytes, m.high_bytes, measured.highest_bytes)
        for m in (before, after)
    ]
    say(f"{row.label} xla {row.xla} {row.extra}: {signed(pairs[0].error)} -> {signed(pairs[1].error)}, {seconds:.0f} s")
    return Refinement(row, pairs[0], pairs[1], measured.lowest_bytes, seconds)


def answer_of(found: list[Refinement]) -> dict[str, object]:
    """Figures over all rows, for XLA on and off, and for steps above 50 MB."""
    large = [f for f in found if f.refined.truth > 50e6]
    groups = {
        "XLA on": [f for f in found if f.row.xla == "on"],
        "XLA off": [f for f in found if f.row.xla == "off"],
        "XLA off, above 50 MB": [f for f in large if f.row.xla == "off"],
    }
    return {
        "table": "refine",
        **summary([f.refined for f in found]),
        "baselines": {"from the graph alone": summary([f.traced for f in found])["median_error"]},
        "groups": {name: summary([f.refined for f in members]) for name, members in groups.items() if members},
        "rows": [
            {
                "row": f.row.label, "xla": f.row.xla, "extra": f.row.extra, "truth_bytes": f.refined.truth,
                "predicted_bytes": f.traced.predicted, "refined_bytes": f.refined.predicted,
                "error": f.refined.error, "inside": f.refined.inside, "seconds": f.seconds,
            }
            for f in found
        ],
    }  # fmt: skip


def rows_table(found: list[Refinement]) -> str:
    """Every row."""
    return table(
        "memory of one training step, MiB",
        ("row", "XLA", "plan", "truth", "spread", "predicted", "error", "refined", "error", "inside", "seconds"),
        [
            (
                f.row.label, f.row.xla, f.row.extra or f.row.precision, round(f.refined.truth / MIB, 1),
                percent((f.refined.highest or 0) / f.lowest_bytes - 1), round(f.traced.predicted / MIB, 1),
                signed(f.traced.error), round(f.refined.predicted / MIB, 1), signed(f.refined.error),
                f.refined.inside, round(f.seconds),
            )
            for f in found
        ],
    )  # fmt: skip


if __name__ == "__main__":
    main()
