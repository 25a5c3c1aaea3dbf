"""The Machine panel, and what is found out about the machine in the background.

After the first answer, two children are started one after the other and never beside a benchmark: one
asks the framework which devices it can use, one measures the processor's rates, which sharpen the times.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal

from app.core.types.backends import BACKENDS, TITLES
from app.core.types.machine import Interpreter
from app.core.types.messages import Progress
from app.presentation.problem import error_state
from app.ui.kit.basics import sentence
from app.ui.kit.bridge import Outcome, Task
from app.ui.kit.speech import tr
from app.ui.machine.state_machine import MachineState, machine_state
from app.ui.session.session import Session, Simulation

Job = Callable[[Callable[[Any], None], threading.Event], Any]
Question = tuple[str, Job, Callable[[Outcome], None]]


class MachinePresenter(QObject):
    """Emits states for the panel."""

    changed = Signal(object)
    status_changed = Signal(str, object, bool)
    nothing_trains = Signal()
    """The Python that should train has no framework at all."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._builds: Interpreter | None = None
        self._framework = ""
        self._named = "tensorflow"
        self._trains = True
        self._support: tuple[Any, ...] = ()
        self._waiting: list[Question] = []
        self._task: Task | None = None
        self._paused = False
        self._begun = False
        self.state = MachineState()
        session.machine_changed.connect(self._show)
        session.workload_changed.connect(self._on_workload_changed)
        session.advisor_changed.connect(self._on_advisor_changed)

    @property
    def busy(self) -> bool:
        """Something is being found out."""
        return self._task is not None or bool(self._waiting)

    def reset(self) -> bool:
        """Return to this machine; True if anything was simulated."""
        if not self._session.simulation.active:
            return False
        self._session.simulate(Simulation())
        return True

    def begin(self) -> None:
        """Find out what the framework can use and how fast the processor is; once."""
        if self._begun:
            return
        self._begun = True
        advisor = self._session.advisor
        self._waiting = [
            ("look", lambda _sink, _cancel: advisor.machine.look(), self._on_looked),
            ("doctor", lambda _sink, cancel: advisor.machine.doctor(cancel=cancel), self._on_examined),
            ("rates", lambda sink, cancel: advisor.machine.rates("cpu", sink, cancel), self._on_rates),
        ]
        self._next()

    def set_paused(self, paused: bool) -> None:
        """Stand aside while a benchmark measures."""
        self._paused = paused
        if paused and self._task is not None:
            self._task.cancel()
        else:
            self._next()

    def _next(self) -> None:
        """Start the next thing to find out."""
        if self._paused or self._task is not None or not self._waiting:
            return
        question = name, job, _ended = self._waiting[0]
        doing = tr("Asking TensorFlow what it can use …") if name == "doctor" else tr("Measuring the processor once …")
        self.status_changed.emit(doing, None, True)
        self._task = self._session.runner.run(name, job, partial(self._on_ended, question), self._on_event)

    def _on_event(self, event: Any) -> None:
        """Say how far it is."""
        if isinstance(event, Progress):
            self.status_changed.emit(tr("Measuring the processor once …"), event.fraction, True)

    def _on_ended(self, question: Question, outcome: Outcome) -> None:
        """Take the answer; what was cancelled for a benchmark is asked again, an old question is not answered."""
        self._task = None
        self.status_changed.emit("", None, False)
        if question in self._waiting and not (outcome.ending == "cancelled" and self._paused):
            self._waiting.remove(question)
            question[2](outcome)
        self._next()

    def _on_examined(self, outcome: Outcome) -> None:
        """Show what the framework can use."""
        if outcome.ending == "succeeded":
            found = outcome.value
            self._builds = found.interpreters[0] if found.interpreters else None
            self._support = tuple(found.support)
            self._session.set_real_machine(found.machine)
            builds = self._builds
            missing = tuple(name for name in BACKENDS if builds is None or builds.framework(name) is None)
            self._session.set_missing_frameworks(missing)
            self._name_framework()
            if len(missing) == len(BACKENDS):
                self.nothing_trains.emit()
        else:
            self._framework, self._trains = tr("TensorFlow did not answer"), False
            self._show()

    def _name_framework(self) -> None:
        """The framework that the plan trains with, and its version."""
        backend = self._named = self._backend()
        if self._builds is not None:
            build = self._builds.framework(backend)
            missing = tr("{framework} is not installed").format(framework=TITLES[backend])
            self._framework = f"{TITLES[backend]} {build.version}" if build is not None else missing
            self._trains = build is not None
        self._show()

    def _on_workload_changed(self) -> None:
        """Another framework may be able to use other cards."""
        if self._backend() != self._named:
            self._name_framework()

    def _backend(self) -> str:
        """The framework of the present plan."""
        workload = self._session.workload
        return workload.plan.backend if workload is not None else "tensorflow"

    def _on_advisor_changed(self) -> None:
        """Another Python trains: ask it."""
        if self._task is not None:
            self._task.cancel()
        self._builds, self._framework, self._support, self._trains = None, "", (), True
        self._show()
        if self._begun:
            self._begun = False
            self._waiting = []
            self.begin()

    def _on_looked(self, outcome: Outcome) -> None:
        """The first time that is told is of this processor, not of its data sheet."""
        if outcome.ending == "succeeded":
            self._session.machine_changed.emit()

    def _on_rates(self, outcome: Outcome) -> None:
        """Times can be predicted now, or stay the data sheet's; where nothing trains that was said before."""
        if outcome.ending == "succeeded" and outcome.value is not None:
            self._session.machine_changed.emit()
        elif outcome.error is not None and self._trains:
            why = sentence(error_state(outcome.error).message)
            self._session.say(tr("The processor could not be measured: {why}").format(why=why))

    def _show(self) -> None:
        """Tell the panel."""
        machine = self._session.machine
        if machine is not None:
            state = machine_state(machine, self._framework, self._support, self._backend())
            self.state = replace(state, trains=self._trains)
            self.changed.emit(self.state)
