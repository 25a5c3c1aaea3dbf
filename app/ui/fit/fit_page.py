"""Does it fit: the memory bar, the batch chart, what fills the memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QBoxLayout, QWidget

from app.presentation.fit import FitState
from app.ui.fit.batch_chart import BatchChartCard
from app.ui.fit.memory_bar import MemoryBar, MemoryLegend
from app.ui.fit.whole_card import WholeCard
from app.ui.kit import words
from app.ui.kit.basics import Card, DataTable, Scroll, button, muted, sentence, wrapped
from app.ui.kit.number_label import NumberLabel
from app.ui.kit.plain import set_tooltip
from app.ui.kit.plot_card import PlotCard
from app.ui.kit.quantities import format_bytes, format_number, format_share, interval_text, written
from app.ui.kit.speech import said, tr

if TYPE_CHECKING:
    from app.ui.fit.plots import TimelinePlot

NARROW = 760
DETAILS_MS = 60


class FitPage(Scroll):
    """Renders a `FitState`; emits `batch_chosen` and `share_requested`."""

    batch_chosen = Signal(int)
    share_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Fit"))
        self._state = self._detailed = FitState()
        self._details_timer = QTimer(self)
        self._details_timer.setSingleShot(True)
        self._details_timer.setInterval(DETAILS_MS)
        self._details_timer.timeout.connect(self._show_details)
        self.nothing = muted(tr("There is no answer to show; the reason stands above."), wrap=True)
        self.nothing.hide()
        self.body.addWidget(self.nothing)
        self._bar = self._bar_card()
        self.body.addWidget(self._bar)
        self.chart = BatchChartCard()
        self.chart.batch_chosen.connect(self.batch_chosen)
        self.body.addWidget(self.chart)
        self._pair = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._pair.setSpacing(12)
        self._tables = self._parts_card(), self._layers_card(), self._memories_card()
        self._pair.addWidget(self._tables[0], 1)
        self._pair.addWidget(self._tables[1], 1)
        self.body.addLayout(self._pair)
        self.body.addWidget(self._tables[2])
        self.timeline: PlotCard[TimelinePlot] = PlotCard(
            tr("Memory over one step"), (tr("Share of the step"), tr("Live memory")), self._make_timeline, height=190
        )
        self.body.addWidget(self.timeline)
        self.whole = WholeCard()
        self.body.addWidget(self.whole)
        self.body.addWidget(self._notes_card())
        self.body.addStretch(1)

    def _bar_card(self) -> Card:
        """Bar and legend."""
        card = Card(tr("Memory at the peak of one step"))
        self._device = card.subtitle
        self.needed = NumberLabel(tr("Memory needed"), bold=True, at_right=True)
        card.head.addWidget(self.needed)
        self.share = button(tr("Share …"), quiet=True, name=tr("Make a picture and a text of this answer"))
        set_tooltip(self.share, tr("A picture and a text for an issue, a chat or a paper, without names and folders"))
        self.share.clicked.connect(self.share_requested)
        card.head.addWidget(self.share)
        self.bar = MemoryBar()
        self.legend = MemoryLegend()
        card.body.addWidget(self.bar)
        card.body.addWidget(self.legend)
        return card

    def _parts_card(self) -> Card:
        """The table twin of the bar."""
        card = Card(tr("What fills it"))
        self.parts = DataTable(tr("What fills the memory"), (tr("Part"), tr("Size"), tr("Share")))
        card.body.addWidget(self.parts)
        card.body.addStretch(1)
        return card

    def _layers_card(self) -> Card:
        """The largest layers."""
        card = Card(tr("Largest layers"))
        headers = (tr("Layer"), tr("Weights"), tr("Activations"))
        self.layers = DataTable(tr("Largest layers"), headers)
        card.body.addWidget(self.layers)
        card.body.addStretch(1)
        return card

    def _memories_card(self) -> Card:
        """The four memories, which are never mixed."""
        card = Card(tr("Four memories"))
        headers = (tr("Memory"), tr("What it is"), tr("Between"), tr("Size"))
        self.memories = DataTable(tr("Four memories"), headers)
        self.memories.stretch(1)
        card.body.addWidget(self.memories)
        return card

    def _notes_card(self) -> Card:
        """Other estimates and assumptions."""
        self._notes = Card(tr("How this compares, and what was assumed"))
        self._textbook = wrapped()
        self._assumptions = muted(wrap=True)
        self._notes.body.addWidget(self._textbook)
        self._notes.body.addWidget(self._assumptions)
        return self._notes

    def resizeEvent(self, event: object) -> None:  # noqa: D102 - Qt's name
        super().resizeEvent(event)  # type: ignore[arg-type]
        narrow = self.width() < NARROW
        direction = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        self._pair.setDirection(direction)

    def set_state(self, state: FitState) -> None:
        """Show a prediction."""
        self._state = state
        failed = state.stage == "failed"
        self.nothing.setVisible(failed)
        for card in (self._bar, self.chart, *self._tables):
            card.setVisible(not failed)
        total = format_bytes(state.total_bytes)
        where = tr("on {device}, {total}").format(device=state.device, total=total) if state.device else ""
        self._device.set_full_text(where)
        self.needed.set_number(state.needed)
        self.bar.set_state(state)
        self.legend.set_state(state)
        self.share.setEnabled(state.stage == "predicted")
        self.chart.set_state(state)
        self._details_timer.start()

    def _show_details(self) -> None:
        """Tables, timeline and notes, when the slider has come to rest."""
        state, old = self._state, self._detailed
        self._detailed = state
        self._fill_parts(state)
        if state.layers != old.layers:
            rows = [(x.name, format_bytes(x.weights_bytes), format_bytes(x.activation_bytes)) for x in state.layers[:8]]
            self.layers.fill(rows)
            self.layers.fit_height(8)
        self._fill_memories(state)
        self.timeline.setVisible(bool(state.timeline))
        if state.timeline != old.timeline:
            self.timeline.draw(lambda plot: plot.set_timeline(state.timeline), lambda: self._timeline_rows(state))
        self.whole.set_state(state)
        self._write_notes(state)

    def _fill_parts(self, state: FitState) -> None:
        """Parts with sizes and their share of what is needed."""
        whole = sum(s.size_bytes for s in state.segments) or 1
        rows = [
            (words.part(s.part), format_bytes(s.size_bytes), format_share(s.size_bytes / whole)) for s in state.segments
        ]
        free = (state.allowed_bytes or 0) - state.needed_bytes
        if state.allowed_bytes is not None:
            rows.append((words.part("free") if free >= 0 else tr("Missing"), format_bytes(abs(free)), ""))
        self.parts.fill(rows)
        self.parts.fit_height(10)

    def _fill_memories(self, state: FitState) -> None:
        """Needed, held, seen, allowed."""
        rows = [
            (
                words.memory(row.kind),
                words.memory_hint(row.kind, on_card=state.on_card),
                interval_text(row.size),
                written(row.size),
            )
            for row in state.memories
        ]
        self.memories.fill(rows, numbers_from=2)
        self.memories.fit_height(6)

    def _write_notes(self, state: FitState) -> None:
        """Textbook formula, rule of thumb, assumptions."""
        lines, textbook = [], format_bytes(state.textbook_bytes)
        if state.textbook_reason:
            text = tr("The textbook formula says {size} where {needed} are predicted here: {why}.")
            lines.append(text.format(size=textbook, needed=written(state.needed), why=said(state.textbook_reason)))
        elif state.textbook_bytes is not None:
            lines.append(tr("The textbook formula says much the same: {size}.").format(size=textbook))
        if state.rule_of_thumb_bytes is not None:
            text = tr("The rule “35 × the data on disk” says {size}, for every network and every batch.")
            lines.append(text.format(size=format_bytes(state.rule_of_thumb_bytes)))
        self._textbook.setText("\n".join(lines))
        self._textbook.setVisible(bool(lines))
        self._assumptions.setText("\n".join(f"· {sentence(text)}" for text in state.assumptions))
        self._assumptions.setVisible(bool(state.assumptions))
        self._notes.setVisible(bool(lines or state.assumptions))

    def _make_timeline(self) -> TimelinePlot:
        """Load pyqtgraph and make the plot."""
        from app.ui.fit.plots import TimelinePlot

        return TimelinePlot(tr("Live memory"), tr("Share of the step (%)"))

    @staticmethod
    def _timeline_rows(state: FitState) -> list[tuple[str, str]]:
        """The table twin of the timeline."""
        return [(format_number(100 * share, ".0f", "%"), format_bytes(size)) for share, size in state.timeline]
