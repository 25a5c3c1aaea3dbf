"""How much of a stranger's file is looked at: no file can cost more, whatever it says of itself.

Each limit is far above what honest data needs and far below what harms.  They hold one by one in the parsers, and the
child that parses has a limit of memory and of time besides, for what nobody has thought of.
"""

from __future__ import annotations

from app.core.types.units import GIB, KIB, MIB

MEMORY_BYTES = GIB
"""Of the child.  Python with NumPy holds 60 MiB, a table's first rows at most 600, a folder of a million files 300."""
TIME_S = 60.0
SLOWEST_BYTES_PER_S = 10 * MIB
"""A network drive: the only file that is read to its end is a table, to count its lines."""
FOLDER_TIME_S = 3600.0
"""Ten million files on a network drive; who waits sees how many were found, and can cancel."""

BLOCK_BYTES = MIB
"""Between two blocks a scan tells how far it is and may be cancelled: a second even at 1 MiB/s."""

PADDING_BYTES = KIB
"""Of 0xFF before the markers of a JPEG file, all together: encoders write none or a few."""
SEGMENTS = 2000
"""Of a JPEG file before its frame header."""
HEADERS = 5000
HEADER_S = 10.0
"""Headers are read from so many images, or for so long, drawn by chance; files are counted all."""
DEPTH = 32
"""Of folders in folders."""

EXAMPLES = 2000
"""Records whose label is read to tell the number of classes."""
EXAMPLE_BYTES = 64 * MIB
EXAMPLES_BYTES = 256 * MIB
"""Of all examples that are read; one alone may be an uncompressed picture of 4,000 by 5,000 pixels."""
FIELDS = 10_000
"""Of one message of a protocol buffer; a list of numbers is one field."""

ROW_CHARACTERS = 8 * MIB
"""Of a table: half a million columns of genes.  A longer one is no table."""
CELL_CHARACTERS = 1_000_000
SAMPLE_CHARACTERS = 32 * MIB
"""Of the first rows; a cell of two characters takes 60 bytes as an object."""
LABEL_ROWS = 100_000
LABELS_CHARACTERS = 256 * MIB
"""Rows that are read to tell the number of classes, and what they may take together."""
LABEL_CHARACTERS = 200
"""Labels that differ only behind that count as one."""

DIRECTORY_BYTES = 16 * MIB
"""Of a zip archive's list of members, read whole by `zipfile`."""
ARRAYS = 10_000
ARRAY_HEADER_BYTES = 64 * KIB
"""NumPy itself writes a few hundred bytes, and many for a type with named fields."""
LABELS_BYTES = 256 * MIB

NAME_CHARACTERS = 60
"""Of a name from a file in a message."""


def scan_time_s(file_bytes: int | None) -> float:
    """How long looking into a file may take; None for a folder."""
    return FOLDER_TIME_S if file_bytes is None else TIME_S + file_bytes / SLOWEST_BYTES_PER_S


def shortened(name: str) -> str:
    """A name as far as a message shows it."""
    return name if len(name) <= NAME_CHARACTERS else name[: NAME_CHARACTERS - 1] + "…"
