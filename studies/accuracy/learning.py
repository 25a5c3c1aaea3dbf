"""Does more knowledge make a time better: nothing, rates, a refinement, one run, three, and these beside a load.

    python -m studies.accuracy.learning                 today's predictions from what was measured, side by side
    python -m studies.accuracy.learning --measure       measure first what is not there yet (18 minutes in all)
    python -m studies.accuracy.learning --data FOLDER   with another folder's ``learning_truth.jsonl``

Eight networks of different kinds that no other table has.  Each is run at one batch and told at a quarter of it and at
four times as much; truth is what `studies.accuracy.learning_child` found about the pieces that a stage has learnt from.
Twelve networks that nobody looked at are told before any run, and not printed one by one.
The product is asked as it is, on the machine as it was read then, with no more in its folders than the stage says.

The command fails, and says why, where a later stage is worse than an earlier one by more than the paired noise: in
the median over the rows, the error grew by more than the truth itself scattered between its rounds.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from app.core.predict.whole import chance_by
from app.core.types.basis import Range
from app.core.types.machine import Machine
from app.services.advisor import Advisor
from studies.accuracy.command import figures_table, finish, parser, percent, signed, table
from studies.accuracy.figures import Pair, percentile, share, summary
from studies.accuracy.learning_stages import STAGES, TAUGHT_BY, at, before_any_run, stages, told
from studies.accuracy.learning_truth import ASKED, NETWORKS, UNSEEN, Taken, Truth, batches, measure, workload_of
from studies.accuracy.product import graph_of, open_advisor

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
    unseen = list(_unseen(advisor, taken, machine)) if machine is not None else []
    answer = answer_of(rows, unseen)
    finish(answer, as_json=given.json, tables=(rows_table(rows), *stages_tables(answer)))
    if answer["worse"]:
        sys.exit("error: more knowledge was worse: " + "; ".join(answer["worse"]))


def _rows(advisor: Advisor, taken: Taken, machine: Machine, network: str) -> Iterator[Row]:
    """What every stage says of a network, beside the truth."""
    workload = workload_of(network, NETWORKS[network])
    graph = graph_of(advisor, workload, network)
    asked = batches(network, (ASKED[0], 1.0, ASKED[1]))
    truths = {batch: truth for batch in asked if (truth := taken.truth(network, batch)) is not None}
    pairs: dict[int, dict[str, Pair]] = {batch: {} for batch in truths}
    for stage, advised in stages(taken, machine, workload):
        for batch, truth in truths.items():
            then = taken.truth(network, batch, TAUGHT_BY.get(stage, ())) or truth
            pair = told(advised, machine, at(workload, batch), graph, then)
            if pair is not None:
                pairs[batch][stage] = pair
    for batch, truth in truths.items():
        yield Row(network, batch, pairs[batch], batch == NETWORKS[network], truth)


def _unseen(advisor: Advisor, taken: Taken, machine: Machine) -> Iterator[tuple[str, Pair]]:
    """What each stage says of a network that nobody looked at, for all their batches."""
    for network, asked in UNSEEN.items():
        workload = workload_of(network, asked[0])
        graph = graph_of(advisor, workload, network)
        for stage, advised in before_any_run(taken, machine, workload):
            for batch in asked:
                truth = taken.truth(network, batch)
                pair = None if truth is None else told(advised, machine, at(workload, batch), graph, truth)
                if pair is not None:
                    yield stage, pair


def answer_of(rows: list[Row], unseen: Sequence[tuple[str, Pair]] = ()) -> dict[str, Any]:
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
        "unseen": {
            stage: _figures([pair for name, pair in unseen if name == stage])
            for stage in STAGES
            if stage in dict(unseen)
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
    """As every command reports them, and how many deadlines were kept."""
    return {**summary(pairs), "deadlines_kept": share([_kept(pair) for pair in pairs])}


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


def stages_tables(answer: dict[str, Any]) -> Iterator[str]:
    """The figures of each stage, over batches that were not run, and over networks that nobody looked at."""
    more = {"done by the 90 % deadline": "deadlines_kept"}
    yield figures_table("stages, over a quarter and four times the batch that was run", answer["stages"], more)
    yield figures_table("networks that were not looked at, before any run", answer["unseen"], more)


if __name__ == "__main__":
    main()
