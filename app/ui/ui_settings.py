"""What the window remembers: geometry, theme, language, last workload, length of a benchmark.

An INI file of its own beside the program's data, so that a second instance or a damaged file costs
nothing but the memory of a window's place.
"""

from __future__ import annotations

from typing import Any

import msgspec
from PySide6.QtCore import QByteArray, QSettings

from app.core.workload import Workload
from app.ui.language import LANGUAGES
from app.ui.resources import window_dir
from app.ui.theme import THEMES

DEFAULT_SECONDS = 20


class WindowSettings:
    """Typed access to the window's settings file."""

    def __init__(self) -> None:
        self._store = QSettings(str(window_dir() / "window.ini"), QSettings.Format.IniFormat)

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
    def bench_seconds(self) -> int:
        """How long a benchmark measures."""
        text = str(self._store.value("bench_seconds", DEFAULT_SECONDS))
        return min(600, max(3, int(text))) if text.isdecimal() else DEFAULT_SECONDS

    @bench_seconds.setter
    def bench_seconds(self, seconds: int) -> None:
        self._store.setValue("bench_seconds", seconds)

    @property
    def workload(self) -> Workload | None:
        """The last workload, or None at the first start or if it cannot be read any more."""
        text = str(self._store.value("workload", ""))
        try:
            return msgspec.json.decode(text, type=Workload) if text else None
        except msgspec.DecodeError:
            return None

    @workload.setter
    def workload(self, workload: Workload) -> None:
        self._store.setValue("workload", msgspec.json.encode(workload).decode())

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
