"""What leaves this machine on paper tells neither who nor where: one way to leave that out of diagnostics and reports.

Of a path its last name is left; user, home folder and host, addresses, and the numbers that cards are known by are not.
"""

from __future__ import annotations

import contextlib
import dataclasses
import getpass
import os
import re
import socket
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar, cast

from app.core.types.text import Quantity, Text, phrase

HIDDEN = "…"
LEFT_OUT = phrase("folders of paths, names of user and host, addresses, and the cards' own numbers")
T = TypeVar("T")
_NAME = re.compile(r"[^\\/]+")
_WHOLE_PATH = re.compile(r"(?:~|[A-Za-z]:)?[\\/](?:[^\\/\n]+[\\/])*[^\\/\n]*")
_PATH = re.compile(r"(?<![\w/.…])(?:~|[A-Za-z]:)?(?:[\\/][^\\/\s:\"'<>|,;()]+){2,}[\\/]?")
"""Two folders or more, as Unix and Windows write them; a single slash is also "per"."""
_ADDRESS = re.compile(r"\b(?:\d{1,3}\.){3}\d{1,3}\b|[\w.+-]+@[\w-][\w.-]*")
_CARD = re.compile(r"\b(?:GPU|MIG)-[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}(?:/\d+)*")
"""As NVIDIA's tools write a card's UUID."""
_NUMBERS = {"uuid", "serial"}
"""Fields that say which very card it is."""
_OPEN = {*_NUMBERS, "note"}
"""Fields of which every word may be left out."""
_SHORTEST_NAME = 3
"""A name of one or two letters would be cut out of every other word."""


def redacted(value: T, names: Iterable[str] | None = None) -> T:
    """A value of ours, such as a run, whose texts tell neither who nor where.

    Args:
        value: Anything of dataclasses, tuples, lists, dictionaries and texts.
        names: Words to leave out; user, home folder and host of this machine by default.
    """
    hidden = own_names() if names is None else set(names)
    paths: set[str] = set()

    def note(text: str) -> str:
        if _is_path(text):
            paths.add(text)
        return text

    def told(text: str) -> str:
        for path in sorted(paths, key=len, reverse=True):  # also those with spaces, which only they tell from words
            text = text.replace(path, _last_name(path))
        return without_names(text, hidden)

    _each(value, note)
    return cast("T", _each(value, told))


def without_names(text: str, names: Iterable[str] | None = None) -> str:
    """A text without folders, addresses, and the names of user and host.

    Args:
        text: Any text.
        names: As for `redacted`.
    """
    if _is_path(text):
        text = _last_name(text)
    for path in sorted(set(_PATH.findall(text)), key=len, reverse=True):
        text = text.replace(path, _last_name(path))
    text = _CARD.sub(HIDDEN, _ADDRESS.sub(HIDDEN, text))
    for name in own_names() if names is None else names:
        if len(name) >= _SHORTEST_NAME:
            text = re.sub(rf"(?<![A-Za-z0-9]){re.escape(name)}(?![A-Za-z0-9])", HIDDEN, text, flags=re.IGNORECASE)
    return text


def own_names() -> set[str]:
    """Names that tell who and where this is; what cannot be found out cannot be told either."""
    names = {socket.gethostname(), socket.gethostname().partition(".")[0], Path.home().name}
    names |= {os.environ.get(variable, "") for variable in ("USER", "USERNAME", "LOGNAME", "HOSTNAME", "COMPUTERNAME")}
    with contextlib.suppress(KeyError, OSError):
        names.add(getpass.getuser())
    # "root" and "localhost" are everybody's, and "root" is a word of many messages.
    return {name for name in names if name} - {"root", "localhost"}


def _is_path(text: str) -> bool:
    """Is all of a text the absolute path of something in a folder?"""
    return _WHOLE_PATH.fullmatch(text) is not None and len(_NAME.findall(text)) > 1


def _last_name(path: str) -> str:
    """A path of which only the last name is left."""
    return f"{HIDDEN}/{_NAME.findall(path)[-1]}"


def _each(value: Any, told: Callable[[str], Any]) -> Any:
    """The same value with what ``told`` makes of each text in it; what does not change stays the same object."""
    if isinstance(value, Quantity):
        return value
    if isinstance(value, Text):
        values = [(name, _each(one, told)) for name, one in value.values]
        return value if values == list(value.values) else _text(value, values)
    if isinstance(value, str):
        return told(value)
    if isinstance(value, dict):
        return {name: _each(one, told) for name, one in value.items()}
    if isinstance(value, list | tuple):
        items = [_each(one, told) for one in value]
        if all(new is old for new, old in zip(items, value, strict=True)):
            return value
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _dataclass(value, told)
    return value


def _text(text: Text, values: list[tuple[str, Any]]) -> Text:
    """A text with other words in its places."""
    return Text(text.template, values, text.plural, text.number, text.context)


def _dataclass(value: Any, told: Callable[[str], Any]) -> Any:
    """A dataclass with other texts in its fields, and no number by which a card is known."""
    changed = {}
    for field in dataclasses.fields(value):
        old = getattr(value, field.name)
        new = HIDDEN if field.name in _NUMBERS and old is not None else _each(old, told)
        # A field that is one word is a word of ours: an optimizer stays "adam" also on the machine of an Adam.
        if new is not old and field.init and (new != HIDDEN or field.name in _OPEN):
            changed[field.name] = new
    return dataclasses.replace(value, **changed) if changed else value
