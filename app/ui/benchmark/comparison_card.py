"""Variants of a workload side by side: a table, and in words what can be said about them."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.core.runs.comparison import Ratio
from app.presentation.variants import VARIANTS
from app.ui.benchmark.state_compare import ComparedState
from app.ui.kit.basics import Card, DataTable, heading, muted, sentence, wrapped
from app.ui.kit.quantities import format_count, format_number
from app.ui.kit.speech import said, tr, tr_many

DROPPED = (12, 10, 3, 5, 11, 2, 8, 7, 6)
"""The run, held, one epoch, the interval, RAM, all epochs, use and samples give way where there is little room."""


class ComparisonCard(Card):
    """Renders a `ComparedState`, hidden while there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.setAccessibleName(tr("Comparison"))
        self.verdict = heading("", 1.35)
        self.verdict.setWordWrap(True)
        self.body.addWidget(self.verdict)
        self.reasons = wrapped()
        self.body.addWidget(self.reasons)
        self.table = DataTable(tr("Variants side by side"), tuple(map(said, VARIANTS)), self)
        self.table.columns.dropped = DROPPED
        self.body.addWidget(self.table)
        self.method = muted(wrap=True)
        self.body.addWidget(self.method)
        self.hide()

    def set_state(self, state: ComparedState | None) -> None:
        """Show a comparison."""
        self.setVisible(state is not None)
        if state is None:
            return
        self.verdict.setText(self._verdict(state))
        sentences = [self._ratio(ratio) for ratio in state.ratios]
        sentences += [tr("{name} waits for its data.").format(name=said(name)) for name in state.waiting]
        sentences += map(said, state.problems)
        self.reasons.setText("\n".join(sentences))
        self.reasons.setVisible(bool(sentences))
        self.table.place(state.table)
        unknown = [c for c in range(self.table.columnCount()) if not any(row[c] for row in state.table.rows)]
        self.table.columns.leave_out(unknown)
        self.method.setText(self._method(state))

    def _verdict(self, state: ComparedState) -> str:
        """The answer in one line."""
        if state.winner:
            return tr("Fastest: {name}").format(name=said(state.winner))
        if state.measured < 2:
            return tr("There is nothing to compare")
        return tr("No difference that can be told from noise")

    def _ratio(self, ratio: Ratio) -> str:
        """One ratio in words, with its interval."""
        of, to = said(ratio.of), said(ratio.to)
        if ratio.low is None or ratio.high is None:
            text = tr_many(
                "{of}: {n} round is too few to compare it with {to}.",
                "{of}: {n} rounds are too few to compare it with {to}.",
                ratio.rounds,
            )
            return text.format(of=of, to=to)
        if ratio.faster:
            text, ends = tr("{of} is {x} times as fast as {to} ({low} to {high})."), (ratio.high, ratio.low)
            low, high = (format_number(1 / end, ".2f") for end in ends)
            return text.format(of=of, to=to, x=format_number(1 / ratio.median, ".2f"), low=low, high=high)
        low, high = format_number(ratio.low, ".2f"), format_number(ratio.high, ".2f")
        if ratio.slower:
            text = tr("{of} takes {x} times as long as {to} ({low} to {high}).")
            return text.format(of=of, to=to, x=format_number(ratio.median, ".2f"), low=low, high=high)
        text = tr("{of} against {to}: between {low} and {high} of its time, so no difference that can be seen.")
        return text.format(of=of, to=to, low=low, high=high)

    def _method(self, state: ComparedState) -> str:
        """How the numbers came about."""
        turns = tr("The variants took turns on the machine, so that its drift met all of them alike.")
        visits = tr("The variants ran one after the other, each of them several times.")
        epochs = tr("All epochs: {count}.").format(count=format_count(state.epochs))
        return " ".join((turns if state.interleaved else visits, f"{sentence(state.method)}.", epochs))
