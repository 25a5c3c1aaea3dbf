"""The basis of a number: where it comes from, what dominates it, inputs and formula with live values."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QVBoxLayout, QWidget

from app.presentation.figure import MARKS, Figure
from app.ui.kit import words
from app.ui.kit.basics import Scroll, heading, muted, wrapped
from app.ui.kit.plain import PlainLabel
from app.ui.kit.quantities import interval_text, written
from app.ui.kit.speech import said, tr

WIDTH = 460
MAX_HEIGHT = 420


class BasisPopup(QFrame):
    """Closes by itself when the focus goes elsewhere or with Esc."""

    def __init__(self, title: str, number: Figure, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("popup")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName(tr("Basis of {title}").format(title=title))
        self.setFixedWidth(WIDTH)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(1, 1, 1, 1)
        scroll = Scroll()
        outer.addWidget(scroll)
        body = scroll.body
        body.addWidget(heading(f"{title}: {written(number)}", 1.1))
        mark = tr("{sign} This number is {origin}.")
        body.addWidget(muted(mark.format(sign=MARKS[number.mark], origin=words.mark(number.mark)).strip()))
        if between := interval_text(number):
            body.addWidget(wrapped(tr("It should lie between {interval}.").format(interval=between)))
        if number.assumption:
            matters = tr("What matters most: {assumption}.")
            body.addWidget(wrapped(matters.format(assumption=said(number.assumption))))
        if number.basis:
            body.addLayout(self._rows(number))
        else:
            body.addWidget(muted(tr("There is no more detail for this number."), wrap=True))
        body.addStretch(1)
        self._scroll = scroll

    def open_below(self, anchor: QWidget) -> None:
        """Show under a widget, inside the screen."""
        inner = self._scroll.inner
        inner.setFixedWidth(WIDTH - 14)
        inner.adjustSize()
        self.setFixedHeight(min(MAX_HEIGHT, inner.sizeHint().height() + 8))
        place = anchor.mapToGlobal(QPoint(0, anchor.height() + 4))
        area = anchor.screen().availableGeometry()
        x = max(area.left(), min(place.x(), area.right() - self.width()))
        y = place.y() if place.y() + self.height() <= area.bottom() else max(area.top(), place.y() - self.height())
        self.move(x, y)
        self.show()

    def _rows(self, number: Figure) -> QGridLayout:
        """One block per explanation."""
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(0, 1)
        row = 0
        for item in number.basis:
            value = PlainLabel(said(item.value))
            value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
            grid.addWidget(wrapped(said(item.name)), row, 0)
            grid.addWidget(value, row, 1)
            row += 1
            details = " · ".join(map(said, filter(None, (item.formula, item.source))))
            if details:
                grid.addWidget(muted(details, wrap=True), row, 0, 1, 2)
                row += 1
            grid.setRowMinimumHeight(row, 6)
            row += 1
        return grid
