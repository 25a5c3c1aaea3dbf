"""The part of the settings that the command line shares: memory to leave, cache, whose Python, own tables."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFormLayout, QHBoxLayout, QVBoxLayout, QWidget

from app.core.types.units import GIB
from app.ui.kit.basics import DataTable, ElidedLabel, button, caption_of, muted, number_box, section, sentence, spin_box
from app.ui.kit.plain import PlainForm
from app.ui.kit.quantities import axis_unit, whole_size
from app.ui.kit.speech import tr
from app.ui.shell.state_settings import StoreState

MOST_GIB = 4096.0
MOST_MIB = 1_000_000
MOST_PRICE = 1000.0


class SettingsMore(QWidget):
    """Renders a `StoreState`; every change counts at once."""

    reserve_changed = Signal(object)
    """GiB, or None for the program's own choice."""
    electricity_changed = Signal(object)
    """Price of a kilowatt hour, or None for that of the price table."""
    limit_changed = Signal(int)
    """MiB."""
    clear_requested = Signal()
    runtimes_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 8, 0, 0)
        self._form = form = PlainForm()
        self.reserve = number_box(tr("Memory that a benchmark leaves to other programs"), 0.0, MOST_GIB, 1)
        self.reserve.setKeyboardTracking(False)
        unit, self._per_gib = axis_unit("GiB")
        self.reserve.setSuffix(f" {unit}")
        self.reserve.setSpecialValueText(tr("10 %, at least {size}").format(size=whole_size(GIB)))
        self.reserve.valueChanged.connect(lambda size: self.reserve_changed.emit(size / self._per_gib or None))
        form.addRow(tr("A benchmark leaves free"), self.reserve)
        self.electricity = number_box(tr("Price of a kilowatt hour"), 0.0, MOST_PRICE, 3)
        self.electricity.setKeyboardTracking(False)
        self.electricity.setSpecialValueText(tr("as in the price table"))
        self.electricity.valueChanged.connect(lambda price: self.electricity_changed.emit(price or None))
        form.addRow(tr("A kilowatt hour costs"), self.electricity)
        self.runtimes = button(tr("Find or make a Python …"))
        self.runtimes.clicked.connect(self.runtimes_requested)
        form.addRow(tr("Python that trains"), self.runtimes)
        self.tables = ElidedLabel()
        form.addRow(tr("Tables of your own"), self.tables)
        layout.addLayout(form)
        layout.addWidget(section(tr("KEPT TO ANSWER FASTER")))
        self.parts = DataTable(tr("Kept to answer faster"), (tr("What"), tr("Size")))
        layout.addWidget(self.parts)
        row = QHBoxLayout()
        unit, self._per_mib = axis_unit("MiB")
        self.limit = spin_box(tr("Most that is kept"), 1, MOST_MIB, f" {unit}")
        self.limit.setKeyboardTracking(False)
        self.limit.valueChanged.connect(lambda size: self.limit_changed.emit(round(size / self._per_mib)))
        row.addWidget(caption_of(self.limit, tr("At most")))
        row.addWidget(self.limit)
        row.addStretch(1)
        self.clear = button(tr("Clear"), name=tr("Clear what is kept to answer faster"))
        self.clear.clicked.connect(self.clear_requested)
        row.addWidget(self.clear)
        layout.addLayout(row)
        self.problem = muted(wrap=True)
        self.problem.setProperty("role", "error")
        layout.addWidget(self.problem)
        self.set_state(StoreState())

    def align_with(self, other: QFormLayout) -> None:
        """Begin the fields of both forms at the same place."""
        places = [
            form.itemAt(row, QFormLayout.ItemRole.LabelRole)
            for form in (self._form, other)
            for row in range(form.rowCount())
        ]
        found = [place.widget() for place in places if place is not None]
        labels = [label for label in found if label is not None]
        width = max(label.sizeHint().width() for label in labels)
        for label in labels:
            label.setMinimumWidth(width)

    def set_state(self, state: StoreState) -> None:
        """Show sizes and settings."""
        self.electricity.setSuffix(f" {state.currency}")
        for field in (self.reserve, self.electricity, self.limit):
            field.blockSignals(True)
            field.setEnabled(state.looked)
        self.reserve.setValue((state.reserve_gib or 0.0) * self._per_gib)
        self.electricity.setValue(state.electricity or 0.0)
        self.limit.setValue(max(1, round(state.limit_mib * self._per_mib)))
        for field in (self.reserve, self.electricity, self.limit):
            field.blockSignals(False)
        self.tables.set_full_text(state.tables_dir)
        self.parts.fill(state.parts)
        self.parts.fit_height(6)
        clear = tr("Clear {size}").format(size=state.clearable) if state.clearable else tr("Nothing to clear")
        self.clear.setText(clear)
        self.clear.setEnabled(bool(state.clearable))
        self.problem.setText(sentence(state.problem))
        self.problem.setVisible(bool(state.problem))
