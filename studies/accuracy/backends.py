"""Memory of Keras on JAX and PyTorch: predicted first, then measured in an interpreter that has the framework.

    python -m studies.accuracy.backends [--json]                                    the stored truth, JAX on a processor
    python -m studies.accuracy.backends --backend jax --measure --python PATH       measures rows without a stored truth
    python -m studies.accuracy.backends --backend torch --device gpu:0 --measure --python PATH
    python -m studies.accuracy.backends --backend torch --on "H100 SXM 80GB"     the stored truth of that card

The truth: on a card what the framework's allocator counts, on a processor the compiler's plan of the step (JAX) or
the profiler's count of tensors (PyTorch).  Rows of the group ``held`` are counted, never listed.
"""

from __future__ import annotations

import datetime
import json
import os
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from app.core.types.backends import BACKENDS, Backend
from app.core.types.errors import WillItTrainError
from app.core.types.machine import Machine
from app.core.types.predicted_memory import PredictedMemory
from app.core.types.units import MIB
from app.services.advisor import Advisor
from app.services.child.variables import child_variables
from studies.accuracy.command import figures_table, finish, parser, signed, table
from studies.accuracy.figures import Pair, summary
from studies.accuracy.product import graph_of, open_advisor, say
from studies.accuracy.published import machine_with
from studies.accuracy.truth_table import ChildFailed, TruthTable, ask_child
from studies.accuracy.xla_rows import XlaRow, rows

TRUTHS = TruthTable(
    Path(__file__).with_name("backend_truth.csv"),
    key=("backend", "device", "network", "input_shape", "batch", "optimizer", "precision"),
    answer=("peak_bytes", "basis", "version", "date"),
)

REPORTED = {"H100 SXM 80GB": "NVIDIA H100 80GB HBM3", "A100 SXM 40GB": "NVIDIA A100-SXM4-40GB"}
"""What the driver calls a card of our table."""

EMULATED = ", emulated"
"""Behind the name of a card that was there by the driver of `studies.accuracy.card_truth`."""

OPEN = (
    "cnn_plain b16 adam",
    "cnn_bn b8 adam",
    "depthwise b32 sgd",
    "conv_1d b16 adam",
    "mlp b32 adam",
    "encoder b8 adamw",
    "lstm_two b16 adam",
    "unet_small b4 adam",
    "dense_blocks b8 sgd",
    "generator b16 adam",
)
"""One of each family."""


@dataclass(frozen=True)
class Judged:
    """A row with the prediction beside its truth."""

    row: XlaRow
    memory: PredictedMemory
    truth_bytes: int
    basis: str

    @property
    def pair(self) -> Pair:
        """Both, and the interval."""
        told = self.memory
        return Pair(told.allocator_peak_bytes, self.truth_bytes, told.low_bytes, told.high_bytes)


def main() -> None:
    """Predict, measure if asked, compare."""
    options = parser(__doc__)
    options.add_argument("--backend", choices=BACKENDS[1:], default="jax")
    options.add_argument("--device", default="cpu", help="cpu or gpu:N")
    options.add_argument("--on", metavar="CARD", help="stored truths of a card that is not here, by our table's name")
    options.add_argument("--measure", action="store_true", help="measure rows that have no stored truth")
    options.add_argument("--python", metavar="PATH", help="with --measure: an interpreter with Keras and the backend")
    given = options.parse_args()
    advisor, backend, device = open_advisor(), given.backend, "gpu:0" if given.on else given.device
    machine = machine_with(advisor, given.on) if given.on else advisor.machine.read()
    told = dict(_predictions(advisor, machine, chosen_rows(), backend, device))
    place = _stored_place(backend, given.on) if given.on else _place(machine, device)
    if given.measure:
        measure_all(told, backend, device, place, given.python or sys.executable)
    known = TRUTHS.load()
    judged = []
    for row, memory in told.items():
        truth = known.get(key(backend, place, row))
        if truth is not None:
            judged.append(Judged(row, memory, int(truth["peak_bytes"]), truth["basis"]))
    if not judged:
        sys.exit(f"error: no stored truth for {backend} on {place} (--measure --python PATH takes it)")
    finish(answer_of(judged, backend, place), as_json=given.json, tables=(rows_table(judged), groups_table(judged)))


def chosen_rows() -> list[XlaRow]:
    """Ten open rows and the first of each held network."""
    every = rows()
    held: dict[str, XlaRow] = {}
    for row in every:
        if row.group == "held":
            held.setdefault(row.network, row)
    return [row for row in every if row.label in OPEN and row.precision == "float32"] + list(held.values())


def key(backend: str, place: str, row: XlaRow) -> tuple[str, ...]:
    """What tells a truth from others."""
    return (backend, place, *row.key)


def _predictions(
    advisor: Advisor, machine: Machine, wanted: Iterable[XlaRow], backend: Backend, device: str
) -> Iterable[tuple[XlaRow, PredictedMemory]]:
    """What the product says before anything runs."""
    for row in wanted:
        asked = row.workload()
        asked = replace(asked, plan=replace(asked.plan, backend=backend, device=device, jit=None))
        try:
            yield row, advisor.predictor.predict(asked, machine, graph_of(advisor, asked, row.label)).memory
        except WillItTrainError as error:
            say(f"no prediction for {row.label}: {error}")


def measure_all(wanted: Iterable[XlaRow], backend: str, device: str, place: str, python: str) -> None:
    """Measure row by row; each truth is stored as soon as it is known."""
    environment = {**os.environ, **child_variables(backend, device)}
    for row in wanted:
        if key(backend, place, row) in TRUTHS.load():
            continue
        command = [python, "-m", "studies.accuracy.backend_truth_child", backend, device, json.dumps(asdict(row))]
        try:
            answer = ask_child(command, environment)
        except ChildFailed as error:
            say(f"{row.label}: {error}")
            continue
        truth = {
            "peak_bytes": str(answer["peak_bytes"]),
            "basis": answer["basis"],
            "version": answer[backend],
            "date": datetime.date.today().isoformat(),
        }
        TRUTHS.store({**TRUTHS.load(), key(backend, place, row): truth})
        say(f"measured {row.label}")


def _stored_place(backend: str, card: str) -> str:
    """As what a card of our table has truths of a backend: real ones, or else those of the emulated card."""
    name, known = REPORTED.get(card, card), {(key[0], key[1]) for key in TRUTHS.load()}
    return name if (backend, name) in known else name + EMULATED


def _place(machine: Machine, device: str) -> str:
    """``cpu``, or the card's name: a truth belongs to it."""
    number = device.removeprefix("gpu:")
    return next((g.name for g in machine.gpus if str(g.index) == number), device)


def answer_of(judged: list[Judged], backend: str, place: str) -> dict[str, object]:
    """The command's figures; rows of the open group only."""
    return {
        "table": "backends",
        "backend": backend,
        "device": place,
        **summary([j.pair for j in judged]),
        "baselines": {},
        "groups": {name: summary([j.pair for j in members]) for name, members in _groups(judged).items()},
        "rows": [
            {
                "row": j.row.label,
                "truth_bytes": j.truth_bytes,
                "predicted_bytes": j.memory.allocator_peak_bytes,
                "basis": j.memory.basis,
                "truth_basis": j.basis,
                "error": j.pair.error,
                "inside": j.pair.inside,
            }
            for j in judged
            if j.row.group == "open"
        ],
    }


def _groups(judged: list[Judged]) -> dict[str, list[Judged]]:
    """Followed predictions and mere ranges apart, in both halves of the networks."""
    found: dict[str, list[Judged]] = {}
    for j in judged:
        words = "range" if j.memory.basis == "formula" else "followed"
        found.setdefault(f"{j.row.group}, {words}", []).append(j)
    return found


def rows_table(judged: list[Judged]) -> str:
    """Every open row."""
    return table(
        f"memory of one step, MiB ({judged[0].basis})",
        ("row", "predicted", "truth", "error", "low", "high", "inside", "basis"),
        [
            (
                j.row.label,
                round(j.pair.predicted / MIB, 1),
                round(j.truth_bytes / MIB, 1),
                signed(j.pair.error),
                round(j.memory.low_bytes / MIB, 1),
                round(j.memory.high_bytes / MIB, 1),
                j.pair.inside,
                j.memory.basis,
            )
            for j in judged
            if j.row.group == "open"
        ],
    )


def groups_table(judged: list[Judged]) -> str:
    """The figures of each group."""
    figures = {name: summary([j.pair for j in members]) for name, members in _groups(judged).items()}
    return figures_table("by group", figures)


if __name__ == "__main__":
    main()
