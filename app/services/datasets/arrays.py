"""Look into ``.npz`` and ``.csv`` files: shapes, types, classes and counts, without loading the data."""

from __future__ import annotations

import csv
import lzma
import math
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import numpy as np
from numpy.lib import format as npy_format

from app.core.pipeline.datafiles import SAMPLE_ROWS, CsvColumns, choose_arrays, read_columns
from app.core.types.cancelling import never_cancelled
from app.core.types.errors import BadDataset, Cancelled
from app.core.types.plausible import MOST_COUNT
from app.core.types.text import Text, phrase
from app.core.types.workload import Dataset

MAX_LABEL_BYTES = 256 * 1024**2
MAX_LABEL_ROWS = 100_000
MAX_CELL_CHARACTERS = 1_000_000
_CHUNK_BYTES = 1 << 20

Header = tuple[tuple[int, ...], np.dtype[np.generic]]


def scan_npz(path: Path) -> Dataset:
    """Shapes and classes of an ``.npz`` file from the headers of its arrays.

    Raises:
        BadDataset: The file is damaged, holds Python objects, or no data that can be told from its labels.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            headers = {Path(n).stem: _npy_header(archive, n) for n in archive.namelist() if n.endswith(".npy")}
            chosen = choose_arrays({name: shape[0] for name, (shape, _) in headers.items() if shape})
            if chosen is None:
                raise BadDataset(
                    phrase("the arrays have no names that are known"),
                    expected=phrase("x_train and y_train, or x and y"),
                    received=", ".join(sorted(headers)[:8]) or phrase("an empty file"),
                )
            data, labels = chosen
            classes = _classes(archive, labels, headers[labels]) if labels is not None else None
    except (
        zipfile.BadZipFile,
        OSError,
        ValueError,
        EOFError,
        NotImplementedError,
        RuntimeError,
        zlib.error,
        lzma.LZMAError,
        OverflowError,
        SyntaxError,
        TypeError,
        MemoryError,
    ) as error:
        raise BadDataset(
            phrase("the file cannot be read"), expected=phrase("a NumPy .npz file"), received=f"{path.name}: {error}"
        ) from error
    shape, dtype = headers[data]
    _check_sides(shape, path)
    if dtype.hasobject:
        raise BadDataset(
            phrase("the array holds Python objects"),
            expected=phrase("arrays of numbers"),
            received=phrase("{data} in {path}", data=data, path=path.name),
            hint=phrase("pad the sequences to one length and save them as an array of integers"),
        )
    return Dataset(
        path.stem,
        kind="npz",
        path=str(path),
        samples=shape[0],
        sample_shape=shape[1:] or (1,),
        dtype=str(dtype),
        classes=classes,
        bytes_on_disk=path.stat().st_size,
        files=1,
        source=phrase("{path}: array {data}", path=path.name, data=data)
        + (phrase(", labels {labels}", labels=labels) if labels else phrase(", no labels")),
        real=True,
    )


def _check_sides(shape: tuple[int, ...], path: Path) -> None:
    """Refuse a shape that the file cannot have; its header may say anything."""
    if not all(0 <= side <= MOST_COUNT for side in shape) or math.prod(shape) > MOST_COUNT:
        raise BadDataset(
            phrase("the array cannot have this shape"),
            expected=phrase("sides of 0 or more, that a file could hold"),
            received=phrase("{shape} in {path}", shape=str(shape)[:80], path=path.name),
        )


def _npy_header(archive: zipfile.ZipFile, name: str) -> Header:
    """Shape and type of one array."""
    with archive.open(name) as file:
        version = npy_format.read_magic(file)
        read = npy_format.read_array_header_1_0 if version == (1, 0) else npy_format.read_array_header_2_0
        shape, _, dtype = read(file)
    return shape, dtype


def _classes(archive: zipfile.ZipFile, name: str, header: Header) -> int | None:
    """Number of classes from the labels: columns of one-hot labels, else the highest number plus one."""
    shape, dtype = header
    width = int(np.prod(shape[1:], dtype=np.int64))
    if width > 1:
        return width if len(shape) == 2 else None
    if dtype.kind not in "iub" or shape[0] * dtype.itemsize > MAX_LABEL_BYTES or shape[0] == 0:
        return None
    with archive.open(f"{name}.npy") as file:
        labels = npy_format.read_array(file, allow_pickle=False)
    return int(labels.max()) + 1 if int(labels.min()) >= 0 else None


def scan_csv(path: Path, cancelled: Callable[[], bool] = never_cancelled) -> Dataset:
    """Rows, columns of numbers and classes of a table.

    Raises:
        BadDataset: The file is no table of numbers.
        Cancelled: ``cancelled`` said so.
    """
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            dialect = csv_dialect(file)
            first = [row for row, _ in zip(csv.reader(file, dialect), range(SAMPLE_ROWS + 1), strict=False)]
        columns = read_columns(first)
        if columns is None:
            raise BadDataset(
                phrase("the table has no column of numbers"),
                expected=phrase("numbers, and a label in the last column"),
                received=", ".join(first[0][:6]) if first else phrase("an empty file"),
            )
        rows = _count_lines(path, cancelled) - columns.has_header
        classes = _csv_classes(path, dialect, columns)
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


def csv_dialect(file: IO[str]) -> type[csv.Dialect]:
    """The separator of a table; leaves the file at its beginning."""
    csv.field_size_limit(MAX_CELL_CHARACTERS)
    try:
        dialect = csv.Sniffer().sniff(file.readline(65536), delimiters=",;\t|")
    except csv.Error:
        dialect = csv.excel
    file.seek(0)
    return dialect


def _csv_classes(path: Path, dialect: type[csv.Dialect], columns: CsvColumns) -> int | None:
    """How many different labels there are; 1 where the label is a real number; None without a label."""
    if columns.label is None:
        return None
    values = set(_label_values(path, dialect, columns))
    if columns.label_is_text:
        return len(values)
    try:
        numbers = [float(value) for value in values if value]
    except ValueError:  # the first rows held numbers only
        return len(values)
    if not numbers or any(not n.is_integer() or n < 0 for n in numbers) or max(numbers) >= MAX_LABEL_ROWS:
        return 1
    return int(max(numbers)) + 1


def _label_values(path: Path, dialect: type[csv.Dialect], columns: CsvColumns) -> Iterator[str]:
    """The labels of the first rows."""
    with open(path, encoding="utf-8-sig", newline="") as file:
        for number, row in enumerate(csv.reader(file, dialect)):
            if number > MAX_LABEL_ROWS:
                return
            if number >= columns.has_header and columns.label is not None and columns.label < len(row):
                yield row[columns.label].strip()


def _count_lines(path: Path, cancelled: Callable[[], bool]) -> int:
    """Lines of a file, the last one without an end included; blank lines at the end are not."""
    count, last = 0, b"\n"
    with open(path, "rb") as file:
        while chunk := file.read(_CHUNK_BYTES):
            if cancelled():
                raise Cancelled(phrase("the scan was cancelled"))
            stripped = chunk.replace(b"\r\n", b"\n")
            count += stripped.count(b"\n") - stripped.count(b"\n\n")
            last = stripped[-1:]
    return count + (last != b"\n")


def _label_words(columns: CsvColumns) -> Text:
    """What was taken for the label."""
    if columns.label is None:
        return phrase("{count} columns of numbers, no label found", count=len(columns.numeric))
    name = columns.names[columns.label] if columns.names else phrase("column {label}", label=columns.label + 1)
    return phrase("{count} columns of numbers, label {name}", count=len(columns.numeric), name=name)
