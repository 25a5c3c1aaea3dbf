"""Where no window can open, one line says so: Qt itself ends the process with an abort.

Qt calls ``qFatal`` when it finds no way to draw (``init_platform`` in qtbase/src/gui/kernel/qguiapplication.cpp), after
some warnings that say why.  Its message handler hears of both before the abort.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from app.core.types.errors import MachineUnavailable
from app.core.types.text import phrase, verbatim
from app.presentation.streams import tell, tell_error

EXAMPLE = "every command works in a terminal, for example: willittrain estimate resnet50"


@contextmanager
def screen_needed() -> Iterator[None]:
    """Around making the application object: Qt's abort becomes an error line and exit code 4."""
    from PySide6.QtCore import QtMsgType, qInstallMessageHandler

    told: list[str] = []

    def hear(kind: QtMsgType, _context: Any, text: str) -> None:
        told.append(text)
        if kind == QtMsgType.QtFatalMsg:
            error = no_window(told, os.environ)
            tell_error(str(error))
            os._exit(error.exit_code)

    before = qInstallMessageHandler(hear)
    try:
        yield
    finally:
        qInstallMessageHandler(before)
        if told:
            for line in told:
                tell(line)


def no_window(told: list[str], variables: Mapping[str, str]) -> MachineUnavailable:
    """Why no window can open, judged by Qt's words and the variables that name a screen.

    Args:
        told: Qt's messages, the first of which has the cause.
        variables: Of the environment.
    """
    screens = [f"{name}={variables[name]}" for name in ("WAYLAND_DISPLAY", "DISPLAY") if variables.get(name)]
    expected = "a screen that Qt can draw on"
    if not screens and sys.platform not in ("win32", "darwin"):
        return MachineUnavailable(
            phrase("no window can open: there is no screen here"),
            expected=expected,
            received="neither DISPLAY nor WAYLAND_DISPLAY",
            hint=verbatim(EXAMPLE),
        )
    if any("could not connect to display" in text or "wl_display" in text for text in told):
        return MachineUnavailable(
            phrase("no window can open: the screen does not answer"),
            expected=expected,
            received=" ".join(screens),
            hint=verbatim(EXAMPLE),
        )
    return MachineUnavailable(
        phrase("no window can open: Qt cannot draw here"),
        expected=expected,
        received=told[0].strip() if told else "",
        hint=verbatim(EXAMPLE),
    )


def no_qt(error: ImportError) -> MachineUnavailable:
    """Qt is there and cannot be loaded, mostly for want of a system library (``libEGL.so.1``)."""
    return MachineUnavailable(
        phrase("no window can open: Qt cannot be loaded"),
        expected=phrase("PySide6 with the system's libraries that it needs"),
        received=str(error),
        hint=phrase("install what is named here (Debian: libegl1, libgl1, libxkbcommon0); {example}", example=EXAMPLE),
    )
