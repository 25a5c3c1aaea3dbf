"""Small building blocks: cards, titles, muted text, elided labels, buttons, tables."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDoubleSpinBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QSpinBox,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.core.types.visible import visible
from app.presentation.layout import Table
from app.ui.kit import style
from app.ui.kit.columns import FittedColumns
from app.ui.kit.plain import PlainLabel, seen, set_tooltip
from app.ui.kit.speech import said, tr

MARGIN = 16
GAP = 12
CENTS = 2
PERCENT = re.compile(r"(?<=\d) (?=%)")


class Card(QFrame):
    """A quiet surface with a title row and a body; ``body`` is the layout to fill.

    What has much in it, as a card has, is made with its parent: each time that a widget gets another one, Qt restyles
    it and everything below it (qtbase, qwidget.cpp, ``inheritStyle``).
    """

    def __init__(self, title: str = "", parent: QWidget | None = None, *, margin: int = MARGIN) -> None:
        super().__init__(parent)
        self.setProperty("card", True)
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(margin, max(margin - 4, 6), margin, margin)
        self.body.setSpacing(8)
        self.head = QHBoxLayout()
        self.head.setSpacing(8)
        self.title = heading(title)
        self.subtitle = ElidedLabel()
        self.subtitle.setProperty("role", "muted")
        if title:
            self.head.addWidget(self.title)
            self.head.addWidget(self.subtitle, 1)
            self.body.addLayout(self.head)


class ElidedLabel(PlainLabel):
    """A label that shortens its text to the room it has and tells the whole in a tooltip.

    The text is painted here and not given to `QLabel`, whose every change of text lays out the window anew.
    """

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self._text = self._short = ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.set_full_text(text)

    def set_full_text(self, text: str, short: str = "") -> None:
        """Show a text, where there is no room for it ``short`` in its place, and that shortened where needed."""
        text, short = visible(text), visible(short)
        if text == self._text and short == self._short:
            return
        self._short = short
        if bool(text) != bool(self._text):
            self.updateGeometry()
        self._text = text
        self.setAccessibleName(text)
        self._tell_whole()
        self.update()

    def full_text(self) -> str:
        """The whole text."""
        return self._text

    def minimumSizeHint(self) -> QSize:  # noqa: D102 - Qt's name
        return QSize(24, self.fontMetrics().height() + 2)

    def sizeHint(self) -> QSize:  # noqa: D102 - Qt's name
        return QSize(self.fontMetrics().horizontalAdvance(self._text) + 4, self.fontMetrics().height() + 2)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: D102 - Qt's name
        super().resizeEvent(event)
        self._tell_whole()

    def paintEvent(self, _event: object) -> None:  # noqa: D102 - Qt's name
        painter = QPainter(self)
        painter.setFont(self.font())
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self.shown_text())

    def shown_text(self) -> str:
        """What there is room for."""
        text = self._text if self._fits(self._text) else self._short or self._text
        return self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, self.width())

    def _fits(self, text: str) -> bool:
        """Is there room for a text; its width is a fraction of a pixel more or less than Qt says."""
        return self.fontMetrics().horizontalAdvance(text) < self.width()

    def _tell_whole(self) -> None:
        """The tooltip holds what does not fit."""
        set_tooltip(self, "" if self._fits(self._text) else self._text)


class Drawing(PlainLabel):
    """A picture of numbers that paints itself; it has a name, and a text or a table that says the same.

    Qt has no role for widgets that paint themselves, but a label with a picture is a graphic to a screen reader
    (qtbase, simplewidgets.cpp), so this is one, with an empty picture.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        empty = QPixmap(1, 1)
        empty.fill(Qt.GlobalColor.transparent)
        self.setPixmap(empty)


def heading(text: str, factor: float = 1.0) -> QLabel:
    """A bold title."""
    label = PlainLabel(text)
    label.setFont(style.scaled_font(label, factor, bold=True))
    return label


class TitleLabel(ElidedLabel):
    """A bold title that is shortened where there is little room, as names of models need."""

    def __init__(self, factor: float = 1.0, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.setFont(style.scaled_font(self, factor, bold=True))
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)

    def set_full_text(self, text: str, short: str = "") -> None:
        """Show a text; unlike other texts, a title takes the room that it needs."""
        if text != self.full_text():
            super().set_full_text(text, short)
            self.updateGeometry()


def section(text: str) -> QLabel:
    """The small caption over a group."""
    label = PlainLabel(text)
    label.setFont(style.scaled_font(label, 0.85, bold=True))
    label.setProperty("role", "muted")
    return label


def muted(text: str = "", *, wrap: bool = False) -> QLabel:
    """Secondary text."""
    label = PlainLabel(text)
    label.setProperty("role", "muted")
    label.setWordWrap(wrap)
    return label


def caption_of(field: QWidget, text: str) -> QLabel:
    """The caption of a field; on Linux a screen reader calls a combo box by the label whose buddy it is."""
    label = muted(text)
    label.setBuddy(field)
    return label


def wrapped(text: str = "") -> QLabel:
    """Text over several lines that can be selected."""
    label = PlainLabel(text)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def sentence(text: str) -> str:
    """A text of the core as a sentence: in the window's language, beginning with a capital letter.

    No line ends between a number and its per cent sign.
    """
    told = PERCENT.sub("\N{NO-BREAK SPACE}", said(text))
    return told[:1].upper() + told[1:]


def button(text: str, *, primary: bool = False, quiet: bool = False, name: str = "") -> QPushButton:
    """A push button; ``name`` is its accessible name where the text is not enough."""
    result = QPushButton(seen(text))
    result.setProperty("primary", primary)
    result.setProperty("quiet", quiet)
    result.setAccessibleName(seen(name or text))
    result.setAutoDefault(False)
    return result


def set_property(widget: QWidget, name: str, value: object) -> None:
    """Set a property that the style sheet looks at, and restyle."""
    if widget.property(name) == value:
        return
    widget.setProperty(name, value)
    widget.style().unpolish(widget)
    widget.style().polish(widget)


def clear_layout(layout: QLayout) -> None:
    """Remove and delete everything in a layout."""
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()
        elif (inner := item.layout()) is not None:
            clear_layout(inner)


class Scroll(QScrollArea):
    """A vertical scroll area; ``body`` is the layout to fill, of the widget ``inner``."""

    def __init__(self, parent: QWidget | None = None, *, margin: int = MARGIN) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.inner = QWidget()
        self.body = QVBoxLayout(self.inner)
        self.body.setContentsMargins(margin, min(margin, 10), margin, margin)
        self.body.setSpacing(GAP)
        self.setWidget(self.inner)


class DataTable(QTableWidget):
    """A read-only table; the twin of a plot or a list of facts."""

    def __init__(self, name: str, headers: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(0, len(headers), parent)
        self.setAccessibleName(name)
        self.setHorizontalHeaderLabels(list(headers))
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(30)
        self.setShowGrid(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.columns = FittedColumns(self)

    def stretch(self, column: int) -> None:
        """Let another column than the first take the spare room."""
        self.columns.stretched = column

    def place(self, table: Table, most: int = 12) -> None:
        """Show what was laid out, headings included; as high as its rows need, up to a number of them."""
        unnamed = iter((tr("Fact"), tr("Value")))
        self.setColumnCount(len(table.columns))
        self.setHorizontalHeaderLabels([said(name) or next(unnamed, "") for name in table.columns])
        self.fill(table.rows, numbers=table.numbers)
        self.fit_height(most)

    def fill(
        self, rows: Sequence[Sequence[str]], *, numbers_from: int = 1, numbers: Collection[int] | None = None
    ) -> None:
        """Replace all rows; ``numbers``, or all from ``numbers_from`` on, are aligned right.  Texts are translated."""
        right_ones = range(numbers_from, self.columnCount()) if numbers is None else numbers
        self.setRowCount(len(rows))
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        model = self.model()
        # Told of each cell by itself, a table that is seen measures all of its columns anew each time.
        model.blockSignals(True)
        for r, row in enumerate(rows):
            for c, text in enumerate(row):
                shown = said(text)
                item = QTableWidgetItem(shown)
                if c in right_ones:
                    item.setTextAlignment(right)
                self.setItem(r, c, item)
        model.blockSignals(False)
        if rows:
            model.dataChanged.emit(model.index(0, 0), model.index(len(rows) - 1, self.columnCount() - 1))
        for c in right_ones:
            head = self.horizontalHeaderItem(c)
            if head is not None and head.textAlignment() != right:
                head.setTextAlignment(right)
        self.columns.figures = right_ones
        self.columns.refit()

    def fit_height(self, most: int = 12) -> None:
        """Be as high as the rows need, up to a number of rows."""
        rows = min(max(1, self.rowCount()), most)
        height = self.horizontalHeader().sizeHint().height() + rows * self.verticalHeader().defaultSectionSize() + 14
        self.setFixedHeight(height)


class NumberBox(QDoubleSpinBox):
    """Leaves out the zeros at the end, unless they are those of a price."""

    def textFromValue(self, value: float) -> str:  # noqa: D102 - Qt's name
        text, point = super().textFromValue(value), self.locale().decimalPoint()
        return text.rstrip("0").removesuffix(point) if point in text and self.decimals() > CENTS else text


def number_box(name: str, low: float, high: float, decimals: int = 5) -> QDoubleSpinBox:
    """A real number in a range; its steps follow its size."""
    result = NumberBox()
    result.setDecimals(decimals)
    result.setRange(low, high)
    result.setStepType(QDoubleSpinBox.StepType.AdaptiveDecimalStepType)
    result.setAccessibleName(name)
    result.lineEdit().setTextMargins(5, 0, 0, 0)
    return result


def spin_box(name: str, low: int, high: int, suffix: str = "") -> QSpinBox:
    """A whole number in a range."""
    result = QSpinBox()
    result.setRange(low, high)
    result.setSuffix(suffix)
    result.setGroupSeparatorShown(True)
    result.setAccessibleName(name)
    # The style sheet's padding does not reach the text inside a spin box.
    result.lineEdit().setTextMargins(5, 0, 0, 0)
    return result
