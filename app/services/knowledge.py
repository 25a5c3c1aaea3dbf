"""What is known without asking a child: graphs, rates, refinements and runs; and what follows from them.

Everything here answers at once.  Answers of children are handed in (``keep_…``) and are kept on disk,
so that the next start knows them too.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from app.catalog.models import ModelEntry
from app.core.calibration import Calibration, calibrate, same_plan
from app.core.device import TargetDevice, choose_device
from app.core.errors import BadModel
from app.core.estimate import Estimator, Rates, uses_xla
from app.core.machine import DeviceRates, Machine
from app.core.prediction import Prediction
from app.core.refined import Refined
from app.core.stepgraph import StepGraph
from app.core.workload import Workload
from app.services.cache_keys import rates_key
from app.services.graph_store import GraphStore, graph_from_json, graph_key
from app.services.history import History, Run
from app.services.json_store import JsonStore
from app.services.refined_store import RefinedStore, refined_from_json, refined_key
from app.services.refining import probes_nearest_first
from app.services.settings import Settings
from app.services.shipped_graphs import shipped_graph

KEPT_ESTIMATORS = 8
CONSIDERED_RUNS = 100
"""The newest runs of a model among which one that teaches something is looked for."""


class Knowledge:
    """Caches on disk and in memory, and predictions from them.

    Args:
        settings: Folders.
        history: Runs that calibrate.
        interpreter: Whose framework traces and trains; part of every key.
        entry: Finds the catalog's entry of a workload's model.
    """

    def __init__(
        self,
        settings: Settings,
        history: History,
        interpreter: str | None,
        entry: Callable[[Workload], ModelEntry | None],
    ) -> None:
        self.usable: frozenset[int] | None = None
        """Indices of the cards that the framework can use; None until somebody has asked."""
        self._history = history
        self._interpreter = interpreter
        self._entry = entry
        self._graphs = GraphStore(settings.cache_dir / "graphs")
        self._rates = JsonStore(settings.cache_dir / "rates.json", DeviceRates)
        self._refined = RefinedStore(settings.cache_dir / "refined")
        self._known_graphs: dict[str, StepGraph] = {}
        self._known_rates: dict[str, DeviceRates | None] = {}
        self._known_refined: dict[str, Refined | None] = {}
        self._known_runs: dict[tuple[object, ...], tuple[Run, ...]] = {}
        self._estimators: list[Estimator] = []
        self._lock = threading.RLock()

    def graph(self, workload: Workload) -> StepGraph | None:
        """The traced graph of a workload's model, from memory, disk or what ships with the program.

        Raises:
            BadModel: The model's file is gone.
        """
        key = self._graph_key(workload)
        if key not in self._known_graphs:
            stored = self._graphs.load(key) or shipped_graph(workload, self._entry(workload))
            if stored is None:
                return None
            self._known_graphs[key] = stored
        return self._known_graphs[key]

    def keep_graph(self, workload: Workload, traced: dict[str, Any]) -> StepGraph:
        """Keep what the ``trace`` job answered."""
        key = self._graph_key(workload)
        self._known_graphs[key] = graph_from_json(traced)
        self._graphs.save(key, traced)
        return self._known_graphs[key]

    def rates(self, machine: Machine, device: str) -> DeviceRates | None:
        """The measured rates of ``cpu`` or ``gpu:N``, if somebody has measured them."""
        key = rates_key(machine, device, self._interpreter)
        if key not in self._known_rates:
            self._known_rates[key] = self._rates.load(key)
        return self._known_rates[key]

    def keep_rates(self, machine: Machine, device: str, measured: DeviceRates) -> None:
        """Keep measured rates."""
        key = rates_key(machine, device, self._interpreter)
        self._rates.save(key, measured)
        self._known_rates[key] = measured

    def refined(self, workload: Workload, machine: Machine, graph: StepGraph) -> Refined | None:
        """What a refinement of this workload on this device has told, if there was one: of probes the nearest."""
        device = self.device(workload, machine)
        if (device.gpu is None and "cpu" in machine.simulated) or (device.gpu is not None and device.gpu.simulated):
            return None
        compiled = uses_xla(workload.plan, device, graph)
        probes = (None,) if compiled else probes_nearest_first(workload.plan.batch_size)
        model = self._graph_key(workload)
        found = (self._load_refined(refined_key(model, workload.plan, device, probe=probe)) for probe in probes)
        return next((refined for refined in found if refined is not None), None)

    def keep_refined(self, workload: Workload, machine: Machine, probe: int | None, answer: dict[str, Any]) -> None:
        """Keep what the ``refine`` job answered; ``probe`` is the batch size that was run, None if compiled."""
        key = refined_key(self._graph_key(workload), workload.plan, self.device(workload, machine), probe=probe)
        self._known_refined[key] = refined_from_json(answer)
        self._refined.save(key, answer)

    def device(self, workload: Workload, machine: Machine) -> TargetDevice:
        """The device that a plan means on a machine."""
        return choose_device(machine, workload.plan.device, self.usable)

    def predict(
        self, workload: Workload, machine: Machine, graph: StepGraph, otherwise: Calibration | None = None
    ) -> Prediction:
        """Predict, corrected by a run of the same kind, or by ``otherwise`` if there is none."""
        with self._lock:
            calibration = self.calibration(workload, machine, graph) or otherwise
            refined = None if calibration and calibration.exact else self.refined(workload, machine, graph)
            rates = self._device_rates(machine)
            return self._estimator(graph).predict(workload, machine, rates, self.usable, calibration, refined)

    def calibration(self, workload: Workload, machine: Machine, graph: StepGraph) -> Calibration | None:
        """What the newest run of this model on this device has taught; one of the same plan before others."""
        device = self.device(workload, machine)
        if device.gpu is not None and device.gpu.simulated:
            return None
        with self._lock:
            teaching = [run for run in self._runs(workload) if self._same_kind(run, workload, device, graph)]
            teaching.sort(key=lambda run: not same_plan(run.workload.plan, workload.plan))
            if not teaching:
                return None
            run = teaching[0]
            then = self._estimator(graph).predict(run.workload, machine, self._device_rates(machine), self.usable)
            return calibrate(
                run.result, then.memory, then.time, run_plan=run.workload.plan, plan=workload.plan, run_id=run.run_id
            )

    def _same_kind(self, run: Run, workload: Workload, device: TargetDevice, graph: StepGraph) -> bool:
        """Did a run measure the same kind of code on the same device."""
        plan = run.workload.plan
        where = choose_device(run.machine, plan.device, self.usable)
        same_code = uses_xla(plan, where, graph) == uses_xla(workload.plan, device, graph)
        same_step = plan.traced == workload.plan.traced and _inputs(run.workload) == _inputs(workload)
        return run.result.measurement is not None and where.name == device.name and same_code and same_step

    def _runs(self, workload: Workload) -> tuple[Run, ...]:
        """The newest runs of a workload's model on its data."""
        key = (self._history.changes, workload.model, workload.dataset, workload.input_shape, workload.classes)
        if key not in self._known_runs:
            self._known_runs = {key: self._history.runs_of_model(workload, CONSIDERED_RUNS)}
        return self._known_runs[key]

    def _device_rates(self, machine: Machine) -> Rates:
        """Rates of the host (if it is this machine's own processor) and of its cards."""
        host = None if "cpu" in machine.simulated else self.rates(machine, "cpu")
        found = {gpu.name: self.rates(machine, f"gpu:{gpu.index}") for gpu in machine.gpus if not gpu.simulated}
        return Rates(host, {name: rates for name, rates in found.items() if rates is not None})

    def _estimator(self, graph: StepGraph) -> Estimator:
        """The estimator of a graph; the oldest is forgotten when there are too many."""
        for known in self._estimators:
            if known.graph is graph:
                return known
        self._estimators = [Estimator(graph), *self._estimators[: KEPT_ESTIMATORS - 1]]
        return self._estimators[0]

    def _graph_key(self, workload: Workload) -> str:
        try:
            return graph_key(workload, self._interpreter)
        except OSError as error:
            raise BadModel("cannot read the model's file", received=str(error)) from error

    def _load_refined(self, key: str) -> Refined | None:
        if key not in self._known_refined:
            self._known_refined[key] = self._refined.load(key)
        return self._known_refined[key]


def _inputs(workload: Workload) -> tuple[object, ...]:
    """What decides about the size of a model's inputs and outputs."""
    data = workload.dataset
    return workload.input_shape, workload.classes, (data.sample_shape, data.classes) if data else None
