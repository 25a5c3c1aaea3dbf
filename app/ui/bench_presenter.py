"""Runs benchmarks: one at a time, live states while it runs, a result at the end."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from app.core.measurement import PhaseSpan, Sample
from app.core.messages import Phase, Progress, Reading
from app.core.workload import Workload
from app.ui import words
from app.ui.bridge import Outcome, Task
from app.ui.session import Session
from app.ui.state import error_state
from app.ui.state_bench import BenchState, LiveSeries, result_state

if TYPE_CHECKING:
    from app.services.history import Run

REFRESH_MS = 150


class BenchPresenter(QObject):
    """Emits states for the Benchmark page."""

    changed = Signal(object)
    status_changed = Signal(str, object, bool)
    running_changed = Signal(bool)
    ended = Signal(object, object)
    """The workload and the run, or None if there is none."""

    def __init__(self, session: Session, seconds: int, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._task: Task | None = None
        self._series = LiveSeries()
        self._phases: list[PhaseSpan] = []
        self._started_s = 0.0
        self.state = BenchState(seconds=seconds)
        self._timer = QTimer(self)
        self._timer.setInterval(REFRESH_MS)
        self._timer.timeout.connect(self._refresh)
        session.machine_changed.connect(self._on_machine_changed)
        session.workload_changed.connect(self._on_workload_changed)

    @property
    def running(self) -> bool:
        """A benchmark runs."""
        return self._task is not None

    def set_seconds(self, seconds: int) -> None:
        """How long the next benchmark measures."""
        self._set(replace(self.state, seconds=seconds))

    def start(self, workload: Workload | None = None, seconds: float | None = None) -> bool:
        """Measure a workload, the present one by default; False if that cannot be now."""
        chosen, machine = workload or self._session.workload, self._session.real_machine
        if chosen is None or machine is None or self.running:
            return False
        if self._session.simulation.active:
            self._session.say(self.tr("Simulated hardware cannot be measured. Press Esc to return to this machine."))
            return False
        advisor, duration = self._session.advisor, seconds or float(self.state.seconds)

        def job(sink: Callable[[Any], None], cancel: threading.Event) -> Run:
            if advisor.cached_graph(chosen) is None:
                advisor.graph(chosen, sink, cancel)
            return advisor.bench(chosen, machine, seconds=duration, on_event=sink, cancel=cancel)

        self._series, self._phases = LiveSeries(), []
        self._started_s = time.monotonic()
        title = f"{chosen.model.name} · {chosen.plan.batch_size}"
        self._set(BenchState(stage="running", title=title, seconds=self.state.seconds))
        self._task = self._session.runner.run(
            "bench", job, lambda outcome: self._on_ended(chosen, outcome), self._on_event
        )
        self._timer.start()
        self.running_changed.emit(True)
        return True

    def cancel(self) -> bool:
        """Stop the run; True if there was one."""
        if self._task is None:
            return False
        self._task.cancel()
        self._set(replace(self.state, stage="stopping"))
        return True

    def _on_event(self, event: Any) -> None:
        """Take what the run tells."""
        if isinstance(event, Reading | Sample):
            self._series.take(event)
        elif isinstance(event, Phase):
            if self._phases:
                self._phases[-1] = replace(self._phases[-1], end_s=max(event.t_s, self._phases[-1].start_s))
            self._phases.append(PhaseSpan(event.name, event.t_s))
            self.state = replace(self.state, phase=event.name, phases=tuple(self._phases))
        elif isinstance(event, Progress):
            self.state = replace(self.state, fraction=event.fraction, text=event.text)

    def _refresh(self) -> None:
        """Tell the page, a few times a second."""
        elapsed = time.monotonic() - self._started_s
        self._set(replace(self.state, elapsed_s=elapsed, curves=self._series.frozen(), phases=tuple(self._phases)))
        text = self.tr("Measuring {title}: {phase}")
        phase = words.phase(self.state.phase or "start")
        self.status_changed.emit(text.format(title=self.state.title, phase=phase), self.state.fraction, True)

    def _on_ended(self, workload: Workload, outcome: Outcome) -> None:
        """Show the result, whatever it is."""
        self._task = None
        self._timer.stop()
        done = replace(self.state, stage="done", curves=self._series.frozen(), text="", fraction=None)
        run: Run | None = outcome.value if outcome.ending == "succeeded" else None
        if run is not None:
            done = replace(done, result=result_state(run), phases=run.result.phases or done.phases)
        elif outcome.ending != "cancelled":
            done = replace(done, error=error_state(outcome.error))
        else:
            done = replace(done, stage="idle")
        self._set(done)
        self.status_changed.emit("", None, False)
        self.running_changed.emit(False)
        if run is not None:
            self._session.measured.emit(run)
        self.ended.emit(workload, run)

    def _on_machine_changed(self) -> None:
        """Simulated hardware cannot be measured."""
        self._set(replace(self.state, simulated=self._session.simulation.active))

    def _on_workload_changed(self) -> None:
        """Name what would be measured next."""
        workload = self._session.workload
        if workload is not None and self.state.stage == "idle":
            self._set(replace(self.state, title=f"{workload.model.name} · {workload.plan.batch_size}"))

    def _set(self, state: BenchState) -> None:
        """Tell the page."""
        self.state = state
        self.changed.emit(state)
