"""Puts a `theme.Palette` onto Qt: colour roles, one style sheet, fonts.

The active palette is kept as a property of the application object, so that painted widgets can ask for
it and nothing global of ours is needed.
"""

from __future__ import annotations

from pathlib import Path
from string import Template

import shiboken6
from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QColor, QFont, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from app.ui.kit.resources import tinted_file
from app.ui.kit.theme import Palette, ThemeName, palette

_PROPERTY = "willittrain_palette"
_STYLED = "willittrain_styled"
_FAMILIES = ["Inter", "Segoe UI Variable Text", "Segoe UI", "SF Pro Text", "Noto Sans", "DejaVu Sans"]
BASE_POINTS = 10.0
HIDDEN_MS = 50
IN_A_TURN = 150


class ThemeEvent(QEvent):
    """Tells a widget that `current` has changed; what it paints and what the sheet styles follow without."""

    KIND = QEvent.Type(QEvent.registerEventType())

    def __init__(self) -> None:
        super().__init__(self.KIND)


def system_theme() -> ThemeName:
    """Light or dark, as the desktop is set."""
    return "dark" if QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark else "light"


def current() -> Palette:
    """The palette that the application wears; light before `apply` was called."""
    app = QApplication.instance()
    worn = app.property(_PROPERTY) if app is not None else None
    return worn if isinstance(worn, Palette) else palette("light")


def apply(app: QApplication, name: ThemeName) -> None:
    """Give the whole application a theme; every widget gets a `ThemeEvent`."""
    colours = palette(name)
    app.setProperty(_PROPERTY, colours)
    if app.property(_STYLED) is None:
        # Once: each of these visits every widget of the window.
        app.setProperty(_STYLED, True)
        app.setStyle("Fusion")
        font = QFont()
        font.setFamilies(_FAMILIES)
        font.setPointSizeF(max(BASE_POINTS, app.font().pointSizeF()))
        app.setFont(font)
    app.setPalette(_qt_palette(colours))
    # A new sheet restyles every widget that Qt has found rules for, and all below it: once for each of its ancestors
    # (qtbase, qstylesheetstyle.cpp, ``updateObjects``).  Without rules at hand it visits none, and we visit each once.
    app.style().unpolish(app)
    app.setStyleSheet(style_sheet(colours))
    widgets = app.allWidgets()
    _dress([widget for widget in widgets if widget.isVisible()])
    # Four of five widgets are on other pages: they are dressed when what is seen has been painted.
    hidden = [widget for widget in widgets if not widget.isVisible()]
    QTimer.singleShot(HIDDEN_MS, app, lambda: _dress_in_turns(app, hidden))


def _dress_in_turns(app: QApplication, widgets: list[QWidget]) -> None:
    """Some widgets in each event, so that none of them takes a frame."""
    _dress(widgets[:IN_A_TURN])
    if len(widgets) > IN_A_TURN:
        QTimer.singleShot(1, app, lambda: _dress_in_turns(app, widgets[IN_A_TURN:]))


def _dress(widgets: list[QWidget]) -> None:
    """Give widgets that are still there the colours of the sheet, and let them draw their own anew."""
    event = ThemeEvent()
    for widget in filter(shiboken6.isValid, widgets):
        widget.style().polish(widget)
        QApplication.sendEvent(widget, event)


def scaled_font(widget: QWidget, factor: float, *, bold: bool = False) -> QFont:
    """The application's font, larger or smaller."""
    font = QFont(QApplication.font())
    font.setPointSizeF(font.pointSizeF() * factor)
    font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
    return font


def _qt_palette(colours: Palette) -> QPalette:
    """Translate to Qt's colour roles."""
    role = QPalette.ColorRole
    result = QPalette()
    for name, colour in (
        (role.Window, colours.window),
        (role.WindowText, colours.text),
        (role.Base, colours.surface),
        (role.AlternateBase, colours.raised),
        (role.Text, colours.text),
        (role.Button, colours.surface),
        (role.ButtonText, colours.text),
        (role.BrightText, colours.does_not_fit),
        (role.Highlight, colours.accent),
        (role.HighlightedText, colours.on_accent),
        (role.Link, colours.accent),
        (role.PlaceholderText, colours.muted),
        (role.ToolTipBase, colours.raised),
        (role.ToolTipText, colours.text),
        (role.Mid, colours.border),
        (role.Dark, colours.strong_border),
        (role.Light, colours.raised),
    ):
        result.setColor(name, QColor(colour))
    disabled = QPalette.ColorGroup.Disabled
    for name in (role.WindowText, role.Text, role.ButtonText):
        result.setColor(disabled, name, QColor(colours.strong_border))
    return result


def style_sheet(colours: Palette) -> str:
    """The one style sheet, with the palette filled in."""
    text = Path(__file__).with_name("style.qss").read_text("utf-8")
    names = {k: v for k, v in vars(colours).items() if isinstance(v, str)}
    pictures = {
        "chevron_up": tinted_file("chevron_up", colours.muted),
        "chevron_down": tinted_file("chevron_down", colours.muted),
        "tick": tinted_file("tick", colours.on_accent),
    }
    return Template(text).substitute(names | pictures)


def qcolor(colour: str, alpha: float = 1.0) -> QColor:
    """A colour of the palette for painting."""
    result = QColor(colour)
    result.setAlphaF(alpha)
    return result
