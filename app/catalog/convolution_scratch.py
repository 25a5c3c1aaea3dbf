"""What cuDNN asks for as scratch, as it ships with the program: ``resources/convolution_scratch.zip``.

The archive has a folder for rows, images and volumes, named ``1``, ``2`` and ``3`` by their dimensions.  It holds the
shapes that were asked about (``axes.json``) and cuDNN's answers, a file for each kind of card and of numbers, such as
``8.9-float32`` (`studies.accuracy.convolution_scratch` writes it).
"""

from __future__ import annotations

import threading
import zipfile
from pathlib import Path

import msgspec

from app.catalog.paths import resource_path
from app.core.simulate.scratch_table import Axes, Grid, Numbers, ScratchTable

FILE = "convolution_scratch.zip"
AXES = "axes.json"
DIMENSIONS = (1, 2, 3)
COMPRESSION = zipfile.ZIP_LZMA
"""A third less than the usual one makes of the answers."""

NUMBERS = {"float32": Numbers(4, False), "float16": Numbers(2, True), "float32-last": Numbers(4, True)}
"""By their names in the archive.  bfloat16 is answered as float16 in 99 % of all shapes."""


class ShippedScratch:
    """The table of a card's compute capability, read when it is first asked for.

    Args:
        archive: Where they are; by default what ships with the program.
    """

    def __init__(self, archive: Path | None = None) -> None:
        self._archive = archive
        self._read: dict[tuple[str, ...], ScratchTable] = {}
        self._told: dict[tuple[int, int], ScratchTable | None] = {}
        """What was asked for: the archive is opened for none of it again."""
        self._lock = threading.Lock()

    def __call__(self, capability: tuple[int, int] | None) -> ScratchTable | None:
        """See `app.core.simulate.scratch_table.ScratchTables`."""
        if capability is None:
            return None
        with self._lock:
            if capability not in self._told:
                self._told[capability] = self._table(capability)
            return self._told[capability]

    def _table(self, capability: tuple[int, int]) -> ScratchTable | None:
        """From the archive; one that stands for several kinds of cards is read once."""
        with zipfile.ZipFile(self._archive or resource_path(FILE)) as archive:
            nearest = {numbers: _nearest(archive, capability, name) for name, numbers in NUMBERS.items()}
            names = {numbers: name for numbers, name in nearest.items() if name is not None}
            key = tuple(names.values())
            if names and key not in self._read:
                self._read[key] = ScratchTable({numbers: _grids(archive, name) for numbers, name in names.items()})
            return self._read.get(key)


def path_of(dimensions: int, name: str) -> str:
    """Of a file within the archive."""
    return f"{dimensions}/{name}"


def _grids(archive: zipfile.ZipFile, name: str) -> dict[int, Grid]:
    """The answers of one kind of card about one kind of numbers, as far as they reach."""
    known = archive.namelist()
    return {dims: grid_of(archive, dims, name) for dims in DIMENSIONS if path_of(dims, name) in known}


def grid_of(archive: zipfile.ZipFile, dimensions: int, name: str) -> Grid:
    """The answers about images of so many dimensions."""
    axes = msgspec.json.decode(archive.read(path_of(dimensions, AXES)), type=Axes)
    return Grid(axes, archive.read(path_of(dimensions, name)))


def _nearest(archive: zipfile.ZipFile, capability: tuple[int, int], numbers: str) -> str | None:
    """The table of the newest kind of card that is not newer than this one."""
    names = {name.rpartition("/")[2] for name in archive.namelist()}
    kinds = [(name, *name.partition("-")[::2]) for name in names]
    known = {tuple(map(int, card.split("."))): name for name, card, which in kinds if which == numbers}
    older = [kind for kind in known if kind <= capability]
    return known[max(older)] if older else None
