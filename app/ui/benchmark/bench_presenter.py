"""Runs benchmarks: one at a time, live states while it runs, a result at the end."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from app.core.types.measurement import PhaseSpan, Sample
from app.core.types.messages import Phase, Progress, Reading
from app.core.types.units import GIB
from app.core.types.workload import Workload
from app.presentation.problem import error_state
from app.ui.benchmark.bench_jobs import job_of, measures_for, runs_of, shown, unwrapped
from app.ui.benchmark.state_bench import BenchState, workload_title
from app.ui.benchmark.state_live import Curves, LiveSeries
from app.ui.kit import words
from app.ui.kit.bridge import Outcome, Task
from app.ui.kit.speech import said, tr
from app.ui.session.session import Session
from app.ui.workload.state_form import device_entries

if TYPE_CHECKING:
    from app.core.types.run import Run

REFRESH_MS, SLOWEST_MS = 150, 1000
PLOT_PIXELS = 400
"""In a plot this wide a point moves by a pixel only after this share of the time so far."""


class BenchPresenter(QObject):
    """Emits states for the Benchmark page."""

    changed = Signal(object)
    status_changed = Signal(str, object, bool)
    running_changed = Signal(bool)
    ended = Signal(object)
    """The run, or None if there is none."""

    def __init__(self, session: Session, seconds: int, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._task: Task | None = None
        self._measure = "plan"
        self._series: dict[str, LiveSeries] = {"": LiveSeries()}
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

    def set_unbuildable(self, reason: str) -> None:
        """Why the present model cannot be built; empty if it can, or nobody knows yet."""
        if reason != self.state.unbuildable:
            self._set(replace(self.state, unbuildable=reason))

    def set_measure(self, measure: str) -> None:
        """What the next start measures, of `app.ui.benchmark.state_compare.MEASURES`."""
        self._set(replace(self.state, measure=measure))

    def set_devices(self, devices: tuple[str, ...]) -> None:
        """Which devices a comparison of devices takes."""
        self._set(replace(self.state, chosen_devices=devices))

    def start(self, workload: Workload | None = None, seconds: float | None = None) -> bool:
        """Measure a workload, the present one by default; False if that cannot be now."""
        chosen, machine = workload or self._session.workload, self._session.real_machine
        if chosen is None or machine is None or self.running:
            return False
        if self._session.simulation.active:
            self._session.say(tr("Simulated hardware cannot be measured. Press Esc to return to this machine."))
            return False
        state = self.state
        self._measure = state.measure if workload is None and state.measure in state.measures else "plan"
        job = job_of(
            self._measure, self._session.advisor, chosen, machine, seconds or float(state.seconds), state.chosen_devices
        )
        self._series, self._phases = {"": LiveSeries()}, []
        self._started_s = time.monotonic()
        self._set(
            BenchState(
                stage="running",
                title=workload_title(chosen),
                seconds=state.seconds,
                unbuildable=state.unbuildable,
                measure=state.measure,
                measures=state.measures,
                devices=state.devices,
                chosen_devices=state.chosen_devices,
                limit_gib=self._limit_gib(chosen),
            )
        )
        self._task = self._session.runner.run("bench", job, self._on_ended, self._on_event)
        self._timer.start(REFRESH_MS)
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
        label, event = unwrapped(event)
        if label is not None and label != self.state.label:
            self._phases = []
            self.state = replace(self.state, label=label)
        if isinstance(event, Reading | Sample):
            self._series.setdefault(self.state.label, LiveSeries()).take(event)
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
        self._timer.setInterval(min(SLOWEST_MS, max(REFRESH_MS, round(1e3 * elapsed / PLOT_PIXELS))))
        self._set(replace(self.state, elapsed_s=elapsed, curves=self._curves(), phases=tuple(self._phases)))
        text = tr("Benchmark of {title}: {phase}")
        phase = words.phase(self.state.phase or "start")
        self.status_changed.emit(text.format(title=said(self.state.title), phase=phase), self.state.fraction, True)

    def _on_ended(self, outcome: Outcome) -> None:
        """Show the result, whatever it is."""
        self._task = None
        self._timer.stop()
        done = replace(self.state, stage="done", curves=self._curves(), text="", fraction=None)
        runs: tuple[Run, ...] = runs_of(self._measure, outcome.value) if outcome.ending == "succeeded" else ()
        if runs:
            done = replace(done, **shown(self._measure, outcome.value), phases=runs[-1].result.phases or done.phases)
        elif outcome.ending != "cancelled":
            done = replace(done, error=error_state(outcome.error))
        else:
            done = replace(done, stage="idle")
        self._set(done)
        self.status_changed.emit("", None, False)
        self.running_changed.emit(False)
        for run in runs:
            self._session.measured.emit(run)
        self.ended.emit(runs[0] if runs else None)

    def _limit_gib(self, workload: Workload) -> float | None:
        """Memory that a workload may use, where the present answer knows it."""
        prediction = self._session.prediction
        same = prediction is not None and prediction.plan.device == workload.plan.device
        return _gib(prediction.fit.allowed_bytes) if prediction is not None and same else None

    def _curves(self) -> Curves:
        """The curves of the variant that is shown."""
        return self._series.get(self.state.label, LiveSeries()).frozen()

    def _on_machine_changed(self) -> None:
        """Simulated hardware cannot be measured."""
        real = self._session.real_machine
        devices = device_entries(real)[1:] if real is not None else ()
        kept = tuple(key for key, _ in devices if key in self.state.chosen_devices)
        chosen = kept if len(kept) > 1 else tuple(key for key, _ in devices)
        simulated = self._session.simulation.active
        self._set(
            replace(self.state, simulated=simulated, measures=self._measures(), devices=devices, chosen_devices=chosen)
        )

    def _on_workload_changed(self) -> None:
        """Name what would be measured next."""
        workload = self._session.workload
        if workload is not None and self.state.stage == "idle":
            self._set(replace(self.state, title=workload_title(workload), measures=self._measures()))
        elif workload is not None:
            self._set(replace(self.state, measures=self._measures()))

    def _measures(self) -> tuple[str, ...]:
        """What can be measured of the present workload here."""
        return measures_for(self._session.workload, self._session.real_machine)

    def _set(self, state: BenchState) -> None:
        """Tell the page."""
        self.state = state
        self.changed.emit(state)


def _gib(size_bytes: int | None) -> float | None:
    """Bytes as GiB for an axis."""
    return None if size_bytes is None else size_bytes / GIB
