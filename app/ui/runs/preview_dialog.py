"""What a file will hold, shown before it is written, with or without what tells who and where."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QPlainTextEdit, QVBoxLayout, QWidget

from app.services.reports.redaction import LEFT_OUT
from app.ui.kit.basics import button, muted
from app.ui.kit.speech import said, tr, tr_in
from app.ui.runs.saving import Preview


class PreviewDialog(QDialog):
    """Shows a report or the data of runs; accepted, it is to be saved as shown."""

    def __init__(self, preview: Preview, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._preview = preview
        self.setWindowTitle(tr("What will be saved"))
        self.resize(720, 520)
        layout = QVBoxLayout(self)
        self.redact = QCheckBox(tr("Leave out what tells who and where"))
        self.redact.setChecked(True)
        self.redact.toggled.connect(self._show)
        layout.addWidget(self.redact)
        layout.addWidget(muted(tr("That is: {left_out}.").format(left_out=said(LEFT_OUT)), wrap=True))
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setAccessibleName(tr("What will be saved"))
        layout.addWidget(self.text)
        buttons = QDialogButtonBox()
        self.save = button(tr_in("button", "Save …"), primary=True)
        buttons.addButton(self.save, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(button(tr("Cancel")), QDialogButtonBox.ButtonRole.RejectRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout.addWidget(buttons)
        self._show()

    def _show(self) -> None:
        """Show the one text or the other."""
        self.text.setPlainText(self._preview.redacted if self.redact.isChecked() else self._preview.whole)
