"""Refined predictions against measured truth: compiled without running (XLA on), probed and scaled (XLA off).

    python -m studies.accuracy.refine [--json]            rows of our own below, truth measured now
    python -m studies.accuracy.refine --stored            every row with a truth in memory_truth.csv, nothing measured
    python -m studies.accuracy.refine --only vit --xla on
    python -m studies.accuracy.refine --times 16          probe a sixteenth of each batch (but 4 at least)

Truth as in `studies.accuracy.memory`.  All rows are predicted, from their graphs alone, before the first is
refined, and no row knows what another one's probe has found; ``seconds`` is the whole child, loading TensorFlow
included, after the graph has been traced, and ``ms`` one answer after that.  Rows that this very program has
finished before are not repeated (unless ``--anew``), so an interrupted table goes on where it stopped; with
``--kept`` rows that an older version finished count too.
"""

from __future__ import annotations

import shutil
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from app.core.predict.estimate import Estimator
from app.core.predict.knowledge import Knowledge
from app.core.types.errors import WillItTrainError
from app.core.types.predicted_memory import PredictedMemory
from app.core.types.units import MIB
from app.core.types.workload import Workload
from app.services.advisor import Advisor
from app.services.store.history import History
from app.services.store.refined_store import PROBED_SHARE, RefinedStore
from studies.accuracy import truth
from studies.accuracy.command import figures_table, finish, parser, percent, signed, table
from studies.accuracy.figures import Pair, summary
from studies.accuracy.kept import Kept, program_digest
from studies.accuracy.memory_rows import Row, rows
from studies.accuracy.product import graph_of, open_advisor, say

_OWN = """
conv1d            -         1   adam      float32        on
conv1d            -         64  sgd       float32        on
autoencoder       -         4   rmsprop   float32        on
autoencoder       -         64  lion      float32        on
autoencoder       -         16  adam      mixed_bfloat16 on
attention         -         2   adam      float32        on
attention         -         32  adafactor float32        on
two_inputs        -         1   adamw     float32        on
two_inputs        -         64  sgd       float32        on
two_inputs        -         16  adam      mixed_float16  on
vit_small         96x96x3   4   adam      mixed_bfloat16 on
vit_small         96x96x3   32  lion      float32        on
gru_2             -         16  adam      float32        on
gru_2             -         64  rmsprop   float32        on
mobilenetv3small  128x128x3 32  adamw     float32        on
vgg19             96x96x3   2   sgd       float32        on
vgg19             96x96x3   32  adam      float32        on
resnet50v2        96x96x3   32  sgd       float32        on
srresnet          24x24x3   4   adam      float32        on
fashion_mnist_cnn -         1   adam      float32        on
fashion_mnist_cnn -         256 rmsprop   float32        on
fashion_mnist_cnn -         64  adam      mixed_float16  on
fashion_mnist_cnn -         256 adam      float32        off
conv1d            -         64  adam      float32        off
autoencoder       -         64  adam      float32        off
attention         -         32  adamw     float32        off
two_inputs        -         64  adam      float32        off
gru_2             -         64  adam      float32        off
vit_small         96x96x3   32  adam      float32        off
resnet50v2        96x96x3   64  adam      float32        off
"""
LARGE_BYTES = 50e6
SCALED = 2


@dataclass(frozen=True)
class Refinement:
    """One row: truth, what was predicted from the graph, what the refinement says and what it took."""

    row: Row
    traced: Pair
    refined: Pair
    lowest_bytes: int
    times: float | None
    """By how much the batch is larger than the probe's; None if it was compiled."""
    seconds: float
    answer_s: float


def main() -> None:
    """Refine, measure, compare."""
    options = parser(__doc__)
    options.add_argument("--stored", action="store_true", help="rows with a stored truth; measure nothing")
    options.add_argument("--repeats", type=int, default=2, help="fresh processes for each truth")
    options.add_argument("--only", default="", metavar="TEXT", help="only rows whose network holds TEXT")
    options.add_argument("--xla", choices=("on", "off"), help="only one of both")
    options.add_argument("--times", type=int, default=PROBED_SHARE, help="how much smaller a probe's batch is")
    options.add_argument("--kept", action="store_true", help="use rows that older versions finished")
    options.add_argument("--anew", action="store_true", help="repeat rows that are finished")
    options.add_argument("--group", choices=("open", "held"), help="with --stored: only one half of the networks")
    given = options.parse_args()
    candidates = rows() if given.stored else own_rows()
    known = truth.load() if given.stored else {}
    wanted = [
        r
        for r in candidates
        if given.only in r.network
        and given.xla in (None, r.xla)
        and given.group in (None, r.group)
        and (r.key in known or not given.stored)
    ]
    advisor = open_advisor()
    kept = Kept(f"refine-{given.times}")
    found, left = [], []
    for row in wanted:
        done = None if given.anew else kept.get(row.key)
        if done is not None and (given.kept or done["program"] == program_digest()):
            found.append(_read(row, done))
        elif (memory := _predicted(advisor, row)) is not None:
            left.append((row, memory))
    for row, before in left:
        try:
            measured = known.get(row.key) or _measured(row, given.repeats)
            refinement = _refine(advisor, row, before, measured, given.times)
        except (WillItTrainError, truth.MeasureFailed) as error:
            say(f"{row.label} xla {row.xla} {row.extra}: {error}")
            continue
        kept.put(row.key, {**asdict(refinement), "program": program_digest()})
        found.append(refinement)
    finish(answer_of(found), as_json=given.json, tables=(rows_table(found), groups_table(found)))


def _read(row: Row, done: dict[str, Any]) -> Refinement:
    """A row that was finished before."""
    traced, refined = (Pair(**done[name]) for name in ("traced", "refined"))
    return Refinement(row, traced, refined, done["lowest_bytes"], done["times"], done["seconds"], done["answer_s"])


def _measured(row: Row, repeats: int) -> truth.Truth:
    """The truth of a row of our own; it stays true for other versions of this program."""
    kept = Kept("refine-truth")
    key = (*row.key, truth.wanted_repeats(row, repeats))
    done = kept.get(key)
    if done is None:
        done = asdict(truth.measure(row, repeats))
        kept.put(key, done)
    return truth.Truth(**{**done, "row": row})


def own_rows() -> list[Row]:
    """Rows that need no stored truth: mostly with XLA, and large batches without."""
    found = []
    for line in filter(str.strip, _OWN.splitlines()):
        network, shape, batch, optimizer, precision, xla = line.split()
        found.append(Row("open", network, shape, int(batch), optimizer, precision, xla))
    return found


def _predicted(advisor: Advisor, row: Row) -> PredictedMemory | None:
    """What is said of a row from its graph alone; None if it cannot be traced."""
    workload = row.workload()
    try:
        graph = graph_of(advisor, workload, row.label)
        return Estimator(graph).predict(workload, advisor.machine.read(), Knowledge()).memory
    except WillItTrainError as error:
        say(f"no prediction for {row.label} {row.extra}: {error}")
        return None


def _refine(advisor: Advisor, row: Row, before: PredictedMemory, measured: truth.Truth, times: int) -> Refinement:
    """Refine and predict again, knowing nothing of what was refined for other rows."""
    settings = advisor.settings
    folder = settings.cache_dir / "refined"
    shutil.rmtree(folder, ignore_errors=True)
    alone = Advisor(settings, History(settings.history_path))
    workload, machine = row.workload(), alone.machine.read()
    graph = graph_of(alone, workload, row.label)
    started = time.perf_counter()
    alone.predictor.refine(_probed_for(workload, times) if row.xla == "off" else workload, machine)
    ended = time.perf_counter()
    alone.predictor.predict(workload, machine, graph)
    answered = time.perf_counter()
    after = alone.predictor.predict(workload, machine, graph).memory
    answer_s = time.perf_counter() - answered
    traced, refined = (
        Pair(m.allocator_peak_bytes, measured.peak_bytes, m.low_bytes, m.high_bytes, measured.highest_bytes)
        for m in (before, after)
    )
    seconds = ended - started
    change = f"{signed(traced.error)} -> {signed(refined.error)}, " if row.group == "open" else ""
    say(f"{row.label} xla {row.xla} {row.extra}: {change}{seconds:.0f} s")
    return Refinement(row, traced, refined, measured.lowest_bytes, _times(row, folder), seconds, answer_s)


def _times(row: Row, folder: Path) -> float | None:
    """By how much a row's batch is larger than that of the one probe in the folder; None if it was compiled."""
    (path,) = folder.iterdir()
    found = RefinedStore(folder).load(path.name.partition(".")[0])
    return None if found is None or found.compiled else row.batch / found.batch_sizes[0]


def _probed_for(workload: Workload, times: int) -> Workload:
    """The workload at that batch size for which the probe is ``times`` smaller than this one's batch."""
    batch = max(1, workload.plan.batch_size * PROBED_SHARE // times)
    return replace(workload, plan=replace(workload.plan, batch_size=batch))


def answer_of(found: list[Refinement]) -> dict[str, object]:
    """Figures over all rows, for XLA on and off, and for steps above 50 MB."""
    groups = _groups(found)
    return {
        "table": "refine",
        **summary([f.refined for f in found]),
        "baselines": {"from the graph alone": summary([f.traced for f in found])["median_error"]},
        "groups": {name: summary([f.refined for f in members]) for name, members in groups.items() if members},
        "rows": [
            {
                "row": f.row.label,
                "xla": f.row.xla,
                "extra": f.row.extra,
                "truth_bytes": f.refined.truth,
                "predicted_bytes": f.traced.predicted,
                "refined_bytes": f.refined.predicted,
                "traced_error": f.traced.error,
                "error": f.refined.error,
                "inside": f.refined.inside,
                "low_bytes": f.refined.low,
                "high_bytes": f.refined.high,
                "times": f.times,
                "seconds": f.seconds,
                "answer_s": f.answer_s,
            }
            for f in found
            if f.row.group == "open"
        ],
    }


def _groups(found: list[Refinement]) -> dict[str, list[Refinement]]:
    """The rows by what was done for them: the calibrated ones count where they are above 50 MB and were scaled."""
    off = [f for f in found if f.row.xla == "off"]
    scaled = [f for f in off if f.refined.truth > LARGE_BYTES and (f.times or 0) >= SCALED]
    return {
        "XLA on": [f for f in found if f.row.xla == "on"],
        "XLA off": off,
        "XLA off, above 50 MB, 2 times and more": scaled,
        **{f"  of these {half}": [f for f in scaled if f.row.group == half] for half in ("open", "held")},
    }


def groups_table(found: list[Refinement]) -> str:
    """The figures by group, before and after."""
    figures = {}
    for name, members in _groups(found).items():
        figures[f"{name}, traced"] = summary([f.traced for f in members])
        figures[f"{name}, refined"] = summary([f.refined for f in members])
    return figures_table("before and after", figures)


def rows_table(found: list[Refinement]) -> str:
    """Every open row; of the held ones only figures are shown."""
    return table(
        "memory of one training step, MiB, open half",
        tuple("row XLA plan truth spread predicted error refined error inside times took ms".split()),
        [
            (
                f.row.label,
                f.row.xla,
                f.row.extra or f.row.precision,
                round(f.refined.truth / MIB, 1),
                percent((f.refined.highest or 0) / f.lowest_bytes - 1),
                round(f.traced.predicted / MIB, 1),
                signed(f.traced.error),
                round(f.refined.predicted / MIB, 1),
                signed(f.refined.error),
                f.refined.inside,
                f.times,
                round(f.seconds),
                round(1000 * f.answer_s, 1),
            )
            for f in found
            if f.row.group == "open"
        ],
    )


if __name__ == "__main__":
    main()
