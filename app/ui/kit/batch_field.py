"""The batch size: a number and a slider that moves in powers of two."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSlider, QSpinBox, QWidget

from app.ui.kit.basics import spin_box
from app.ui.kit.speech import tr

SLIDER_STEPS = 8
"""Slider positions per doubling."""
SLIDER_DOUBLINGS = 17
MAX_FIELD = 10_000_000


class BatchField(QWidget):
    """Emits `changed` with the batch size as the user moves or types."""

    changed = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        self.spin = spin_box(tr("Batch size"), 1, MAX_FIELD)
        self.spin.setStepType(QSpinBox.StepType.AdaptiveDecimalStepType)
        self.spin.setFixedWidth(88)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, SLIDER_DOUBLINGS * SLIDER_STEPS)
        self.slider.setPageStep(SLIDER_STEPS)
        self.slider.setMinimumWidth(50)
        self.slider.setAccessibleName(tr("Batch size, in powers of two"))
        layout.addWidget(self.spin)
        layout.addWidget(self.slider, 1)
        self.spin.valueChanged.connect(self._on_spin_changed)
        self.slider.valueChanged.connect(self._on_slider_changed)

    def value(self) -> int:
        """The batch size."""
        return self.spin.value()

    def set_value(self, batch_size: int) -> None:
        """Show a batch size without telling anybody."""
        self.spin.blockSignals(True)
        self.spin.setValue(batch_size)
        self.spin.blockSignals(False)
        self._place_slider(batch_size)

    def _place_slider(self, batch_size: int) -> None:
        """Put the slider where the number is."""
        self.slider.blockSignals(True)
        self.slider.setValue(round(math.log2(max(1, batch_size)) * SLIDER_STEPS))
        self.slider.blockSignals(False)

    def _on_spin_changed(self, batch_size: int) -> None:
        """A number was typed."""
        self._place_slider(batch_size)
        self.changed.emit(batch_size)

    def _on_slider_changed(self, position: int) -> None:
        """The slider was moved."""
        batch_size = round(2 ** (position / SLIDER_STEPS))
        self.spin.blockSignals(True)
        self.spin.setValue(batch_size)
        self.spin.blockSignals(False)
        self.changed.emit(batch_size)
