"""This machine at a glance: parts, live values, what TensorFlow can use; simulate and details."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.core.types.text import join
from app.core.types.units import NOT_AVAILABLE
from app.presentation.machine import why
from app.presentation.words import KINDS
from app.ui.kit.basics import Card, DataTable, ElidedLabel, button, clear_layout, muted, section, set_property, wrapped
from app.ui.kit.plain import PlainLabel, set_tooltip
from app.ui.kit.sparkline import Sparkline
from app.ui.kit.speech import said, tr
from app.ui.machine.state_machine import PARTS, LiveReading, MachineState, live_text, live_value

MOST_ROWS = 20
"""Of the details that are seen at once."""


class MachinePanel(Card):
    """Renders a `MachineState`; emits `simulate_requested` and `reset_requested`."""

    simulate_requested = Signal()
    reset_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent, margin=14)
        self.setAccessibleName(tr("Machine"))
        self._state = MachineState()
        self._live: dict[str, tuple[Sparkline, QLabel]] = {}
        self.body.addLayout(self._top())
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(5)
        self._grid.setColumnStretch(1, 1)
        self.body.addLayout(self._grid)
        self._support = wrapped(tr("Reading this machine …"))
        self._support.setProperty("role", "muted")
        self.body.addWidget(self._support)

    def _top(self) -> QHBoxLayout:
        """Caption, badge and buttons."""
        row = QHBoxLayout()
        row.addWidget(section(tr("MACHINE")))
        self.badge = PlainLabel(tr("SIM"))
        self.badge.setProperty("badge", True)
        self.badge.setMaximumHeight(20)
        set_tooltip(self.badge, tr("Parts of this machine are simulated. Press Esc to go back."))
        self.badge.setAccessibleName(tr("Simulated machine"))
        self.badge.hide()
        row.addWidget(self.badge)
        row.addStretch(1)
        self.details_button = button(tr("Details"), quiet=True, name=tr("Machine details"))
        self.details_button.clicked.connect(self.show_details)
        self.simulate_button = button(tr("Simulate …"), quiet=True, name=tr("Simulate other hardware"))
        self.simulate_button.clicked.connect(self.simulate_requested)
        row.addWidget(self.details_button)
        row.addWidget(self.simulate_button)
        return row

    @property
    def state(self) -> MachineState:
        """What is shown."""
        return self._state

    def set_state(self, state: MachineState) -> None:
        """Show a machine."""
        rows_changed = state.rows != self._state.rows
        self._state = state
        self.badge.setVisible(bool(state.simulated))
        if rows_changed:
            self._build_rows()
        self._support.setText(self._support_text())
        unusable = any(line.usable is False for line in state.support)
        set_property(self._support, "role", "error" if unusable else "muted")

    def add_reading(self, reading: LiveReading) -> None:
        """Show live values; simulated parts have none."""
        for row in self._state.rows:
            if row.simulated or row.key not in self._live:
                continue
            graph, label = self._live[row.key]
            graph.add(live_value(row.key, reading))
            text = live_text(row.key, reading)
            label.setText("–" if text == NOT_AVAILABLE else text)
            set_tooltip(label, tr("not available") if text == NOT_AVAILABLE else "")

    def show_details(self) -> None:
        """Open everything that is known of the machine."""
        dialog = QDialog(self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(tr("This machine"))
        dialog.resize(600, 620)
        layout = QVBoxLayout(dialog)
        table = DataTable(tr("Machine details"), ("", ""))
        table.stretch(1)
        table.place(self._state.details, MOST_ROWS)
        layout.addWidget(table)
        if self._state.reasons.rows:
            self._add_reasons(layout)
        for one in self._state.support:
            layout.addWidget(wrapped(join(": ", (one.gpu_name, said(why(one))))))
        layout.addStretch(1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(dialog.reject)
        layout.addWidget(buttons)
        dialog.open()

    def _add_reasons(self, layout: QVBoxLayout) -> None:
        """Why what is not available is not, folded away until it is asked for."""
        toggle = button(tr("Why is that not available?"), quiet=True)
        toggle.setCheckable(True)
        reasons = DataTable(tr("Why is that not available?"), ("", ""))
        reasons.stretch(1)
        reasons.place(self._state.reasons)
        reasons.hide()
        toggle.toggled.connect(reasons.setVisible)
        layout.addWidget(toggle, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(reasons)

    def _build_rows(self) -> None:
        """One line per part."""
        clear_layout(self._grid)
        self._live = {}
        for index, row in enumerate(self._state.rows):
            caption = muted(said(PARTS[row.key]))
            graph = Sparkline(tr("{part} over the last minute").format(part=said(PARTS[row.key])))
            graph.set_full_scale(row.full_scale)
            value = PlainLabel(tr("SIM") if row.simulated else "")
            value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            value.setMinimumWidth(60)
            value.setAccessibleName(tr("{part} now").format(part=said(PARTS[row.key])))
            if row.simulated:
                value.setProperty("role", "accent")
            for column, widget in enumerate((caption, ElidedLabel(row.name), graph, value)):
                self._grid.addWidget(widget, index, column)
            self._live[row.key] = (graph, value)

    def _support_text(self) -> str:
        """What TensorFlow can use here."""
        state = self._state
        if not state.loaded:
            return tr("Reading this machine …")
        if state.simulated:
            return tr("Simulated parts: {parts}. Esc returns to this machine.").format(
                parts=", ".join(said(KINDS.get(part, part)) for part in state.simulated)
            )
        if not state.framework:
            return tr("Asking TensorFlow what it can use …")
        if not state.trains:
            return state.framework
        problems = [line for line in state.support if line.usable is False]
        if problems:
            first = problems[0]
            return tr("{framework} cannot use {gpu}: {why}").format(
                framework=state.framework, gpu=first.gpu_name, why=said(why(first))
            )
        usable = [line.gpu_name for line in state.support if line.usable]
        devices = ", ".join((*usable, "CPU"))
        return tr("{framework} can use: {devices}").format(framework=state.framework, devices=devices)
