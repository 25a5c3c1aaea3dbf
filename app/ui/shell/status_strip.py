"""The line at the bottom: the first of what is under way, how far it is, and a cross to cancel it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QSize, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QToolButton, QWidget

from app.ui.kit import icons, style
from app.ui.kit.basics import ElidedLabel, muted
from app.ui.kit.plain import set_tooltip
from app.ui.kit.progress_bar import ProgressBar
from app.ui.kit.speech import tr


class StatusStrip(QFrame):
    """Emits `cancel_requested`."""

    cancel_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("statusStrip")
        self.setFixedHeight(32)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 0, 10, 0)
        self.text = ElidedLabel()
        self.text.setProperty("role", "muted")
        layout.addWidget(self.text, 1)
        self.legend = muted(tr("✓ measured here   ≈ scaled from your run   ~ predicted"))
        layout.addWidget(self.legend)
        self.progress = ProgressBar(tr("Progress"))
        self.progress.setFixedWidth(140)
        layout.addWidget(self.progress)
        self.cancel = QToolButton()
        self.cancel.setIconSize(QSize(14, 14))
        self.cancel.setAccessibleName(tr("Cancel what is running"))
        set_tooltip(self.cancel, tr("Cancel (Esc)"))
        self.cancel.clicked.connect(self.cancel_requested)
        layout.addWidget(self.cancel)
        self._narrow = False
        self._draw()
        self.set_status("", None, running=False)

    def set_status(self, text: str, fraction: float | None, *, running: bool) -> None:
        """Say what goes on; ``fraction`` None is a moving bar."""
        self.text.set_full_text(text)
        self.progress.setVisible(running)
        self.cancel.setVisible(running)
        self.progress.set_share(fraction)
        self._show_legend()

    def set_narrow(self, narrow: bool) -> None:
        """Where there is little room, what goes on stands in place of what the marks mean."""
        self._narrow = narrow
        self._show_legend()

    def _show_legend(self) -> None:
        """What the marks mean, where there is room."""
        self.legend.setVisible(not (self._narrow and self.cancel.isVisibleTo(self)))

    def customEvent(self, event: QEvent) -> None:  # noqa: D102 - Qt's name
        if isinstance(event, style.ThemeEvent):
            self._draw()

    def _draw(self) -> None:
        """The cross in the present theme."""
        self.cancel.setIcon(icons.icon("cancel"))


SCAN, BENCH, TRACE, MACHINE = range(4)
"""Who says something, the most interesting first."""


class StatusSources:
    """What each source says now.

    Args:
        strip: Shows the first.
    """

    def __init__(self, strip: StatusStrip) -> None:
        self._strip = strip
        self._said: dict[int, tuple[str, float | None]] = {}

    def of(self, source: int) -> Callable[[str, float | None, bool], None]:
        """Takes what a source says: text, share or None, and whether it runs."""

        def take(text: str, fraction: float | None, running: bool) -> None:
            if running:
                self._said[source] = (text, fraction)
            else:
                self._said.pop(source, None)
            self._show()

        return take

    def _show(self) -> None:
        """The first, or that nothing runs."""
        if self._said:
            self._strip.set_status(*self._said[min(self._said)], running=True)
        else:
            self._strip.set_status("", None, running=False)
