"""Keeps the verdict and the Fit page answering the present question.

The order of answers: the textbook one at once if the model was never traced, the traced one when the
child delivers, and from then on arithmetic.  Estimates run in a thread with the latest question winning,
because the façade may look into the history for a calibration.  Traced graphs are the façade's to keep: it
alone knows what the model's file holds now.  When the first answer for a model is there, the other
optimizers are simulated in the background.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from app.core.types.machine import Machine
from app.core.types.messages import Phase, Progress
from app.core.types.prediction import Prediction
from app.core.types.stepgraph import StepGraph
from app.core.types.workload import Workload
from app.presentation.fit import FitState, fit_state
from app.presentation.problem import error_state
from app.presentation.verdict import VerdictState, awaited_verdict, failed_verdict, verdict_state
from app.ui.kit import words
from app.ui.kit.bridge import Outcome, Task
from app.ui.kit.latest import LatestWins
from app.ui.kit.speech import said, tr
from app.ui.session.session import Session
from app.ui.workload.state_form import trace_key

TRACE_DELAY_MS = 250
"""A model is traced when the form has been still for this long."""

Answer = tuple[Workload, Prediction | None, StepGraph | None]
"""Without a graph it is the textbook's."""


class EstimatePresenter(QObject):
    """Emits states for the header and the Fit page."""

    verdict_changed = Signal(object)
    fit_changed = Signal(object)
    status_changed = Signal(str, object, bool)
    traced = Signal(bool)
    """A trace has ended; True if it gave a graph."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._answered: tuple[object, StepGraph] | None = None
        self._failed: dict[object, BaseException | None] = {}
        self._asked: object = None
        self._declined: object = None
        self._trace: Task | None = None
        self._anticipated: object = None
        self._anticipation: Task | None = None
        self._estimates = LatestWins(session.runner, "estimate", self._on_answered, self)
        self.verdict, self.fit = VerdictState(), FitState()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(TRACE_DELAY_MS)
        self._timer.timeout.connect(self._start_trace)
        session.workload_changed.connect(self.recompute)
        session.machine_changed.connect(self.recompute)
        session.model_reopened.connect(self.retry)
        session.advisor_changed.connect(self._on_advisor_changed)

    @property
    def tracing(self) -> bool:
        """A trace is under way or about to start."""
        return self._trace is not None or self._timer.isActive()

    def graph(self) -> StepGraph | None:
        """The graph that answered the present workload, if it is traced."""
        workload = self._session.workload
        if workload is None or self._answered is None or self._answered[0] != trace_key(workload):
            return None
        return self._answered[1]

    def recompute(self) -> None:
        """Answer the present question with what is known, and find out what is not."""
        workload, machine = self._session.workload, self._session.machine
        if workload is None or machine is None:
            return
        key = trace_key(workload)
        if self._trace is not None and key != self._asked:
            self._trace.cancel()
        if key in self._failed:
            self._show_failure(self._failed[key])
        else:
            self._estimates.ask(key, lambda: self._answer(workload, machine))

    def _answer(self, workload: Workload, machine: Machine, traced: StepGraph | None = None) -> Answer:
        """In a thread: an answer from what was just traced or the cache of graphs, else from the textbook."""
        advisor = self._session.advisor
        graph = traced or advisor.predictor.graphs.get(workload)
        if graph is None:
            return workload, advisor.predictor.quick(workload, machine), None
        return workload, advisor.predictor.predict(workload, machine, graph), graph

    def _on_advisor_changed(self) -> None:
        """Another framework builds other graphs."""
        self._answered = None
        self._anticipated = None
        self.retry()

    def retry(self) -> None:
        """Forget that a trace failed."""
        self._failed.clear()
        self._declined = None
        self.recompute()

    def trace_again(self) -> None:
        """Trace the present model in a new child, whatever is known of it."""
        self._failed.clear()
        self._declined = None
        self._anticipated = None
        self._timer.stop()
        self._start_trace(anew=True)

    def cancel(self) -> bool:
        """Cancel a running trace; True if there was one.  It starts again when the model changes or on `retry`."""
        self._timer.stop()
        if self._trace is None:
            return False
        self._declined = self._asked
        self._trace.cancel()
        return True

    def _on_answered(self, outcome: Outcome, last: bool) -> None:
        """Show an answer; that of an older question may be missing."""
        if outcome.ending == "succeeded":
            self._show(*outcome.value, last=last)
        elif last and outcome.ending != "cancelled":
            self._show_failure(outcome.error)

    def _show(self, workload: Workload, prediction: Prediction | None, graph: StepGraph | None, *, last: bool) -> None:
        """Hand an answer to the header and the page."""
        current, textbook = self._session.workload, graph is None
        if current is None or trace_key(workload) != trace_key(current):
            return
        if trace_key(current) != self._declined:
            self._declined = None
        if textbook and last and self._trace is None and self._declined is None:
            self._timer.start()
        if textbook and trace_key(current) in self._failed:
            return
        self._answered = None if graph is None else (trace_key(current), graph)
        if graph is not None:
            self._timer.stop()
        if prediction is None:
            plan = workload.plan
            self._set_verdict(awaited_verdict(plan.batch_size, plan.epochs))
            return
        self._session.set_prediction(prediction, textbook=textbook)
        self._set_verdict(verdict_state(prediction, textbook=textbook))
        self._set_fit(fit_state(prediction, textbook=textbook))
        if last and not textbook:
            self._anticipate(workload)

    def _anticipate(self, workload: Workload) -> None:
        """Simulate what may be asked next; once for each model, device and way to accumulate."""
        machine, plan = self._session.machine, workload.plan
        graph = self.graph()
        key = (trace_key(workload), id(graph), plan.device, plan.accumulate, machine.simulated if machine else ())
        if machine is None or graph is None or key == self._anticipated:
            return
        self._anticipated = key
        if self._anticipation is not None:
            self._anticipation.cancel()
        advisor, known = self._session.advisor, graph

        def job(_sink: Callable[[Any], None], cancel: threading.Event) -> None:
            advisor.predictor.anticipate(workload, machine, known, cancel)

        task = self._session.runner.run("anticipate", job, lambda _outcome: self._on_anticipated(task))
        self._anticipation = task

    def _on_anticipated(self, task: Task) -> None:
        """Forget a finished simulation."""
        if self._anticipation is task:
            self._anticipation = None

    def _set_verdict(self, state: VerdictState) -> None:
        """Tell the header."""
        self.verdict = state
        self.verdict_changed.emit(state)

    def _set_fit(self, state: FitState) -> None:
        """Tell the Fit page."""
        self.fit = state
        self.fit_changed.emit(state)

    def _show_failure(self, error: BaseException | None) -> None:
        """The question cannot be answered."""
        told = error_state(error)
        if told.action:
            self._session.fail(told)
        self._set_verdict(failed_verdict(told, self.verdict))
        self._set_fit(FitState(stage="failed"))

    # Traces

    def _start_trace(self, *, anew: bool = False) -> None:
        """Trace the present model in a child; ``anew`` even if it was traced before."""
        workload, advisor = self._session.workload, self._session.advisor
        if workload is None or self._trace is not None:
            return
        key = trace_key(workload)
        self._asked = key

        def job(sink: Callable[[Any], None], cancel: threading.Event) -> StepGraph:
            advisor.catalog.trust.require(workload)
            return advisor.predictor.graph(workload, sink, cancel, anew=anew)

        self.status_changed.emit(tr("Tracing {model} …").format(model=workload.model.name), None, True)
        self._trace = self._session.runner.run(
            "trace", job, lambda outcome: self._on_traced(key, outcome), self._on_trace_event
        )

    def _on_trace_event(self, event: object) -> None:
        """Say how far the trace is."""
        workload = self._session.workload
        if workload is None:
            return
        text = tr("Tracing {model}: {what}")
        if isinstance(event, Progress):
            what = said(event.text)
            self.status_changed.emit(text.format(model=workload.model.name, what=what), event.fraction, True)
        elif isinstance(event, Phase):
            self.status_changed.emit(text.format(model=workload.model.name, what=words.phase(event.name)), None, True)

    def _on_traced(self, key: object, outcome: Outcome) -> None:
        """Answer with the graph, or remember that there is none."""
        self._trace = None
        self.status_changed.emit("", None, False)
        if outcome.ending not in ("succeeded", "cancelled"):
            self._failed[key] = outcome.error
        workload, machine = self._session.workload, self._session.machine
        if outcome.ending == "succeeded" and workload and machine and trace_key(workload) == key:
            # the façade keeps no graph of a file that was edited meanwhile; asking it again would trace for ever
            graph: StepGraph = outcome.value
            self._estimates.ask(key, lambda: self._answer(workload, machine, graph))
        elif self._declined != key:
            self.recompute()
        self.traced.emit(outcome.ending == "succeeded")
