"""A real card beside the emulated one and beside what is predicted: memory of the same rows on all three.

    python -m studies.accuracy.card_real [--json]                 the stored measurements
    python -m studies.accuracy.card_real --measure 4 --jobs 12    on a machine with the card, by its TensorFlow
    python -m studies.accuracy.card_real --emulate 20             the same rows on the emulated driver

A row is measured as in `card_truth` within `LIMIT_MIB`, so that several rows fit on the card at once.
After all rows with the autotuners off come some with the autotuners as they are, which time the kernels that they
try: there the emulated card can only guess.  Products in 16 bits without XLA end the emulated H100: cuBLAS asks the
driver for a table that the double does not have.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from pathlib import Path
from threading import Lock

from app.core.types.units import MIB
from studies.accuracy import card_truth
from studies.accuracy.card_folder import Asked
from studies.accuracy.card_rows import CARDS, NETWORKS, CardRow, draw
from studies.accuracy.command import figures_table, finish, parser, signed, table
from studies.accuracy.figures import Pair, summary
from studies.accuracy.memory_card import predict
from studies.accuracy.product import open_advisor
from studies.accuracy.truth_table import TruthTable

CARD, SEED, ROWS, AUTOTUNED_ROWS = "H100", 90, 60, 30
"""The rows are dealt from the matrix of `card_rows` with this card in place of its six."""

FOLDER = Path(__file__).with_name("real_cards")
KEY = (*(f.name for f in fields(CardRow)), "autotuned")
ANSWER = ("steady_peak_bytes", "first_step_peak_bytes", *card_truth.VERSIONS)
REAL = TruthTable(FOLDER / "memory.csv", KEY, ANSWER)
EMULATED = TruthTable(FOLDER / "emulated.csv", KEY, ANSWER)
LIMIT_MIB = 6000
"""What TensorFlow's allocator may take for a row; on both cards, since autotuners use the room that there is."""


@dataclass(frozen=True)
class Case:
    """A row with or without autotuning."""

    row: CardRow
    autotuned: bool

    @property
    def key(self) -> tuple[str, ...]:
        """What tells it from others."""
        return (*self.row.key, "yes" if self.autotuned else "no")


def main() -> None:
    """Measure if asked, compare."""
    options = parser(__doc__)
    options.add_argument("--measure", type=float, metavar="MINUTES", help="measure on this machine's own card")
    options.add_argument("--emulate", type=float, metavar="MINUTES", help="measure on the emulated driver")
    options.add_argument("--jobs", type=int, default=1, help="rows measured at once")
    given = options.parse_args()
    if given.measure is not None:
        measure(REAL, os.environ, sys.executable, driver_version(), 60 * given.measure, given.jobs)
    if given.emulate is not None:
        driver, python = card_truth.instrument()
        environment = card_truth.environment(driver, card_truth.wheels_of(python), CARD)
        measure(EMULATED, environment, str(python), card_truth.digest(driver), 60 * given.emulate, given.jobs)
    compared = list(compare())
    if not compared:
        sys.exit("error: no row of a real card is stored (--measure takes them on a machine that has one)")
    finish(
        answer_of(compared),
        as_json=given.json,
        tables=(rows_table(compared), figures_table("against the real card", groups(compared))),
    )


def cases() -> list[Case]:
    """All of them, in the order in which to measure them."""
    rows = draw(ROWS, SEED, (CARD,))
    return [Case(row, autotuned=False) for row in rows] + [Case(row, autotuned=True) for row in rows[:AUTOTUNED_ROWS]]


def driver_version() -> str:
    """The version of this machine's NVIDIA driver, as its own tool says it; ends the program where there is none."""
    asked = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    try:
        said = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.splitlines()[0]
    except (OSError, subprocess.CalledProcessError, IndexError) as error:
        sys.exit(f"error: this machine shows no NVIDIA card ({error}); expected a {CARD}")
    if CARD not in said:
        sys.exit(f"error: this machine's card is {said}; expected a {CARD}")
    return said


def measure(
    truths: TruthTable, environment: Mapping[str, str], python: str, driver: str, within_s: float, jobs: int
) -> None:
    """Measure the cases that have no truth, so many at once; each is stored as soon as it is known."""
    until_s, writing = time.monotonic() + within_s, Lock()
    bare = {name: value for name, value in environment.items() if name not in card_truth.NO_AUTOTUNING}

    def take(case: Case) -> None:
        if time.monotonic() > until_s:
            return
        variables = bare if case.autotuned else bare | card_truth.NO_AUTOTUNING
        found = card_truth.measured(case.row, python, variables, driver, str(LIMIT_MIB))
        if found is not None:
            with writing:
                truths.store({**truths.load(), case.key: found})

    known = truths.load()
    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(take, [case for case in cases() if case.key not in known]))


@dataclass(frozen=True)
class Compared:
    """A case on the real card and as it is told, and where the emulated card could train it, how that came out."""

    case: Case
    told: Pair
    emulated: Pair | None
    """As a prediction of the real card: the peak of a step."""
    emulated_first: Pair | None
    """The same up to the end of the first step, which holds what the autotuners tried."""

    @property
    def group(self) -> str:
        """How the rows are put together."""
        return f"XLA {self.case.row.xla}, autotuners {'on' if self.case.autotuned else 'off'}"


def compare() -> Iterator[Compared]:
    """Every case that the real card knows."""
    real, emulated, advisor = REAL.load(), EMULATED.load(), open_advisor()
    for case in cases():
        if case.key not in real:
            continue
        row, truth, double = case.row, real[case.key], emulated.get(case.key)
        network, peak = NETWORKS[row.network], int(truth["steady_peak_bytes"])
        asked = Asked(row.label, network.group, network.family, CARDS[row.card].name, row.plan(), row.workload())
        told = predict(advisor, asked, trust=False)
        step, first = (
            None if double is None else Pair(int(double[name]), int(truth[name]))
            for name in ("steady_peak_bytes", "first_step_peak_bytes")
        )
        yield Compared(case, Pair(told.peak_bytes, peak, told.low_bytes, told.high_bytes), step, first)


COMPARISONS: dict[str, Callable[[Compared], Pair | None]] = {
    "emulated, a step": lambda c: c.emulated,
    "emulated, first step": lambda c: c.emulated_first,
    "told, a step": lambda c: c.told,
}
"""What is set against the real card."""


def answer_of(compared: list[Compared]) -> dict[str, object]:
    """The command's figures; of held networks in groups only."""
    return {
        "table": "card_real",
        **summary([c.told for c in compared]),
        "baselines": {},
        "groups": groups(compared),
        "rows": [
            {
                "row": c.case.row.label,
                "autotuned": c.case.autotuned,
                "real_bytes": c.told.truth,
                "emulated_error": None if c.emulated is None else c.emulated.error,
                "emulated_first_error": None if c.emulated_first is None else c.emulated_first.error,
                "told_error": c.told.error,
                "inside": c.told.inside,
            }
            for c in compared
            if c.case.row.group == "open"
        ],
    }


def groups(compared: list[Compared]) -> dict[str, dict[str, float | int | None]]:
    """Figures of each comparison by XLA and autotuning."""
    found: dict[str, dict[str, float | int | None]] = {}
    for name in dict.fromkeys(c.group for c in compared):
        members = [c for c in compared if c.group == name]
        for what, pair in COMPARISONS.items():
            pairs = [found_pair for c in members if (found_pair := pair(c)) is not None]
            found |= {f"{what}; {name}": summary(pairs)} if pairs else {}
    return found


def rows_table(compared: list[Compared]) -> str:
    """Every open row."""
    head = ("row", "autotuners", "real MiB", "emulated", "first step", "told", "inside")
    shown = [c for c in compared if c.case.row.group == "open"]
    return table(
        f"memory of one training step on a real {CARD}; errors of the others against it",
        head,
        [
            (
                c.case.row.label,
                "on" if c.case.autotuned else "off",
                round(c.told.truth / MIB, 1),
                signed(None if c.emulated is None else c.emulated.error),
                signed(None if c.emulated_first is None else c.emulated_first.error),
                signed(c.told.error),
                c.told.inside,
            )
            for c in shown
        ],
    )


if __name__ == "__main__":
    main()
