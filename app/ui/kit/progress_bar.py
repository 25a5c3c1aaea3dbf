"""A bar of progress that is painted with the rest of the window."""

from __future__ import annotations

from PySide6.QtWidgets import QProgressBar, QWidget

STEPS = 1000


class ProgressBar(QProgressBar):
    """Shows a share of some work, or that nobody knows how much there is."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextVisible(False)
        self.setAccessibleName(name)

    def set_share(self, share: float | None) -> None:
        """Show a share in 0..1, or a moving bar.

        Qt's bar paints itself at once when its value changes (qtbase, qprogressbar.cpp, ``setValue``), and with it all
        of the window that was to be laid out and painted in the next turn, each time anew.
        """
        self.setUpdatesEnabled(False)
        self.setRange(0, 0 if share is None else STEPS)
        if share is not None:
            self.setValue(round(STEPS * share))
        self.setUpdatesEnabled(True)
