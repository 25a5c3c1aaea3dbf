"""Our own classes as JSON and from it, from any thread; texts for people keep what they are made of.

msgspec notes what it knows of a class on the class itself before it knows all of it, because a class may hold itself
(msgspec/_core.c, ``DataclassInfo_Convert``).  A second thread that reads the class at that moment uses what is not
there yet, and the process dies.  So one thread reads at a time; it holds the interpreter anyway while it does.
"""

from __future__ import annotations

import threading
from typing import Any, TypeVar, overload

import msgspec

from app.core.types.text import Text, from_plain, to_plain

_T = TypeVar("_T")

_ONE_AT_A_TIME = threading.RLock()


@overload
def decode(text: bytes | str, kind: type[_T]) -> _T: ...
@overload
def decode(text: bytes | str, kind: Any) -> Any: ...
def decode(text: bytes | str, kind: Any) -> Any:
    """What JSON text says, as ``kind``.

    Raises:
        msgspec.DecodeError: It is no JSON, or describes something else.
    """
    with _ONE_AT_A_TIME:
        return msgspec.json.decode(text, type=kind, dec_hook=_read)


@overload
def convert(value: Any, kind: type[_T], *, strict: bool = True) -> _T: ...
@overload
def convert(value: Any, kind: Any, *, strict: bool = True) -> Any: ...
def convert(value: Any, kind: Any, *, strict: bool = True) -> Any:
    """Plain dictionaries, lists and numbers as ``kind``; numbers also out of texts unless ``strict``.

    Raises:
        msgspec.ValidationError: They describe something else.
    """
    with _ONE_AT_A_TIME:
        return msgspec.convert(value, kind, strict=strict, dec_hook=_read)


def encode(value: Any) -> bytes:
    """JSON that `decode` reads again: texts with their templates and values."""
    return msgspec.json.encode(value, enc_hook=_written)


def encode_english(value: Any) -> bytes:
    """JSON for others: texts in English."""
    return msgspec.json.encode(value, enc_hook=_english)


def plain(value: Any) -> Any:
    """Plain dictionaries, lists and numbers; texts in English."""
    return msgspec.to_builtins(value, enc_hook=_english)


def _read(kind: type, value: Any) -> Any:
    """A text out of plain values.

    Raises:
        ValueError: It is none; msgspec tells where.
    """
    if issubclass(kind, Text):
        return from_plain(value)
    raise NotImplementedError(kind)


def _written(value: Any) -> Any:
    """A text as plain values."""
    if isinstance(value, Text):
        return to_plain(value)
    raise NotImplementedError(type(value))


def _english(value: Any) -> str:
    """A text as it is written in English."""
    if isinstance(value, Text):
        return str(value)
    raise NotImplementedError(type(value))
