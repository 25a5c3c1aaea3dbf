"""How the terminal shows what `app.presentation` lays out: lines, lists and tables, in colour if it is one."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.padding import Padding
from rich.segment import Segment
from rich.table import Table as RichTable
from rich.text import Text

from app.cli.language import said, terminal_language
from app.core.types.visible import visible
from app.presentation.layout import Block, Line, Points, Table, Weight, said_all

PIPE_WIDTH = 120
"""Columns where the output is no terminal: a pipe, a file, a log."""
FIGURE = 14
"""Columns of a number with its mark and unit; what is longer is words."""
WIDE_GAP, DENSE_GAP = 3, 2
"""Between two columns, as Rich draws a table without lines, and with its padding collapsed."""
_STYLES: dict[Weight, str] = {
    "plain": "",
    "title": "bold",
    "strong": "bold",
    "soft": "dim",
    "good": "bold green",
    "warning": "bold yellow",
    "bad": "bold red",
}


def show(*blocks: Block) -> None:
    """Print on stdout in the terminal's language; in names no markup is read, and what cannot be seen is shown."""
    language = terminal_language()
    console = Console(file=sys.stdout, width=_width(), markup=False, highlight=False, emoji=False)
    for number, block in enumerate(blocks):
        if number and _begins(block):
            console.print()
        for part in _rendered(said_all(block, lambda text: visible(language.say(text), "\n"))):
            console.print(_WithoutEnds(part))


def _width() -> int | None:
    """Columns to write: a terminal's own, else what ``COLUMNS`` asks for."""
    asked = os.environ.get("COLUMNS", "")
    return None if sys.stdout.isatty() else int(asked) if asked.isdecimal() and int(asked) else PIPE_WIDTH


def show_lines(*texts: str) -> None:
    """Print lines as they are, however long: what is copied is not broken."""
    for text in texts:
        sys.stdout.write(f"{said(text)}\n")


def _begins(block: Block) -> bool:
    """What has a title stands apart."""
    return block.weight == "title" if isinstance(block, Line) else bool(block.title)


def _rendered(block: Block) -> Iterator[RenderableType]:
    """A block as Rich draws it."""
    if isinstance(block, Line):
        line = Text(block.text, style=_STYLES[block.weight])
        yield Padding(line.append(block.rest, style="default"), (0, 0, 0, 2 * block.indent))
        return
    if block.title:
        yield Text(block.title, style="bold")
    if isinstance(block, Points):
        yield from (Padding(Text(f"- {line}"), (0, 0, 0, 2)) for line in block.lines)
    else:
        yield _Fitting(block)


@dataclass(frozen=True)
class _Fitting:
    """A table that gives up what it can spare where words would be torn: room between columns, then columns."""

    block: Table

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield next(self._whole(options.max_width), None) or _table(self.block)

    def _whole(self, width: int) -> Iterator[RichTable]:
        """The forms in which every word is whole, from the wished to the narrowest."""
        wished = [(self.block, WIDE_GAP)]
        for given_up in range(len(self.block.spare) + 1):
            wished.append((self.block.without(self.block.spare[:given_up]), DENSE_GAP))
        for block, gap in wished:
            if widths := _widths(block, width - gap * (len(block.columns) - 1)):
                yield _table(block, widths, dense=gap == DENSE_GAP)


def _widths(block: Table, room: int) -> list[int]:
    """How wide each column is where no word is torn; none where that needs more room."""
    columns = [(name, *(row[index] for row in block.rows)) for index, name in enumerate(block.columns)]
    most = [max(map(cell_len, cells)) for cells in columns]
    least = [_least(cells, index == 0, index in block.numbers) for index, cells in enumerate(columns)]
    free = min(room, sum(most)) - sum(least)
    if free < 0:
        return []
    asked = sum(most) - sum(least) or 1
    return [low + free * (high - low) // asked for low, high in zip(least, most, strict=True)]


def _least(cells: Sequence[str], is_name: bool, is_number: bool) -> int:
    """The narrowest a column may be: as its longest word, the name of a row, or a figure with its mark and unit."""
    words = [word for cell in cells for word in cell.split()]
    whole = [cell for cell in cells[1:] if is_name or (is_number and cell_len(cell) <= FIGURE)]
    return max(map(cell_len, words + whole), default=0)


def _table(block: Table, widths: Sequence[int] = (), *, dense: bool = False) -> RichTable:
    """A table without a frame, and without a head where columns have no names; Rich finds the widths if none are."""
    table = RichTable(
        box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, show_header=any(block.columns), collapse_padding=dense
    )
    for index, name in enumerate(block.columns):
        table.add_column(
            name,
            justify="right" if index in block.numbers else "left",
            overflow="fold",
            no_wrap=index == 0,
            width=widths[index] if widths else None,
        )
    for index, row in enumerate(block.rows):
        if block.rule is not None and index == block.rule > 0:
            table.add_section()
        table.add_row(*row)
    return table


@dataclass(frozen=True)
class _WithoutEnds:
    """What is shown, without the blanks that tables and indented lines fill the width with."""

    part: RenderableType

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for line in console.render_lines(self.part, options, pad=False):
            while line and not line[-1].text.rstrip():
                line.pop()
            if line:
                line[-1] = Segment(line[-1].text.rstrip(), line[-1].style)
            yield from line
            yield Segment.line()
