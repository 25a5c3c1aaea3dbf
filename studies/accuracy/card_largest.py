"""The largest batch that trains on a card, by bisection against a real out-of-memory of the emulated one.

    python -m studies.accuracy.card_largest --minutes 30 [--rows 40] [--part 0/2] [--autotuned]

For the first rows of the draw on cards whose whole memory this machine can hold (`SMALL`): a batch trains if the
first step and an epoch after it end while TensorFlow's allocator has what the program says may be used of the card,
each in a process of its own.  The search begins at the program's own answer and widens from there, so that it is
short where that is right and as good where it is wrong.  It ends when what trains and what does not are neighbours, or
lie half a percent from each other.  `memory_card` compares.

With ``--autotuned`` kernels are tried, as in everybody's training: what finds no room is left out.  With the
autotuners off a convolution's first choice must have the workspace that it asks for, or the training ends; so batches
that train for everybody die there.  `card_shown` compares.
"""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

from app.core.predict.batch_sizes import NEAR, bracket_below
from app.core.types.prediction import Prediction
from app.core.types.units import MIB
from app.services.advisor import Advisor
from studies.accuracy import card_truth
from studies.accuracy.card_rows import CARDS, CardRow, draw
from studies.accuracy.command import add_part, parser, part_of
from studies.accuracy.product import open_advisor, say
from studies.accuracy.published import told_on_card
from studies.accuracy.truth_table import ChildFailed, TruthTable, ask_child

AUTOTUNED = TruthTable(
    Path(__file__).with_name("card_shown.csv"), key=card_truth.TRUTHS.key, answer=card_truth.TRUTHS.answer
)
"""Rows trained with the autotuners on (`card_shown`)."""

SMALL = ("RTX 2060", "RTX 4060")
CLOSE = 200
"""A batch over this many is how near what trains and what does not have to be."""


def main() -> None:
    """Search for rows that have no largest batch yet, and store each as soon as it is known."""
    options = parser(__doc__)
    options.add_argument("--minutes", type=float, default=30, help="no search begins later")
    options.add_argument("--rows", type=int, default=40, help="of the first rows of the draw")
    options.add_argument("--autotuned", action="store_true", help="with the autotuners on")
    add_part(options)
    given = options.parse_args()
    advisor, until_s = open_advisor(), time.monotonic() + 60 * given.minutes
    table = AUTOTUNED if given.autotuned else card_truth.TRUTHS
    for row in part_of(small_rows(given.rows), given.part):
        if time.monotonic() > until_s:
            return
        known = table.load().get(row.key)
        if known is None or known["largest_batch"]:
            continue
        started = time.perf_counter()
        try:
            found = search(advisor, row, autotuned=given.autotuned)
        except (ChildFailed, subprocess.TimeoutExpired) as error:
            say(f"{row.shown}: {error if row.group == 'open' else type(error).__name__}")
            continue
        truths = table.load()
        table.store({**truths, row.key: {**truths[row.key], **found}})
        say(f"{row.shown}: searched for {time.perf_counter() - started:.0f} s")


def small_rows(count: int) -> list[CardRow]:
    """The first rows of the draw on cards whose whole memory this machine can hold."""
    return [row for row in draw() if row.card in SMALL][:count]


def told_of(advisor: Advisor, row: CardRow) -> Prediction:
    """What the program says of a row, with its largest batch."""
    return told_on_card(advisor, row.workload(), CARDS[row.card].name, row.label)[0]


def search(advisor: Advisor, row: CardRow, *, autotuned: bool) -> dict[str, int]:
    """A row's largest batch and the memory within which it trains.

    Raises:
        ChildFailed: A training ended badly, and not for want of memory.
        TimeoutExpired: A training did not end.
    """
    told = told_of(advisor, row)
    limit_mib = (told.fit.allowed_bytes or 0) // MIB
    driver, python = card_truth.instrument()
    environment = card_truth.environment(driver, card_truth.wheels_of(python), row.card, autotuned=autotuned)

    def trains(batch: int) -> bool:
        """With XLA, TensorFlow may abort in its allocator where memory was refused; that is no training either."""
        asked = json.dumps(asdict(replace(row, batch=batch)))
        command = [str(python), "-m", "studies.accuracy.card_truth_child", asked, str(limit_mib), "trains"]
        try:
            return bool(ask_child(command, environment)["trains"])
        except ChildFailed as failed:
            if failed.code != -signal.SIGABRT:
                raise
            return False

    return {"largest_batch": largest(trains, told.fit.max_batch_size or 1), "largest_within_mib": limit_mib}


def largest(trains: Callable[[int], bool], begin: int) -> int:
    """The largest batch that trains, at most 1 in `CLOSE` too small; 0 if none does."""
    low, high = _bracket(trains, begin)
    while high - low > max(1, low // CLOSE):
        middle = (low + high) // 2
        low, high = (middle, high) if trains(middle) else (low, middle)
    return low


def _bracket(trains: Callable[[int], bool], begin: int) -> tuple[int, int]:
    """A batch that trains, or 0, and one above it that does not."""
    if not trains(begin):
        return bracket_below(trains, begin)
    low, stride = begin, max(1, begin // NEAR)
    while trains(high := low + stride):
        low, stride = high, 2 * stride
    return low, high


if __name__ == "__main__":
    main()
