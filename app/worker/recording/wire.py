"""Read protocol buffers by field number, without their generated classes.

Where TensorFlow keeps those classes changes from version to version; the numbers do not.
Format: protobuf.dev/programming-guides/encoding.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from app.core.types.text import phrase

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_MORE = 0x80
_CUT = phrase("the message ends in the middle of a field")


def fields(message: bytes) -> Iterator[tuple[int, Any]]:
    """Each field's number and value: an int for a varint, else a piece of the message.

    Raises:
        ValueError: The bytes are no message.
    """
    at, end = 0, len(message)
    while at < end:
        tag = message[at]
        at += 1
        if tag >= _MORE:
            tag, at = _varint(message, at - 1)
        kind = tag & 7
        if kind in (_VARINT, _BYTES):
            if at >= end:
                raise ValueError(_CUT)
            size = message[at]
            at += 1
            if size >= _MORE:
                size, at = _varint(message, at - 1)
            if kind == _VARINT:
                yield tag >> 3, size
                continue
        elif kind == _FIXED64:
            size = 8
        elif kind == _FIXED32:
            size = 4
        else:
            raise ValueError(phrase("field of unknown kind {kind}", kind=kind))
        if at + size > end:
            raise ValueError(_CUT)
        yield tag >> 3, message[at : at + size]
        at += size


def number(value: Any) -> int:
    """A varint that must be one.

    Raises:
        ValueError: It is not.
    """
    if not isinstance(value, int):
        raise ValueError(phrase("expected a number"))
    return value


def text(value: Any) -> str:
    """A string."""
    return bytes(value).decode("utf-8", "replace") if isinstance(value, bytes) else ""


def _varint(message: bytes, at: int) -> tuple[int, int]:
    """A number of variable length, and where it ends."""
    value = shift = 0
    try:
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value, at
            shift += 7
    except IndexError as error:
        raise ValueError(_CUT) from error
