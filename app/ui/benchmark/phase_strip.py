"""The phases of a run as bands over its time: start · load · build · compile · warm-up · measure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QHelpEvent, QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.core.types.measurement import PhaseSpan
from app.ui.kit import style, words
from app.ui.kit.basics import Drawing
from app.ui.kit.plain import seen, show_tooltip
from app.ui.kit.quantities import format_seconds
from app.ui.kit.speech import tr
from app.ui.kit.theme import mix

MIN_WIDTH = 22.0
PADDING = 14.0
"""Of a name within its band."""
GAP = 3.0


@dataclass(frozen=True)
class Band:
    """One phase as it is drawn; ``text`` is empty where not even its short name has room."""

    text: str
    told: str
    """Its name and how long it took."""
    left: float
    width: float
    measuring: bool


class PhaseStrip(Drawing):
    """Paints `PhaseSpan`s: each is wide enough for its name, and what room is left is shared out by time."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._phases: tuple[PhaseSpan, ...] = ()
        self._now_s = 0.0
        self.setAccessibleName(tr("Phases of the run"))

    def set_phases(self, phases: Sequence[PhaseSpan], now_s: float) -> None:
        """Show phases up to a time."""
        self._phases, self._now_s = tuple(phases), now_s
        self.setAccessibleDescription(seen(", ".join(map(self._told, self._phases))))
        self.update()

    def sizeHint(self) -> QSize:  # noqa: D102 - Qt's name
        return QSize(300, 26)

    def bands(self) -> list[Band]:
        """The phases from left to right, with full names, with short ones, or with those that have room."""
        names = [words.phase(phase.name) for phase in self._phases]
        shorts = [words.short_phase(phase.name) for phase in self._phases]
        for texts in (names, shorts):
            least = [self._room(text) for text in texts]
            if sum(least) <= self.width():
                return self._placed(texts, least)
        return self._placed(shorts, [MIN_WIDTH] * len(shorts))

    def _placed(self, texts: Sequence[str], least: Sequence[float]) -> list[Band]:
        """Bands side by side, each at least as wide as said."""
        lengths = [self._length_s(phase) for phase in self._phases]
        spare, total = max(0.0, self.width() - sum(least)), sum(lengths) or 1.0
        bands, left = [], 0.0
        for phase, text, length, width in zip(self._phases, texts, lengths, least, strict=True):
            width += spare * length / total
            shown = text if self._room(text) <= width else ""
            bands.append(Band(shown, self._told(phase), left, width - GAP, phase.name == "measure"))
            left += width
        return bands

    def _room(self, text: str) -> float:
        """Width of a band that holds a name."""
        return self.fontMetrics().horizontalAdvance(text) + PADDING + GAP

    def _length_s(self, phase: PhaseSpan) -> float:
        """How long a phase took, or has taken so far."""
        return max(0.0, (phase.end_s if phase.end_s is not None else self._now_s) - phase.start_s)

    def _told(self, phase: PhaseSpan) -> str:
        """A phase and its time in words."""
        text = tr("{phase} {time}")
        return text.format(phase=words.phase(phase.name), time=format_seconds(self._length_s(phase)))

    def paintEvent(self, _event: object) -> None:  # noqa: D102 - Qt's name
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours = style.current()
        for band in self.bands():
            rect = QRectF(band.left, 0, band.width, self.height())
            ground = colours.accent if band.measuring else mix(colours.surface, colours.accent, 0.16)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(style.qcolor(ground))
            painter.drawRoundedRect(rect, 5, 5)
            painter.setPen(style.qcolor(colours.on_accent if band.measuring else colours.text))
            painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, band.text)

    def event(self, event: QEvent) -> bool:  # noqa: D102 - Qt's name
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            show_tooltip(event.globalPos(), self.tooltip_at(event.pos().x()), self)
            return True
        return super().event(event)

    def tooltip_at(self, x: float) -> str:
        """The phase at a place, and its time."""
        return next((band.told for band in self.bands() if band.left <= x < band.left + band.width + GAP), "")
