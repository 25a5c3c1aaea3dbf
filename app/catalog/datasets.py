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
from typing import Annotated

from app.catalog.table import Columns, Date, load_table, matching, whole
from app.core.types.errors import BadDataset
from app.core.types.text import join, phrase, verbatim
from app.core.types.workload import Dataset

FILE = "datasets.csv"
Count = Annotated[int, whole()]
Size = Annotated[int, whole(at_least=1)]
Shape = Annotated[str, matching(r"([0-9]{1,9}|\?)(x([0-9]{1,9}|\?))*", phrase("a shape such as 28x28x1 or ?x?x3"))]


class _Columns(Columns, frozen=True):
    name: str
    task: str
    train_examples: Size | None
    sample_shape: Shape | None
    dtype: Annotated[str, matching("u?int[0-9]+|b?float[0-9]+|bool|string", phrase("an element type such as uint8"))]
    title: str | None = None
    api: str | None = None
    validation_examples: Count | None = None
    test_examples: Count | None = None
    other_examples: Count | None = None
    classes: Size | None = None
    prepared_bytes: Size | None = None
    ram_bytes: Size | None = None
    download_bytes: Size | None = None
    files: Size | None = None
    source: str | None = None
    source_date: Date | None = None
    note: str | None = None


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
    return load_table(FILE, _Columns, _parse, user_dir)


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
    hint = phrase("did you mean {names}?", names=join(" or ", names)) if names else phrase("see `willittrain datasets`")
    expected = phrase("a name of the catalog, a folder or a file")
    instead = next(iter(names), "")
    raise BadDataset(phrase("unknown dataset"), expected=expected, received=repr(text), hint=hint, instead=instead)


def _plain(text: str) -> str:
    """Letters and digits only, in lower case."""
    return re.sub(r"[^a-z0-9]", "", text.casefold())


def _parse(row: _Columns) -> CatalogDataset:
    """One dataset."""
    dataset = Dataset(
        name=row.name,
        kind="keras" if row.api == "keras.datasets" else "catalog",
        samples=row.train_examples,
        sample_shape=_shape(row.sample_shape),
        dtype=row.dtype,
        classes=row.classes,
        bytes_on_disk=row.prepared_bytes or row.download_bytes,
        files=row.files,
        source=verbatim(row.source or phrase("your own table")),
    )
    return CatalogDataset(
        dataset,
        title=row.title or row.name,
        task=row.task,
        validation_samples=row.validation_examples,
        test_samples=row.test_examples,
        other_samples=row.other_examples,
        ram_bytes=row.ram_bytes,
        download_bytes=row.download_bytes,
        source_date=row.source_date or "",
        note=row.note or "",
    )


def _shape(text: str | None) -> tuple[int | None, ...] | None:
    """``28x28x1`` as numbers, ``?`` for a dimension that differs between examples; None if nothing is known."""
    if text is None:
        return None
    return tuple(None if side == "?" else int(side) for side in text.split("x"))
