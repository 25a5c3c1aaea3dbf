"""One recommendation: what to change, before → after, and Try and Verify."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.presentation.advice import Change, ChangeRow
from app.ui.kit import words
from app.ui.kit.basics import Card, button, heading, muted, sentence, wrapped
from app.ui.kit.number_label import NumberLabel
from app.ui.kit.plain import PlainLabel, set_tooltip
from app.ui.kit.quantities import written
from app.ui.kit.speech import said, tr, tr_in


class RecommendationCard(Card):
    """Renders a `ChangeRow`; emits `tried` and `verify_requested` with its id."""

    tried = Signal(str)
    verify_requested = Signal(str)

    def __init__(self, state: ChangeRow, rank: int, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.state = state
        self._title = said(state.item.title)
        self.setAccessibleName(tr("Recommendation {rank}: {title}").format(rank=rank, title=self._title))
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._row.setSpacing(18)
        self._row.addLayout(self._words(), 1)
        right = QHBoxLayout()
        right.setSpacing(18)
        right.addLayout(self._numbers(), 1)
        right.addLayout(self._buttons())
        self._row.addLayout(right)
        self.body.addLayout(self._row)

    def set_narrow(self, narrow: bool) -> None:
        """Put the numbers under the words, or beside them."""
        self._row.setDirection(QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight)

    def _words(self) -> QVBoxLayout:
        """Title, reason and chips."""
        column = QVBoxLayout()
        column.setSpacing(4)
        title = heading(self._title, 1.1)
        title.setWordWrap(True)
        column.addWidget(title)
        column.addWidget(wrapped(sentence(self.state.item.why)))
        if self.state.item.how:
            text = tr("In a program of your own: {how}").format(how=said(self.state.item.how))
            column.addWidget(muted(text, wrap=True))
        chips = QHBoxLayout()
        chips.setSpacing(6)
        same = tr("Same training result"), tr("Changes the training result")
        chips.addWidget(
            _chip(same[1] if self.state.item.changes_result else same[0], warn=self.state.item.changes_result)
        )
        if self.state.item.free:
            chips.addWidget(_chip(tr_in("price", "Free"), good=True))
        if self.state.gain:
            chips.addWidget(_chip(tr("At most {gain} as fast").format(gain=said(self.state.gain))))
        if self.state.verified:
            text = tr("Measured: {outcome}").format(outcome=words.outcome(self.state.verified))
            succeeded = self.state.verified == "succeeded"
            chips.addWidget(_chip(text, good=succeeded, warn=not succeeded))
        chips.addStretch(1)
        column.addLayout(chips)
        column.addStretch(1)
        return column

    def _numbers(self) -> QGridLayout:
        """Memory and epoch time, before → after."""
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        rows = ((tr("Memory"), self.state.memory), (tr("One epoch"), self.state.epoch))
        for index, (caption, change) in enumerate(rows):
            if change.after.known:
                grid.addWidget(muted(caption), index, 0)
                self._add_change(grid, index, caption, change)
        grid.setRowStretch(2, 1)
        for column, width in enumerate((74, 78, 16, 118)):
            grid.setColumnMinimumWidth(column, width)
        grid.setColumnStretch(4, 1)
        return grid

    def _add_change(self, grid: QGridLayout, row: int, caption: str, change: Change) -> None:
        """One number before and after."""
        before = muted(written(change.before))
        before.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        arrow = PlainLabel("→")
        arrow.setAccessibleName(tr("becomes"))
        after = NumberLabel(tr("{what} afterwards").format(what=caption), bold=bool(change.better))
        after.set_number(change.after)
        for column, widget in enumerate((before, arrow, after), start=1):
            grid.addWidget(widget, row, column)

    def _buttons(self) -> QVBoxLayout:
        """Try and Verify, where the plan can be changed."""
        column = QVBoxLayout()
        column.setSpacing(6)
        self.try_button = button(tr("Try"), name=tr("Try: {title}").format(title=self._title))
        self.verify_button = button(
            tr("Verify"), quiet=True, name=tr("Verify by a short run: {title}").format(title=self._title)
        )
        set_tooltip(self.try_button, tr("Put this change into the form"))
        set_tooltip(self.verify_button, tr("Run a short benchmark with this change"))
        self.try_button.clicked.connect(lambda: self.tried.emit(self.state.item.id))
        self.verify_button.clicked.connect(lambda: self.verify_requested.emit(self.state.item.id))
        applicable = bool(self.state.item.changes)
        self.try_button.setVisible(applicable)
        self.verify_button.setVisible(applicable)
        column.addWidget(self.try_button)
        column.addWidget(self.verify_button)
        column.addStretch(1)
        return column


def _chip(text: str, *, good: bool = False, warn: bool = False) -> QLabel:
    """A small rounded word."""
    label = PlainLabel(text)
    label.setProperty("chip", "good" if good else ("warn" if warn else "true"))
    return label
