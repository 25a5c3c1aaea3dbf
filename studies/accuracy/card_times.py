"""Steps on a real card beside what is told of them: by its data sheet, and by what the program measured of it.

    python -m studies.accuracy.card_times [--json]                  the stored measurements
    python -m studies.accuracy.card_times --measure 4 --jobs 12     on a machine with the card, by its TensorFlow

Several rows are compiled at once; while one is timed all others are stopped, so that it has card and processor alone.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from random import Random
from threading import Lock

from app.core.types.workload import ModelRef, Plan, Workload
from studies.accuracy import card_measured
from studies.accuracy.card_real import CARD, FOLDER, driver_version
from studies.accuracy.card_rows import CARDS, jit_of
from studies.accuracy.command import figures_table, finish, parser, signed, table
from studies.accuracy.figures import Pair, summary
from studies.accuracy.memory_draw import deck
from studies.accuracy.memory_rows import precision_of
from studies.accuracy.product import open_advisor, say
from studies.accuracy.published import told_on_card
from studies.accuracy.truth_table import CHECKOUT, TruthTable, key_of

SEED = 91
LONGEST_S = 240
SETTLE_S = 0.3
"""For what stopped programs have given to the card."""

_NETWORKS = """
resnet50 32 128        mobilenetv2 64 256       transformer_small 32 128   lstm_2 64 256
vgg16 32 64            efficientnetb0 32 128    vit_small 32 128           gru_1 64 256
unet 8 16              densenet121 32 64        bert_base 8 32             mlp 256 4096
inceptionv3 32 64      mobilenetv3small 64 256  gpt2 4 8                   fashion_mnist_cnn 256 4096
resnet101 32 64        convnexttiny 32 64       srresnet 16 64             cnn_58m 32 128
"""
"""Of the program's own catalog, with a small and a large batch."""


@dataclass(frozen=True)
class TimedRow:
    """One configuration."""

    network: str
    batch: int
    precision: str
    xla: str

    @property
    def key(self) -> tuple[str, ...]:
        """What tells it from other rows."""
        return key_of(self)

    @property
    def label(self) -> str:
        """A short name for tables."""
        return f"{self.network} b{self.batch} {self.precision} xla {self.xla}"

    def workload(self) -> Workload:
        """What the product is asked."""
        plan = Plan(self.batch, "adam", precision_of(self.precision), jit_of(self.xla), device="gpu:0")
        return Workload(ModelRef("catalog", self.network), None, plan)


TRUTHS = TruthTable(
    FOLDER / "times.csv",
    key=tuple(f.name for f in fields(TimedRow)),
    answer=("step_s", "least_s", "most_s", "steps", "card"),
)


def main() -> None:
    """Measure if asked, compare."""
    options = parser(__doc__)
    options.add_argument("--measure", type=float, metavar="MINUTES", help="measure on this machine's own card")
    options.add_argument("--jobs", type=int, default=1, help="rows compiled at once")
    given = options.parse_args()
    if given.measure is not None:
        measure(60 * given.measure, given.jobs)
    compared = list(compare())
    if not compared:
        sys.exit("error: no step of a real card is stored (--measure times them on a machine that has one)")
    groups = groups_of(compared)
    finish(
        answer_of(compared, groups),
        as_json=given.json,
        tables=(rows_table(compared), figures_table("against the real card", groups)),
    )


def rows() -> list[TimedRow]:
    """All of them, in the order in which to measure them: every network with one batch, then with the
    other batch and with XLA where it had been without."""
    generator = Random(SEED)
    words = _NETWORKS.split()
    networks = [(name, (int(small), int(large))) for name, small, large in zip(*[iter(words)] * 3, strict=True)]
    modes, sizes = deck(("off", "auto"), generator), deck((0, 1), generator)
    precisions = deck(("float32", "float32", "mixed_float16", "mixed_bfloat16"), generator)
    dealt = {name: (next(modes), next(sizes)) for name, _ in networks}
    found = []
    for other in (False, True):
        for _, name, batches in sorted((generator.random(), *network) for network in networks):
            mode, size = dealt[name]
            xla = ("off" if mode == "auto" else "auto") if other else mode
            found.append(TimedRow(name, batches[1 - size if other else size], next(precisions), xla))
    return found


def measure(within_s: float, jobs: int) -> None:
    """Time the rows that have no truth; each is stored as soon as it is known."""
    until_s, turns, card = time.monotonic() + within_s, Turns(), driver_version()

    def take(row: TimedRow) -> None:
        if time.monotonic() > until_s:
            return
        began = time.perf_counter()
        found = turns.take(row, until_s + LONGEST_S)
        if found is None:
            return
        with turns.one:
            TRUTHS.store({**TRUTHS.load(), row.key: {**found, "card": card}})
        say(f"{row.label}: {1e3 * found['step_s']:.2f} ms, after {time.perf_counter() - began:.0f} s")

    known = TRUTHS.load()
    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(take, [row for row in rows() if row.key not in known]))


class Turns:
    """Programs that are compiled beside each other and timed one by one.

    Attributes:
        one: Held by who is timed, or writes.
    """

    def __init__(self) -> None:
        self.one = Lock()
        self._running: set[int] = set()

    def take(self, row: TimedRow, until_s: float) -> dict[str, float] | None:
        """What a program of its own finds of a row; None where it fails, which is told."""
        command = [sys.executable, "-m", "studies.accuracy.card_times_child", json.dumps(asdict(row))]
        with tempfile.TemporaryFile("w+") as errors:  # a pipe would fill, which nobody reads before the child is ready
            child = subprocess.Popen(
                command,
                env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "2"},
                cwd=CHECKOUT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                start_new_session=True,
            )
            self._running.add(child.pid)
            assert child.stdout is not None
            try:
                next((line for line in child.stdout if line.strip() == "ready"), None)  # or the end of one that failed
                with self.one:
                    said = self._timed(child, until_s)
            finally:
                self._running.discard(child.pid)
            errors.seek(0)
            if said is None or child.returncode:
                say(f"{row.label}: exit code {child.returncode}: {errors.read()[-400:]}")
                return None
        answer: dict[str, float] = json.loads(said.splitlines()[-1])
        return answer

    def _timed(self, child: subprocess.Popen[str], until_s: float) -> str | None:
        """What it says when it times with all others stopped; None where it does not end in time."""
        others = self._running - {child.pid}
        signal_all(others, signal.SIGSTOP)
        try:
            time.sleep(SETTLE_S)
            return child.communicate("go\n", timeout=max(1.0, until_s - time.monotonic()))[0]
        except subprocess.TimeoutExpired:
            signal_all({child.pid}, signal.SIGKILL)
            child.wait()
            return None
        finally:
            signal_all(others, signal.SIGCONT)


def signal_all(leaders: set[int], what: signal.Signals) -> None:
    """To all programs of these groups."""
    for leader in leaders:
        with suppress(ProcessLookupError):
            os.killpg(leader, what)


@dataclass(frozen=True)
class Compared:
    """A row on the card, and as it is told."""

    row: TimedRow
    sheet: Pair
    measured: Pair
    repeat: float
    """How far the fastest and the slowest epoch of the truth itself lie apart, of its median."""


def compare() -> Iterator[Compared]:
    """Every row that the card knows."""
    truths, advisor = TRUTHS.load(), open_advisor()
    clock = card_measured.host_clock_mhz()
    for row in rows():
        if row.key not in truths:
            continue
        truth = {name: float(truths[row.key][name]) for name in ("step_s", "least_s", "most_s")}
        workload, name = row.workload(), CARDS[CARD].name
        sheet = told_on_card(advisor, workload, name, row.label, brief=True, host_clock_mhz=clock)[0].time
        here = card_measured.told_where_measured(advisor, workload, row.label).time
        by_sheet, by_measurement = (
            Pair(told.step_s or 0.0, truth["step_s"], told.low_s, told.high_s) for told in (sheet, here)
        )
        yield Compared(row, by_sheet, by_measurement, (truth["most_s"] - truth["least_s"]) / truth["step_s"])


def groups_of(compared: list[Compared]) -> dict[str, dict[str, float | int | None]]:
    """Figures by what was known and by XLA."""
    found: dict[str, dict[str, float | int | None]] = {}
    for xla in ("off", "auto"):
        members = [c for c in compared if c.row.xla == xla]
        if members:
            found[f"by data sheet; XLA {xla}"] = summary([c.sheet for c in members])
            found[f"by measurement; XLA {xla}"] = summary([c.measured for c in members])
    return found


def answer_of(compared: list[Compared], groups: dict[str, dict[str, float | int | None]]) -> dict[str, object]:
    """The command's figures."""
    return {
        "table": "card_times",
        **summary([c.measured for c in compared]),
        "baselines": {"by data sheet": summary([c.sheet for c in compared])},
        "groups": groups,
        "rows": [
            {
                "row": c.row.label,
                "step_s": c.sheet.truth,
                "repeat": c.repeat,
                "sheet_error": c.sheet.error,
                "sheet_inside": c.sheet.inside,
                "measured_error": c.measured.error,
                "measured_inside": c.measured.inside,
            }
            for c in compared
        ],
    }


def rows_table(compared: list[Compared]) -> str:
    """Every row."""
    head = ("row", "step ms", "repeat", "by sheet", "inside", "by measurement", "inside")
    return table(
        f"a training step on a real {CARD}, and what is told of it",
        head,
        [
            (
                c.row.label,
                round(1e3 * c.sheet.truth, 2),
                signed(c.repeat),
                signed(c.sheet.error),
                c.sheet.inside,
                signed(c.measured.error),
                c.measured.inside,
            )
            for c in compared
        ],
    )


if __name__ == "__main__":
    main()
