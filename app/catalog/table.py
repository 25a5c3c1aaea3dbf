"""Read a CSV table into frozen dataclasses, with errors that name file, line and column.

::

    class _Columns(Columns, frozen=True):
        name: str
        price: Annotated[float, number(at_least=0)]
        source: str | None = None

    def _parse(row: _Columns) -> Price:
        return Price(row.name, row.price, row.source or "")

    prices = read_table(path, _Columns, _parse)

A column without a default must be there, and so must each of its cells.  An empty cell is ``None``: the tables never
write 0 for what nobody knows.  A user's own table of the same name replaces rows of ours by key and adds new ones
(`load_table`).
"""

from __future__ import annotations

import csv
import difflib
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, TypeVar, cast, get_args, get_origin, get_type_hints

import msgspec

from app.catalog import typed_json
from app.catalog.paths import resource_path
from app.core.types.errors import StoreError
from app.core.types.text import Text, phrase, verbatim
from app.core.types.units import format_day, format_number

T = TypeVar("T")
C = TypeVar("C", bound="Columns")

MAX_TABLE_BYTES = 16 * 1024**2
"""Ours are below 100 kB; a larger file under the same name is no table."""
_MOST_COUNT = 2**63 - 1
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_EXPECTED = "expected"
"""Under this name a limit says what would be right; msgspec's own ``description`` takes no `Text`."""


class Columns(msgspec.Struct, frozen=True):
    """The columns of a table by name, and what their cells may hold; ``key`` names the columns that name a row."""

    key: ClassVar[tuple[str, ...]] = ("name",)


class WrongCell(ValueError):
    """A cell that does not go with the others of its row.

    Args:
        column: Its column.
        expected: What it should hold.
    """

    def __init__(self, column: str, expected: str) -> None:
        super().__init__(column, expected)
        self.column = column
        self.expected = expected


def number(*, at_least: float = 0.0) -> msgspec.Meta:
    """A finite number."""
    expected = phrase("a number of at least {at_least}", at_least=format_number(at_least, "g"))
    return msgspec.Meta(ge=at_least, le=sys.float_info.max, extra={_EXPECTED: expected})


def whole(*, at_least: int = 0) -> msgspec.Meta:
    """A whole number."""
    expected = phrase("a whole number of at least {at_least}", at_least=at_least)
    return msgspec.Meta(ge=at_least, le=_MOST_COUNT, extra={_EXPECTED: expected})


def matching(pattern: str, expected: str) -> msgspec.Meta:
    """A text of a given form."""
    return msgspec.Meta(pattern=rf"\A(?:{pattern})\Z", extra={_EXPECTED: expected})


def one_of(choices: Iterable[str]) -> msgspec.Meta:
    """One of several words."""
    words = tuple(choices)
    return matching("|".join(map(re.escape, words)), phrase("one of ") + ", ".join(words))


def said(cell: str) -> Text:
    """A cell that people read, which the catalogues translate for our own tables; a date stands by itself."""
    return format_day(cell) if _DAY.fullmatch(cell) else Text(cell.replace("{", "{{").replace("}", "}}"))


Date = Annotated[
    str,
    matching(
        "[0-9]{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?", phrase("a date such as 2024-01-31, 2024-01 or 2024")
    ),
]
YesNo = Literal["yes", "no"]


@dataclass(frozen=True)
class _Row:
    """One line of a table."""

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

    def as_columns(self, columns: type[C]) -> C:
        """The cells, converted.

        Raises:
            StoreError: One holds something else.
        """
        given = {name: cell.strip() or None for name, cell in self.cells.items()}
        try:
            return typed_json.convert(given, columns, strict=False)
        except msgspec.ValidationError as error:
            column = str(error).rpartition("`$.")[2].rstrip("`")  # "… - at `$.column`"
            raise self.error(column, _expected(get_type_hints(columns, include_extras=True)[column])) from error


def column_names(columns: type[Columns]) -> tuple[str, ...]:
    """The columns of a table in order."""
    return columns.__struct_fields__


def _expected(hint: Any) -> str:
    """What a cell of that type may hold, in words."""
    if get_origin(hint) is Literal:
        return phrase("one of ") + ", ".join(get_args(hint))
    for meta in getattr(hint, "__metadata__", ()):
        return cast("Text", meta.extra[_EXPECTED])
    inner = next((part for part in get_args(hint) if part is not type(None)), None)
    return phrase("a text") if inner is None else _expected(inner)


def read_table(path: Path, columns: type[C], parse: Callable[[C], T]) -> dict[tuple[str, ...], T]:
    """Read one CSV file.

    Args:
        path: File in UTF-8; the first line names the columns, in any order.
        columns: Columns that must and may be there.
        parse: Makes the dataclass of one row; may raise `WrongCell`.

    Returns:
        The rows by key, in the order of the file.

    Raises:
        StoreError: The file cannot be read, lacks a column, has an unknown one, a damaged line or a key twice.
    """
    rows: dict[tuple[str, ...], T] = {}
    for row in _rows(path, columns):
        given = row.as_columns(columns)
        key = tuple(getattr(given, column) for column in columns.key)
        if key in rows:
            raise row.error(columns.key[-1], phrase("every row once; this one stands further up already"))
        try:
            rows[key] = parse(given)
        except WrongCell as error:
            raise row.error(error.column, error.expected) from error
    return rows


def load_table(name: str, columns: type[C], parse: Callable[[C], T], user_dir: Path | None = None) -> tuple[T, ...]:
    """Read a table that ships with the program, and the user's own rows over it.

    Args:
        name: File name, for example ``gpus.csv``.
        columns: Columns that must and may be there.
        parse: Makes the dataclass of one row.
        user_dir: Folder that may hold a table of the same name.  A row with a key of ours replaces ours in place,
            any other is appended.

    Raises:
        StoreError: One of the two files is damaged.
    """
    rows = read_table(resource_path(name), columns, parse)
    own = None if user_dir is None else user_dir / name
    if own is not None and own.is_file():
        rows |= read_table(own, columns, parse)
    return tuple(rows.values())


def _rows(path: Path, columns: type[Columns]) -> Iterator[_Row]:
    """The lines of a file as rows; blank lines are skipped."""
    reader = csv.reader(_read_text(path).splitlines(keepends=True), strict=True)
    try:
        header = [cell.strip() for cell in next(reader, [])]
        _check_header(path, header, columns)
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) != len(header):
                raise _line_error(path, reader.line_num, phrase("{count} cells", count=len(header)), f"{len(cells)}")
            yield _Row(path, reader.line_num, dict(zip(header, cells, strict=True)))
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


def _check_header(path: Path, header: list[str], columns: type[Columns]) -> None:
    """Refuse a table that lacks a column, names one twice, or has one that nobody would read."""
    known = column_names(columns)
    for column in (field.name for field in msgspec.structs.fields(columns) if field.required):
        if column not in header:
            raise _line_error(
                path, 1, phrase("a column {column}", column=column), ", ".join(header) or phrase("an empty file")
            )
    for column in header:
        if header.count(column) > 1:
            raise _line_error(path, 1, phrase("every column once"), phrase("{column} twice", column=column))
        if column not in known:
            close = difflib.get_close_matches(column, known, n=1)
            hint = phrase("did you mean {close}?", close=close[0]) if close else ""
            raise _line_error(path, 1, "only " + ", ".join(known), repr(column), hint)


def _line_error(path: Path, line: int, expected: str, received: str, hint: str = "") -> StoreError:
    """An error that concerns a whole line."""
    message = phrase("{path}, line {line} cannot be read", path=path.name, line=line)
    return StoreError(
        message, expected=expected, received=received, hint=verbatim(hint or phrase("correct it in {path}", path=path))
    )
