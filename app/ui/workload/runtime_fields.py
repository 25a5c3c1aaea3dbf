"""Whose Python trains, and which frameworks it has."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, QSignalBlocker, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from app.core.types.backends import BACKENDS, TITLES
from app.ui.kit.choice import choice
from app.ui.kit.plain import seen, set_tooltip
from app.ui.kit.speech import tr
from app.ui.workload.plan_fields import ChoiceField

OWN, FIND, OTHER = "", "?", "…"


class RuntimeFields(QObject):
    """A field of a form; emits `interpreter_chosen` with a path, empty for our own."""

    interpreter_chosen = Signal(str)
    runtimes_requested = Signal()

    def __init__(self, backend: ChoiceField, parent: QWidget) -> None:
        super().__init__(parent)
        self._backend = backend
        self.interpreter = choice(tr("Python that trains"), ())
        self._chosen = OWN
        self.interpreter.activated.connect(self._on_activated)
        self.set_interpreters((), OWN)

    def rows(self) -> tuple[tuple[str, QWidget], ...]:
        """Captions and widgets."""
        return ((tr("Python"), self.interpreter),)

    def set_interpreters(self, known: Sequence[str], chosen: str) -> None:
        """List the interpreters; ``chosen`` is one of them, or empty for this program's own."""
        self._chosen = chosen
        with QSignalBlocker(self.interpreter):
            self.interpreter.clear()
            self.interpreter.addItem(tr("this program's own"), OWN)
            for path in known:
                self.interpreter.addItem(seen(path), path)
            self.interpreter.addItem(tr("find or make one …"), FIND)
            self.interpreter.addItem(tr("another file …"), OTHER)
            self.interpreter.setCurrentIndex(max(0, self.interpreter.findData(chosen)))
        set_tooltip(self.interpreter, chosen or tr("The Python that this program itself runs in"))

    def set_missing(self, missing: Sequence[str]) -> None:
        """Say which frameworks the interpreter does not have."""
        for index, name in enumerate(BACKENDS):
            absent = tr("{framework}, not installed").format(framework=TITLES[name])
            self._backend.combo.setItemText(index, absent if name in missing else TITLES[name])

    def _on_activated(self, _index: int) -> None:
        """Tell which interpreter was picked; the last two entries open a dialog instead."""
        path = self.interpreter.currentData()
        if path in (FIND, OTHER):
            self.interpreter.setCurrentIndex(max(0, self.interpreter.findData(self._chosen)))
        if path == FIND:
            self.runtimes_requested.emit()
        elif path == OTHER:
            path, _ = QFileDialog.getOpenFileName(self.interpreter, tr("Which Python shall train?"))
            if path:
                self.interpreter_chosen.emit(path)
        elif path != self._chosen:
            self.interpreter_chosen.emit(path)
