"""A plan's options as fields of a form, made from their declarations (`app.core.types.plan`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QObject, QRegularExpression, QSignalBlocker, Signal
from PySide6.QtGui import QRegularExpressionValidator
from PySide6.QtWidgets import QCheckBox, QLineEdit, QWidget

from app.core.types.options import Kind, Option
from app.ui.kit.basics import number_box, spin_box
from app.ui.kit.choice import choice
from app.ui.kit.plain import add_choice, button_text, set_tooltip
from app.ui.kit.speech import said

MOST = 100_000
"""Up to where a form offers numbers that neither a limit nor a usual maximum is declared for."""

SMALLEST_ABOVE_ZERO = 0.00001
_SIZE = r"([1-9]\d{0,5}(\s*[xX×]\s*[1-9]\d{0,5})?)?"
_LENGTH = r"\s*[^\s=,]+\s*=\s*[1-9]\d{0,5}\s*"
_TYPED: dict[Kind, str] = {"size": _SIZE, "lengths": rf"\s*([1-9]\d{{0,5}})?\s*|{_LENGTH}(,{_LENGTH})*"}
"""What can be typed of values that have a notation of their own."""


class PlanField(QObject):
    """One option; emits `changed` when the user changes it."""

    changed = Signal()

    def __init__(self, option: Option, widget: QWidget) -> None:
        super().__init__(widget)
        self.option = option
        self.widget = widget
        widget.setAccessibleName(said(option.label))
        set_tooltip(widget, said(option.help))

    @property
    def caption(self) -> str:
        """What stands beside the widget."""
        return said(self.option.label)

    def show_value(self, value: Any) -> None:
        """Show a value, and tell nobody."""
        with QSignalBlocker(self):
            self._show(value)

    def value(self, old: Any) -> Any:
        """What the field says.

        Args:
            old: What the plan has; kept where the field shows it, even if rounded.
        """
        raise NotImplementedError

    def offer(self, problem: str = "", *, counts: bool = True) -> None:
        """Let it be changed where a change makes a difference and is possible; the tooltip says why not."""
        self.widget.setEnabled(counts and not problem)
        set_tooltip(self.widget, said(problem or self.option.help))

    def _show(self, value: Any) -> None:
        """Show a value."""
        raise NotImplementedError


class SwitchField(PlanField):
    """On or off."""

    def __init__(self, option: Option) -> None:
        self.box = QCheckBox(button_text(said(option.label)))
        super().__init__(option, self.box)
        self.box.toggled.connect(self.changed)

    @property
    def caption(self) -> str:
        """Nothing: the box has it."""
        return ""

    def value(self, old: Any) -> bool:  # noqa: D102 - as `PlanField`
        return self.box.isChecked()

    def _show(self, value: Any) -> None:
        self.box.setChecked(value)


class ChoiceField(PlanField):
    """One of a few values; of a switch that may decide by itself, one of three."""

    def __init__(self, option: Option, entries: Sequence[tuple[Any, str]] = ()) -> None:
        self.combo = choice("", ())
        super().__init__(option, self.combo)
        self.set_entries(entries or _entries(option))
        self.combo.currentIndexChanged.connect(self.changed)

    def set_entries(self, entries: Sequence[tuple[Any, str]]) -> None:
        """What can be chosen; what was chosen stays so, or the first is."""
        if self._values() == [value for value, _ in entries]:
            return
        chosen = self.combo.currentData()
        with QSignalBlocker(self.combo):
            self.combo.clear()
            for value, text in entries:
                add_choice(self.combo, text, value)
            self.combo.setCurrentIndex(self._index(chosen))

    def value(self, old: Any) -> Any:  # noqa: D102 - as `PlanField`
        return self.combo.currentData()

    def _show(self, value: Any) -> None:
        self.combo.setCurrentIndex(self._index(value))

    def _values(self) -> list[Any]:
        """What can be chosen."""
        return [self.combo.itemData(i) for i in range(self.combo.count())]

    def _index(self, value: Any) -> int:
        """Where a value stands; the first entry where it is none of them."""
        values = self._values()
        return values.index(value) if value in values else 0


class WholeField(PlanField):
    """A whole number; one below the smallest is none."""

    def __init__(self, option: Option) -> None:
        least = int(option.minimum or 0) - option.optional
        self.spin = spin_box("", least, int(option.maximum or option.usual_maximum or MOST))
        super().__init__(option, self.spin)
        self._none = least
        if option.optional:
            self.spin.setSpecialValueText(said(option.unset))
        # A change may ask for a new trace, so a number is told when it is whole.
        self.spin.setKeyboardTracking(not option.traced)
        self.spin.valueChanged.connect(self.changed)

    def value(self, old: Any) -> int | None:  # noqa: D102 - as `PlanField`
        number = self.spin.value()
        if self.option.optional and number == self._none:
            return None
        return old if old is not None and old > number == self.spin.maximum() else number

    def _show(self, value: Any) -> None:
        self.spin.setValue(self._none if value is None else value)


class ShareField(PlanField):
    """A share, in per cent."""

    def __init__(self, option: Option) -> None:
        self.spin = spin_box("", 1, 100, " %")
        super().__init__(option, self.spin)
        self.spin.valueChanged.connect(self.changed)

    def value(self, old: Any) -> float:  # noqa: D102 - as `PlanField`
        percent = self.spin.value()
        return old if max(1, round(100 * old)) == percent else percent / 100

    def _show(self, value: Any) -> None:
        self.spin.setValue(max(1, round(100 * value)))


class NumberField(PlanField):
    """A real number; zero is none, unless the plan says zero."""

    def __init__(self, option: Option) -> None:
        least = option.minimum if option.minimum is not None else SMALLEST_ABOVE_ZERO
        self.spin = number_box("", least, option.maximum or option.usual_maximum or MOST)
        super().__init__(option, self.spin)
        if option.optional:
            self.spin.setSpecialValueText(said(option.unset))
        self.spin.valueChanged.connect(self.changed)

    def value(self, old: Any) -> float | None:  # noqa: D102 - as `PlanField`
        shown = self.spin.value()
        if old is not None and round(old, self.spin.decimals()) == shown:
            return float(old)
        return None if self.option.optional and shown == self.spin.minimum() else shown

    def _show(self, value: Any) -> None:
        self.spin.setValue(self.spin.minimum() if value is None else value)


class PatternsField(PlanField):
    """Patterns, separated by commas."""

    def __init__(self, option: Option) -> None:
        self.line = QLineEdit()
        super().__init__(option, self.line)
        self.line.setPlaceholderText(option.example)
        self.line.editingFinished.connect(self.changed)

    def value(self, old: Any) -> tuple[str, ...]:  # noqa: D102 - as `PlanField`
        return tuple(filter(None, (part.strip() for part in self.line.text().split(","))))

    def _show(self, value: Any) -> None:
        self.line.setText(self.option.written(value))


class TextField(PlanField):
    """What the option itself reads, such as a size."""

    def __init__(self, option: Option) -> None:
        self.line = QLineEdit()
        super().__init__(option, self.line)
        self.line.setPlaceholderText(" · ".join(filter(None, (said(option.unset), option.example))))
        if option.kind in _TYPED:
            self.line.setValidator(QRegularExpressionValidator(QRegularExpression(_TYPED[option.kind]), self.line))
        self.line.editingFinished.connect(self.changed)

    def value(self, old: Any) -> Any:  # noqa: D102 - as `PlanField`
        typed = self.line.text().strip() if self.line.hasAcceptableInput() else ""
        if not typed:
            return self.option.default
        return self.option.read(typed) if self.option.read is not None else typed

    def _show(self, value: Any) -> None:
        self.line.setText(self.option.written(value))


def _entries(option: Option) -> tuple[tuple[Any, str], ...]:
    """The values of an option, each with its name."""
    if option.kind == "auto_switch":
        return ((None, said(option.unset)), (True, said("on")), (False, said("off")))
    return tuple((value, said(name) if name else value) for value, name in option.choices.items())


_FIELDS: dict[Kind, Callable[[Option], PlanField]] = {
    "switch": SwitchField,
    "auto_switch": ChoiceField,
    "choice": ChoiceField,
    "whole": WholeField,
    "number": NumberField,
    "patterns": PatternsField,
    "size": TextField,
    "lengths": TextField,
    "text": TextField,
}


def make_field(option: Option) -> PlanField:
    """The field that suits what can be chosen."""
    return ShareField(option) if option.percent else _FIELDS[option.kind](option)
