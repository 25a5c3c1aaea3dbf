"""An error as a card: what happened, needed and had, the original message, one thing to do."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.presentation.problem import ErrorState
from app.ui.kit import icons, style
from app.ui.kit.accessibility import announce
from app.ui.kit.basics import button, heading, muted, sentence, wrapped
from app.ui.kit.diagnostics_dialog import DiagnosticsEvent
from app.ui.kit.plain import PlainLabel, seen
from app.ui.kit.quantities import format_bytes
from app.ui.kit.speech import said, tr


class ErrorCard(QFrame):
    """Hidden while there is no error; emits `acted` with the id of the action."""

    acted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("verdict", "does_not_fit")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 12, 16, 12)
        layout.setSpacing(12)
        self._icon = PlainLabel()
        layout.addWidget(self._icon, 0)
        text = QVBoxLayout()
        text.setSpacing(4)
        self._message = heading("")
        self._message.setWordWrap(True)
        self._detail, self._hint = wrapped(), wrapped()
        self._original = muted(wrap=True)
        for widget in (self._message, self._detail, self._hint, self._original):
            text.addWidget(widget)
        layout.addLayout(text, 1)
        self._error: ErrorState | None = None
        self._action = button("", primary=True)
        self._action.clicked.connect(lambda: self.acted.emit(self._action.property("action")))
        self.diagnostics = button(tr("Copy diagnostics …"), quiet=True)
        self.diagnostics.clicked.connect(self._on_diagnostics)
        column = QVBoxLayout()
        column.addWidget(self._action)
        column.addWidget(self.diagnostics)
        column.addStretch(1)
        layout.addLayout(column, 0)
        self.hide()

    def set_error(self, error: ErrorState | None, action_text: str = "") -> None:
        """Show an error, or nothing; ``action_text`` is what the button says."""
        self._error = error
        self.setVisible(error is not None)
        if error is None:
            self.setAccessibleName("")
            return
        self._draw_icon()
        message = sentence(error.message)
        self._message.setText(message)
        parts = []
        if error.needed_bytes is not None:
            parts.append(tr("Needed: {size}").format(size=format_bytes(error.needed_bytes)))
        if error.had_bytes is not None:
            parts.append(tr("There was: {size}").format(size=format_bytes(error.had_bytes)))
        if error.expected:
            parts.append(tr("Expected: {text}").format(text=said(error.expected)))
        if error.received:
            parts.append(tr("Received: {text}").format(text=said(error.received)))
        self._set(self._detail, "\n".join(parts))
        self._set(self._hint, sentence(error.hint))
        self._set(self._original, error.original)
        self._action.setVisible(bool(error.action and action_text))
        self._action.setProperty("action", error.action)
        self._action.setText(action_text)
        self._action.setAccessibleName(seen(action_text))
        told = tr("Error: {message}").format(message=message)
        if told != self.accessibleName():
            announce(self, told)
        self.setAccessibleName(seen(told))

    def customEvent(self, event: QEvent) -> None:  # noqa: D102 - Qt's name
        if isinstance(event, style.ThemeEvent) and self._error is not None:
            self._draw_icon()

    def _draw_icon(self) -> None:
        """The cross in the present theme."""
        self._icon.setPixmap(icons.pixmap("does_not_fit", 24, style.current().does_not_fit))

    def message(self) -> str:
        """What is shown in bold."""
        return self._message.text()

    def hint(self) -> str:
        """What may be done about it, as it is shown."""
        return self._hint.text()

    def action_button(self) -> QWidget:
        """The one thing to do."""
        return self._action

    def _on_diagnostics(self) -> None:
        """Ask the window for diagnostics."""
        if self._error is not None:
            QApplication.sendEvent(self.window(), DiagnosticsEvent(self._error))

    @staticmethod
    def _set(label: QLabel, text: str) -> None:
        """Show a line or hide it."""
        label.setText(text)
        label.setVisible(bool(text))
