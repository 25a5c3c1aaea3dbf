"""Measure: start and cancel, live plots, and the estimate beside what was measured."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QProgressBar, QWidget

from app.ui import words
from app.ui.quantities import format_number, format_seconds
from app.ui.sentences import said
from app.ui.state_bench import SERIES, BenchState
from app.ui.widgets.basics import Card, ElidedLabel, Scroll, button, caption_of, heading, muted, sentence, spin_box
from app.ui.widgets.comparison_card import ComparisonCard
from app.ui.widgets.error_card import ErrorCard
from app.ui.widgets.finding_card import FindingCard
from app.ui.widgets.more_options import choice
from app.ui.widgets.phase_strip import PhaseStrip
from app.ui.widgets.plot_card import PlotCard
from app.ui.widgets.profile_card import ProfileCards
from app.ui.widgets.result_card import ResultCard

if TYPE_CHECKING:
    from app.ui.widgets.plots import LivePlot

PLOT_HEIGHT = 168
MEASURE_WIDTH = 220


class BenchmarkPage(Scroll):
    """Renders a `BenchState`; emits what the user asks for."""

    start_requested = Signal()
    cancel_requested = Signal()
    seconds_changed = Signal(int)
    measure_changed = Signal(str)
    acted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Benchmark"))
        self.body.addWidget(self._control_card())
        self.error = ErrorCard()
        self.error.acted.connect(self.acted)
        self.body.addWidget(self.error)
        self.result = ResultCard()
        self.result.acted.connect(self.acted)
        self.body.addWidget(self.result)
        self.profile = ProfileCards()
        self.comparison = ComparisonCard()
        self.body.addWidget(self.comparison)
        self.finding = FindingCard()
        self.finding.acted.connect(self.acted)
        self.body.addWidget(self.finding)
        self._plots_box = QWidget()
        grid = QGridLayout(self._plots_box)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(12)
        self.plots: list[tuple[PlotCard[LivePlot], tuple[str, ...]]] = self._live_plots()
        for index, (card, _names) in enumerate(self.plots):
            grid.addWidget(card, index // 2, index % 2)
        self.body.addWidget(self.profile)
        self.body.addWidget(self._plots_box)
        self.body.addStretch(1)
        self.set_state(BenchState())

    def _control_card(self) -> Card:
        """What will be run, for how long, and the buttons."""
        card = Card()
        head = QHBoxLayout()
        head.setSpacing(10)
        self._title = heading("", 1.15)
        self._subtitle = ElidedLabel()
        self._subtitle.setProperty("role", "muted")
        head.addWidget(self._title)
        head.addWidget(self._subtitle, 1)
        card.body.addLayout(head)
        row = QHBoxLayout()
        row.setSpacing(10)
        self.measure = choice(self.tr("What to measure"), [("plan", words.measure("plan"))])
        self.measure.currentIndexChanged.connect(lambda _index: self.measure_changed.emit(self.measure.currentData()))
        self.measure.setMinimumWidth(MEASURE_WIDTH)
        spoken = caption_of(self.measure, self.tr("What to measure"))
        spoken.hide()
        row.addWidget(spoken)
        row.addWidget(self.measure)
        self.seconds = spin_box(self.tr("Seconds to measure"), 3, 600, self.tr(" s"))
        row.addWidget(caption_of(self.seconds, self.tr("for")))
        self.seconds.valueChanged.connect(self.seconds_changed)
        self.start = button(self.tr("Start"), primary=True, name=self.tr("Start the benchmark"))
        self.start.clicked.connect(self.start_requested)
        self.cancel = button(self.tr("Cancel"), name=self.tr("Cancel the benchmark"))
        self.cancel.clicked.connect(self.cancel_requested)
        row.addWidget(self.seconds)
        row.addStretch(1)
        row.addWidget(self.start)
        row.addWidget(self.cancel)
        card.body.addLayout(row)
        self.phases = PhaseStrip()
        card.body.addWidget(self.phases)
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName(self.tr("Progress of the benchmark"))
        card.body.addWidget(self.progress)
        self.text = muted()
        card.body.addWidget(self.text)
        return card

    def _live_plots(self) -> list[tuple[PlotCard[LivePlot], tuple[str, ...]]]:
        """The four live plots and the curves each of them shows."""
        step = {"step_ms": self.tr("step")}
        memory = {
            "needed_gib": self.tr("needed, peak"),
            "current_gib": self.tr("needed now"),
            "seen_gib": self.tr("driver sees"),
        }
        use = {"cpu_percent": self.tr("CPU"), "gpu_percent": self.tr("GPU")}
        ram = {"ram_gib": self.tr("RAM")}
        return [
            self._plot(self.tr("Step time"), self.tr("Time"), "ms", step),
            self._plot(self.tr("Memory of the training"), self.tr("Memory"), "GiB", memory),
            self._plot(self.tr("Processor use"), self.tr("Use"), "%", use, top=130.0),
            self._plot(self.tr("RAM of the process"), self.tr("RAM"), "GiB", ram),
        ]

    def _plot(
        self, title: str, label: str, units: str, curves: dict[str, str], *, top: float | None = None
    ) -> tuple[PlotCard[LivePlot], tuple[str, ...]]:
        """One live plot with its table twin."""
        seconds = self.tr("Seconds")

        def make() -> LivePlot:
            from app.ui.widgets.plots import LivePlot

            return LivePlot(label, units, seconds, curves, top=top)

        factory: Callable[[], LivePlot] = make
        return PlotCard(title, (seconds, *curves.values()), factory, height=PLOT_HEIGHT), tuple(curves)

    def set_state(self, state: BenchState) -> None:
        """Show a run, or that there is none."""
        running = state.stage in ("running", "stopping")
        self._title.setText(state.title or self.tr("Benchmark"))
        self._subtitle.set_full_text(self._subtitle_text(state))
        self.start.setVisible(not running)
        self.start.setEnabled(not state.simulated)
        simulated = self.tr("Simulated hardware cannot be measured; press Esc first")
        self.start.setToolTip(simulated if state.simulated else "")
        self.cancel.setVisible(running)
        self.cancel.setEnabled(state.stage == "running")
        if self.seconds.value() != state.seconds:
            self.seconds.blockSignals(True)
            self.seconds.setValue(state.seconds)
            self.seconds.blockSignals(False)
        self.seconds.setEnabled(not running and state.measure != "batch")
        self._show_measures(state, running=running)
        self._show_progress(state, running=running)
        self.error.set_error(state.error)
        self.result.set_state(state.result if not running else None)
        self.profile.set_state(state.result.profile if state.result and not running else None)
        self.comparison.set_state(state.comparison if not running else None)
        self.finding.set_state(state.finding if not running else None)
        self._show_plots(state)

    def _show_measures(self, state: BenchState, *, running: bool) -> None:
        """What can be measured, and what is chosen."""
        box = self.measure
        box.blockSignals(True)
        if tuple(box.itemData(i) for i in range(box.count())) != state.measures:
            box.clear()
            for name in state.measures:
                box.addItem(words.measure(name), name)
        box.setCurrentIndex(max(0, box.findData(state.measure)))
        box.setEnabled(not running)
        box.blockSignals(False)

    def _subtitle_text(self, state: BenchState) -> str:
        """What happens, in a sentence."""
        if state.stage == "stopping":
            return self.tr("Stopping …")
        if state.stage == "running":
            so_far = format_seconds(round(state.elapsed_s))
            if state.label:
                text = self.tr("{variant}: {phase}, {time} so far")
                return text.format(variant=said(state.label), phase=words.phase(state.phase or "start"), time=so_far)
            return self.tr("{phase}, {time} so far").format(phase=words.phase(state.phase or "start"), time=so_far)
        if state.simulated:
            return self.tr("Simulated hardware cannot be measured; press Esc to return to this machine")
        return self.tr("Trains your workload for a few real steps in a process of its own")

    def _show_progress(self, state: BenchState, *, running: bool) -> None:
        """Phases, bar and text."""
        self.phases.setVisible(bool(state.phases))
        self.phases.set_phases(state.phases, state.elapsed_s)
        self.progress.setVisible(running)
        if state.fraction is None:
            self.progress.setRange(0, 0)
        else:
            self.progress.setRange(0, 1000)
            self.progress.setValue(round(1000 * state.fraction))
        self.text.setText(sentence(state.text))
        self.text.setVisible(bool(state.text) and running)

    def _show_plots(self, state: BenchState) -> None:
        """Hand each plot its curves."""
        known = any(times for times, _ in state.curves.values())
        self._plots_box.setVisible(known or state.stage in ("running", "stopping"))
        if not known:
            state = BenchState(curves=dict.fromkeys(SERIES, ((), ())))
        for card, names in self.plots:
            curves = {name: state.curves.get(name, ((), ())) for name in names}
            card.draw(lambda plot, c=curves: plot.set_curves(c), lambda c=curves: _rows(c))


def _rows(curves: dict[str, tuple[tuple[float, ...], tuple[float, ...]]]) -> list[tuple[str, ...]]:
    """The table twin: one row per moment, newest first, at most 200."""
    moments = sorted({t for times, _ in curves.values() for t in times}, reverse=True)[:200]
    lookups = [dict(zip(times, values, strict=True)) for times, values in curves.values()]
    return [(format_number(t, ".1f"), *(_reading(look.get(t)) for look in lookups)) for t in moments]


def _reading(value: float | None) -> str:
    """One value of a curve."""
    return "–" if value is None else format_number(value, ".4g")
