"""Conventions by which files are read as training data; the scan and the child must agree on them.

Only names and texts are judged here; nothing is opened.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

IMAGE_SUFFIXES = frozenset((".jpg", ".jpeg", ".png", ".bmp", ".gif", ".webp"))
RECORD_SUFFIXES = (".tfrecord", ".tfrecords", ".tfrec", ".records")
TRAIN_FOLDERS = ("train", "training")
OTHER_SPLITS = frozenset(("val", "valid", "validation", "test", "testing", "dev", "eval"))
SKIPPED_FOLDERS = frozenset(("__MACOSX", "__pycache__", "@eaDir"))

ARRAY_NAMES = (
    ("x_train", "y_train"),
    ("X_train", "y_train"),
    ("train_images", "train_labels"),
    ("train_data", "train_labels"),
    ("x", "y"),
    ("X", "y"),
    ("images", "labels"),
    ("data", "labels"),
    ("inputs", "targets"),
    ("arr_0", "arr_1"),
)
"""Names of data and labels in ``.npz`` files, most usual first."""

LABEL_NAMES = ("label", "labels", "class", "target", "y", "species", "category", "outcome")
RECORD_LABELS = ("label", "image/class/label", "class", "labels", "y", "target")
SAMPLE_ROWS = 1000
"""Rows of a CSV file from which its columns are told."""
MAX_LABEL_SHARE = 0.5
"""A column with more different values than this share of its rows is no class."""


def is_image(name: str) -> bool:
    """Is this the name of an image file?  Resource forks of macOS (``._x.jpg``) are not."""
    return not name.startswith(".") and any(name.lower().endswith(suffix) for suffix in IMAGE_SUFFIXES)


def is_record(name: str) -> bool:
    """Is this the name of a TFRecord file, sharded ones (``x.tfrecord-00000-of-00008``) included?"""
    lower = name.lower()
    return not name.startswith(".") and any(lower.endswith(s) or f"{s}-" in lower for s in RECORD_SUFFIXES)


def is_skipped_folder(name: str) -> bool:
    """Folders that never hold data."""
    return name.startswith(".") or name in SKIPPED_FOLDERS


def train_folder(names: Iterable[str]) -> str | None:
    """The folder of the training split, if the folders are splits and not classes."""
    known = sorted(names)
    train = [name for name in known if name.lower() in TRAIN_FOLDERS]
    others = [name for name in known if name not in train and name.lower() not in OTHER_SPLITS]
    return train[0] if len(train) == 1 and not others else None


def choose_arrays(lengths: dict[str, int]) -> tuple[str, str | None] | None:
    """Names of the data and of the labels among arrays, given the length of each; None if nothing suits."""
    for data, labels in ARRAY_NAMES:
        if data in lengths and labels in lengths and lengths[data] == lengths[labels]:
            return data, labels
    for data, _ in ARRAY_NAMES:
        if data in lengths:
            return data, None
    if len(lengths) == 1:
        return next(iter(lengths)), None
    return None


@dataclass(frozen=True)
class CsvColumns:
    """What the columns of a table are; numbers count from 0."""

    has_header: bool
    numeric: tuple[int, ...]
    """Columns of numbers, the label left out."""
    label: int | None
    label_is_text: bool = False
    names: tuple[str, ...] = ()


def read_columns(rows: Sequence[Sequence[str]]) -> CsvColumns | None:
    """Tell numbers, header and label of a table from its first rows.

    The label is the column of a usual name, else the last one if it looks like classes.

    Returns:
        None if there are no rows or no column of numbers.
    """
    rows = [row for row in rows if row]
    if not rows:
        return None
    width = max(set(map(len, rows)), key=[len(row) for row in rows].count)
    has_header = len(rows) > 1 and not any(_is_number(cell) for cell in rows[0] if cell.strip())
    body = [row for row in rows[has_header:] if len(row) == width]
    if not body:
        return None
    names = tuple(cell.strip() for cell in rows[0]) if has_header and len(rows[0]) == width else ()
    numeric = [i for i in range(width) if all(_is_number(row[i]) or not row[i].strip() for row in body)]
    label = _label_column(names, body, numeric, width)
    columns = tuple(i for i in numeric if i != label)
    if not columns:
        return None
    return CsvColumns(has_header, columns, label, label is not None and label not in numeric, names)


def _label_column(names: tuple[str, ...], body: list[Sequence[str]], numeric: list[int], width: int) -> int | None:
    """The column that is to be predicted."""
    for wanted in LABEL_NAMES:
        for index, name in enumerate(names):
            if name.lower() == wanted:
                return index
    last = width - 1
    values = {row[last].strip() for row in body}
    whole = last not in numeric or all(float(v).is_integer() and float(v) >= 0 for v in values if v)
    few = len(values) <= max(2, MAX_LABEL_SHARE * len(body))
    return last if whole and few and width > 1 else None


def _is_number(text: str) -> bool:
    """Does a cell hold a finite number?"""
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False
