"""Fills the Advice and Upgrades pages while one of them is looked at; Try and Verify."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from app.core.types.advice import Advice, Recommendation
from app.presentation.figure import time_mark
from app.presentation.problem import error_state
from app.ui.advice.state_advice import AdviceState, UpgradesState, advice_state, upgrades_state
from app.ui.benchmark.bench_presenter import BenchPresenter
from app.ui.fit.estimate_presenter import EstimatePresenter
from app.ui.kit.bridge import Outcome, Task
from app.ui.kit.speech import said, tr
from app.ui.session.session import Session

if TYPE_CHECKING:
    from app.core.types.run import Run

DELAY_MS = 250
VERIFY_S = 8.0


class AdvicePresenter(QObject):
    """Emits states for the two pages."""

    advice_changed = Signal(object)
    upgrades_changed = Signal(object)

    def __init__(
        self, session: Session, estimates: EstimatePresenter, bench: BenchPresenter, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._session, self._estimates, self._bench = session, estimates, bench
        self._active = False
        self._stale = True
        self._task: Task | None = None
        self._advice: Advice | None = None
        self._verified: dict[str, str] = {}
        self._verifying = ""
        """Id of the recommendation whose run goes on."""
        self.state, self.upgrades = AdviceState(), UpgradesState()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DELAY_MS)
        self._timer.timeout.connect(self._start)
        session.workload_changed.connect(self._forget)
        session.prediction_changed.connect(self._on_prediction_changed)
        session.settings_changed.connect(self._ask_again)
        bench.ended.connect(self._on_bench_ended)

    def set_active(self, active: bool) -> None:
        """One of the two pages is looked at."""
        self._active = active
        if active and self._stale:
            self._timer.start()

    def try_it(self, recommendation_id: str) -> None:
        """Put a recommendation's changes into the form."""
        found, workload = self._find(recommendation_id), self._session.workload
        if found is None or workload is None:
            return
        self._session.set_plan(replace(workload.plan, **found.changes))
        text = tr("Changed the plan: {title}").format(title=said(found.title))
        self._session.say(text, tr("Undo"), lambda: self._session.set_workload(workload))

    def verify(self, recommendation_id: str) -> None:
        """Run a short benchmark with a recommendation's changes."""
        found, workload = self._find(recommendation_id), self._session.workload
        if found is None or workload is None:
            return
        changed = replace(workload, plan=replace(workload.plan, **found.changes))
        if self._bench.start(changed, VERIFY_S):
            self._verifying = recommendation_id
            self._set_advice(replace(self.state, verifying=recommendation_id))

    def change_price(self, number: int, price: float, currency: str, price_date: str) -> None:
        """Keep the user's own price of an upgrade, and ask for advice with it."""
        upgrades = self._advice.upgrades if self._advice is not None else ()
        if not 0 < number <= len(upgrades):
            return
        upgrade, tables = upgrades[number - 1], self._session.advisor.settings.tables_dir

        def job() -> None:
            from app.services.advice.own_prices import change_price

            change_price(tables, upgrade, price, currency, price_date)

        self._session.runner.call("price", job, self._on_price_changed)

    def _on_price_changed(self, outcome: Outcome) -> None:
        """Ask again, or say why the price was not taken."""
        if outcome.ending == "succeeded":
            self._ask_again()
        else:
            self._set_upgrades(replace(self.upgrades, error=error_state(outcome.error)))

    def _ask_again(self) -> None:
        """Prices have changed."""
        self._stale = True
        if self._active:
            self._timer.start()

    def _find(self, recommendation_id: str) -> Recommendation | None:
        """A recommendation of the present advice."""
        items = self._advice.recommendations if self._advice is not None else ()
        return next((item for item in items if item.id == recommendation_id), None)

    def _on_prediction_changed(self) -> None:
        """The pages are out of date."""
        self._stale = True
        if self._session.textbook:
            return
        if self._active:
            self._timer.start()

    def _forget(self) -> None:
        """What was verified was a change of another workload, also where its run still goes on."""
        self._verified.clear()
        self._verifying = ""

    def _on_bench_ended(self, run: Run | None) -> None:
        """Mark a verified recommendation: one run goes on at a time, so it is the one that was started."""
        if not self._verifying:
            return
        if run is not None:
            self._verified[self._verifying] = run.result.outcome
        self._verifying = ""
        self._set_advice(replace(self.state, verifying=""))
        self._stale = True
        if self._active:
            self._timer.start()

    def _start(self) -> None:
        """Ask for advice in a thread; an older question is cancelled."""
        workload, machine, graph = self._session.workload, self._session.machine, self._estimates.graph()
        if workload is None or machine is None or graph is None:
            return
        if self._task is not None:
            self._task.cancel()
            self._timer.start()
            return
        advisor = self._session.advisor

        def job(sink: Callable[[Any], None], cancel: threading.Event) -> Advice:
            first = advisor.advice.advise(workload, machine, graph)
            sink(first)
            advisor.advice.prepare(workload, machine, None, cancel)
            return advisor.advice.advise(workload, machine, graph)

        self._stale = False
        self._set_advice(replace(self.state, stage="working", error=None))
        self._set_upgrades(replace(self.upgrades, stage="working", error=None))
        self._task = self._session.runner.run("advice", job, self._on_ended, self._on_event)

    def _on_event(self, event: Any) -> None:
        """Show the first advice while a better one is being prepared."""
        if isinstance(event, Advice) and not self._stale:
            self._show(event)

    def _on_ended(self, outcome: Outcome) -> None:
        """Show the advice, unless the question has changed."""
        self._task = None
        if self._stale or outcome.ending == "cancelled":
            return
        if outcome.ending == "succeeded":
            self._show(outcome.value)
            return
        error = error_state(outcome.error)
        self._set_advice(AdviceState("failed", error=error))
        self._set_upgrades(UpgradesState("failed", error=error))

    def _show(self, advice: Advice) -> None:
        """Fill both pages."""
        self._advice = advice
        prediction = self._session.prediction
        mark = time_mark(prediction.time.basis) if prediction is not None else "predicted"
        self._set_advice(replace(advice_state(advice, mark, self._verified), verifying=self._verifying))
        self._set_upgrades(upgrades_state(advice, prediction.time.epoch_s if prediction is not None else None))

    def _set_advice(self, state: AdviceState) -> None:
        """Tell the Advice page."""
        self.state = state
        self.advice_changed.emit(state)

    def _set_upgrades(self, state: UpgradesState) -> None:
        """Tell the Upgrades page."""
        self.upgrades = state
        self.upgrades_changed.emit(state)
