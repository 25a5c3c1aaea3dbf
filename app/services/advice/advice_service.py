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
from app.core.types.run import Run
from app.core.types.stepgraph import StepGraph
from app.core.types.text import phrase
from app.core.types.workload import Workload
from app.services.advice.advising import Shop, advise, first_electricity, tables_stamp
from app.services.catalog.catalog import Catalog
from app.services.child.child_jobs import EventSink
from app.services.machine.this_machine import ThisMachine
from app.services.predictor.predictor import Predictor
from app.services.settings import Settings
from app.services.store.runs import same_content


class AdviceService:
    """Keeps the tables until the user changes one of them.

    Args:
        settings: The user's price of electricity, and where the user's own tables are.
        predictor: Predictions, and traces of what advice would like to compare with.
        machine: This machine, for which cards a framework can use.
        catalog: The tables.
    """

    def __init__(self, settings: Settings, predictor: Predictor, machine: ThisMachine, catalog: Catalog) -> None:
        self._settings = settings
        self._predictor = predictor
        self._machine = machine
        self._catalog = catalog
        self._sold: tuple[tuple[float, ...], Shop] | None = None

    def advise(
        self,
        workload: Workload,
        machine: Machine,
        graph: StepGraph,
        *,
        measured: Measurement | None = None,
        psu_watts: float | None = None,
    ) -> Advice:
        """Recommendations and upgrades for a workload; uses the newest matching run, or the one given.

        Args:
            workload: What to train.
            machine: On which machine.
            graph: The workload's traced step.
            measured: A run of it on that machine that is not in the history.
            psu_watts: Of the power supply, if cards must make do with it.
        """
        own = "gpu" not in machine.simulated
        support = self._machine.support() if own and machine.gpus else ()
        shop = replace(self._shop(), psu_watts=psu_watts, support=support, electricity=self.electricity())
        return advise(self._predictor, workload, machine, graph, shop, measured)

    def electricity(self) -> Electricity | None:
        """The user's price of a kilowatt hour, else the first of the price table."""
        price = self._settings.electricity_price
        if price is not None:
            return Electricity(price, self._settings.electricity_currency, phrase("your own price"))
        return first_electricity(self._shop().prices)

    def after(self, run: Run) -> Advice | None:
        """The advice that goes with a stored run, for the machine it ran on; None if its model is not known any more.

        Answers at once: what nobody has traced is not traced for this.
        """
        graphs = self._predictor.graphs
        if not same_content(run, graphs.contents.digest(run.workload.model)):
            return None  # the model that ran is not the one that its file holds now
        try:
            graph = graphs.get(run.workload)
            return None if graph is None else self.advise(run.workload, run.machine, graph)
        except WillItTrainError:
            return None

    def prepare(
        self,
        workload: Workload,
        machine: Machine,
        on_event: EventSink | None = None,
        cancel: threading.Event | None = None,
    ) -> None:
        """Trace and simulate what `advise` would like to compare with, so that it answers at once.

        Where memory is short: recomputing, freezing and so on.  A network that cannot be traced that way is simply
        not recommended it.
        """
        graph = self._predictor.graph(workload, on_event, cancel)
        for proposal in proposals(workload, self._predictor.predict(workload, machine, graph), graph):
            changed = replace(workload, plan=replace(workload.plan, **proposal.changes))
            try:
                self._predictor.graph(changed, on_event, cancel)
            except (BadModel, InvalidWorkload, WorkerFailed):
                continue
        if cancel is None or not cancel.is_set():
            self.advise(workload, machine, graph)

    def _shop(self) -> Shop:
        """The tables of what is sold, read again after the user has changed one of them."""
        folder = self._settings.tables_dir
        stamp = tables_stamp(folder)
        if self._sold is None or self._sold[0] != stamp:
            self._sold = (stamp, Shop(self._catalog.gpus(), self._catalog.clouds(), load_prices(folder)))
        return self._sold[1]
