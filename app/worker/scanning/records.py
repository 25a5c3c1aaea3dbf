"""Look into TFRecord files without TensorFlow: count records by their framing, read one example.

Framing: length (8 bytes), masked CRC-32C of the length (4), data, masked CRC-32C of the data (4); see
tensorflow/core/lib/io/record_writer.cc.  The example is a protocol buffer (tensorflow/core/example/example.proto).
"""

from __future__ import annotations

import io
import itertools
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import BinaryIO

from app.core.pipeline import scan_limits
from app.core.pipeline.datafiles import RECORD_LABELS, is_record
from app.core.types.errors import BadDataset
from app.core.types.text import Text, phrase, verbatim
from app.core.types.workload import Dataset
from app.worker.scanning.image_headers import ImageHeader, parse_image_header
from app.worker.scanning.telling import Tell, tell_bytes

_RECORDS_PER_TELL = 1000
_SIZES = 50
"""Images whose sizes are compared."""
_MASK_DELTA = 0xA282EAD8


@dataclass
class Example:
    """What one example holds: the names of its features, the head of an encoded image, and single numbers."""

    names: list[str] = field(default_factory=list)
    image: ImageHeader | None = None
    numbers: dict[str, int] = field(default_factory=dict)
    """Of features that may be the label."""


def scan_records(paths: list[Path], root: Path, tell: Tell) -> Dataset:
    """Count the records of all files and tell from the first ones what they hold.

    Args:
        paths: The files.
        root: The folder they lie in, or the only one.
        tell: Hears of progress.

    Raises:
        BadDataset: A file is damaged.
    """
    size_bytes = sum(path.stat().st_size for path in paths)
    before_bytes = samples = 0
    examples: list[Example] = []
    left_bytes = scan_limits.EXAMPLES_BYTES
    for path in paths:
        told_bytes = 0
        for file, position, length in _records(path):
            samples += 1
            wanted = len(examples) < scan_limits.EXAMPLES and length <= min(scan_limits.EXAMPLE_BYTES, left_bytes)
            if wanted:
                left_bytes -= length
                example = parse_example(file.read(length))
                if example is not None:
                    example.names = example.names * (not examples)  # only those of the first are told
                    examples.append(example)
            if wanted or samples % _RECORDS_PER_TELL == 0 or position - told_bytes >= scan_limits.BLOCK_BYTES:
                told_bytes = position
                tell_bytes(tell, before_bytes + position, size_bytes)
        before_bytes += path.stat().st_size
    if not samples:
        raise BadDataset(
            phrase("there is no record in the file"), expected=phrase("a TFRecord file"), received=root.name
        )
    first = examples[0] if examples else Example()
    label = next((key for key in RECORD_LABELS if key in first.numbers), None)
    labels = [example.numbers[label] for example in examples if label in example.numbers]
    sizes = {(e.image.height, e.image.width) for e in examples[:_SIZES] if e.image is not None}
    shape: tuple[int | None, ...] | None = None
    if first.image is not None:
        one_size = (first.image.height, first.image.width) if len(sizes) == 1 else (None, None)
        shape = (*one_size, 1 if first.image.channels <= 2 else 3)
    return Dataset(
        root.name,
        kind="tfrecord",
        path=str(root),
        samples=samples,
        sample_shape=shape,
        dtype="uint8" if shape is not None else "float32",
        classes=max(labels) + 1 if labels and min(labels) >= 0 else None,
        bytes_on_disk=size_bytes,
        files=len(paths),
        source=_words(first, label) if examples else phrase("records that are no tf.train.Example"),
        real=shape is not None,
    )


def _words(first: Example, label: str | None) -> Text:
    """What the records hold."""
    if first.image is None:
        names = map(scan_limits.shortened, sorted(first.names)[:8])
        return phrase("no encoded image found; features ") + ", ".join(names)
    return phrase("{format} images, ", format=first.image.format) + (
        phrase("label {label}", label=label) if label else phrase("no label found")
    )


def _records(path: Path) -> Iterator[tuple[BinaryIO, int, int]]:
    """Every record: the file where its data begins, where it itself begins, and how long its data is."""
    size = path.stat().st_size
    with open(path, "rb") as file:
        position = 0
        while position < size:
            length = _length(file, position, path)
            end = position + 12 + length + 4
            if end > size:
                raise _damaged(
                    path,
                    position,
                    phrase("{length} bytes of data", length=length),
                    phrase("{size} left in the file", size=size - position - 12),
                )
            yield file, position, length
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
        for number, features in _fields(memoryview(data)):
            if number != 1 or isinstance(features, int):
                return None
            for _, entry in _fields(features):
                parts = dict(_fields(entry)) if not isinstance(entry, int) else {}
                name, value = parts.get(1, 0), parts.get(2, 0)
                if not isinstance(name, int) and not isinstance(value, int):
                    _add_feature(example, bytes(name).decode(), value)
    except (ValueError, IndexError):
        return None
    return example


def _add_feature(example: Example, name: str, value: memoryview) -> None:
    """One feature: a list of bytes (1), floats (2) or integers (3)."""
    example.names.append(name)
    for kind, inner in _fields(value):
        first = next(_fields(inner), (0, 0))[1] if not isinstance(inner, int) else 0
        if kind == 1 and example.image is None and not isinstance(first, int):
            example.image = parse_image_header(io.BytesIO(first))
        elif kind == 3 and name in RECORD_LABELS and not isinstance(inner, int):
            number = _only_number(inner)
            if number is not None:
                example.numbers[name] = number


def _only_number(numbers: memoryview) -> int | None:
    """The number of a list of one, packed or not; None for other lists."""
    found = list(itertools.islice(_fields(numbers), 2))
    value = found[0][1] if len(found) == 1 else b""
    if isinstance(value, int):
        return value
    number, end = _varint(value, 0) if len(value) else (0, -1)
    return number if end == len(value) else None


def _fields(data: memoryview) -> Iterator[tuple[int, memoryview | int]]:
    """Fields of a protocol buffer message: number and value.

    Raises:
        ValueError: It is none, or has more fields than any honest one.
    """
    position = 0
    for _ in range(scan_limits.FIELDS):
        if position == len(data):
            return
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
        if not 0 <= length <= len(data) - position:
            raise ValueError(phrase("cut off"))
        yield tag >> 3, data[position : position + length]
        position += length
    raise ValueError(phrase("too many fields"))


def _varint(data: memoryview | bytes, position: int) -> tuple[int, int]:
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


def list_records(folder: Path) -> list[Path]:
    """TFRecord files directly in a folder, sorted; a link that leads nowhere or to itself is none."""
    return sorted(path for path in folder.iterdir() if is_record(path.name) and path.is_file())
