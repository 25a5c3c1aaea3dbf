"""The program itself on a real card: what its own benchmark measures beside what it told before, and tells now.

    python -m studies.accuracy.card_runs [--json]          the stored runs
    python -m studies.accuracy.card_runs --measure 5       on a machine with a card, by its TensorFlow; nothing beside

The machine is measured once, by an ordinary ``estimate``, and what was measured of it is kept (`card_measured`).  Each
question then starts from a copy of what was known after that, so that no run teaches the next one's prediction.
Autotuners are as TensorFlow has them.

``now`` is what this version says of the card from elsewhere, as by ``--on``: by its data sheet, without what launching
takes on the machine of the runs.  A run that is measured again replaces the stored one.
"""

from __future__ import annotations

import datetime
import json
import shutil
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.core.types.prediction import Prediction
from app.core.types.units import MIB
from app.core.types.workload import ModelRef, Plan, Workload
from app.services.advisor import Advisor
from studies.accuracy import card_measured
from studies.accuracy.card_real import CARD, FOLDER, driver_version
from studies.accuracy.card_rows import CARDS
from studies.accuracy.command import finish, parser, percent, signed, table
from studies.accuracy.figures import Pair, summary
from studies.accuracy.memory_rows import precision_of
from studies.accuracy.product import ask_program, open_advisor, say
from studies.accuracy.published import told_on_card

RUNS = FOLDER / "runs.json"
LONGEST_S, SECONDS = 150, "3"
QUESTIONS = """
fashion_mnist_cnn --batch-size 256
resnet50 --batch-size 32 --no-jit
lstm_2 --batch-size 64
transformer_small --batch-size 32
mlp --batch-size 256
resnet50 --batch-size 128 --precision mixed_float16 --no-jit
vit_small --batch-size 32 --no-jit
mobilenetv2 --batch-size 64
unet --batch-size 8 --no-jit
resnet50 --batch-size 32
fashion_mnist_cnn --batch-size 4096
vgg16 --batch-size 64 --no-jit
mobilenetv2 --batch-size 64 --no-jit
efficientnetb0 --batch-size 64 --no-jit
""".split("\n")[1:-1]
"""In the order in which they are measured; the most telling first."""
MEMORY = ("allocator_peak_bytes", "low_bytes", "high_bytes", "first_step_peak_bytes", "shown_peak_bytes")
"""Figures that are kept of what was told."""


@dataclass(frozen=True)
class Run:
    """A question with both answers."""

    question: str
    memory: Pair
    time: Pair
    now: Pair
    """The time again, as it is told now from elsewhere."""
    first: Pair
    """The first step, seconds, as it is told now from elsewhere."""


def main() -> None:
    """Measure if asked, compare."""
    options = parser(__doc__)
    options.add_argument("--measure", type=float, metavar="MINUTES", help="measure on this machine's own card")
    given = options.parse_args()
    if given.measure is not None:
        measure(time.monotonic() + 60 * given.measure)
    known = stored()
    if not known["runs"]:
        sys.exit("error: there is no stored run; expected some (--measure takes them on a machine with a card)")
    advisor = open_advisor()
    runs = [run_of(advisor, question, answer) for question, answer in known["runs"].items()]
    finish(answer_of(runs, known["card"]), as_json=given.json, tables=(runs_table(runs, known["card"]),))


def stored() -> dict[str, Any]:
    """The card and the answers by question."""
    if not RUNS.exists():
        return {"card": None, "runs": {}}
    known: dict[str, Any] = json.loads(RUNS.read_text(encoding="utf-8"))
    return known


def measure(until_s: float) -> None:
    """Ask the benchmark question by question; each answer is stored as soon as it is known."""
    known = stored() | {"card": driver_version()}
    with tempfile.TemporaryDirectory() as place:
        fresh = Path(place, "fresh")
        ask_program(fresh, ["estimate", *QUESTIONS[0].split()], LONGEST_S)
        card_measured.keep(fresh)
        for number, question in enumerate(QUESTIONS):
            if time.monotonic() > until_s:
                continue
            own = Path(place, str(number))
            shutil.copytree(fresh, own)
            started = time.perf_counter()
            found = ask_program(own, ["bench", *question.split(), "--seconds", SECONDS, "--no-profile"], LONGEST_S)
            if found is None or found.get("measured") is None:
                continue
            known["runs"][question] = {**kept(found), "date": datetime.date.today().isoformat()}
            RUNS.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")
            say(f"{question}: {time.perf_counter() - started:.0f} s")


def kept(found: dict[str, Any]) -> dict[str, Any]:
    """Of a benchmark's answer: the figures that are compared, and what may explain a difference."""
    told, measured = found["predicted"], found["measured"]
    return {
        "told": {
            **{name: told["memory"][name] for name in MEMORY},
            **{name: told["time"][name] for name in ("step_s", "low_s", "high_s", "bound_by", "basis")},
        },
        "measured": {
            "allocator_peak_bytes": measured["memory"]["allocator_peak_bytes"],
            "device_bytes": measured["memory"]["device_bytes"],
            **{name: measured[name] for name in ("step_s", "first_step_s", "bound_by", "gpu_percent", "energy")},
            "doubts": [doubt["kind"] for doubt in measured["doubts"]],
        },
    }


def run_of(advisor: Advisor, question: str, answer: dict[str, Any]) -> Run:
    """A stored answer as pairs."""
    told, measured = answer["told"], answer["measured"]
    step_s = measured["step_s"]["median"]
    now = told_now(advisor, question)
    assert now.whole is not None, question
    (first,) = (phase.each_s for phase in now.whole.phases if phase.kind == "first_step" and phase.each_s is not None)
    return Run(
        question,
        Pair(told["allocator_peak_bytes"], measured["allocator_peak_bytes"], told["low_bytes"], told["high_bytes"]),
        Pair(told["step_s"], step_s, told["low_s"], told["high_s"]),
        Pair(now.time.step_s or 0.0, step_s, now.time.low_s, now.time.high_s),
        Pair(first.value, measured["first_step_s"], first.low, first.high),
    )


def told_now(advisor: Advisor, question: str) -> Prediction:
    """What this version tells of such a card elsewhere."""
    words = question.split()
    given = dict(zip(words[1::2], words[2::2], strict=False))
    precision = precision_of(given.get("--precision", "float32"))
    jit = False if "--no-jit" in words else None
    plan = Plan(int(given["--batch-size"]), "adam", precision, jit, device="gpu:0")
    workload = Workload(ModelRef("catalog", words[0]), None, plan)
    clock = card_measured.host_clock_mhz()
    return told_on_card(advisor, workload, CARDS[CARD].name, question, host_clock_mhz=clock)[0]


def answer_of(runs: list[Run], card: str) -> dict[str, object]:
    """The command's figures: the time's, with the memory's beside them."""
    return {
        "table": "card_runs",
        "card": card,
        **summary([run.time for run in runs]),
        "baselines": {},
        "memory": summary([run.memory for run in runs]),
        "now": summary([run.now for run in runs]),
        "first_step": summary([run.first for run in runs]),
        "rows": [
            {
                "question": run.question,
                "step_s": run.time.truth,
                "time_error": run.time.error,
                "time_inside": run.time.inside,
                "now_error": run.now.error,
                "now_inside": run.now.inside,
                "first_step_s": run.first.truth,
                "first_step_error": run.first.error,
                "first_step_inside": run.first.inside,
                "peak_bytes": run.memory.truth,
                "memory_error": run.memory.error,
                "memory_inside": run.memory.inside,
            }
            for run in runs
        ],
    }


def runs_table(runs: list[Run], card: str) -> str:
    """Every run, and the medians under it."""
    head = (
        "question",
        "peak MiB",
        "told",
        "inside",
        "step ms",
        "told",
        "inside",
        "now",
        "inside",
        "first s",
        "now",
        "inside",
    )
    every = zip(*((r.memory, r.time, r.now, r.first) for r in runs), strict=True)
    memory, times, now, first = (summary(pairs) for pairs in every)
    return table(
        f"bench on {card}: measured, and told before",
        head,
        [
            (
                r.question,
                round(r.memory.truth / MIB, 1),
                signed(r.memory.error),
                r.memory.inside,
                round(1e3 * r.time.truth, 2),
                signed(r.time.error),
                r.time.inside,
                signed(r.now.error),
                r.now.inside,
                round(r.first.truth, 1),
                signed(r.first.error),
                r.first.inside,
            )
            for r in runs
        ]
        + [
            (
                "median error",
                None,
                percent(memory["median_error"]),
                percent(memory["coverage"]),
                None,
                percent(times["median_error"]),
                percent(times["coverage"]),
                percent(now["median_error"]),
                percent(now["coverage"]),
                None,
                percent(first["median_error"]),
                percent(first["coverage"]),
            )
        ],
    )


if __name__ == "__main__":
    main()
