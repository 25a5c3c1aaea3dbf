"""How the terminal shows what `app.presentation` lays out: lines, lists and tables, in colour if it is one."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass

from rich import box
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
    width = None if sys.stdout.isatty() else PIPE_WIDTH
    console = Console(file=sys.stdout, width=width, markup=False, highlight=False, emoji=False)
    for number, block in enumerate(blocks):
        if number and _begins(block):
            console.print()
        for part in _rendered(said_all(block, lambda text: visible(language.say(text), "\n"))):
            console.print(_WithoutEnds(part))


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
        yield _table(block)


def _table(block: Table) -> RichTable:
    """A table without a frame, and without a head where its columns have no names."""
    table = RichTable(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, show_header=any(block.columns))
    for index, name in enumerate(block.columns):
        table.add_column(
            name, justify="right" if index in block.numbers else "left", overflow="fold", no_wrap=index == 0
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
