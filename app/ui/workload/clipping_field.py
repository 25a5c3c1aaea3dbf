"""How gradients are clipped: of three options that exclude each other one is chosen, and its limit."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, QSignalBlocker, Signal
from PySide6.QtWidgets import QWidget

from app.core.types.plan import Plan, plan_options
from app.core.types.plan_values import CLIPPING
from app.ui.kit.choice import choice
from app.ui.kit.speech import said, tr
from app.ui.workload.plan_fields import NumberField

USUAL_LIMIT = 1.0
"""What is proposed where the plan has none."""


class ClippingField(QObject):
    """Two widgets for three options; emits `changed`."""

    changed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        ways = {one.name: one for one in plan_options() if one.name in CLIPPING}
        self.way = choice(tr("Clip gradients"), [("", tr("no")), *((n, said(o.label)) for n, o in ways.items())])
        self._limit = NumberField(ways[CLIPPING[0]])
        self.limit = self._limit.spin
        self.limit.setAccessibleName(tr("Limit of the gradients"))
        self.way.currentIndexChanged.connect(self._on_way_changed)
        self._limit.changed.connect(self.changed)

    def rows(self) -> tuple[tuple[str, QWidget], ...]:
        """Captions and widgets."""
        return (tr("Clip gradients"), self.way), (tr("Limit"), self.limit)

    def show_plan(self, plan: Plan) -> None:
        """Show a plan, and tell nobody."""
        used = next((name for name in CLIPPING if getattr(plan, name) is not None), "")
        with QSignalBlocker(self):
            self.way.setCurrentIndex(self.way.findData(used))
            self._limit.show_value(getattr(plan, used) if used else USUAL_LIMIT)
            self.limit.setEnabled(bool(used))

    def values(self, plan: Plan) -> dict[str, Any]:
        """The three options as the widgets say, of which one at most is set."""
        used = self.way.currentData()
        limit = self._limit.value(getattr(plan, used)) or self.limit.minimum() if used else None
        return {name: limit if name == used else None for name in CLIPPING}

    def _on_way_changed(self) -> None:
        """A limit is asked for where there is one."""
        self.limit.setEnabled(bool(self.way.currentData()))
        self.changed.emit()
