"""Read a CSV table into frozen dataclasses, with errors that name file, line and column.

::

    def _parse(row: Row) -> Price:
        return Price(row.text("name"), row.number("price", at_least=0), …)

    prices = read_table(path, Schema(required=("name", "price"), optional=("source",), key="name"), _parse)

An empty cell is ``None``: the tables never write 0 for what nobody knows.  A user's own table of the same name
replaces rows of ours by key and adds new ones (`load_table`).
"""

from __future__ import annotations

import csv
import difflib
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from app.catalog.paths import resource_path
from app.core.types.errors import StoreError
from app.core.types.text import Text, phrase, verbatim
from app.core.types.units import format_day, format_number

T = TypeVar("T")

_DAY = re.compile(r"\d{4}-\d\d-\d\d")

MAX_TABLE_BYTES = 16 * 1024**2
"""Ours are below 100 kB; a larger file under the same name is no table."""


@dataclass(frozen=True)
class Schema:
    """Which columns a table must and may have, and which of them (together) name a row."""

    required: tuple[str, ...]
    optional: tuple[str, ...] = ()
    key: tuple[str, ...] = ("name",)

    @property
    def columns(self) -> tuple[str, ...]:
        """All known columns."""
        return self.required + self.optional


@dataclass(frozen=True)
class Row:
    """One line of a table; the accessors convert a cell or say what is wrong with it."""

    path: Path
    line: int
    cells: dict[str, str]

    def error(self, column: str, expected: str) -> StoreError:
        """The error to raise for a cell that does not hold what it should."""
        return StoreError(
            phrase(
                "{path}, line {line}: column {column} cannot be used",
                path=self.path.name,
                line=self.line,
                column=column,
            ),
            expected=expected,
            received=repr(self.cells.get(column, "")),
            hint=phrase("correct it in {path}", path=self.path),
        )

    def text_or_none(self, column: str) -> str | None:
        """The cell without surrounding blanks; None if empty or absent."""
        return self.cells.get(column, "").strip() or None

    def said_or_none(self, column: str) -> Text | None:
        """A cell that people read, which the catalogues translate for our own tables; a date stands by itself."""
        cell = self.text_or_none(column)
        if cell is None:
            return None
        return format_day(cell) if _DAY.fullmatch(cell) else Text(cell.replace("{", "{{").replace("}", "}}"))

    def text(self, column: str) -> str:
        """A text that must be there.

        Raises:
            StoreError: The cell is empty.
        """
        text = self.text_or_none(column)
        if text is None:
            raise self.error(column, phrase("a text"))
        return text

    def number_or_none(self, column: str, *, at_least: float = 0.0) -> float | None:
        """A finite number, or None if the cell is empty.

        Raises:
            StoreError: The cell holds something else, or a number below ``at_least``.
        """
        text = self.text_or_none(column)
        if text is None:
            return None
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if not math.isfinite(number) or number < at_least:
            raise self.error(column, phrase("a number of at least {at_least}", at_least=format_number(at_least, "g")))
        return number

    def number(self, column: str, *, at_least: float = 0.0) -> float:
        """A finite number that must be there.

        Raises:
            StoreError: The cell is empty or holds something else.
        """
        number = self.number_or_none(column, at_least=at_least)
        if number is None:
            raise self.error(column, phrase("a number of at least {at_least}", at_least=format_number(at_least, "g")))
        return number

    def integer_or_none(self, column: str, *, at_least: int = 0) -> int | None:
        """A whole number, or None if the cell is empty.

        Raises:
            StoreError: The cell holds something else.
        """
        text = self.text_or_none(column)
        if text is None:
            return None
        # isdecimal() would let through digits of other scripts, and int() underscores
        if not re.fullmatch(r"[0-9]{1,18}", text) or int(text) < at_least:
            raise self.error(column, phrase("a whole number of at least {at_least}", at_least=at_least))
        return int(text)

    def integer(self, column: str, *, at_least: int = 0) -> int:
        """A whole number that must be there.

        Raises:
            StoreError: The cell is empty or holds something else.
        """
        number = self.integer_or_none(column, at_least=at_least)
        if number is None:
            raise self.error(column, phrase("a whole number of at least {at_least}", at_least=at_least))
        return number

    def choice(self, column: str, choices: tuple[str, ...]) -> str:
        """One of several words.

        Raises:
            StoreError: The cell holds another word or none.
        """
        text = self.text_or_none(column)
        if text not in choices:
            raise self.error(column, phrase("one of ") + ", ".join(choices))
        return text

    def yes_no_or_none(self, column: str) -> bool | None:
        """``yes`` or ``no``, or None if the cell is empty.

        Raises:
            StoreError: The cell holds another word.
        """
        text = self.text_or_none(column)
        if text is None:
            return None
        return self.choice(column, ("yes", "no")) == "yes"

    def matching_or_none(self, column: str, pattern: str, expected: str) -> str | None:
        """A text of a given form, or None if the cell is empty.

        Raises:
            StoreError: The text has another form.
        """
        text = self.text_or_none(column)
        if text is not None and not re.fullmatch(pattern, text, re.ASCII):
            raise self.error(column, expected)
        return text

    def matching(self, column: str, pattern: str, expected: str) -> str:
        """A text of a given form that must be there.

        Raises:
            StoreError: The cell is empty or the text has another form.
        """
        text = self.matching_or_none(column, pattern, expected)
        if text is None:
            raise self.error(column, expected)
        return text

    def date_or_none(self, column: str) -> str | None:
        """A date as ``2024-01-31``, ``2024-01`` or ``2024``, or None if the cell is empty.

        Raises:
            StoreError: The cell holds something else.
        """
        pattern = r"\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?"
        return self.matching_or_none(column, pattern, phrase("a date such as 2024-01-31, 2024-01 or 2024"))


def read_table(path: Path, schema: Schema, parse: Callable[[Row], T]) -> dict[tuple[str, ...], T]:
    """Read one CSV file.

    Args:
        path: File in UTF-8; the first line names the columns, in any order.
        schema: Columns that must and may be there.
        parse: Makes the dataclass of one row.

    Returns:
        The rows by key, in the order of the file.

    Raises:
        StoreError: The file cannot be read, lacks a column, has an unknown one, a damaged line or a key twice.
    """
    rows: dict[tuple[str, ...], T] = {}
    for row in _rows(path, schema):
        key = tuple(row.text(column) for column in schema.key)
        if key in rows:
            raise row.error(schema.key[-1], phrase("every row once; this one stands further up already"))
        rows[key] = parse(row)
    return rows


def load_table(name: str, schema: Schema, parse: Callable[[Row], T], user_dir: Path | None = None) -> tuple[T, ...]:
    """Read a table that ships with the program, and the user's own rows over it.

    Args:
        name: File name, for example ``gpus.csv``.
        schema: Columns that must and may be there.
        parse: Makes the dataclass of one row.
        user_dir: Folder that may hold a table of the same name.  A row with a key of ours replaces ours in place,
            any other is appended.

    Raises:
        StoreError: One of the two files is damaged.
    """
    rows = read_table(resource_path(name), schema, parse)
    own = None if user_dir is None else user_dir / name
    if own is not None and own.is_file():
        rows |= read_table(own, schema, parse)
    return tuple(rows.values())


def _rows(path: Path, schema: Schema) -> Iterator[Row]:
    """The lines of a file as rows; blank lines are skipped."""
    reader = csv.reader(_read_text(path).splitlines(keepends=True), strict=True)
    try:
        header = [cell.strip() for cell in next(reader, [])]
        _check_header(path, header, schema)
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) != len(header):
                raise _line_error(path, reader.line_num, phrase("{count} cells", count=len(header)), f"{len(cells)}")
            yield Row(path, reader.line_num, dict(zip(header, cells, strict=True)))
    except csv.Error as error:
        raise _line_error(path, reader.line_num, phrase("comma-separated values"), str(error)) from error


def _read_text(path: Path) -> str:
    """The file as text; a byte order mark, as spreadsheets write it, is dropped."""
    try:
        if path.stat().st_size > MAX_TABLE_BYTES:
            raise StoreError(
                phrase("{path} is too large for a table", path=path.name),
                expected=phrase("at most {max_table} bytes", max_table=MAX_TABLE_BYTES),
            )
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise StoreError(phrase("cannot read {path}", path=path), received=error.strerror or str(error)) from error
    except UnicodeDecodeError as error:
        hint = phrase("save the table as CSV in UTF-8")
        raise StoreError(
            phrase("{path} is not text", path=path.name), expected="UTF-8", received=str(error.reason), hint=hint
        ) from error


def _check_header(path: Path, header: list[str], schema: Schema) -> None:
    """Refuse a table that lacks a column, names one twice, or has one that nobody would read."""
    for column in schema.required:
        if column not in header:
            raise _line_error(
                path, 1, phrase("a column {column}", column=column), ", ".join(header) or phrase("an empty file")
            )
    for column in header:
        if header.count(column) > 1:
            raise _line_error(path, 1, phrase("every column once"), phrase("{column} twice", column=column))
        if column not in schema.columns:
            close = difflib.get_close_matches(column, schema.columns, n=1)
            hint = phrase("did you mean {close}?", close=close[0]) if close else ""
            raise _line_error(path, 1, "only " + ", ".join(schema.columns), repr(column), hint)


def _line_error(path: Path, line: int, expected: str, received: str, hint: str = "") -> StoreError:
    """An error that concerns a whole line."""
    message = phrase("{path}, line {line} cannot be read", path=path.name, line=line)
    return StoreError(
        message, expected=expected, received=received, hint=verbatim(hint or phrase("correct it in {path}", path=path))
    )
