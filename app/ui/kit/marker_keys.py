"""Moves the marker of the batch chart by keys, as the slider beside the batch field does."""

from __future__ import annotations

import math
from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from app.ui.kit.batch_field import SLIDER_DOUBLINGS, SLIDER_STEPS

STEP = 1 / SLIDER_STEPS
"""Doublings for an arrow key."""
PAGE = 1.0
LARGEST: int = 2**SLIDER_DOUBLINGS
"""The batch at the key End, as for the slider."""


def moved(batch_size: int, key: int) -> int | None:
    """The batch that a key chooses; None for keys that choose none."""
    steps: dict[Qt.Key, float] = {
        Qt.Key.Key_Right: STEP,
        Qt.Key.Key_Up: STEP,
        Qt.Key.Key_Left: -STEP,
        Qt.Key.Key_Down: -STEP,
        Qt.Key.Key_PageUp: PAGE,
        Qt.Key.Key_PageDown: -PAGE,
        Qt.Key.Key_Home: -math.inf,
        Qt.Key.Key_End: math.inf,
    }
    by = steps.get(Qt.Key(key))
    if by is None:
        return None
    target = min(LARGEST, max(1.0, batch_size * math.exp2(by)))
    # Below eight an eighth of a doubling is less than one sample.
    least = batch_size + (1 if by > 0 else -1)
    return min(LARGEST, max(1, round(target) if round(target) != batch_size else least))


class MarkerKeys(QObject):
    """Watches the keys of a chart.

    Args:
        chart: The widget that takes the focus.
        batch_size: Says which batch the marker stands on.
        move: Puts it on another one and tells so.
    """

    def __init__(self, chart: QWidget, batch_size: Callable[[], int], move: Callable[[int], None]) -> None:
        super().__init__(chart)
        self._batch_size, self._move = batch_size, move
        chart.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        chart.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: D102 - Qt's name
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            target = moved(self._batch_size(), event.key())
            if target is not None:
                self._move(target)
                return True
        return super().eventFilter(watched, event)
