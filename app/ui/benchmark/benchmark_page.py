"""Measure: start and cancel, live plots, and the estimate beside what was measured."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QWidget

from app.ui.benchmark.comparison_card import ComparisonCard
from app.ui.benchmark.finding_card import FindingCard
from app.ui.benchmark.live_plots import LivePlots, has_lines
from app.ui.benchmark.phase_strip import PhaseStrip
from app.ui.benchmark.profile_card import ProfileCards
from app.ui.benchmark.result_card import ResultCard
from app.ui.benchmark.state_bench import BenchState
from app.ui.kit import words
from app.ui.kit.basics import (
    Card,
    ElidedLabel,
    Scroll,
    TitleLabel,
    button,
    caption_of,
    clear_layout,
    muted,
    sentence,
    spin_box,
)
from app.ui.kit.choice import choice
from app.ui.kit.error_card import ErrorCard
from app.ui.kit.plain import button_text, set_tooltip
from app.ui.kit.progress_bar import ProgressBar
from app.ui.kit.quantities import format_seconds
from app.ui.kit.speech import said, tr, tr_in

MEASURE_WIDTH = 260


class BenchmarkPage(Scroll):
    """Renders a `BenchState`; emits what the user asks for."""

    start_requested = Signal()
    cancel_requested = Signal()
    seconds_changed = Signal(int)
    measure_changed = Signal(str)
    devices_changed = Signal(tuple)
    acted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Benchmark"))
        self.body.addWidget(self._control_card())
        self.error = ErrorCard(self.inner)
        self.error.acted.connect(self.acted)
        self.body.addWidget(self.error)
        self.result = ResultCard(self.inner)
        self.result.acted.connect(self.acted)
        self.comparison = ComparisonCard(self.inner)
        self.finding = FindingCard(self.inner)
        self.finding.acted.connect(self.acted)
        self.profile = ProfileCards(self.inner)
        self.plots = LivePlots(tr("While it runs"), self.inner)
        self.empty = muted(
            tr(
                "Nothing was measured yet. While it runs, step time, memory, processor and disk are drawn here; then "
                "the measured step and memory stand beside the estimate, with the layers that take most of both. "
                "Instead of this plan, variants can be compared, or the largest batch be found."
            ),
            wrap=True,
        )
        self.body.addWidget(self.empty)
        for part in (self.result, self.comparison, self.finding, self.profile, self.plots):
            self.body.addWidget(part)
        self.body.addStretch(1)
        self._found = BenchState()
        self.set_state(BenchState())

    def _control_card(self) -> Card:
        """What will be run, for how long, and the buttons."""
        card = Card("", self.widget())
        head = QHBoxLayout()
        head.setSpacing(10)
        self._title = TitleLabel(1.15)
        self._subtitle = ElidedLabel()
        self._subtitle.setProperty("role", "muted")
        head.addWidget(self._title)
        head.addWidget(self._subtitle, 1)
        card.body.addLayout(head)
        row = QHBoxLayout()
        row.setSpacing(10)
        self.measure = choice(tr("What to measure"), [("plan", words.measure("plan"))])
        self.measure.currentIndexChanged.connect(lambda _index: self.measure_changed.emit(self.measure.currentData()))
        self.measure.setMinimumWidth(MEASURE_WIDTH)
        spoken = caption_of(self.measure, tr("What to measure"))
        spoken.hide()
        row.addWidget(spoken)
        row.addWidget(self.measure)
        self.seconds = spin_box(tr("Seconds to measure"), 3, 600, tr(" s"))
        row.addWidget(caption_of(self.seconds, tr("for")))
        self.seconds.valueChanged.connect(self.seconds_changed)
        self.start = button(tr_in("button", "Start"), primary=True, name=tr("Start the benchmark"))
        self.start.clicked.connect(self.start_requested)
        self.cancel = button(tr("Cancel"), name=tr("Cancel the benchmark"))
        self.cancel.clicked.connect(self.cancel_requested)
        row.addWidget(self.seconds)
        row.addStretch(1)
        row.addWidget(self.start)
        row.addWidget(self.cancel)
        card.body.addLayout(row)
        card.body.addWidget(self._device_row())
        self.phases = PhaseStrip()
        card.body.addWidget(self.phases)
        self.progress = ProgressBar(tr("Progress of the benchmark"))
        card.body.addWidget(self.progress)
        self.text = muted()
        card.body.addWidget(self.text)
        return card

    def _device_row(self) -> QWidget:
        """Which devices take part in a comparison of devices."""
        self._devices = QWidget(self.widget())
        row = QHBoxLayout(self._devices)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(muted(tr("Devices")))
        self._device_boxes = QHBoxLayout()
        row.addLayout(self._device_boxes)
        row.addStretch(1)
        self.devices: dict[str, QCheckBox] = {}
        return self._devices

    def _show_devices(self, state: BenchState, *, running: bool) -> None:
        """Offer the devices where devices are compared."""
        self._devices.setVisible(state.measure == "device" and len(state.devices) > 1)
        if tuple(self.devices) != tuple(key for key, _ in state.devices):
            clear_layout(self._device_boxes)
            self.devices = {key: QCheckBox(button_text(name)) for key, name in state.devices}
            for box in self.devices.values():
                self._device_boxes.addWidget(box)
                box.clicked.connect(self._on_device_clicked)
        for key, box in self.devices.items():
            box.setChecked(key in state.chosen_devices)
            box.setEnabled(not running)

    def _on_device_clicked(self) -> None:
        """Tell which devices take part."""
        self.devices_changed.emit(tuple(key for key, box in self.devices.items() if box.isChecked()))

    def set_state(self, state: BenchState) -> None:
        """Show a run, or that there is none."""
        running = state.stage in ("running", "stopping")
        self._title.set_full_text(said(state.title) or tr("Benchmark"))
        self._subtitle.set_full_text(self._subtitle_text(state))
        self.start.setVisible(not running)
        enough = state.measure != "device" or len(state.chosen_devices) > 1
        self.start.setEnabled(not state.simulated and not state.unbuildable and enough)
        simulated = tr("Simulated hardware cannot be measured; press Esc first")
        set_tooltip(self.start, simulated if state.simulated else sentence(state.unbuildable))
        self.cancel.setVisible(running)
        self.cancel.setEnabled(state.stage == "running")
        if self.seconds.value() != state.seconds:
            self.seconds.blockSignals(True)
            self.seconds.setValue(state.seconds)
            self.seconds.blockSignals(False)
        self.seconds.setEnabled(not running and state.measure != "batch")
        self._show_measures(state, running=running)
        self._show_devices(state, running=running)
        self._show_progress(state, running=running)
        self.error.set_error(state.error)
        self._show_found(BenchState() if running else state)
        self._show_plots(state)
        self.empty.setVisible(not running and state.error is None and not any(self._results(state)))

    @staticmethod
    def _results(state: BenchState) -> tuple[object, ...]:
        """What a run has left to show."""
        return state.result, state.comparison, state.finding, state.phases

    def _show_found(self, state: BenchState) -> None:
        """What a run has found; nothing of it changes while it runs."""
        old, self._found = self._found, state
        if state.result is not old.result:
            self.result.set_state(state.result)
            self.profile.set_state(state.result.profile if state.result else None)
        if state.comparison is not old.comparison:
            self.comparison.set_state(state.comparison)
        if state.finding is not old.finding:
            self.finding.set_state(state.finding)

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
            return tr("Stopping …")
        if state.stage == "running":
            so_far = format_seconds(round(state.elapsed_s))
            if state.label:
                text = tr("{variant}: {phase}, {time} so far")
                return text.format(variant=said(state.label), phase=words.phase(state.phase or "start"), time=so_far)
            return tr("{phase}, {time} so far").format(phase=words.phase(state.phase or "start"), time=so_far)
        if state.simulated:
            return tr("Simulated hardware cannot be measured; press Esc to return to this machine")
        return tr("Trains your workload for a few real steps in a process of its own")

    def _show_progress(self, state: BenchState, *, running: bool) -> None:
        """Phases, bar and text."""
        self.phases.setVisible(bool(state.phases))
        self.phases.set_phases(state.phases, state.elapsed_s)
        self.progress.setVisible(running)
        self.progress.set_share(state.fraction)
        self.text.setText(sentence(state.text))
        self.text.setVisible(bool(state.text) and running)

    def _show_plots(self, state: BenchState) -> None:
        """Hand the plots their curves."""
        plots = self.plots
        running = state.stage in ("running", "stopping")
        plots.setVisible(running or has_lines(state.curves))
        plots.pause.setVisible(running)
        plots.set_title(tr("While it runs") if running else tr("While it ran"))
        if not running:
            plots.pause.setChecked(False)
        plots.set_curves(state.curves, state.phases, state.limit_gib, live=running)
