"""Look into TFRecord files without TensorFlow: count records by their framing, read one example.

Framing: length (8 bytes), masked CRC-32C of the length (4), data, masked CRC-32C of the data (4); see
tensorflow/core/lib/io/record_writer.cc.  The example is a protocol buffer (tensorflow/core/example/example.proto).
"""

from __future__ import annotations

import io
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import BinaryIO

from app.core.pipeline.datafiles import RECORD_LABELS
from app.core.types.cancelling import never_cancelled
from app.core.types.errors import BadDataset, Cancelled
from app.core.types.text import Text, phrase, verbatim
from app.core.types.workload import Dataset
from app.services.datasets.image_headers import ImageHeader, parse_image_header

MAX_EXAMPLES = 2000
"""Records whose label is read to tell the number of classes."""
MAX_EXAMPLE_BYTES = 64 * 1024**2

_MASK_DELTA = 0xA282EAD8


@dataclass
class Example:
    """Features of one example: bytes, or numbers."""

    byte_values: dict[str, bytes] = field(default_factory=dict)
    integers: dict[str, list[int]] = field(default_factory=dict)
    floats: dict[str, int] = field(default_factory=dict)
    """Number of values."""


def scan_tfrecords(
    paths: list[Path], name: str, root: Path, cancelled: Callable[[], bool] = never_cancelled
) -> Dataset:
    """Count the records of all files and tell from the first ones what they hold.

    Raises:
        BadDataset: A file is damaged.
        Cancelled: ``cancelled`` said so.
    """
    samples = size_bytes = 0
    examples: list[Example] = []
    for path in paths:
        size_bytes += path.stat().st_size
        for data in _records(path, cancelled, want=lambda: len(examples) < MAX_EXAMPLES):
            samples += 1
            if data is not None and (example := parse_example(data)) is not None:
                examples.append(example)
    if not samples:
        raise BadDataset(phrase("there is no record in the file"), expected=phrase("a TFRecord file"), received=name)
    image = _image(examples[0]) if examples else None
    label = next((key for key in RECORD_LABELS if examples and len(examples[0].integers.get(key, ())) == 1), None)
    labels = [e.integers[label][0] for e in examples if label is not None and e.integers.get(label)]
    sizes = {(h.height, h.width) for e in examples[:50] if (h := _image(e)) is not None}
    shape: tuple[int | None, ...] | None = None
    if image is not None:
        channels = 1 if image.channels <= 2 else 3
        shape = (image.height, image.width, channels) if len(sizes) == 1 else (None, None, channels)
    return Dataset(
        name,
        kind="tfrecord",
        path=str(root),
        samples=samples,
        sample_shape=shape,
        dtype="uint8" if image is not None else "float32",
        classes=max(labels) + 1 if labels and min(labels) >= 0 else None,
        bytes_on_disk=size_bytes,
        files=len(paths),
        source=_words(examples, image, label),
        real=image is not None,
    )


def _words(examples: list[Example], image: ImageHeader | None, label: str | None) -> Text:
    """What the records hold."""
    if not examples:
        return phrase("records that are no tf.train.Example")
    if image is None:
        first = examples[0]
        names = sorted((*first.byte_values, *first.integers, *first.floats))
        return phrase("no encoded image found; features ") + ", ".join(names[:8])
    return phrase("{format} images, ", format=image.format) + (
        phrase("label {label}", label=label) if label else phrase("no label found")
    )


def _records(path: Path, cancelled: Callable[[], bool], want: Callable[[], bool]) -> Iterator[bytes | None]:
    """Every record; its data only while ``want`` says so, else None."""
    size = path.stat().st_size
    with open(path, "rb") as file:
        position = 0
        while position < size:
            if cancelled():
                raise Cancelled(phrase("the scan was cancelled"))
            length = _length(file, position, path)
            end = position + 12 + length + 4
            if end > size:
                raise _damaged(
                    path,
                    position,
                    phrase("{length} bytes of data", length=length),
                    phrase("{size} left in the file", size=size - position - 12),
                )
            yield file.read(length) if length <= MAX_EXAMPLE_BYTES and want() else None
            file.seek(end)
            position = end


def _length(file: BinaryIO, position: int, path: Path) -> int:
    """The length at the head of a record, if its checksum is right."""
    head = file.read(12)
    if len(head) < 12:
        raise _damaged(path, position, phrase("12 bytes of framing"), f"{len(head)}")
    length, checksum = struct.unpack("<QI", head)
    if masked_crc32c(head[:8]) != checksum:
        hint = phrase("the file is damaged, compressed, or no TFRecord file")
        raise _damaged(path, position, phrase("a checksum that matches the length"), phrase("another one"), hint)
    return int(length)


def _damaged(
    path: Path, position: int, expected: str, received: str, hint: str = phrase("the file is cut off")
) -> BadDataset:
    """The error for a broken file."""
    where = phrase("{path}, byte {position}", path=path.name, position=position)
    return BadDataset(
        phrase("the TFRecord file is broken at {where}", where=where),
        expected=expected,
        received=received,
        hint=verbatim(hint),
    )


def masked_crc32c(data: bytes) -> int:
    """CRC-32C (Castagnoli), rotated and shifted as TFRecord files store it."""
    table = _crc_table()
    crc = 0xFFFFFFFF
    for byte in data:
        crc = table[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    crc ^= 0xFFFFFFFF
    return (((crc >> 15) | (crc << 17)) + _MASK_DELTA) & 0xFFFFFFFF


@cache
def _crc_table() -> tuple[int, ...]:
    """Remainders of all bytes for the reflected polynomial 0x82F63B78."""
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = (byte >> 1) ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return tuple(table)


def parse_example(data: bytes) -> Example | None:
    """Read a serialised ``tf.train.Example``; None if it is none."""
    example = Example()
    try:
        for number, features in _fields(data):
            if number != 1 or not isinstance(features, bytes):
                return None
            for _, entry in _fields(features):
                parts = dict(_fields(entry)) if isinstance(entry, bytes) else {}
                name, value = parts.get(1, b""), parts.get(2, b"")
                if isinstance(name, bytes) and isinstance(value, bytes):
                    _add_feature(example, name.decode(), value)
    except (ValueError, IndexError):
        return None
    return example


def _add_feature(example: Example, name: str, value: bytes) -> None:
    """One feature: a list of bytes (1), floats (2) or integers (3)."""
    for kind, inner in _fields(value):
        items = list(_fields(inner)) if isinstance(inner, bytes) else []
        if kind == 1 and items and isinstance(items[0][1], bytes):
            example.byte_values[name] = items[0][1]
        elif kind == 2:
            example.floats[name] = sum(len(v) // 4 if isinstance(v, bytes) else 1 for _, v in items)
        elif kind == 3:
            found: list[int] = []
            for _, v in items:
                found.extend(_varints(v) if isinstance(v, bytes) else [v])
            example.integers[name] = found


def _fields(data: bytes) -> Iterator[tuple[int, bytes | int]]:
    """Fields of a protocol buffer message: number and value."""
    position = 0
    while position < len(data):
        tag, position = _varint(data, position)
        kind = tag & 7
        if kind == 0:
            value, position = _varint(data, position)
            yield tag >> 3, value
            continue
        if kind == 2:
            length, position = _varint(data, position)
        elif kind in (1, 5):
            length = 8 if kind == 1 else 4
        else:
            raise ValueError(phrase("unknown wire type"))
        if position + length > len(data):
            raise ValueError(phrase("cut off"))
        yield tag >> 3, data[position : position + length]
        position += length


def _varint(data: bytes, position: int) -> tuple[int, int]:
    """A number of variable length, and where it ends."""
    value = shift = 0
    while shift < 70:
        byte = data[position]
        position += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return (value - (1 << 64) if value >> 63 else value), position
        shift += 7
    raise ValueError(phrase("number too long"))


def _varints(data: bytes) -> list[int]:
    """Packed numbers."""
    found, position = [], 0
    while position < len(data):
        value, position = _varint(data, position)
        found.append(value)
    return found


def _image(example: Example) -> ImageHeader | None:
    """Header of the first feature that holds an encoded image."""
    for value in example.byte_values.values():
        header = parse_image_header(io.BytesIO(value))
        if header is not None:
            return header
    return None


def list_records(folder: Path, is_record: Callable[[str], bool]) -> list[Path]:
    """TFRecord files directly in a folder, sorted; a link that leads nowhere or to itself is none."""
    return sorted(path for path in folder.iterdir() if is_record(path.name) and path.is_file())
