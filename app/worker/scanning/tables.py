"""Look into tables (CSV): rows, columns of numbers and classes; no line is held that is longer than any honest one."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from app.core.pipeline import scan_limits
from app.core.pipeline.datafiles import SAMPLE_ROWS, CsvColumns, read_columns
from app.core.types.errors import BadDataset
from app.core.types.text import Text, phrase
from app.core.types.workload import Dataset
from app.worker.scanning.telling import Tell, nobody, tell_bytes

_QUOTED = re.compile(r'"[^"]*"')
_FIRST_LINE_CHARACTERS = 65536


def scan_table(path: Path, tell: Tell) -> Dataset:
    """Rows, columns of numbers and classes of a table.

    Raises:
        BadDataset: The file is no table of numbers.
    """
    try:
        columns, delimiter = table_columns(path)
        rows = _count_lines(path, tell) - columns.has_header
        classes = _classes(path, columns, delimiter, tell)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise BadDataset(
            phrase("the table cannot be read"),
            expected=phrase("comma-separated values in UTF-8"),
            received=f"{path.name}: {error}",
        ) from error
    return Dataset(
        path.stem,
        kind="csv",
        path=str(path),
        samples=rows,
        sample_shape=(len(columns.numeric),),
        dtype="float32",
        classes=classes,
        bytes_on_disk=path.stat().st_size,
        files=1,
        source=phrase("{path}: {label}", path=path.name, label=_label_words(columns)),
        real=rows > 0,
    )


def table_columns(path: str | Path) -> tuple[CsvColumns, str]:
    """The columns of a table and what separates them, from its first rows.

    Raises:
        BadDataset: There is no column of numbers, or a row without end.
        UnicodeDecodeError: It is no text in UTF-8.
        csv.Error: A cell without end.
    """
    with _open(path) as file:
        delimiter = _delimiter(file.readline(_FIRST_LINE_CHARACTERS))
        file.seek(0)
        rows = _rows(file, delimiter, scan_limits.SAMPLE_CHARACTERS)
        first = [row for row, _ in zip(rows, range(SAMPLE_ROWS + 1), strict=False)]
    columns = read_columns(first)
    if columns is None:
        raise BadDataset(
            phrase("the table has no column of numbers"),
            expected=phrase("numbers, and a label in the last column"),
            received=", ".join(map(scan_limits.shortened, first[0][:6])) if first else phrase("an empty file"),
        )
    return columns, delimiter


def _open(path: str | Path) -> IO[str]:
    """A table as `csv` wants it."""
    return open(path, encoding="utf-8-sig", newline="")


def _delimiter(line: str) -> str:
    """The separator of a table from its first line: the most usual one outside of quotes."""
    return max(",;\t|", key=_QUOTED.sub("", line).count)


def _rows(file: IO[str], delimiter: str, most_characters: int, tell: Tell = nobody) -> Iterator[list[str]]:
    """The rows of a table until so much is read.

    Raises:
        BadDataset: A row does not end.
        csv.Error: A cell does not.
    """
    read = in_row = 0

    def lines() -> Iterator[str]:
        nonlocal read, in_row
        while line := file.readline(scan_limits.ROW_CHARACTERS):
            read += len(line)
            in_row += len(line)
            if in_row >= scan_limits.ROW_CHARACTERS:  # a line without end, or quotes without end around many
                raise BadDataset(
                    phrase("a row of the table is too long"),
                    expected=phrase("at most {most} characters in a row", most=scan_limits.ROW_CHARACTERS),
                    received=phrase("more, after {read} characters", read=read - in_row),
                    hint=phrase("check that the file is a table of text"),
                )
            yield line

    csv.field_size_limit(scan_limits.CELL_CHARACTERS)
    told = 0
    for row in csv.reader(lines(), delimiter=delimiter):
        in_row = 0
        yield row
        if read >= most_characters:
            return
        if read - told >= scan_limits.BLOCK_BYTES:
            told = read
            tell_bytes(tell, read, most_characters)


def _count_lines(path: Path, tell: Tell) -> int:
    """Lines of a file, the last one without an end included; blank lines at the end are not."""
    count, last, read, size = 0, b"\n", 0, path.stat().st_size
    with open(path, "rb") as file:
        while chunk := file.read(scan_limits.BLOCK_BYTES):
            read += len(chunk)
            tell_bytes(tell, read, size)
            stripped = chunk.replace(b"\r\n", b"\n")
            count += stripped.count(b"\n") - stripped.count(b"\n\n")
            last = stripped[-1:]
    return count + (last != b"\n")


def _classes(path: Path, columns: CsvColumns, delimiter: str, tell: Tell) -> int | None:
    """How many different labels there are; 1 where the label is a real number; None without a label."""
    if columns.label is None:
        return None
    values = _labels(path, columns.label, columns, delimiter, tell)
    if columns.label_is_text:
        return len(values)
    try:
        numbers = [float(value) for value in values if value]
    except ValueError:  # the first rows held numbers only
        return len(values)
    if not numbers or any(not n.is_integer() or n < 0 for n in numbers) or max(numbers) >= scan_limits.LABEL_ROWS:
        return 1
    return int(max(numbers)) + 1


def _labels(path: Path, label: int, columns: CsvColumns, delimiter: str, tell: Tell) -> set[str]:
    """The different labels of the first rows."""
    values = set()
    with _open(path) as file:
        for number, row in enumerate(_rows(file, delimiter, scan_limits.LABELS_CHARACTERS, tell)):
            if number > scan_limits.LABEL_ROWS:
                break
            if number >= columns.has_header and label < len(row):
                values.add(row[label].strip()[: scan_limits.LABEL_CHARACTERS])
    return values


def _label_words(columns: CsvColumns) -> Text:
    """What was taken for the label."""
    if columns.label is None:
        return phrase("{count} columns of numbers, no label found", count=len(columns.numeric))
    name = scan_limits.shortened(columns.names[columns.label]) if columns.names else None
    words = phrase("column {label}", label=columns.label + 1) if name is None else name
    return phrase("{count} columns of numbers, label {name}", count=len(columns.numeric), name=words)
