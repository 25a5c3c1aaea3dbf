"""The Machine panel, and what is found out about the machine in the background.

After the first answer, two children are started one after the other and never beside a benchmark: one
asks the framework which devices it can use, one measures the processor's rates, which sharpen the times.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal

from app.core.messages import Progress
from app.ui.bridge import Outcome, Task
from app.ui.session import Session, Simulation
from app.ui.state_machine import MachineState, machine_state

Job = Callable[[Callable[[Any], None], threading.Event], Any]


class MachinePresenter(QObject):
    """Emits states for the panel."""

    changed = Signal(object)
    status_changed = Signal(str, object, bool)

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._framework = ""
        self._support: tuple[Any, ...] = ()
        self._waiting: list[tuple[str, Job, Callable[[Outcome], None]]] = []
        self._task: Task | None = None
        self._paused = False
        self._begun = False
        self.state = MachineState()
        session.machine_changed.connect(self._show)

    @property
    def busy(self) -> bool:
        """Something is being found out."""
        return self._task is not None or bool(self._waiting)

    def simulate(self, gpu: str | None, ram_bytes: int | None) -> None:
        """Replace parts of the machine."""
        self._session.simulate(Simulation(gpu, ram_bytes))

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
            ("doctor", lambda _sink, cancel: advisor.doctor(cancel=cancel), self._on_examined),
            ("rates", lambda sink, cancel: advisor.rates("cpu", sink, cancel), self._on_rates),
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
        name, job, ended = self._waiting[0]
        if name == "rates":
            self.status_changed.emit(self.tr("Measuring the processor once …"), None, True)
        self._task = self._session.runner.run(name, job, lambda outcome: self._on_ended(outcome, ended), self._on_event)

    def _on_event(self, event: Any) -> None:
        """Say how far it is."""
        if isinstance(event, Progress):
            self.status_changed.emit(self.tr("Measuring the processor once …"), event.fraction, True)

    def _on_ended(self, outcome: Outcome, ended: Callable[[Outcome], None]) -> None:
        """Take the answer; what was cancelled for a benchmark is asked again."""
        self._task = None
        self.status_changed.emit("", None, False)
        if not (outcome.ending == "cancelled" and self._paused):
            self._waiting.pop(0)
            ended(outcome)
        self._next()

    def _on_examined(self, outcome: Outcome) -> None:
        """Show what the framework can use."""
        if outcome.ending == "succeeded":
            found = outcome.value
            build = found.interpreters[0].framework("tensorflow") if found.interpreters else None
            missing = self.tr("TensorFlow is not installed")
            self._framework = f"TensorFlow {build.version}" if build is not None else missing
            self._support = tuple(found.support)
            self._session.set_real_machine(found.machine)
        else:
            self._framework = self.tr("TensorFlow did not answer")
        self._show()

    def _on_rates(self, outcome: Outcome) -> None:
        """Times can be predicted now."""
        if outcome.ending == "succeeded" and outcome.value is not None:
            self._session.machine_changed.emit()

    def _show(self) -> None:
        """Tell the panel."""
        machine = self._session.machine
        if machine is not None:
            self.state = machine_state(machine, self._framework, self._support)
            self.changed.emit(self.state)
