"""The result of a run: how it ended, its numbers, and the estimate beside them."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QWidget

from app.presentation.run import Comparison
from app.presentation.whole import GROWTH
from app.presentation.words import QUANTITIES, REMEDIES
from app.ui.benchmark.state_bench import Remedy, ResultState
from app.ui.kit import icons, style, words
from app.ui.kit.basics import (
    Card,
    DataTable,
    ElidedLabel,
    button,
    clear_layout,
    heading,
    section,
    sentence,
    set_property,
    wrapped,
)
from app.ui.kit.error_card import ErrorCard
from app.ui.kit.number_label import NumberLabel, NumberTile
from app.ui.kit.plain import PlainLabel
from app.ui.kit.share_bar import ShareBar
from app.ui.kit.speech import said, tr, tr_many

MOST_FACTS = 20
"""Rows of the table of facts that are seen at once."""


class ResultCard(Card):
    """Renders a `ResultState`, hidden while there is none; emits `acted`."""

    acted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self._state: ResultState | None = None
        self.setAccessibleName(tr("Result"))
        head = QHBoxLayout()
        self._icon = PlainLabel()
        self.outcome = heading("", 1.35)
        self._title = ElidedLabel()
        self._title.setProperty("role", "muted")
        head.addWidget(self._icon)
        head.addWidget(self.outcome)
        head.addWidget(self._title, 1)
        self.body.addLayout(head)
        self.error = ErrorCard(self)
        self.error.acted.connect(self.acted)
        self.body.addWidget(self.error)
        self._tiles = QWidget(self)
        row = QHBoxLayout(self._tiles)
        row.setContentsMargins(0, 4, 0, 4)
        row.setSpacing(24)
        self.step = NumberTile(tr("Step"))
        self.samples = NumberTile(tr("Samples per second"))
        self.memory = NumberTile(tr("Peak memory"))
        self.epoch = NumberTile(tr("One epoch"))
        for tile in (self.step, self.samples, self.memory, self.epoch):
            row.addWidget(tile, 1)
        self.body.addWidget(self._tiles)
        self._compared = QWidget(self)
        self._rows: dict[str, tuple[QLabel, NumberLabel, NumberLabel, QLabel]] = {}
        self._add_comparisons()
        self.body.addWidget(self._compared)
        self.whole = DataTable(tr("The whole training"), ("",), self)
        self.whole.hide()
        self.body.addWidget(self.whole)
        self.grown = wrapped()
        self.body.addWidget(self.grown)
        self._doubts = QGridLayout()
        self._doubts.setHorizontalSpacing(12)
        self._doubts.setColumnStretch(0, 1)
        self.body.addLayout(self._doubts)
        self._warnings = wrapped()
        self.body.addWidget(self._warnings)
        self.shares = ShareBar(self)
        self.body.addWidget(self.shares)
        self._more = button(tr("What else was measured"), quiet=True)
        self._more.setCheckable(True)
        self._more.toggled.connect(self._show_facts)
        self.body.addWidget(self._more, 0, Qt.AlignmentFlag.AlignLeft)
        self._facts: DataTable | None = None
        self.hide()

    @property
    def facts(self) -> DataTable:
        """What else was measured; made when it is first asked for."""
        if self._facts is None:
            self._facts = DataTable(tr("What else was measured"), (tr("Fact"), tr("Value")), self)
            self._facts.hide()
            self.body.addWidget(self._facts)
            self.setTabOrder(self._more, self._facts)
        return self._facts

    def set_state(self, state: ResultState | None) -> None:
        """Show a result."""
        self._state = state
        self.setVisible(state is not None)
        if state is None:
            return
        self._draw_outcome(state)
        self._title.set_full_text(self._title_text(state))
        self.error.set_error(state.error, self._action_text(state))
        measured = state.step.known
        self._tiles.setVisible(measured)
        for tile, number in (
            (self.step, state.step),
            (self.samples, state.samples),
            (self.memory, state.memory),
            (self.epoch, state.epoch),
        ):
            tile.set_number(number)
        self._fill_comparisons(state.comparisons)
        self._show_whole(state)
        self._warnings.setText("\n".join(sentence(text) for text in state.warnings))
        self._warnings.setVisible(bool(state.warnings))
        self._fill_remedies(state.remedies)
        self.shares.set_shares(state.shares)
        self.shares.setVisible(bool(state.shares))
        self._more.setVisible(state.facts is not None)
        self._show_facts(self._more.isChecked())

    def customEvent(self, event: QEvent) -> None:  # noqa: D102 - Qt's name
        if isinstance(event, style.ThemeEvent) and self._state is not None:
            self._draw_outcome(self._state)

    def _draw_outcome(self, state: ResultState) -> None:
        """Icon and word in the colour of the outcome."""
        verdict = words.outcome_verdict(state.outcome)
        colour = style.current().status(verdict)
        self._icon.setPixmap(icons.pixmap(verdict, 26, colour))
        self.outcome.setText(words.outcome(state.outcome))
        set_property(self.outcome, "status", verdict)

    def _show_facts(self, shown: bool) -> None:
        """Show what else was measured, or hide it."""
        facts = self._state.facts if self._state is not None and shown else None
        if facts is not None or self._facts is not None:
            self.facts.setVisible(facts is not None)
        if facts is not None:
            self.facts.place(facts, MOST_FACTS)

    def _show_whole(self, state: ResultState) -> None:
        """The phases of the whole training, and what grows in it."""
        self.whole.setVisible(state.whole is not None)
        if state.whole is not None:
            self.whole.place(state.whole, MOST_FACTS)
        lines = ". ".join(sentence(said(text)) for text in state.grown)
        self.grown.setText(f"{said(GROWTH)}: {lines}." if lines else "")
        self.grown.setVisible(bool(lines))

    def _title_text(self, state: ResultState) -> str:
        """Which run, and how many steps were counted."""
        title = said(state.title)
        if not state.steps_counted:
            return tr("{title}, run {number}").format(title=title, number=state.run_id)
        text = tr_many(
            "{title}, run {number}, {n} step counted", "{title}, run {number}, {n} steps counted", state.steps_counted
        )
        counted = text.format(title=title, number=state.run_id)
        return " · ".join(filter(None, (counted, sentence(state.waits))))

    def _action_text(self, state: ResultState) -> str:
        """What the button of the error says."""
        return words.action(state.error.action) if state.error else ""

    def _fill_remedies(self, remedies: tuple[Remedy, ...]) -> None:
        """What casts doubt on the figures, each with one thing to do."""
        clear_layout(self._doubts)
        self.remedy_buttons: list[QPushButton] = []
        for row, remedy in enumerate(remedies):
            text = " ".join(filter(None, (f"{sentence(remedy.text)}.", said(REMEDIES.get(remedy.kind, "")))))
            self._doubts.addWidget(wrapped(text), row, 0)
            if remedy.action:
                do = button(words.action(remedy.action))
                do.clicked.connect(lambda *_checked, action=remedy.action: self.acted.emit(action))
                self._doubts.addWidget(do, row, 1, Qt.AlignmentFlag.AlignTop)
                self.remedy_buttons.append(do)

    def _add_comparisons(self) -> None:
        """The table of estimate beside measured, made once: what is made later would be reached last by Tab."""
        right = Qt.AlignmentFlag.AlignRight
        heads = (tr("Quantity"), tr("Estimate"), tr("Measured"), tr("Difference"))
        grid = QGridLayout(self._compared)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(4)
        for column, text in enumerate(heads):
            grid.addWidget(section(text), 0, column, right if column else Qt.AlignmentFlag.AlignLeft)
            grid.setColumnStretch(column, 1)
        for index, (quantity, what) in enumerate(QUANTITIES.items(), start=1):
            name = said(what)
            estimated = NumberLabel(tr("{what}, estimated").format(what=name), at_right=True)
            measured = NumberLabel(tr("{what}, measured").format(what=name), bold=True, at_right=True)
            off = PlainLabel()
            caption = PlainLabel(name)
            grid.addWidget(caption, index, 0)
            for column, widget in enumerate((estimated, measured, off), start=1):
                grid.addWidget(widget, index, column, right)
            self._rows[quantity] = (caption, estimated, measured, off)

    def _fill_comparisons(self, rows: tuple[Comparison, ...]) -> None:
        """Estimate beside measured."""
        self._compared.setVisible(bool(rows))
        for row in rows:
            caption, estimated, measured, off = self._rows[row.quantity]
            for widget in (caption, estimated, measured, off):
                widget.setVisible(row.known)
            estimated.set_number(row.estimated)
            measured.set_number(row.measured)
            off.setText(said(row.difference))
