"""May a file run code: a Python file's text, its functions, and what the chosen one makes; or a saved model."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QVBoxLayout, QWidget

from app.core.types.source_text import text_of
from app.ui.kit.basics import ElidedLabel, button, heading, muted, wrapped
from app.ui.kit.choice import choice
from app.ui.kit.plain import PlainForm, seen
from app.ui.kit.speech import tr
from app.ui.workload.code_presenter import CodeChoice, CodeFile

MOST_SHOWN = 200_000
"""Letters of a file that are shown; nobody reads more."""


class CodeDialog(QDialog):
    """Shows a `CodeFile`; "do not run" is the default."""

    def __init__(self, file: CodeFile, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Run this file?"))
        python = bool(file.functions) or file.script
        self.resize(680, 560 if python else 200)
        layout = QVBoxLayout(self)
        layout.setSpacing(10)
        known = tr("You have let this file run before, and it has not changed since.")
        title = (
            tr("Using this file runs the Python code in it")
            if python
            else tr("This saved model holds code, which runs when the model is built")
        )
        layout.addWidget(heading(title, 1.1))
        path = ElidedLabel(file.own.path)
        layout.addWidget(path)
        warning = tr(
            "The code can do everything that you can do. Run it only if you know who wrote it. "
            "You are asked again when the file changes."
        )
        layout.addWidget(wrapped(known if file.known else warning))
        self._texts = {Path(file.own.path).name: file.own.content, **file.own.beside}
        self.shown = choice(tr("File to look at"), [(name, name) for name in self._texts])
        if file.own.beside:
            covered = tr("It may import these files of its folder; they are allowed with it, as they are now:")
            layout.addWidget(wrapped(covered + " " + ", ".join(file.own.beside)))
            layout.addWidget(self.shown)
        layout.addWidget(muted(tr("Not looked at: installed packages, and files that the code opens by itself.")))
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setAccessibleName(tr("Text of the file"))
        font = self.text.font()
        font.setFamilies(["DejaVu Sans Mono", "Consolas", "Menlo", "monospace"])
        self.text.setFont(font)
        layout.addWidget(self.text, 1)
        self.text.setVisible(python)
        self.beginning = muted(tr("Only the beginning of the file is shown."))
        layout.addWidget(self.beginning)
        self.shown.currentIndexChanged.connect(self._show)
        self._show()
        form = PlainForm()
        whole = [("", tr("the whole file, up to its training"))] if file.script else []
        self.function = choice(tr("Function"), [*whole, *((name, name) for name in file.functions)])
        purposes = [("model", tr("the model")), ("data", tr("the data"))]
        self.purpose = choice(tr("What the function makes"), purposes)
        self.purpose.setCurrentIndex(self.purpose.findData(file.purpose))
        form.addRow(tr("Function"), self.function)
        form.addRow(tr("It makes"), self.purpose)
        if python:
            layout.addLayout(form)
        else:
            layout.addStretch(1)
        buttons = QDialogButtonBox()
        self.refuse = button(tr("Do not run it"))
        self.run = button(tr("Run the file"), primary=file.known)
        buttons.addButton(self.run, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(self.refuse, QDialogButtonBox.ButtonRole.RejectRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout.addWidget(buttons)
        self.refuse.setDefault(True)
        self.refuse.setFocus()

    def _show(self) -> None:
        """Show the chosen file."""
        text = text_of(self._texts[self.shown.currentData()])
        self.text.setPlainText(seen(text[:MOST_SHOWN]))
        self.beginning.setVisible(len(text) > MOST_SHOWN)

    def choice(self) -> CodeChoice:
        """What was chosen."""
        return CodeChoice(self.function.currentData() or "", self.purpose.currentData())


def ask_code(parent: QWidget, file: CodeFile) -> CodeChoice | None:
    """Ask whether a Python file may run, and which function; None is no."""
    dialog = CodeDialog(file, parent)
    try:
        return dialog.choice() if dialog.exec() == QDialog.DialogCode.Accepted else None
    finally:
        dialog.deleteLater()
