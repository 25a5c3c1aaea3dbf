"""What a face lays out: lines, lists and tables of texts, the same for terminal, report and window.

A block says what stands there and how much it weighs, and knows nothing of Rich, HTML or Qt.  Its texts are values
until a face says them in its language (`said_all`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, ClassVar, Literal

from app.core.types.text import Text, join

Say = Callable[[str], str]
"""Says a text in a language; a plain string is a name, or said already, and stays."""
Weight = Literal["plain", "title", "strong", "soft", "good", "warning", "bad"]
"""How a line stands out; a title begins what follows."""


@dataclass(frozen=True)
class Line:
    """A line; ``rest`` follows the text without its weight."""

    kind: ClassVar = "line"
    text: str = ""
    weight: Weight = "plain"
    rest: str = ""
    indent: int = 0


@dataclass(frozen=True)
class Points:
    """A heading and what stands below it, each once."""

    kind: ClassVar = "points"
    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Table:
    """Rows under their headings, which are empty where a row begins with its name.

    ``numbers`` are the columns that stand to the right; ``rule`` is the row above which a line is drawn; ``spare`` are
    the columns that a narrow terminal leaves out, in this order, before it tears words.
    """

    kind: ClassVar = "table"
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: tuple[int, ...] = ()
    title: str = ""
    rule: int | None = None
    spare: tuple[int, ...] = ()

    def known(self) -> Table:
        """Without the columns in which no row has anything."""
        return self.pick([column for column in range(len(self.columns)) if any(row[column] for row in self.rows)])

    def pick(self, chosen: Sequence[int]) -> Table:
        """Only some columns, in another order."""
        rows = tuple(tuple(row[column] for column in chosen) for row in self.rows)
        columns = tuple(self.columns[column] for column in chosen)
        numbers, spare = (
            tuple(chosen.index(one) for one in named if one in chosen) for named in (self.numbers, self.spare)
        )
        return replace(self, columns=columns, rows=rows, numbers=numbers, spare=spare)

    def without(self, dropped: Sequence[int]) -> Table:
        """All but some columns."""
        return self.pick([column for column in range(len(self.columns)) if column not in dropped])


Block = Line | Points | Table
BLANK = Line()


def fact(name: str, *parts: str) -> tuple[str, str]:
    """A row of two cells: the name, and what is known of it beside each other."""
    return name, join(" · ", filter(None, parts))


def facts(title: str, rows: Iterable[tuple[str, str]]) -> Table:
    """A table of `fact` rows; those of which nothing is known are left out."""
    return Table(("", ""), tuple(row for row in rows if row[1]), title=title)


def points(title: str, lines: Sequence[str]) -> tuple[Points, ...]:
    """A list of those lines that say something; nothing if none does."""
    told = tuple(line for line in dict.fromkeys(lines) if line)
    return (Points(title, told),) if told else ()


def said_all(value: Any, say: Say) -> Any:
    """A nest of dataclasses and tuples with every text said; plain strings are names, or said already."""
    if isinstance(value, str):
        return say(value)
    if isinstance(value, tuple):
        return tuple(said_all(item, say) for item in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{field.name: said_all(getattr(value, field.name), say) for field in fields(value)})
    return value


def marked(mark: str, text: str) -> Text:
    """A value after its mark."""
    return join(" ", filter(None, (mark, text)))
