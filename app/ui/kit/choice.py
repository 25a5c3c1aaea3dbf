"""A combo box of (value, text) that leaves the mouse wheel to the page."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QComboBox, QSizePolicy

from app.ui.kit.plain import add_choice, set_tooltip


class QuietCombo(QComboBox):
    """A combo box that leaves the mouse wheel to the page."""

    def wheelEvent(self, event: object) -> None:  # noqa: D102 - Qt's name
        event.ignore()  # type: ignore[attr-defined]


def choice(name: str, entries: Sequence[tuple[str, str]]) -> QuietCombo:
    """A combo box of (value, text)."""
    combo = QuietCombo()
    combo.setAccessibleName(name)
    set_tooltip(combo, name)
    combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    combo.setMinimumContentsLength(3)
    combo.setMinimumWidth(60)
    combo.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    for value, text in entries:
        add_choice(combo, text, value)
    return combo
