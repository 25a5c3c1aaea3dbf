"""How good this version's predictions are: ``resources/accuracy``, written by ``studies.accuracy.page``."""

from __future__ import annotations

from typing import Annotated

import msgspec

from app.catalog import typed_json
from app.catalog.paths import resource_path
from app.catalog.table import Columns, load_table, number, said
from app.core.types.accuracy import Accuracy, PeerQuantity, PeerStatistic, Published, StoredTable
from app.core.types.errors import StoreError
from app.core.types.text import phrase

RESULTS = "accuracy/results.json"
PEERS = "accuracy/peers.csv"


class _Columns(Columns, frozen=True):
    name: str
    of: PeerQuantity
    statistic: PeerStatistic
    error_percent: Annotated[float, number()]
    what: str
    source: str


def load_accuracy() -> Accuracy:
    """What the tables printed when they were last stored, and what others publish of themselves.

    Raises:
        StoreError: The program is installed incompletely, or a file is damaged.
    """
    path = resource_path(RESULTS)
    try:
        tables = typed_json.decode(path.read_bytes(), tuple[StoredTable, ...])
    except msgspec.DecodeError as error:
        raise StoreError(
            phrase("{name} cannot be read: {error}", name=path.name, error=error),
            hint=phrase("install the program again"),
        ) from error
    return Accuracy(tables, load_table(PEERS, _Columns, _parse))


def _parse(row: _Columns) -> Published:
    """One paper's figure."""
    return Published(row.name, row.of, row.statistic, row.error_percent / 100, said(row.what), row.source)
