"""What the card table asks: rows with their truths, our own stored ones or those of somebody's folder.

A folder holds ``memory_card.csv`` with the columns `COLUMNS`, of which the last three may be empty: ``model`` is a
saved model beside it (with or without ``.keras``) or a catalog name, ``card`` a name that our table of cards knows,
``xla`` is on, off or auto.  A row that cannot be read is told with its reason and counted.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.core.types.errors import InvalidWorkload
from app.core.types.workload import Plan, Workload
from studies.accuracy.card_rows import CARDS, NETWORKS, CardRow, jit_of
from studies.accuracy.card_truth import AGAIN, FOLDER
from studies.accuracy.command import read_table
from studies.accuracy.memory_rows import precision_of
from studies.accuracy.truth_table import Key

TABLE = "memory_card.csv"
TRUTHS = ("steady_peak_bytes", "first_step_peak_bytes", "largest_batch")
COLUMNS = ("model", "card", "batch", "optimizer", "precision", "xla", *TRUTHS)


@dataclass(frozen=True)
class Asked:
    """One row: what the product is asked, and what is true of it; None where nobody measured it.

    Args:
        label: A short name for tables.
        group: ``open``, ``held``, or ``given`` for a folder's rows.
        family: The kind of network; None of a folder's.
        card: A name of our table of cards.
        plan: How it is trained.
        known: The workload of a stored row; None of a folder's, whose model is still to be found.
        model: Catalog name or path of a folder's row.
    """

    label: str
    group: str
    family: str | None
    card: str
    plan: Plan
    known: Workload | None = None
    model: str = ""
    steady_peak_bytes: int | None = None
    first_step_peak_bytes: int | None = None
    largest_batch: int | None = None
    largest_within_mib: int | None = None
    """The memory in which that was looked for, if it is known."""
    steady_again_bytes: int | None = None
    """The first of these truths, measured a second time."""


@dataclass(frozen=True)
class Failed:
    """A row without an answer, and why; of the held half the reason is not shown."""

    label: str
    group: str
    why: str


def stored(folder: Path = FOLDER) -> tuple[list[Asked], list[Failed]]:
    """Our own truths, from every table in the folder."""
    asked, again = [], {key: known["steady_peak_bytes"] for key, known in AGAIN.load().items()}
    for path in sorted(folder.glob("*.csv")):
        with path.open(newline="", encoding="utf-8") as file:
            asked += [_stored(record, again) for record in csv.DictReader(file)]
    return asked, []


def _stored(record: Mapping[str, str], again: Mapping[Key, str]) -> Asked:
    """A stored row, which is as the runner wrote it, and its peak when it was measured again."""
    words = {name: record[name] for name in ("network", "card", "optimizer", "precision", "xla")}
    row = CardRow(batch=int(record["batch"]), **words)
    network = NETWORKS[row.network]
    truths: dict[str, Any] = {name: _number(record[name]) for name in (*TRUTHS, "largest_within_mib")}
    truths["steady_again_bytes"] = _number(again.get(row.key, ""))
    card = CARDS[row.card].name
    return Asked(row.label, network.group, network.family, card, row.plan(), row.workload(), **truths)


def of_folder(folder: Path) -> tuple[list[Asked], list[Failed]]:
    """The rows of a folder's table; ends the program with a clear word where there is no table."""
    asked: list[Asked] = []
    failed: list[Failed] = []
    for line, record in enumerate(read_table(folder, TABLE), start=2):
        label = f"line {line}: " + " ".join(record.get(name) or "?" for name in COLUMNS[:6])
        try:
            asked.append(_given(folder, label, record))
        except (ValueError, KeyError, InvalidWorkload) as error:
            failed.append(Failed(label, "given", f"cannot be read: {error!r}"))
    return asked, failed


def _given(folder: Path, label: str, record: Mapping[str, str]) -> Asked:
    """A row of a folder.

    Raises:
        ValueError: A cell holds no such thing.
        KeyError: There is no such column.
        InvalidWorkload: There is no such optimizer, or it is a batch of none.
    """
    card, precision = record["card"].strip(), precision_of(record["precision"].strip() or "float32")
    jit = jit_of(record["xla"].strip() or "auto")
    plan = Plan(int(record["batch"]), record["optimizer"].strip().lower(), precision, jit, device="gpu:0")
    truths: dict[str, Any] = {name: _number(record.get(name) or "") for name in TRUTHS}
    if not any(truths.values()):
        raise ValueError("no truth in any of " + ", ".join(TRUTHS))
    named = CARDS[card].name if card in CARDS else card
    return Asked(label, "given", None, named, plan, model=_model(folder, record["model"].strip()), **truths)


def _model(folder: Path, name: str) -> str:
    """A file beside the table, or the name as it is."""
    beside = [folder / name, folder / f"{name}.keras"]
    return next((str(path) for path in beside if name and path.is_file()), name)


def _number(cell: str) -> int | None:
    """A truth; None of an empty cell.

    Raises:
        ValueError: It is not above 0.
    """
    if not cell.strip():
        return None
    number = round(float(cell))
    if number <= 0:
        raise ValueError(f"{cell} is no truth; expected more than 0")
    return number
