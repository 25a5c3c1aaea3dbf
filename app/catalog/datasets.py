"""Public datasets with their counts and sizes: ``resources/datasets.csv``.

Nothing here is downloaded.  ``bytes_on_disk`` of the `Dataset` is what a training reads: the prepared files where
their size is known, else the download.  ``samples`` counts the training split only, as an epoch does.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from app.catalog.table import Row, Schema, load_table
from app.core.types.errors import BadDataset
from app.core.types.text import join, phrase, verbatim
from app.core.types.workload import Dataset

FILE = "datasets.csv"
SCHEMA = Schema(
    required=("name", "task", "train_examples", "sample_shape", "dtype"),
    optional=tuple(
        "title api validation_examples test_examples other_examples classes prepared_bytes ram_bytes "
        "download_bytes files source source_date note".split()
    ),
)


@dataclass(frozen=True)
class CatalogDataset:
    """A row of the table: what an estimate needs, and what a reader wants to know besides."""

    dataset: Dataset
    title: str
    task: str
    validation_samples: int | None = None
    test_samples: int | None = None
    other_samples: int | None = None
    ram_bytes: int | None = None
    """Size of the arrays that ``keras.datasets.….load_data()`` returns, all splits, labels left out."""
    download_bytes: int | None = None
    source_date: str = ""
    note: str = ""


def load_catalog_datasets(user_dir: Path | None = None) -> tuple[CatalogDataset, ...]:
    """All rows of the table, the user's own included.

    Raises:
        StoreError: The table, or the user's, is damaged.
    """
    return load_table(FILE, SCHEMA, _parse, user_dir)


def load_datasets(user_dir: Path | None = None) -> tuple[Dataset, ...]:
    """The datasets of the table, as workloads use them.

    Raises:
        StoreError: The table, or the user's, is damaged.
    """
    return tuple(row.dataset for row in load_catalog_datasets(user_dir))


def find_dataset(text: str, rows: Iterable[CatalogDataset]) -> Dataset:
    """Find a dataset by name or title; case, blanks and signs do not matter, and a clear beginning is enough.

    Raises:
        BadDataset: No dataset, or more than one, is called that; the closest names are in the hint.
    """
    by_name = {alias: row.dataset for row in rows for alias in (_plain(row.title), _plain(row.dataset.name))}
    wanted = _plain(text)
    if wanted in by_name:
        return by_name[wanted]
    found = {dataset.name: dataset for alias, dataset in by_name.items() if wanted and alias.startswith(wanted)}
    if len(found) == 1:
        return next(iter(found.values()))
    if found:
        raise BadDataset(
            phrase("several datasets are called that"), received=repr(text), hint=verbatim("say " + " or ".join(found))
        )
    close = difflib.get_close_matches(wanted, by_name, n=3, cutoff=0.6)
    names = list(dict.fromkeys(by_name[key].name for key in close))
    hint = (
        phrase("did you mean {names}?", names=join(" or ", names))
        if names
        else phrase("“willittrain datasets” lists all")
    )
    expected = phrase("a name of the catalog, a folder or a file")
    raise BadDataset(phrase("unknown dataset"), expected=expected, received=repr(text), hint=hint)


def _plain(text: str) -> str:
    """Letters and digits only, in lower case."""
    return re.sub(r"[^a-z0-9]", "", text.casefold())


def _parse(row: Row) -> CatalogDataset:
    """One dataset."""
    name = row.text("name")
    download_bytes = row.integer_or_none("download_bytes", at_least=1)
    dataset = Dataset(
        name=name,
        kind="keras" if row.text_or_none("api") == "keras.datasets" else "catalog",
        samples=row.integer_or_none("train_examples", at_least=1),
        sample_shape=_shape(row),
        dtype=row.matching("dtype", r"u?int\d+|b?float\d+|bool|string", phrase("an element type such as uint8")),
        classes=row.integer_or_none("classes", at_least=1),
        bytes_on_disk=row.integer_or_none("prepared_bytes", at_least=1) or download_bytes,
        files=row.integer_or_none("files", at_least=1),
        source=verbatim(row.text_or_none("source") or phrase("your own table")),
    )
    return CatalogDataset(
        dataset,
        title=row.text_or_none("title") or name,
        task=row.text("task"),
        validation_samples=row.integer_or_none("validation_examples"),
        test_samples=row.integer_or_none("test_examples"),
        other_samples=row.integer_or_none("other_examples"),
        ram_bytes=row.integer_or_none("ram_bytes", at_least=1),
        download_bytes=download_bytes,
        source_date=row.date_or_none("source_date") or "",
        note=row.text_or_none("note") or "",
    )


def _shape(row: Row) -> tuple[int | None, ...] | None:
    """``28x28x1`` as numbers, ``?`` for a dimension that differs between examples; None if nothing is known."""
    text = row.matching_or_none(
        "sample_shape", r"(\d{1,9}|\?)(x(\d{1,9}|\?))*", phrase("a shape such as 28x28x1 or ?x?x3")
    )
    if text is None:
        return None
    return tuple(None if side == "?" else int(side) for side in text.split("x"))
