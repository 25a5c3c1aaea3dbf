"""Advice with today's tables of what is sold, for plans asked about now and for runs of the past."""

from __future__ import annotations

import threading
from dataclasses import replace

from app.catalog.prices import load_prices
from app.core.advising.recommend import proposals
from app.core.types.advice import Advice, Electricity
from app.core.types.errors import BadModel, InvalidWorkload, WillItTrainError, WorkerFailed
from app.core.types.machine import Machine
from app.core.types.measurement import Measurement
from app.core.types.stepgraph import StepGraph
from app.core.types.text import phrase
from app.core.types.workload import Workload
from app.services.advice.advising import Shop, advise, first_electricity, tables_stamp
from app.services.catalog import Picking
from app.services.child.child_jobs import EventSink
from app.services.known.knowledge import Knowledge
from app.services.machine.this_machine import ThisMachine
from app.services.predictor.asking import Asking
from app.services.settings import Settings
from app.services.store.runs import Run, same_content


class Consulting:
    """Keeps the tables until the user changes one of them.

    Args:
        settings: The user's price of electricity, and where the user's own tables are.
        known: Predictions.
        asking: Traces what advice would like to compare with.
        here: This machine, for which cards a framework can use.
        picking: The tables.
    """

    def __init__(
        self, settings: Settings, known: Knowledge, asking: Asking, here: ThisMachine, picking: Picking
    ) -> None:
        self._settings = settings
        self._known = known
        self._asking = asking
        self._here = here
        self._picking = picking
        self._sold: tuple[tuple[float, ...], Shop] | None = None

    def advise(
        self,
        workload: Workload,
        machine: Machine,
        graph: StepGraph,
        measured: Measurement | None = None,
        psu_watts: float | None = None,
    ) -> Advice:
        """Recommendations and upgrades; see `app.services.advisor.Advisor.advise`."""
        own = "gpu" not in machine.simulated
        support = self._here.support() if own and machine.gpus else ()
        shop = replace(self._shop(), psu_watts=psu_watts, support=support, electricity=self.electricity())
        return advise(self._known, workload, machine, graph, shop, measured)

    def electricity(self) -> Electricity | None:
        """The user's price of a kilowatt hour, else the first of the price table."""
        price = self._settings.electricity_price
        if price is not None:
            return Electricity(price, self._settings.electricity_currency, phrase("your own price"))
        return first_electricity(self._shop().prices)

    def after(self, run: Run) -> Advice | None:
        """The advice that goes with a stored run; see `app.services.advisor.Advisor.advice_after`."""
        answers = self._known.answers
        if not same_content(run, answers.contents.digest(run.workload.model)):
            return None  # the model that ran is not the one that its file holds now
        try:
            graph = answers.graph(run.workload)
            return None if graph is None else self.advise(run.workload, run.machine, graph)
        except WillItTrainError:
            return None

    def prepare(
        self, workload: Workload, machine: Machine, on_event: EventSink | None, cancel: threading.Event | None
    ) -> None:
        """Trace what advice would like to compare with; see `app.services.advisor.Advisor.prepare_advice`."""
        graph = self._asking.graph(workload, on_event, cancel)
        for proposal in proposals(workload, self._known.predict(workload, machine, graph), graph):
            changed = replace(workload, plan=replace(workload.plan, **proposal.changes))
            try:
                self._asking.graph(changed, on_event, cancel)
            except (BadModel, InvalidWorkload, WorkerFailed):
                continue
        if cancel is None or not cancel.is_set():
            self.advise(workload, machine, graph)

    def _shop(self) -> Shop:
        """The tables of what is sold, read again after the user has changed one of them."""
        folder = self._settings.tables_dir
        stamp = tables_stamp(folder)
        if self._sold is None or self._sold[0] != stamp:
            self._sold = (stamp, Shop(self._picking.gpus(), self._picking.clouds(), load_prices(folder)))
        return self._sold[1]
