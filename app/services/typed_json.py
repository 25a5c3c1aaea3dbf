"""JSON and plain values as our own classes, from any thread.

msgspec notes what it knows of a class on the class itself before it knows all of it, because a class may hold itself
(msgspec/_core.c, ``DataclassInfo_Convert``).  A second thread that reads the class at that moment uses what is not
there yet, and the process dies.  So one thread reads at a time; it holds the interpreter anyway while it does.
"""

from __future__ import annotations

import threading
from typing import Any, TypeVar, overload

import msgspec

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
        return msgspec.json.decode(text, type=kind)


@overload
def convert(value: Any, kind: type[_T]) -> _T: ...
@overload
def convert(value: Any, kind: Any) -> Any: ...
def convert(value: Any, kind: Any) -> Any:
    """Plain dictionaries, lists and numbers as ``kind``.

    Raises:
        msgspec.ValidationError: They describe something else.
    """
    with _ONE_AT_A_TIME:
        return msgspec.convert(value, kind)
