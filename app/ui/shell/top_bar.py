"""Name of the program, search, theme, settings."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QToolButton, QWidget

from app.ui.kit import icons, style
from app.ui.kit.basics import button, heading
from app.ui.kit.plain import PlainLabel, set_tooltip
from app.ui.kit.speech import tr


class TopBar(QFrame):
    """Emits what is pressed."""

    find_requested = Signal()
    theme_requested = Signal()
    settings_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("topBar")
        self.setFixedHeight(46)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 0, 12, 0)
        layout.setSpacing(8)
        logo = PlainLabel()
        logo.setPixmap(icons.pixmap("app", 24))
        layout.addWidget(logo)
        layout.addWidget(heading(tr("Will It Train?"), 1.15))
        layout.addStretch(1)
        self.find_button = button(tr("Find …   Ctrl+K"), name=tr("Find models, pages and actions"))
        self.find_button.setIconSize(QSize(15, 15))
        self.find_button.clicked.connect(self.find_requested)
        layout.addWidget(self.find_button)
        self.theme = self._tool(tr("Switch between light and dark"))
        self.theme.clicked.connect(self.theme_requested)
        self.settings = self._tool(tr("Settings"))
        self.settings.clicked.connect(self.settings_requested)
        layout.addWidget(self.theme)
        layout.addWidget(self.settings)
        self._draw()

    def _tool(self, name: str) -> QToolButton:
        """A button with an icon only."""
        tool = QToolButton()
        tool.setIconSize(QSize(20, 20))
        tool.setAccessibleName(name)
        set_tooltip(tool, name)
        return tool

    def customEvent(self, event: QEvent) -> None:  # noqa: D102 - Qt's name
        if isinstance(event, style.ThemeEvent):
            self._draw()

    def _draw(self) -> None:
        """Icons in the present theme."""
        self.find_button.setIcon(icons.icon("search"))
        self.theme.setIcon(icons.icon("theme"))
        self.settings.setIcon(icons.icon("settings"))
