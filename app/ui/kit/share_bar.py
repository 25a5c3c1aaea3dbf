"""Where the time of a step goes: a bar of shares with its legend."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.presentation.words import SHARES
from app.ui.kit import style
from app.ui.kit.basics import Drawing, sentence
from app.ui.kit.plain import set_tooltip
from app.ui.kit.quantities import format_share
from app.ui.kit.speech import tr

COLOURS = {"input": "workspace", "disk": "others", "decode": "workspace", "copy": "gradients", "compute": "activations"}
BAR_HEIGHT = 18
GAP = 6


class ShareBar(Drawing):
    """Paints shares that add up to one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shares: tuple[tuple[str, float], ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Where the time of a step goes"))

    def set_shares(self, shares: tuple[tuple[str, float], ...]) -> None:
        """Show other shares."""
        self._shares = shares
        self.setAccessibleDescription(", ".join(self.texts()))
        set_tooltip(self, "\n".join(self.texts()))
        self.update()

    def texts(self) -> list[str]:
        """Each share in words."""
        return [f"{sentence(SHARES[key])} {format_share(part)}" for key, part in self._shares]

    def sizeHint(self) -> QSize:  # noqa: D102 - Qt's name
        return QSize(400, BAR_HEIGHT + GAP + self.fontMetrics().height() + 2)

    def paintEvent(self, _event: object) -> None:  # noqa: D102 - Qt's name
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        colours = style.current()
        left, whole = 0.0, sum(part for _, part in self._shares) or 1.0
        for key, part in self._shares:
            width = self.width() * part / whole
            painter.setBrush(style.qcolor(colours.parts[COLOURS[key]]))
            painter.drawRoundedRect(QRectF(left, 0, max(width - 1, 1), BAR_HEIGHT), 3, 3)
            left += width
        metrics, x, y = painter.fontMetrics(), 0.0, BAR_HEIGHT + GAP
        for (key, _), text in zip(self._shares, self.texts(), strict=True):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(style.qcolor(colours.parts[COLOURS[key]]))
            painter.drawRoundedRect(QRectF(x, y + (metrics.height() - 10) / 2, 10, 10), 3, 3)
            painter.setPen(style.qcolor(colours.muted))
            width = metrics.horizontalAdvance(text)
            painter.drawText(QRectF(x + 16, y, width + 4, metrics.height()), text)
            x += width + 40
