"""What helps somebody else to see what went wrong: shown whole before it is copied."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QDialog, QDialogButtonBox, QPlainTextEdit, QVBoxLayout, QWidget

from app.presentation.problem import ErrorState
from app.ui.kit.basics import button, muted
from app.ui.kit.speech import tr


class DiagnosticsEvent(QEvent):
    """An error card asks its window for diagnostics: pages need not pass that on."""

    KIND = QEvent.Type(QEvent.registerEventType())

    def __init__(self, error: ErrorState) -> None:
        super().__init__(self.KIND)
        self.error = error


class DiagnosticsDialog(QDialog):
    """Shows a text; the user may shorten it before copying."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Diagnostics"))
        self.resize(640, 420)
        layout = QVBoxLayout(self)
        note = tr(
            "Names and folders have been left out. Read it, delete what you do not want to tell, and copy it. "
            "Nothing is sent anywhere."
        )
        layout.addWidget(muted(note, wrap=True))
        self.text = QPlainTextEdit(text)
        self.text.setTabChangesFocus(True)
        self.text.setAccessibleName(tr("Diagnostics"))
        layout.addWidget(self.text)
        buttons = QDialogButtonBox()
        self.copy = button(tr("Copy"), primary=True)
        buttons.addButton(self.copy, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.addButton(button(tr("Close")), QDialogButtonBox.ButtonRole.RejectRole)
        buttons.rejected.connect(self.reject)
        self.copy.clicked.connect(self._on_copy)
        layout.addWidget(buttons)

    def _on_copy(self) -> None:
        """Put the text on the clipboard."""
        QApplication.clipboard().setText(self.text.toPlainText())
        self.copy.setText(tr("Copied"))
