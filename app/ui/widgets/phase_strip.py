"""The phases of a run as bands over its time: start · load · build · compile · warm-up · measure."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.core.measurement import PhaseSpan
from app.ui import style, words
from app.ui.quantities import format_seconds
from app.ui.theme import mix
from app.ui.widgets.basics import Drawing

MIN_WIDTH = 22.0


class PhaseStrip(Drawing):
    """Paints `PhaseSpan`s; short ones keep a least width so that they stay visible."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._phases: tuple[PhaseSpan, ...] = ()
        self._now_s = 0.0
        self.setAccessibleName(self.tr("Phases of the run"))

    def set_phases(self, phases: Sequence[PhaseSpan], now_s: float) -> None:
        """Show phases up to a time."""
        self._phases, self._now_s = tuple(phases), now_s
        spoken = [f"{words.phase(p.name)} {format_seconds((p.end_s or now_s) - p.start_s)}" for p in self._phases]
        self.setAccessibleDescription(", ".join(spoken))
        self.setToolTip("\n".join(spoken))
        self.update()

    def sizeHint(self) -> QSize:  # noqa: D102 - Qt's name
        return QSize(300, 26)

    def paintEvent(self, _event: object) -> None:  # noqa: D102 - Qt's name
        if not self._phases:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours = style.current()
        lengths = [max(0.0, (p.end_s if p.end_s is not None else self._now_s) - p.start_s) for p in self._phases]
        room = max(0.0, self.width() - MIN_WIDTH * len(lengths))
        total = sum(lengths) or 1.0
        x = 0.0
        for phase, length in zip(self._phases, lengths, strict=True):
            width = MIN_WIDTH + room * length / total
            rect = QRectF(x, 0, width - 3, self.height())
            measuring = phase.name == "measure"
            ground = colours.accent if measuring else mix(colours.surface, colours.accent, 0.16)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(style.qcolor(ground))
            painter.drawRoundedRect(rect, 5, 5)
            painter.setPen(style.qcolor(colours.on_accent if measuring else colours.text))
            if width > MIN_WIDTH + 26:
                name = words.phase(phase.name)
                text = painter.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, int(width - 12))
                painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)
            x += width
