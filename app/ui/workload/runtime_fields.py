"""What trains: the framework below Keras, whose Python, and how many threads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, QSignalBlocker, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from app.core.types.backends import BACKENDS, TITLES, why_impossible
from app.core.types.workload import MAX_THREADS, Plan
from app.ui.kit.basics import spin_box
from app.ui.kit.choice import choice
from app.ui.kit.plain import set_tooltip
from app.ui.kit.speech import tr

OWN, FIND, OTHER = "", "?", "…"


class RuntimeFields(QObject):
    """Three fields of a form; emits `changed` for the plan and `interpreter_chosen` with a path, empty for our own."""

    changed = Signal()
    interpreter_chosen = Signal(str)
    runtimes_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.backend = choice(tr("Framework below Keras"), [(name, TITLES[name]) for name in BACKENDS])
        self.interpreter = choice(tr("Python that trains"), ())
        self.threads = spin_box(tr("Threads of the processor"), 0, MAX_THREADS)
        self.threads.setSpecialValueText(tr("one for each core"))
        self._chosen = OWN
        self.backend.currentIndexChanged.connect(self.changed)
        self.threads.valueChanged.connect(self.changed)
        self.interpreter.activated.connect(self._on_activated)
        self.set_interpreters((), OWN)

    def rows(self) -> tuple[tuple[str, QWidget], ...]:
        """Captions and widgets."""
        return ((tr("Framework"), self.backend), (tr("Python"), self.interpreter), (tr("Threads"), self.threads))

    def set_interpreters(self, known: Sequence[str], chosen: str) -> None:
        """List the interpreters; ``chosen`` is one of them, or empty for this program's own."""
        self._chosen = chosen
        with QSignalBlocker(self.interpreter):
            self.interpreter.clear()
            self.interpreter.addItem(tr("this program's own"), OWN)
            for path in known:
                self.interpreter.addItem(path, path)
            self.interpreter.addItem(tr("find or make one …"), FIND)
            self.interpreter.addItem(tr("another file …"), OTHER)
            self.interpreter.setCurrentIndex(max(0, self.interpreter.findData(chosen)))
        set_tooltip(self.interpreter, chosen or tr("The Python that this program itself runs in"))

    def set_missing(self, missing: Sequence[str]) -> None:
        """Say which frameworks the interpreter does not have."""
        for index, name in enumerate(BACKENDS):
            absent = tr("{framework}, not installed").format(framework=TITLES[name])
            self.backend.setItemText(index, absent if name in missing else TITLES[name])

    def set_plan(self, plan: Plan) -> None:
        """Show a plan."""
        self.backend.setCurrentIndex(self.backend.findData(plan.backend))
        self.threads.setValue(plan.threads or 0)

    def apply(self, plan: Plan) -> Plan:
        """The plan with these fields; what the framework cannot do gives way to what it can."""
        backend = self.backend.currentData()
        possible = replace(plan, backend=backend, threads=None)
        if why_impossible(backend, data=plan.data, cache="none"):
            possible = replace(possible, data="pipeline")
        if why_impossible(backend, data="pipeline", cache=plan.cache):
            possible = replace(possible, cache="none")
        with_threads = not why_impossible(backend, data="pipeline", cache="none", threads=1)
        self.threads.setEnabled(with_threads)
        return replace(possible, threads=self.threads.value() or None) if with_threads else possible

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
