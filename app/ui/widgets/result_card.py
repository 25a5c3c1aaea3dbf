"""The result of a run: how it ended, its numbers, and the estimate beside them."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QWidget

from app.ui import icons, style, words
from app.ui.sentences import said
from app.ui.state_bench import Comparison, ResultState
from app.ui.widgets.basics import Card, clear_layout, heading, muted, section, sentence, tab_after, wrapped
from app.ui.widgets.error_card import ErrorCard
from app.ui.widgets.number_label import NumberLabel, NumberTile


class ResultCard(Card):
    """Renders a `ResultState`, hidden while there is none; emits `acted`."""

    acted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.setAccessibleName(self.tr("Result"))
        head = QHBoxLayout()
        self._icon = QLabel()
        self.outcome = heading("", 1.35)
        self._title = muted()
        head.addWidget(self._icon)
        head.addWidget(self.outcome)
        head.addWidget(self._title)
        head.addStretch(1)
        self.body.addLayout(head)
        self.error = ErrorCard()
        self.error.acted.connect(self.acted)
        self.body.addWidget(self.error)
        self._tiles = QWidget()
        row = QHBoxLayout(self._tiles)
        row.setContentsMargins(0, 4, 0, 4)
        row.setSpacing(24)
        self.step = NumberTile(self.tr("Step"))
        self.samples = NumberTile(self.tr("Samples per second"))
        self.memory = NumberTile(self.tr("Peak memory"))
        self.epoch = NumberTile(self.tr("One epoch"))
        for tile in (self.step, self.samples, self.memory, self.epoch):
            row.addWidget(tile, 1)
        self.body.addWidget(self._tiles)
        self._compare = QGridLayout()
        self._compare.setHorizontalSpacing(24)
        self._compare.setVerticalSpacing(4)
        self.body.addLayout(self._compare)
        self._warnings = wrapped()
        self.body.addWidget(self._warnings)
        self.hide()

    def set_state(self, state: ResultState | None) -> None:
        """Show a result."""
        self._state = state
        self.setVisible(state is not None)
        if state is None:
            return
        self._draw_outcome(state)
        self._title.setText(self._title_text(state))
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
        self._warnings.setText("\n".join(sentence(text) for text in state.warnings))
        self._warnings.setVisible(bool(state.warnings))

    def changeEvent(self, event: QEvent) -> None:  # noqa: D102 - Qt's name
        super().changeEvent(event)
        state = getattr(self, "_state", None)
        if event.type() == QEvent.Type.StyleChange and state is not None:
            self._draw_outcome(state)

    def _draw_outcome(self, state: ResultState) -> None:
        """Icon and word in the colour of the outcome."""
        verdict = words.outcome_verdict(state.outcome)
        colour = style.current().status(verdict)
        self._icon.setPixmap(icons.pixmap(verdict, 26, colour))
        self.outcome.setText(words.outcome(state.outcome))
        sheet = f"color: {colour};"
        if self.outcome.styleSheet() != sheet:
            self.outcome.setStyleSheet(sheet)

    def _title_text(self, state: ResultState) -> str:
        """Which run, and how many steps were counted."""
        if not state.steps_counted:
            return self.tr("{title}, run {number}").format(title=state.title, number=state.run_id)
        text = self.tr("{title}, run {number}, %Ln steps counted, it waits for {what}", "", state.steps_counted)
        return text.format(title=state.title, number=state.run_id, what=words.bound(state.bound_by))

    def _action_text(self, state: ResultState) -> str:
        """What the button of the error says."""
        action, _, value = (state.error.action if state.error else "").partition(":")
        return self.tr("Use batch {size}").format(size=value) if action == "apply_batch" else ""

    def _fill_comparisons(self, rows: tuple[Comparison, ...]) -> None:
        """Estimate beside measured."""
        clear_layout(self._compare)
        if not rows:
            return
        heads = (self.tr("Quantity"), self.tr("Estimated before"), self.tr("Measured"), self.tr("Estimate off by"))
        for column, text in enumerate(heads):
            self._compare.addWidget(section(text), 0, column)
            self._compare.setColumnStretch(column, 1)
        names = {
            "step": self.tr("Step time"),
            "epoch": self.tr("One epoch"),
            "samples": self.tr("Samples per second"),
            "memory": self.tr("Peak memory of the training"),
        }
        last = self.epoch.value
        for index, row in enumerate(rows, start=1):
            name = names.get(row.quantity, row.quantity)
            estimated = NumberLabel(self.tr("{what}, estimated").format(what=name))
            estimated.set_number(row.estimated)
            measured = NumberLabel(self.tr("{what}, measured").format(what=name), bold=True)
            measured.set_number(row.measured)
            for column, widget in enumerate((QLabel(name), estimated, measured, QLabel(said(row.difference)))):
                self._compare.addWidget(widget, index, column)
            tab_after(last, estimated, measured)
            last = measured
