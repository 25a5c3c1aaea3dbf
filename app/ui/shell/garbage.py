"""Python's collector of cycles, kept in the window's thread.

Python collects in whichever thread allocates at the moment; a cycle with a widget in it would then be
destroyed outside the thread that owns it, which Qt forbids (Qt documentation, "Thread Support in Qt:
Per-Thread Event Loop") and answers with a crash or a lock that is never given back, days later.
"""

from __future__ import annotations

import gc
import linecache

from PySide6.QtCore import QObject, QTimer

INTERVAL_MS = 200
"""A collection takes as long as there are new objects: often, and each is short."""
FULL_AFTER = 100
"""Middle collections before everything is looked at: that walks all objects and stops the window for a moment."""


class MainThreadGarbage(QObject):
    """Collects with a timer of the thread that made it; `stop` gives the collector back to Python.

    Args:
        parent: Ends the timer with it.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.collect_due)
        self._thresholds = gc.get_threshold()

    def start(self) -> None:
        """From now on no other thread collects."""
        gc.disable()
        self._timer.start(INTERVAL_MS)

    @staticmethod
    def keep_what_is_there() -> None:
        """Never again look through what the program has loaded: its modules and classes stay until it ends.

        They are most of all objects, and walking them took the window's thread 20 to 30 ms (`gc.freeze`).
        """
        gc.freeze()

    def stop(self) -> None:
        """As Python does it, again."""
        self._timer.stop()
        gc.unfreeze()
        gc.enable()

    def collect_due(self) -> int | None:
        """Collect the oldest generation whose turn it is; returns which one, None if none is due.

        `gc.get_count` goes on counting while the automatic collector is off.
        """
        young, middle, _ = self._thresholds
        limits = (young, middle, FULL_AFTER)
        due = [generation for generation, count in enumerate(gc.get_count()) if count > limits[generation]]
        # PySide looks into the source of whatever is imported (shibokensupport/feature.py); linecache keeps the 14 MiB.
        linecache.clearcache()
        if not due:
            return None
        gc.collect(due[-1])
        return due[-1]
