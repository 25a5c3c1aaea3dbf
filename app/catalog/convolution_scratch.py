"""What cuDNN asks for as scratch, as it ships with the program: ``resources/convolution_scratch.zip``.

The archive has a folder for rows, images and volumes, named ``1``, ``2`` and ``3`` by their dimensions.  It holds the
shapes that were asked about (``axes.json``) and cuDNN's answers, a file for each kind of card and width of numbers,
such as ``8.9-float32`` (`studies.accuracy.convolution_scratch` writes it).
"""

from __future__ import annotations

import threading
import zipfile
from pathlib import Path

import msgspec

from app.catalog.paths import resource_path
from app.core.simulate.scratch_table import Axes, Grid, ScratchTable

FILE = "convolution_scratch.zip"
AXES = "axes.json"
DIMENSIONS = (1, 2, 3)
ITEM_BYTES = {"float32": 4, "float16": 2}
"""By the width of the numbers.  bfloat16 is answered as float16 in 99 % of all shapes."""


class ShippedScratch:
    """The tables by a card's compute capability and the precision of a step, each read when it is first asked for.

    Args:
        archive: Where they are; by default what ships with the program.
    """

    def __init__(self, archive: Path | None = None) -> None:
        self._archive = archive
        self._read: dict[str, ScratchTable] = {}
        self._told: dict[tuple[tuple[int, int], str], ScratchTable | None] = {}
        """What was asked for: the archive is opened for none of it again."""
        self._lock = threading.Lock()

    def __call__(self, capability: tuple[int, int] | None, precision: str) -> ScratchTable | None:
        """See `app.core.simulate.scratch_table.ScratchTables`."""
        if capability is None:
            return None
        asked = capability, "float32" if precision == "float32" else "float16"
        with self._lock:
            if asked not in self._told:
                self._told[asked] = self._table(*asked)
            return self._told[asked]

    def _table(self, capability: tuple[int, int], numbers: str) -> ScratchTable | None:
        """From the archive; one that stands for several kinds of cards is read once."""
        with zipfile.ZipFile(self._archive or resource_path(FILE)) as archive:
            name = _nearest(archive, capability, numbers)
            if name is not None and name not in self._read:
                grids = {dimensions: _grid(archive, dimensions, name) for dimensions in DIMENSIONS}
                self._read[name] = ScratchTable(grids, ITEM_BYTES[numbers])
            return None if name is None else self._read[name]


def path_of(dimensions: int, name: str) -> str:
    """Of a file within the archive."""
    return f"{dimensions}/{name}"


def _grid(archive: zipfile.ZipFile, dimensions: int, name: str) -> Grid:
    """The answers about images of so many dimensions."""
    axes = msgspec.json.decode(archive.read(path_of(dimensions, AXES)), type=Axes)
    return Grid(axes, archive.read(path_of(dimensions, name)))


def _nearest(archive: zipfile.ZipFile, capability: tuple[int, int], numbers: str) -> str | None:
    """The table of the newest kind of card that is not newer than this one."""
    names = [name.rpartition("/")[2] for name in archive.namelist() if name.endswith(f"-{numbers}")]
    known = {
        (int(major), int(minor)): name for name in names for major, _, minor in [name.split("-")[0].partition(".")]
    }
    older = [kind for kind in known if kind <= capability]
    return known[max(older)] if older else None
