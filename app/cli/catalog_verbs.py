"""``willittrain models | datasets | gpus | clouds``: what can be named."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from app.core.types.text import phrase, plural
from app.core.types.units import format_bytes, format_count
from app.presentation.layout import BLANK, Line, Table
from app.presentation.words import shape_words

JsonFlag = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
Filter = Annotated[str, typer.Argument(metavar="[TEXT]", help="Show only rows whose name holds this text.")]


@dataclass(frozen=True)
class Column:
    """A column of a table: its heading, and what a row has in it."""

    title: str
    read: Callable[[Any], str]
    is_number: bool = False


def models(text: Filter = "", json: JsonFlag = False) -> None:
    """List the networks that can be named."""
    from app.cli.session import open_advisor

    columns = (
        Column(phrase("Name"), lambda m: m.name),
        Column(phrase("Network"), lambda m: m.title),
        Column(phrase("Family"), lambda m: m.family),
        Column(phrase("Parameters"), lambda m: format_count(m.params), is_number=True),
        Column(phrase("Input"), lambda m: shape_words(m.input_shape)),
        Column(phrase("Needs"), lambda m: phrase("[{extra}] extra", extra=m.extra) if m.extra else ""),
    )
    _answer("models", open_advisor().catalog.models(), text, columns, json)


def datasets(text: Filter = "", json: JsonFlag = False) -> None:
    """List the datasets that can be named."""
    from app.cli.session import open_advisor

    columns = (
        Column(phrase("Name"), lambda d: d.name),
        Column(phrase("Samples"), lambda d: format_count(d.samples), is_number=True),
        Column(phrase("One sample"), lambda d: shape_words(d.sample_shape) if d.sample_shape else phrase("varies")),
        Column(phrase("Classes"), lambda d: format_count(d.classes) if d.classes else "", is_number=True),
        Column(phrase("On disk"), lambda d: format_bytes(d.bytes_on_disk), is_number=True),
        Column(phrase("Here"), lambda d: phrase("yes") if d.real else phrase("no")),
    )
    _answer("datasets", open_advisor().catalog.datasets(), text, columns, json)


def gpus(text: Filter = "", json: JsonFlag = False) -> None:
    """List the cards that can be named with --on."""
    from app.cli.session import open_advisor

    columns = (
        Column(phrase("Name"), lambda g: g.name),
        Column(phrase("Kind"), lambda g: g.segment),
        Column(phrase("Memory"), lambda g: format_bytes(g.memory_bytes), is_number=True),
        Column(phrase("Bandwidth"), lambda g: f"{g.memory_bandwidth_bytes_per_s / 1e9:,.0f} GB/s", is_number=True),
        Column("FP32", lambda g: f"{g.fp32_flops_per_s / 1e12:.1f} TFLOP/s", is_number=True),
        Column(phrase("Launched"), lambda g: g.launch_date or ""),
    )
    _answer("gpus", open_advisor().catalog.gpus(), text, columns, json)


def clouds(
    text: Filter = "",
    json: JsonFlag = False,
    refresh: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Take offers from a folder of gpuhunt's tables first.")
    ] = None,
) -> None:
    """List the machines to rent, with the date of each price."""
    from app.cli.session import open_advisor, tell

    if refresh is not None:
        taken = format_count(open_advisor().catalog.refresh_clouds(refresh.expanduser()))
        tell(phrase("{offers} offers taken over from {folder}", offers=taken, folder=refresh))

    columns = (
        Column(phrase("Name"), lambda c: c.name),
        Column("GPU", lambda c: f"{c.gpu_count} × {c.gpu}" if c.gpu else phrase("none")),
        Column("RAM", lambda c: format_bytes(c.ram_bytes), is_number=True),
        Column(phrase("USD per hour"), lambda c: f"{c.usd_per_hour:.2f}", is_number=True),
        Column(
            phrase("Spot"),
            lambda c: "" if c.usd_per_hour_spot is None else f"{c.usd_per_hour_spot:.2f}",
            is_number=True,
        ),
        Column(phrase("As of"), lambda c: c.price_date),
    )
    _answer("clouds", open_advisor().catalog.clouds(), text, columns, json)


def _answer(name: str, rows: tuple[Any, ...], text: str, columns: tuple[Column, ...], json: bool) -> None:
    """Print the rows whose name or title holds the text, as JSON or as a table."""
    wanted = text.casefold()
    chosen = tuple(r for r in rows if wanted in f"{r.name} {getattr(r, 'title', '')}".casefold())
    if json:
        from app.cli.output import print_json, rows_json

        print_json(rows_json(name, chosen))
        return
    from app.cli.text import show

    cells = tuple(tuple(column.read(row) for column in columns) for row in chosen)
    numbers = tuple(index for index, column in enumerate(columns) if column.is_number)
    count = plural("{n} row", "{n} rows", len(chosen), n=format_count(len(chosen)))
    show(Table(tuple(column.title for column in columns), cells, numbers), BLANK, Line(count))
