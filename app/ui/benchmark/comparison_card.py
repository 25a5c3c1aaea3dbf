"""Variants of a workload side by side: a table, and in words what can be said about them."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.core.runs.comparison import Ratio
from app.core.types.units import NOT_AVAILABLE
from app.ui.benchmark.state_compare import ComparedState, VariantRow
from app.ui.kit import words
from app.ui.kit.basics import Card, DataTable, heading, muted, sentence, wrapped
from app.ui.kit.quantities import format_count, format_number, interval_text, written
from app.ui.kit.speech import said, tr, tr_many

DROPPED = (9, 3, 10, 2, 7, 6, 5)
"""Held, one epoch, RAM, all epochs, use and samples give way where there is little room: time follows from the step's.
"""


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
        headers = (
            tr("Variant"),
            tr("Outcome"),
            tr("All epochs"),
            tr("Epoch"),
            tr("Step"),
            tr("Samples/s"),
            tr("CPU"),
            tr("GPU"),
            tr("Needed"),
            tr("Held"),
            tr("RAM"),
        )
        self.table = DataTable(tr("Variants side by side"), headers, self)
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
        sentences += [f"{said(row.label)}: {said(row.problem)}" for row in state.rows if row.problem]
        self.reasons.setText("\n".join(sentences))
        self.reasons.setVisible(bool(sentences))
        rows = [_cells(row) for row in state.rows]
        self.table.fill(rows, numbers_from=2)
        unknown = [c for c in range(self.table.columnCount()) if all(row[c] == NOT_AVAILABLE for row in rows)]
        self.table.columns.leave_out(unknown)
        self.table.fit_height()
        self.method.setText(self._method(state))

    def _verdict(self, state: ComparedState) -> str:
        """The answer in one line."""
        if state.winner:
            return tr("Fastest: {name}").format(name=said(state.winner))
        if len([row for row in state.rows if row.step.known]) < 2:
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


def _cells(row: VariantRow) -> tuple[str, ...]:
    """One variant as texts."""
    step = written(row.step)
    if between := interval_text(row.step):
        step = f"{step} ({between})"
    return (
        row.label,
        words.outcome(row.outcome),
        row.total,
        row.epoch,
        step,
        row.samples,
        row.cpu,
        row.gpu,
        row.needed,
        row.held,
        row.host,
    )
