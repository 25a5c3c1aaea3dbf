"""What all accuracy commands share: options, the data folder, tables and the JSON answer."""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from studies.accuracy.figures import rounded

Row = TypeVar("Row")

DEFAULT_DATA = Path(__file__).resolve().parents[2].parent / "shared" / "reference"


def parser(doc: str | None) -> argparse.ArgumentParser:
    """The options that every command has."""
    made = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--data", type=Path, default=DEFAULT_DATA, metavar="FOLDER", help="folder with the tables")
    made.add_argument("--json", action="store_true", help="print one JSON object instead of tables")
    return made


def add_part(options: argparse.ArgumentParser) -> None:
    """The option by which several processes share a command's rows (`part_of`)."""
    options.add_argument("--part", default="0/1", help="of the rows: 1/2 is every second one from the second")


def part_of(rows: Sequence[Row], part: str) -> Sequence[Row]:
    """Those rows that a process takes."""
    at, parts = (int(number) for number in part.split("/"))
    return rows[at::parts]


def read_table(folder: Path, name: str) -> list[dict[str, str]]:
    """The rows of a table in the data folder; ends the program with a clear word if it is not there."""
    path = folder / name
    if not path.is_file():
        sys.exit(f"error: there is no {name} in {folder}; expected a folder with the reference tables (--data FOLDER)")
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def finish(answer: dict[str, Any], *, as_json: bool, tables: Sequence[str]) -> None:
    """Print the answer: JSON alone, or the tables and the figures under them."""
    if as_json:
        print(json.dumps(rounded(answer), indent=1))
        return
    for table in tables:
        print(table, end="\n\n")
    for name, value in rounded(answer).items():  # type: ignore[attr-defined]
        if not isinstance(value, list | dict):
            print(f"{name:24} {shown(value)}")
    for name, value in answer.get("baselines", {}).items():
        print(f"{'baseline: ' + name:24} {shown(rounded(value))}")


def table(title: str, head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A plain table; the first column is text, the others are numbers."""
    cells = [list(head), *[[shown(v) for v in row] for row in rows]]
    widths = [max(len(row[i]) for row in cells) for i in range(len(head))]
    lines = [
        "  ".join(v.ljust(w) if i == 0 else v.rjust(w) for i, (v, w) in enumerate(zip(row, widths, strict=True)))
        for row in cells
    ]
    return "\n".join([title, lines[0], "-" * len(lines[0]), *lines[1:]])


def figures_table(
    title: str, figures: Mapping[str, Mapping[str, float | int | None]], more: Mapping[str, str] | None = None
) -> str:
    """Figures of groups of rows, each as `studies.accuracy.figures.summary` makes them.

    Args:
        title: Of the table.
        figures: By group.
        more: Shares that the groups have besides, by the heads of their columns.
    """
    more = more or {}
    head = ("rows", "n", "median", "signed", "p95", "worst", "inside", "above high", "high/truth", *more)
    return table(
        title,
        head,
        [
            (
                name,
                g["n"],
                percent(g["median_error"]),
                signed(g["median_signed_error"]),
                percent(g["p95_error"]),
                percent(g["worst_error"]),
                percent(g["coverage"]),
                percent(g["truth_above_high"]),
                g["high_over_truth"],
                *(percent(g[share]) for share in more.values()),
            )
            for name, g in figures.items()
        ],
    )


def shown(value: object) -> str:
    """A value as text."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "NO"
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def percent(value: float | None) -> str:
    """A share or an error as a percentage with its sign where it has one."""
    return "-" if value is None else f"{100 * value:.1f} %"


def signed(value: float | None) -> str:
    """A signed error as a percentage."""
    return "-" if value is None else f"{100 * value:+.1f} %"
