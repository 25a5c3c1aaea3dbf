"""Look into ``.npz`` files: shapes, types and classes from the headers of their arrays, without loading the data."""

from __future__ import annotations

import io
import math
import struct
import tokenize
import zipfile
import zlib
from pathlib import Path
from typing import IO

import numpy as np
from numpy.lib import format as npy_format

from app.core.pipeline import scan_limits
from app.core.pipeline.datafiles import choose_arrays
from app.core.types.errors import BadDataset
from app.core.types.plausible import MOST_COUNT
from app.core.types.text import phrase
from app.core.types.workload import Dataset
from app.worker.scanning.telling import Tell, tell_bytes

Header = tuple[tuple[int, ...], np.dtype[np.generic]]
_WRITTEN_BY_NUMPY = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Other compressions unpack a few bytes to gigabytes at once, which `zipfile` does not limit."""

UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    tokenize.TokenError,
    OSError,
    ValueError,
    EOFError,
    RuntimeError,
    OverflowError,
    SyntaxError,
    TypeError,
    MemoryError,
)
"""What `zipfile` and NumPy raise on archives and headers that are none."""


def scan_npz(path: Path, tell: Tell) -> Dataset:
    """Shapes and classes of an ``.npz`` file.

    Raises:
        BadDataset: The file is damaged, holds Python objects, or no data that can be told from its labels.
    """
    try:
        with _BoundedReads(path) as file, zipfile.ZipFile(file) as archive:
            headers = _headers(archive, tell)
            chosen = choose_arrays({name: shape[0] for name, (shape, _) in headers.items() if shape})
            if chosen is None:
                raise BadDataset(
                    phrase("the arrays have no names that are known"),
                    expected=phrase("x_train and y_train, or x and y"),
                    received=", ".join(map(scan_limits.shortened, sorted(headers)[:8])) or phrase("an empty file"),
                )
            data, labels = chosen
            classes = _classes(archive, labels, headers[labels], tell) if labels is not None else None
    except UNREADABLE as error:
        raise BadDataset(
            phrase("the file cannot be read"), expected=phrase("a NumPy .npz file"), received=f"{path.name}: {error}"
        ) from error
    shape, dtype = headers[data]
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
        source=phrase("{path}: array {data}", path=path.name, data=scan_limits.shortened(data))
        + (phrase(", labels {labels}", labels=labels) if labels else phrase(", no labels")),
        real=True,
    )


class _BoundedReads(io.FileIO):
    """A file of which nobody reads much at once: `zipfile` would read a list of members of any length."""

    def read(self, size: int | None = -1, /) -> bytes:
        """Like that of a file.

        Raises:
            ValueError: More was asked for than any honest file needs.
        """
        most = scan_limits.DIRECTORY_BYTES
        found = super().read(most + 1 if size is None or size < 0 else min(size, most + 1)) or b""
        if len(found) > most:
            raise ValueError(phrase("its list of members is too long"))
        return found


def _headers(archive: zipfile.ZipFile, tell: Tell) -> dict[str, Header]:
    """Shape and type of each array by its name."""
    members = [info for info in archive.infolist() if info.filename.endswith(".npy")]
    if len(members) > scan_limits.ARRAYS:
        raise ValueError(phrase("it holds {count} arrays", count=len(members)))
    found = {}
    for number, info in enumerate(members):
        tell(0.0, phrase("{number} of {count} headers read", number=number, count=len(members)))
        with _open(archive, info) as file:
            found[Path(info.filename).stem] = _header(file)
    return found


def _open(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> IO[bytes]:
    """A member to read."""
    if info.compress_type not in _WRITTEN_BY_NUMPY:
        raise ValueError(phrase("a compression that NumPy does not write"))
    return archive.open(info)


def _header(file: IO[bytes]) -> Header:
    """Shape and type of one array; NumPy itself would read as much as the header says that it is long."""
    start = file.read(npy_format.MAGIC_LEN)
    kind = "<H" if start[-2:] == b"\x01\x00" else "<I"
    length = file.read(struct.calcsize(kind))
    (header_bytes,) = struct.unpack(kind, length)
    if header_bytes > scan_limits.ARRAY_HEADER_BYTES:
        raise ValueError(phrase("the header of an array is too long"))
    whole = io.BytesIO(start + length + file.read(header_bytes))
    version = npy_format.read_magic(whole)
    read = npy_format.read_array_header_1_0 if version == (1, 0) else npy_format.read_array_header_2_0
    shape, _, dtype = read(whole, max_header_size=scan_limits.ARRAY_HEADER_BYTES)
    if not all(0 <= side <= MOST_COUNT for side in shape) or math.prod(shape) > MOST_COUNT:
        raise BadDataset(
            phrase("the array cannot have this shape"),
            expected=phrase("sides of 0 or more, that a file could hold"),
            received=scan_limits.shortened(str(shape)),
        )
    return shape, dtype


def _classes(archive: zipfile.ZipFile, name: str, header: Header, tell: Tell) -> int | None:
    """Number of classes from the labels: columns of one-hot labels, else the highest number plus one."""
    shape, dtype = header
    if math.prod(shape[1:]) != 1:
        return shape[1] if len(shape) == 2 and shape[1] else None
    size_bytes = shape[0] * dtype.itemsize
    if dtype.kind not in "iub" or not 0 < size_bytes <= scan_limits.LABELS_BYTES:
        return None
    lowest, highest = 0, -1
    with _open(archive, archive.getinfo(f"{name}.npy")) as file:
        _header(file)
        for begun in range(0, size_bytes, scan_limits.BLOCK_BYTES):
            tell_bytes(tell, begun, size_bytes)
            wanted = min(scan_limits.BLOCK_BYTES, size_bytes - begun)
            block = np.frombuffer(file.read(wanted), dtype)
            if block.nbytes != wanted:
                raise EOFError(phrase("the file is cut off"))
            lowest, highest = min(lowest, int(block.min())), max(highest, int(block.max()))
    return highest + 1 if lowest >= 0 else None
