"""What the window remembers: geometry, theme, language, units, last workload, length of a benchmark.

An INI file of its own beside the program's data, so that a second instance or a damaged file costs
nothing but the memory of a window's place.
"""

from __future__ import annotations

import contextlib
from typing import Any, TypeVar

import msgspec
from PySide6.QtCore import QByteArray, QSettings

from app.catalog import typed_json
from app.core.types.errors import InvalidWorkload
from app.core.types.workload import Dataset, ModelRef, Workload
from app.services.whole_write import private_file
from app.ui.kit.language import LANGUAGES
from app.ui.kit.resources import window_dir
from app.ui.kit.theme import THEMES

DEFAULT_SECONDS = 20
T = TypeVar("T")
_NOT_READ = (msgspec.DecodeError, InvalidWorkload, RecursionError, UnicodeError)
"""What a text raises that this version did not write."""


_UNANSWERED = "unanswered/"


class WindowSettings:
    """Typed access to the window's settings file."""

    def __init__(self) -> None:
        path = window_dir() / "window.ini"
        with contextlib.suppress(OSError):
            private_file(path)
        self._store = QSettings(str(path), QSettings.Format.IniFormat)

    @property
    def theme(self) -> str:
        """``system``, ``light``, ``dark`` or ``contrast``."""
        chosen = str(self._store.value("theme", "system"))
        return chosen if chosen in THEMES else "system"

    @theme.setter
    def theme(self, name: str) -> None:
        self._store.setValue("theme", name)

    @property
    def language(self) -> str:
        """``system``, ``en`` or ``de``."""
        chosen = str(self._store.value("language", "system"))
        return chosen if chosen in LANGUAGES else "system"

    @language.setter
    def language(self, name: str) -> None:
        self._store.setValue("language", name)

    @property
    def decimal_sizes(self) -> bool:
        """Sizes are written in GB, powers of 1000, instead of GiB."""
        return str(self._store.value("sizes", "binary")) == "decimal"

    @decimal_sizes.setter
    def decimal_sizes(self, decimal: bool) -> None:
        self._store.setValue("sizes", "decimal" if decimal else "binary")

    @property
    def bench_seconds(self) -> int:
        """How long a benchmark measures."""
        text = str(self._store.value("bench_seconds", DEFAULT_SECONDS))
        return min(600, max(3, int(text))) if text.isdecimal() and len(text) < 9 else DEFAULT_SECONDS

    @bench_seconds.setter
    def bench_seconds(self, seconds: int) -> None:
        self._store.setValue("bench_seconds", seconds)

    @property
    def workload(self) -> Workload | None:
        """The last workload, or None at the first start or if it cannot be read any more."""
        return _workload(self._store.value("workload", ""))

    @workload.setter
    def workload(self, workload: Workload) -> None:
        self._store.setValue("workload", typed_json.encode(workload).decode())

    @property
    def unanswered(self) -> dict[str, Workload | None]:
        """What has no answer yet, by the process that asked: if that is gone, it ended badly."""
        keys = [key for key in self._store.allKeys() if key.startswith(_UNANSWERED)]
        return {key.removeprefix(_UNANSWERED): _workload(self._store.value(key)) for key in sorted(keys)}

    def mark(self, process: str, workload: Workload) -> None:
        """Note that a process waits for an answer."""
        self._store.setValue(_UNANSWERED + process, typed_json.encode(workload).decode())

    def unmark(self, process: str) -> None:
        """It waits no more."""
        self._store.remove(_UNANSWERED + process)

    @property
    def recent_models(self) -> tuple[ModelRef, ...]:
        """Models used lately, newest first."""
        return self._list("recent_models", ModelRef)

    @recent_models.setter
    def recent_models(self, models: tuple[ModelRef, ...]) -> None:
        self._store.setValue("recent_models", typed_json.encode(models).decode())

    @property
    def recent_datasets(self) -> tuple[Dataset, ...]:
        """Data used lately, newest first."""
        return self._list("recent_datasets", Dataset)

    @recent_datasets.setter
    def recent_datasets(self, datasets: tuple[Dataset, ...]) -> None:
        self._store.setValue("recent_datasets", typed_json.encode(datasets).decode())

    @property
    def interpreters(self) -> tuple[str, ...]:
        """Paths of the Pythons that trained lately, newest first."""
        return self._list("interpreters", str)

    @interpreters.setter
    def interpreters(self, paths: tuple[str, ...]) -> None:
        self._store.setValue("interpreters", typed_json.encode(paths).decode())

    def _list(self, key: str, kind: type[T]) -> tuple[T, ...]:
        """A stored list; an unreadable one is empty."""
        text = str(self._store.value(key, ""))
        try:
            return typed_json.decode(text, tuple[kind, ...]) if text else ()  # type: ignore[valid-type]
        except _NOT_READ:
            return ()

    def bytes_value(self, key: str) -> QByteArray | None:
        """A stored byte array such as a window's geometry."""
        value: Any = self._store.value(key)
        return value if isinstance(value, QByteArray) else None

    def set_bytes(self, key: str, value: QByteArray) -> None:
        """Store a byte array."""
        self._store.setValue(key, value)

    def flush(self) -> None:
        """Write to disk now."""
        self._store.sync()


def _workload(text: object) -> Workload | None:
    """A stored workload; None if there is none, or it cannot be read any more."""
    try:
        return typed_json.decode(str(text), Workload) if text else None
    except _NOT_READ:
        return None
