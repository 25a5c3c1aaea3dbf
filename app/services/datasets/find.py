"""From what the user typed to a `Dataset`: a catalog name, a shape, a folder or file, or a function in a file."""

from __future__ import annotations

import os
import threading
from pathlib import Path

from app.catalog.datasets import find_dataset as find_in_catalog
from app.catalog.datasets import load_catalog_datasets
from app.core.types.errors import BadDataset
from app.core.types.text import phrase
from app.core.types.workload import Dataset
from app.services.datasets.code import code_dataset
from app.services.datasets.described import describe_dataset, is_description
from app.services.datasets.keras import find_keras_datasets
from app.services.datasets.scan import Report, scan_dataset
from app.services.models.find import NAMEABLE, nameable


def find_dataset(
    text: str,
    overrides: Path,
    report: Report | None = None,
    cancel: threading.Event | None = None,
    *,
    trust: bool = False,
) -> Dataset:
    """Say which data is meant; a folder is scanned, and what Keras has downloaded of the catalog's is real.

    Args:
        text: ``cifar10``, ``28x28x1:60000:10``, ``~/pictures`` or ``data.py:batches``.
        overrides: The folder of the user's own catalog.
        report: Called with (share done or None, words) while a folder is scanned.
        cancel: Ends the scan.
        trust: The user allows a ``file.py:function`` to run.

    Raises:
        BadDataset: There is no such data, or it cannot be read.
    """
    if not nameable(text):
        raise BadDataset(
            phrase("this cannot be the name of data"),
            expected=NAMEABLE,
            received=repr(text[:60]),
            hint=phrase("rename the folder or the file"),
        )
    own = code_dataset(text, trust=trust)
    if own is not None:
        return own
    if Path(os.path.expanduser(text)).exists():
        return scan_dataset(text, report, cancel)
    if is_description(text):
        return describe_dataset(text)
    found = find_in_catalog(text, load_catalog_datasets(overrides))
    return next((here for here in find_keras_datasets() if here.name == found.name), found)
