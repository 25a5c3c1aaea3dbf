"""Predicted memory on cards, from the graph alone, against truths of cards.

    python -m studies.accuracy.memory_card [--json]          the stored truths in cards/*.csv
    python -m studies.accuracy.memory_card --data FOLDER     those of FOLDER/memory_card.csv (`card_folder`)
    python -m studies.accuracy.memory_card --measure 30      first measures rows without a truth, for 30 minutes
    python -m studies.accuracy.memory_card --measure 30 --again     those that have one, a second time

A card is asked about as the program's ``--on`` does: simulated, in place of this machine's own.  ``steady``: the
peak of a step, ``allocator_peak_bytes``; ``first``: up to the end of the first step; ``largest``: the largest batch
within what we say may be used of the card.  The stored truths come from an emulated card with autotuning off
(`studies.accuracy.card_truth`) and stand beside the versions that they belong to.

Rows that were measured twice (`card_truth.AGAIN`) tell how far the truth is from itself; what is told of the same rows
stands beside it.  ``above high``: share of truths above the interval ("fits", and then it dies).  ``high/truth``:
median of the interval's upper end over the truth.  Rows of the held half are counted in figures of a few rows at least
and printed nowhere one by one; rows without an answer are counted, and those that are not held named.
"""

from __future__ import annotations

import sys
import time
from dataclasses import replace

from app.core.types.errors import WillItTrainError
from app.core.types.stepgraph import StepGraph
from app.core.types.units import MIB
from app.core.types.workload import Workload
from app.services.advisor import Advisor
from studies.accuracy import card_folder, card_truth
from studies.accuracy.card_folder import Asked, Failed
from studies.accuracy.card_judging import WAYS, Answer, Figures, Judged, answer_of
from studies.accuracy.card_rows import WANTED, draw, in_order_of_measuring
from studies.accuracy.command import DEFAULT_DATA, figures_table, finish, parser, percent, signed, table
from studies.accuracy.product import open_advisor, say
from studies.accuracy.published import told_on_card

KINDS = {
    "3-D CNN": ("Conv3D", "Conv3DTranspose"),
    "recurrent": ("LSTM", "GRU", "SimpleRNN", "ConvLSTM2D", "Bidirectional", "RNN"),
    "transformer": ("MultiHeadAttention", "GroupedQueryAttention", "Attention"),
    "1-D CNN": ("Conv1D", "Conv1DTranspose"),
    "depthwise CNN": ("DepthwiseConv2D", "SeparableConv2D"),
    "U-net, generator": ("Conv2DTranspose", "UpSampling2D"),
    "2-D CNN": ("Conv2D",),
    "embedding": ("Embedding",),
    "MLP, mixer": ("Dense",),
}
"""A network's family where nobody says it: the first that has one of its layers."""


def main() -> None:
    """Measure if asked, predict, compare."""
    options = parser(__doc__)
    options.add_argument("--measure", type=float, metavar="MINUTES", help="measure rows that have no stored truth")
    options.add_argument("--again", action="store_true", help="with --measure: rows that have one, a second time")
    options.add_argument("--trust", action="store_true", help="models of FOLDER may run the code that they hold")
    given = options.parse_args()
    if given.measure is not None:
        measure(given.measure, again=given.again)
    own = given.data == DEFAULT_DATA
    asked, failed = card_folder.stored() if own else card_folder.of_folder(given.data)
    judged, unanswered = judge(asked, trust=given.trust)
    failed += unanswered
    if own:
        say(f"{len(asked)} of {WANTED} rows have a stored truth")
    for one in failed:
        say(f"no answer for {'a held row' if one.group == 'held' else f'{one.label}: {one.why}'}")
    if not judged:
        sys.exit("error: no row has both a truth and an answer; expected some (--measure takes truths)")
    answer = answer_of(judged, failed)
    shown = [j for j in judged if j.asked.group != "held"]
    tables = [rows_table(shown)] if shown else []
    tables += [figures_table(f"steady peak by {name}", answer[name]) for name in WAYS]
    if answer["again"]:
        tables.append(figures_table("steady peak of rows that were measured twice", answer["again"]))
    tables += [figures_table("first step", answer["first_step"]), largest_table(answer["largest_batch"])]
    finish(answer, as_json=given.json, tables=tables)


def measure(minutes: float, *, again: bool) -> None:
    """Measure rows of the draw that have no truth, or no second one, as long as that."""
    table = card_truth.AGAIN if again else card_truth.TRUTHS
    known = table.load()
    wanted = [row for row in in_order_of_measuring(draw()) if row.key not in known]
    card_truth.measure_all(wanted, time.monotonic() + 60 * minutes, table)


def judge(asked: list[Asked], *, trust: bool) -> tuple[list[Judged], list[Failed]]:
    """Predict every row; what has no answer is told with its reason."""
    advisor = open_advisor()
    judged, failed = [], []
    for row in asked:
        try:
            told = predict(advisor, row, trust=trust)
        except (WillItTrainError, OSError, ValueError) as error:
            failed.append(Failed(row.label, row.group, f"{type(error).__name__}: {error}"))
            continue
        if row.largest_within_mib not in (None, told.allowed_mib):
            searched = f"its largest batch was looked for within {row.largest_within_mib} MiB"
            failed.append(Failed(row.label, row.group, f"{searched}, and {told.allowed_mib} may be used now"))
            row = replace(row, largest_batch=None)
        judged.append(Judged(row, told))
    return judged, failed


def predict(advisor: Advisor, row: Asked, *, trust: bool) -> Answer:
    """What the program says of one row.

    Raises:
        WillItTrainError: The model cannot be found or built, or nobody knows the card.
    """
    workload = row.known or Workload(advisor.catalog.find_model(row.model, trust=trust), None, row.plan)
    told, graph = told_on_card(advisor, workload, row.card, row.label, brief=row.largest_batch is None)
    memory = told.memory
    return Answer(
        peak_bytes=memory.allocator_peak_bytes,
        low_bytes=memory.low_bytes,
        high_bytes=memory.high_bytes,
        first_step_peak_bytes=memory.first_step_peak_bytes,
        largest_batch=told.fit.max_batch_size,
        allowed_mib=None if told.fit.allowed_bytes is None else told.fit.allowed_bytes // MIB,
        compiled=told.xla,
        family=family_of(graph),
    )


def family_of(graph: StepGraph) -> str:
    """What kind of network a graph is, by its layers."""
    kinds = {layer.kind for layer in graph.layers}
    return next((name for name, known in KINDS.items() if kinds & set(known)), "other")


def rows_table(judged: list[Judged]) -> str:
    """Every row that may be seen."""
    return table(
        "memory of one training step on a card, MiB",
        ("row", "xla", "truth", "predicted", "error", "low", "high", "inside", "first", "predicted", "error"),
        [
            (
                j.asked.label,
                "on" if j.told.compiled else "off",
                _mib(j.asked.steady_peak_bytes),
                _mib(j.told.peak_bytes),
                signed(j.steady.error if j.steady else None),
                _mib(j.told.low_bytes),
                _mib(j.told.high_bytes),
                j.steady.inside if j.steady else None,
                _mib(j.asked.first_step_peak_bytes),
                _mib(j.told.first_step_peak_bytes),
                signed(j.first.error if j.first else None),
            )
            for j in judged
        ],
    )


def _mib(bytes_: int | None) -> float | None:
    """Bytes in MiB."""
    return None if bytes_ is None else round(bytes_ / MIB, 1)


def largest_table(figures: dict[str, Figures]) -> str:
    """Figures of the largest batch."""
    return table(
        "largest batch",
        ("rows", "n", "trains", "within 5 %", "both", "signed"),
        [
            (
                name,
                g["n"],
                *(percent(g[part]) for part in ("trains", "near", "trains_and_near")),
                signed(g["median_signed_error"]),
            )
            for name, g in figures.items()
        ],
    )


if __name__ == "__main__":
    main()
