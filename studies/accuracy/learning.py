"""Does more knowledge make a time better: nothing, rates, a refinement, one run, three, and these beside a load.

    python -m studies.accuracy.learning                 today's predictions from what was measured, side by side
    python -m studies.accuracy.learning --measure       measure first what is not there yet (15 minutes in all)
    python -m studies.accuracy.learning --data FOLDER   with another folder's ``learning_truth.jsonl``

Eight networks of different kinds that no other table has.  Each is run at one batch and told at a quarter of it and at
four times as much; truth is what `studies.accuracy.learning_child` found about the pieces that a stage has learnt from.
The product is asked as it is, on the machine as it was read then, with no more in its folders than the stage says.

The command fails, and says why, where a later stage is worse than an earlier one by more than the paired noise: in
the median over the rows, the error grew by more than the truth itself scattered between its rounds.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from app.core.predict.whole import chance_by
from app.core.types.basis import Range
from app.core.types.machine import Machine
from app.core.types.stepgraph import StepGraph
from app.core.types.workload import Workload
from app.services.advisor import Advisor
from app.services.settings import Folders, Settings
from app.services.store.history import History
from studies.accuracy.command import finish, parser, percent, signed, table
from studies.accuracy.figures import Pair, percentile, share, summary
from studies.accuracy.learning_truth import (
    ALONE,
    ASKED,
    BESIDE,
    FARTHER,
    NETWORKS,
    REFINED,
    REFINED_BESIDE,
    RUN_BESIDE,
    RUNS,
    Taken,
    Truth,
    batches,
    measure,
    workload_of,
)
from studies.accuracy.product import graph_of, open_advisor

STAGES = (
    "none",
    "machine",
    "refine",
    "one run",
    "three runs",
    "refine, three runs",
    "machine beside load",
    "refine beside load",
    "run beside load",
    "load gone, one run",
)
NOT_WORSE = (
    ("none", "machine"),
    ("machine", "refine"),
    ("machine", "one run"),
    ("one run", "three runs"),
    ("three runs", "refine, three runs"),
    ("none", "machine beside load"),
    ("machine", "refine beside load"),
    ("machine", "run beside load"),
    ("machine", "load gone, one run"),
    ("one run", "load gone, one run"),
)
"""Pairs of stages of which the second knows more."""
TAUGHT_BY = {
    "refine": (REFINED,),
    "one run": RUNS[:1],
    "three runs": RUNS,
    "refine, three runs": (*RUNS, REFINED),
    "refine beside load": (REFINED_BESIDE,),
    "run beside load": (RUN_BESIDE,),
    "load gone, one run": RUNS[:1],
}
"""The pieces that a stage has learnt from, by number: its truth are the rounds before and after them, since the machine
is another one some minutes later.  The other stages know nothing of the network and are judged by all rounds."""


LIKELY = 0.9
"""Of the deadlines that are told with this probability as many should be kept."""


@dataclass(frozen=True)
class Row:
    """One network at one batch: what each stage told, and the truth with its scatter."""

    network: str
    batch: int
    told: dict[str, Pair]
    own: bool
    """The batch is the one that was run."""
    truth: Truth
    """Of all rounds."""

    @property
    def truth_s(self) -> float:
        """The true step."""
        return statistics.median(self.truth.step_s)

    @property
    def scatter(self) -> float:
        """Half the range of the middle of the rounds, relative."""
        low, high = (percentile(self.truth.step_s, share) or 0.0 for share in (0.25, 0.75))
        return (high - low) / self.truth_s / 2


def main() -> None:
    """Measure what is asked for, predict, compare; a later stage that is worse is a failure."""
    options = parser(__doc__)
    options.set_defaults(data=Path(__file__).parent)
    options.add_argument("--measure", action="store_true", help="measure what is not measured yet")
    options.add_argument("--fresh", action="store_true", help="with --measure: forget what was measured")
    options.add_argument("--minutes", type=float, default=20.0, help="with --measure: begin nothing after so long")
    given = options.parse_args()
    taken, advisor = Taken(given.data), open_advisor()
    if given.measure and given.fresh:
        taken.forget()
    if given.measure:
        measure(advisor, taken, time.monotonic() + 60 * given.minutes)
    machine = taken.machine()
    rows = [] if machine is None else [row for network in NETWORKS for row in _rows(advisor, taken, machine, network)]
    if not rows:
        sys.exit("error: nothing was measured; expected --measure and TensorFlow in this interpreter")
    answer = answer_of(rows)
    finish(answer, as_json=given.json, tables=(rows_table(rows), stages_table(answer)))
    if answer["worse"]:
        sys.exit("error: more knowledge was worse: " + "; ".join(answer["worse"]))


def _rows(advisor: Advisor, taken: Taken, machine: Machine, network: str) -> Iterator[Row]:
    """What every stage says of a network, beside the truth."""
    workload = workload_of(network, NETWORKS[network])
    graph = graph_of(advisor, workload, network)
    asked = batches(network, (ASKED[0], 1.0, ASKED[1]))
    truths = {batch: truth for batch in asked if (truth := taken.truth(network, batch)) is not None}
    told: dict[int, dict[str, Pair]] = {batch: {} for batch in truths}
    for stage, advised in _stages(taken, machine, workload):
        for batch, truth in truths.items():
            then = taken.truth(network, batch, TAUGHT_BY.get(stage, ())) or truth
            pair = _told(advised, machine, _at(workload, batch), graph, then)
            if pair is not None:
                told[batch][stage] = pair
    for batch, truth in truths.items():
        yield Row(network, batch, told[batch], batch == NETWORKS[network], truth)


def _stages(taken: Taken, machine: Machine, workload: Workload) -> Iterator[tuple[str, Advisor]]:
    """The product at every stage of knowledge that was measured."""
    network, batch = workload.model.name, workload.plan.batch_size
    with tempfile.TemporaryDirectory() as folder:
        knows = _Knowing(Path(folder, "alone"), taken, machine, workload)
        knows.glance()
        yield "none", knows.advisor
        if not knows.rates(ALONE):
            return
        yield "machine", knows.advisor
        if knows.run(batch, ALONE):
            yield "one run", knows.advisor
        if all(knows.run(other, ALONE) for other in batches(network, FARTHER)):
            yield "three runs", knows.advisor
            if knows.refined(ALONE):
                yield "refine, three runs", knows.advisor
        lessons: tuple[tuple[str, Callable[[_Knowing], bool]], ...] = (
            ("refine", lambda knows: knows.rates(ALONE) and knows.refined(ALONE)),
            ("machine beside load", lambda knows: knows.rates(BESIDE)),
            ("refine beside load", lambda knows: knows.rates(ALONE) and knows.refined(BESIDE)),
            ("run beside load", lambda knows: knows.rates(ALONE) and knows.run(batch, BESIDE)),
        )
        for stage, learn in lessons:
            knows = _Knowing(Path(folder, stage), taken, machine, workload)
            knows.glance()
            if learn(knows):
                yield stage, knows.advisor
        if knows.refined(BESIDE) and knows.run(batch, ALONE):
            yield "load gone, one run", knows.advisor


class _Knowing:
    """The product on a folder of its own, and what it is taught."""

    def __init__(self, folder: Path, taken: Taken, machine: Machine, workload: Workload) -> None:
        settings = Settings(folders=Folders(*(folder / name for name in ("data", "cache", "config"))))
        settings.history_path.parent.mkdir(parents=True)
        self.advisor = Advisor(settings, History(settings.history_path))
        self._taken, self._machine, self._workload = taken, machine, workload

    def glance(self) -> None:
        """What was seen of the processor."""
        seen = self._taken.glance()
        if seen is not None:
            self.advisor.machine.facts.keep_glance(self._machine, seen)

    def rates(self, where: str) -> bool:
        """What was measured of the machine, if it was."""
        known = self._taken.rates(where)
        if known is not None:
            self.advisor.machine.facts.keep_probe(self._machine, "cpu", known[0])
            self.advisor.machine.facts.keep_rates(self._machine, "cpu", known[1])
        return known is not None

    def refined(self, where: str) -> bool:
        """Likewise of a refinement."""
        answer = self._taken.refined(self._workload.model.name, where)
        if answer is not None:
            self.advisor.predictor.refinements.keep(self._workload, self._machine, answer["batch_sizes"][0], answer)
        return answer is not None

    def run(self, batch: int, where: str) -> bool:
        """Likewise of a run."""
        run = self._taken.run(self._workload.model.name, batch, where)
        if run is None or run.result.measurement is None:
            return False
        content = self.advisor.predictor.contents.digest(self._workload.model)
        work = _at(self._workload, batch)
        self.advisor.history.add(replace(run, run_id=0, created_at="", workload=work, content=content))
        return True


def _told(advisor: Advisor, machine: Machine, workload: Workload, graph: StepGraph, truth: Truth) -> Pair | None:
    """What the product says of a step; None if it says nothing."""
    found = advisor.predictor.predict(workload, machine, graph, brief=True).time
    if found.step_s is None:
        return None
    return Pair(found.step_s, statistics.median(truth.step_s), found.low_s, found.high_s)


def _at(workload: Workload, batch: int) -> Workload:
    """The same at another batch."""
    return replace(workload, plan=replace(workload.plan, batch_size=batch))


def answer_of(rows: list[Row]) -> dict[str, Any]:
    """The figures of each stage over the batches that were not run, and which stage is worse than an earlier one."""
    carried, own = [row for row in rows if not row.own], [row for row in rows if row.own]
    noise = statistics.median(row.scatter for row in rows)
    return {
        "table": "learning",
        **_figures([row.told["one run"] for row in carried if "one run" in row.told]),
        "networks": len({row.network for row in rows}),
        "paired_noise": noise,
        "own_batch": {
            stage: _figures([row.told[stage] for row in own if stage in row.told])
            for stage in STAGES
            if stage in _all(own)
        },
        "stages": {
            stage: _figures([row.told[stage] for row in carried if stage in row.told])
            for stage in STAGES
            if stage in _all(carried)
        },
        "worse": [words for pair in NOT_WORSE if (words := _worse(carried, *pair, noise))],
        "rows": [
            {
                "network": row.network,
                "batch": row.batch,
                "own": row.own,
                "truth_s": row.truth_s,
                "scatter": row.scatter,
                **{stage: {"error": pair.error, "inside": pair.inside} for stage, pair in row.told.items()},
            }
            for row in rows
        ],
    }


def _all(rows: list[Row]) -> set[str]:
    """Stages that any row knows."""
    return {stage for row in rows for stage in row.told}


def _figures(pairs: list[Pair]) -> dict[str, Any]:
    """The main ones."""
    found = summary(pairs)
    names = ("n", "median_error", "p95_error", "median_signed_error", "coverage")
    return {**{name: found[name] for name in names}, "deadlines_kept": share([_kept(pair) for pair in pairs])}


def _kept(pair: Pair) -> bool:
    """Was the truth over by the deadline that the product would have told as kept with a probability of `LIKELY`."""
    ends = (pair.predicted if end is None else end for end in (pair.low, pair.high))
    return chance_by(Range(pair.predicted, *ends), pair.truth) <= LIKELY


def growth(rows: list[Row], earlier: str, later: str) -> float | None:
    """By how much the error grew from one stage to another, the median over rows; None if no row has both.

    Both are judged by the later one's truth.
    """
    both = [(row.told[earlier], row.told[later]) for row in rows if {earlier, later} <= {*row.told}]
    grown = [abs(after.error) - abs(replace(before, truth=after.truth).error) for before, after in both]
    return statistics.median(grown) if grown else None


def _worse(rows: list[Row], earlier: str, later: str, noise: float) -> str:
    """In words, if a stage that knows more is worse; empty if it is not."""
    grown = growth(rows, earlier, later)
    if grown is None or grown <= noise:
        return ""
    return f"'{later}' is {percent(grown)} farther off than '{earlier}' (noise {percent(noise)})"


def rows_table(rows: list[Row]) -> str:
    """Every row."""
    return table(
        "error of the step time told, by stage of knowledge",
        ("network", "batch", "truth ms", "scatter", *STAGES),
        [
            (
                row.network,
                f"{row.batch}{' run' if row.own else ''}",
                round(1e3 * row.truth_s, 1),
                percent(row.scatter),
                *(_cell(row.told.get(stage)) for stage in STAGES),
            )
            for row in rows
        ],
    )


def _cell(pair: Pair | None) -> str:
    """An error, marked if the truth lies outside."""
    return "-" if pair is None else signed(pair.error) + ("" if pair.inside else " out")


def stages_table(answer: dict[str, Any]) -> str:
    """The figures of each stage, over batches that were not run."""
    return table(
        "stages, over a quarter and four times the batch that was run",
        ("stage", "n", "median", "p95", "signed", "inside", "done by the 90 % deadline"),
        [
            (
                stage,
                found["n"],
                percent(found["median_error"]),
                percent(found["p95_error"]),
                signed(found["median_signed_error"]),
                percent(found["coverage"]),
                percent(found["deadlines_kept"]),
            )
            for stage, found in answer["stages"].items()
        ],
    )


if __name__ == "__main__":
    main()
