"""Everything in Qt and pyqtgraph that would read markup, made so that it does not, and shows what cannot be seen.

A file's texts reach the window: names of layers, losses and columns, messages of frameworks.  A `QLabel` and a tooltip
look at a text and decide by themselves whether it is HTML (qtbase, qtextdocument.cpp, ``mightBeRichText``), and HTML
loads files: ``<img src='file:///dev/zero'>`` takes all memory there is.  So labels, forms and tooltips are
made here (axes and legends in `plain_plots`) and nowhere else; a test reads the window's sources for that.
"""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QComboBox, QFormLayout, QLabel, QTabBar, QToolTip, QWidget

from app.core.types.visible import visible

WORD_JOINER = "\N{WORD JOINER}"
"""Has no width, and no tag and no entity begins with it."""


def seen(text: str) -> str:
    """A text of one or more lines, with what cannot be seen made visible."""
    return visible(text, "\n\t")


class PlainLabel(QLabel):
    """A label that shows its text as it is written."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        if text:
            self.setText(text)

    def setText(self, text: str) -> None:  # noqa: D102 - Qt's name
        super().setText(seen(text))


class PlainForm(QFormLayout):
    """A form whose captions are plain labels; `QFormLayout` makes labels of its own."""

    def addRow(self, caption: str | QLabel, field: QWidget) -> None:  # type: ignore[override]  # noqa: D102 - Qt's name
        label = PlainLabel(caption) if isinstance(caption, str) else caption
        if isinstance(caption, str):
            label.setBuddy(field)
        super().addRow(label, field)


def plain_tip(text: str) -> str:
    """A text for a tooltip, which looks the same and is never taken for markup, also after others are put beside it.

    A tooltip has no format that could be set.  Where a tag or an entity could begin, a character without width
    stands after the sign, and Qt goes on as with any other text.
    """
    return seen(text).replace("<", f"<{WORD_JOINER}").replace("&", f"&{WORD_JOINER}")


def set_tooltip(widget: QWidget, text: str) -> None:
    """Give a widget a tooltip."""
    widget.setToolTip(plain_tip(text))


def set_tab_tooltip(tabs: QTabBar, index: int, text: str) -> None:
    """Give one tab a tooltip."""
    tabs.setTabToolTip(index, plain_tip(text))


def show_tooltip(place: QPoint, text: str, widget: QWidget) -> None:
    """Show a tooltip of a part of a widget now; an empty one hides what is shown."""
    QToolTip.showText(place, plain_tip(text), widget)


def add_choice(combo: QComboBox, text: str, value: object) -> None:
    """Add an entry to a combo box, whose tooltip tells it in full."""
    combo.addItem(seen(text), value)
    combo.setItemData(combo.count() - 1, plain_tip(text), Qt.ItemDataRole.ToolTipRole)


def button_text(text: str) -> str:
    """A text for a button or a check box, in which ``&`` is no sign for a key."""
    return seen(text).replace("&", "&&")
