"""The plan's rarer settings, folded away until asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.core.types.errors import InvalidWorkload
from app.core.types.options import Option
from app.core.types.plan import Plan, plan_options
from app.core.types.plan_values import CLIPPING
from app.core.types.plans import nearest_plan, replace_unless_refused
from app.ui.kit import icons, style
from app.ui.kit.basics import button, caption_of
from app.ui.kit.plain import PlainForm
from app.ui.kit.speech import tr
from app.ui.workload.clipping_field import ClippingField
from app.ui.workload.plan_fields import ChoiceField, PlanField, make_field
from app.ui.workload.runtime_fields import RuntimeFields

ALWAYS_SHOWN = ("batch_size", "precision", "jit", "optimizer", "epochs")
"""Options that `app.ui.workload.workload_form` shows above these."""


class MoreOptions(QWidget):
    """Emits `changed`; `apply` puts the fields into a plan."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        self.toggle = button(tr("More options"), quiet=True)
        self.toggle.setCheckable(True)
        self.toggle.toggled.connect(self._on_toggled)
        layout.addWidget(self.toggle, 0, Qt.AlignmentFlag.AlignLeft)
        self.clipping = ClippingField(self)
        self.backend = ChoiceField(_option("backend"))
        self.device = ChoiceField(_option("device"), [("auto", tr("auto")), ("cpu", "CPU")])
        self.runtime = RuntimeFields(self.backend, self)
        special: dict[str, PlanField] = {"device": self.device, "backend": self.backend}
        shown = [one for one in plan_options() if one.name not in (*ALWAYS_SHOWN, *CLIPPING)]
        self.fields: dict[str, PlanField] = {one.name: special.get(one.name) or make_field(one) for one in shown}
        for field in self.fields.values():
            field.changed.connect(self.changed)
        self.clipping.changed.connect(self.changed)
        self.form = QWidget()
        form = PlainForm(self.form)
        form.setContentsMargins(0, 0, 0, 0)
        form.setVerticalSpacing(6)
        for caption, widget in self._rows():
            form.addRow(caption_of(widget, caption), widget)
        layout.addWidget(self.form)
        self.form.hide()
        self._on_toggled(False)

    def _rows(self) -> Iterator[tuple[str, QWidget]]:
        """Captions and widgets: the options in their order, what is clipped before what decays, the Python last."""
        for name, field in self.fields.items():
            if name == "weight_decay":
                yield from self.clipping.rows()
            yield field.caption, field.widget
        yield from self.runtime.rows()

    def set_devices(self, devices: Sequence[tuple[str, str]]) -> None:
        """List the devices of the machine."""
        self.device.set_entries(devices)

    def set_plan(self, plan: Plan) -> None:
        """Show a plan."""
        for name, field in self.fields.items():
            field.show_value(getattr(plan, name))
        self.clipping.show_plan(plan)
        self._offer(plan)

    def apply(self, plan: Plan, beside: Mapping[str, Any]) -> Plan:
        """A plan with these fields; what cannot be had beside the others gives way, and its field shows so.

        Args:
            plan: Where the values were shown from.
            beside: Values of the options that are shown elsewhere.
        """
        values = {name: field.value(getattr(plan, name)) for name, field in self.fields.items()}
        found = nearest_plan(plan, {**beside, **values, **self.clipping.values(plan)})
        for name, value in values.items():
            if getattr(found, name) != value:
                self.fields[name].show_value(getattr(found, name))
        self._offer(found)
        return found

    def _offer(self, plan: Plan) -> None:
        """Let be changed what can be had in a plan, and say why not of the rest."""
        for field in self.fields.values():
            option = field.option
            if option.refused is not None:
                other = replace_unless_refused(plan, option, option.other)
                field.offer(other.message if isinstance(other, InvalidWorkload) else "")
            elif option.counts is not None:
                field.offer(counts=option.counts(plan))

    def show_field(self, widget: QWidget) -> None:
        """Unfold, and put the caret into one of the fields."""
        self.toggle.setChecked(True)
        widget.setFocus()

    def customEvent(self, event: QEvent) -> None:  # noqa: D102 - Qt's name
        if isinstance(event, style.ThemeEvent):
            self._draw_arrow()

    def _draw_arrow(self) -> None:
        """The arrow in the present theme."""
        self.toggle.setIcon(icons.icon("chevron_down" if self.toggle.isChecked() else "chevron_right"))

    def _on_toggled(self, open_: bool) -> None:
        """Fold or unfold."""
        self.form.setVisible(open_)
        self._draw_arrow()


def _option(name: str) -> Option:
    """One declaration."""
    return next(one for one in plan_options() if one.name == name)
