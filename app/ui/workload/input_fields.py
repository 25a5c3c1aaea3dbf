"""How data reaches the step: how much of it is cached, how many samples are made at once, and whether ahead of time."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QCheckBox, QWidget

from app.core.types.workload import MAX_THREADS, Plan
from app.ui.kit.basics import spin_box
from app.ui.kit.plain import set_tooltip
from app.ui.kit.speech import tr


class InputFields(QObject):
    """Three fields of a form; emits `changed`."""

    changed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.cache_share = spin_box(tr("Share of the data that is cached"), 1, 100, tr(" %"))
        self.workers = spin_box(tr("Samples that are read and decoded at once"), 0, MAX_THREADS)
        self.workers.setSpecialValueText(tr("as many as help"))
        self.prefetch = QCheckBox(tr("Prepare batches ahead"))
        set_tooltip(self.prefetch, tr("The next batches are made while a step runs"))
        self.cache_share.valueChanged.connect(self.changed)
        self.workers.valueChanged.connect(self.changed)
        self.prefetch.toggled.connect(self.changed)
        self.set_plan(Plan())

    def rows(self) -> tuple[tuple[str, QWidget], ...]:
        """Captions and widgets."""
        return ((tr("Cache of it"), self.cache_share), (tr("Decode at once"), self.workers), ("", self.prefetch))

    def set_plan(self, plan: Plan) -> None:
        """Show a plan."""
        self.cache_share.setValue(max(1, round(100 * plan.cache_share)))
        self.workers.setValue(plan.input_workers or 0)
        self.prefetch.setChecked(plan.prefetch)

    def apply(self, plan: Plan) -> Plan:
        """The plan with these fields; a share that the field shows rounded keeps all its digits."""
        share = self.cache_share.value()
        kept = plan.cache_share if round(100 * plan.cache_share) == share else share / 100
        self.cache_share.setEnabled(plan.cache != "none")
        return replace(
            plan, cache_share=kept, input_workers=self.workers.value() or None, prefetch=self.prefetch.isChecked()
        )
