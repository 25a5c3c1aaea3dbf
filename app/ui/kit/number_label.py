"""A number with its mark (✓ ≈ ~) and ⓘ; pressing it opens the basis."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QVBoxLayout, QWidget

from app.presentation.figure import MARKS, Figure
from app.ui.kit import style, words
from app.ui.kit.basics import muted, sentence
from app.ui.kit.basis_popup import BasisPopup
from app.ui.kit.plain import seen, set_tooltip
from app.ui.kit.quantities import interval_text, written
from app.ui.kit.speech import tr

_INFO = 13
_SPACE = 5
_STEP = 16


class NumberLabel(QAbstractButton):
    """Paints value, mark and an info sign; a button for keyboard and screen reader.

    With ``mark_only`` the value itself stands in a sentence beside it; ``at_right`` ends it at the right edge, as
    figures in a column do.
    """

    def __init__(
        self,
        title: str,
        parent: QWidget | None = None,
        *,
        factor: float = 1.0,
        bold: bool = False,
        mark_only: bool = False,
        at_right: bool = False,
    ) -> None:
        super().__init__(parent)
        self._mark_only = mark_only
        self._at_right = at_right
        self._title = title
        self._factor = factor
        self._bold = bold
        self._number = Figure()
        self._room = 0
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.clicked.connect(self._on_clicked)
        self.set_number(Figure())

    @property
    def number(self) -> Figure:
        """What is shown."""
        return self._number

    def set_title(self, title: str) -> None:
        """Change what the number is called in its popup and to a screen reader."""
        self._title = title
        self.set_number(self._number)

    def set_number(self, number: Figure) -> None:
        """Show another number."""
        self._number = number
        spoken = tr("{title}: {value}, {mark}")
        spoken = spoken.format(title=self._title, value=written(number), mark=words.mark(number.mark))
        self.setAccessibleName(seen(spoken))
        self.setAccessibleDescription(tr("Opens what this number is based on"))
        told = tr("Between {interval}").format(interval=between) if (between := interval_text(number)) else ""
        set_tooltip(self, "\n".join(filter(None, (spoken, told, sentence(number.assumption)))))
        width = self.sizeHint().width()
        if width != self._room:
            self._room = width
            self.updateGeometry()
        self.update()

    def _text(self) -> str:
        """What is written: the value, or nothing where a sentence already holds it."""
        return "" if self._mark_only else written(self._number)

    def _value_font(self) -> QFont:
        """Font of the value."""
        if not self._number.known:
            return style.scaled_font(self, 1.0)
        return style.scaled_font(self, self._factor, bold=self._bold)

    def sizeHint(self) -> QSize:  # noqa: D102 - Qt's name
        metrics = QFontMetrics(self._value_font())
        width = metrics.horizontalAdvance(self._text()) + 4
        if self._number.known:
            width += metrics.horizontalAdvance(MARKS[self._number.mark]) + _INFO + 2 * _SPACE
        if self._mark_only:
            return QSize(width + 2, metrics.height() + 4)
        # Whole steps: a number that changes a little must not lay out the window anew.
        return QSize(-(-(width + 2) // _STEP) * _STEP, metrics.height() + 4)

    def minimumSizeHint(self) -> QSize:  # noqa: D102 - Qt's name
        return self.sizeHint()

    def paintEvent(self, _event: object) -> None:  # noqa: D102 - Qt's name
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours = style.current()
        font = self._value_font()
        metrics = QFontMetrics(font)
        mark = MARKS[self._number.mark]
        reserve = metrics.horizontalAdvance(mark) + _INFO + 2 * _SPACE if self._number.known else 0
        text = metrics.elidedText(self._text(), Qt.TextElideMode.ElideRight, self.width() - reserve - 2)
        painter.setFont(font)
        painter.setPen(style.qcolor(colours.text if self._number.known else colours.muted))
        baseline = (self.height() + metrics.ascent() - metrics.descent()) / 2
        left = self.width() - 1 - metrics.horizontalAdvance(text) - reserve if self._at_right else 1
        painter.drawText(QPointF(left, baseline), text)
        if self._number.known:
            x = left + metrics.horizontalAdvance(text) + _SPACE
            painter.setPen(style.qcolor(colours.muted))
            painter.drawText(QPointF(x, baseline), mark)
            self._paint_info(painter, x + metrics.horizontalAdvance(mark) + _SPACE)
        if self.hasFocus():
            painter.setPen(QPen(style.qcolor(colours.accent), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)

    def _paint_info(self, painter: QPainter, x: float) -> None:
        """A small circle with an i."""
        colour = style.qcolor(style.current().accent if self.underMouse() else style.current().muted)
        circle = QRectF(x, (self.height() - _INFO) / 2, _INFO, _INFO).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setPen(QPen(colour, 1.1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(circle)
        centre = circle.center()
        painter.setPen(QPen(colour, 1.5))
        painter.drawLine(QPointF(centre.x(), centre.y() - 0.4), QPointF(centre.x(), centre.y() + 2.9))
        painter.drawPoint(QPointF(centre.x(), centre.y() - 2.9))

    def _on_clicked(self) -> None:
        """Open the basis."""
        BasisPopup(self._title, self._number, self).open_below(self)


class NumberTile(QWidget):
    """A caption, a number and the interval under it."""

    def __init__(self, caption: str, parent: QWidget | None = None, *, factor: float = 1.25) -> None:
        super().__init__(parent)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self._caption = muted(caption)
        self._number = NumberLabel(caption, factor=factor, bold=True)
        self._interval = muted()
        self._interval.setFont(style.scaled_font(self._interval, 0.9))
        for widget in (self._caption, self._number, self._interval):
            layout.addWidget(widget)

    @property
    def value(self) -> NumberLabel:
        """The number."""
        return self._number

    def set_caption(self, caption: str) -> None:
        """Change the caption."""
        self._caption.setText(caption)
        self._number.set_title(caption)

    def set_number(self, number: Figure) -> None:
        """Show another number."""
        self._number.set_number(number)
        if self._interval.text() != (between := interval_text(number)):
            self._interval.setText(between)
