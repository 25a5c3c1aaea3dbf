"""What is known without asking a child: graphs, rates, refinements and runs; and what follows from them.

Everything here answers at once.  Answers of children are handed in (``keep_…``) and are kept on disk,
so that the next start knows them too.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from typing import Any

import msgspec

from app.catalog.models import ModelEntry
from app.core.errors import BadModel
from app.core.estimate import Estimator, uses_xla
from app.core.machine import DeviceProbe, DeviceRates, Machine, TimedOperation
from app.core.measurement import Doubt
from app.core.memory.device import TargetDevice, choose_device
from app.core.memory.refined import Refined
from app.core.prediction import Explanation, Prediction
from app.core.step.precision import cast_graph
from app.core.stepgraph import StepGraph
from app.core.timing.card_transfer import Transfer
from app.core.timing.estimate_time import Rates
from app.core.trust.calibration import Calibration, calibrate, combined, of_another_step, same_plan
from app.core.trust.device_lessons import DeviceLessons
from app.core.trust.track_record import Errors, TrackRecord, percent_words, record_title, record_words
from app.core.workload import OPTIMIZERS, Workload
from app.services.backends import tracing_interpreter
from app.services.card_runs import transfer_from
from app.services.refining import probes_nearest_first
from app.services.settings import Settings
from app.services.store.cache import trim_cache
from app.services.store.cache_keys import rates_key
from app.services.store.forecasts import Outlook, Witnesses
from app.services.store.graph_store import GraphStore, graph_from_json, graph_key
from app.services.store.history import History, Run
from app.services.store.json_store import JsonStore
from app.services.store.refined_store import RefinedStore, refined_from_json, refined_key
from app.services.store.shipped_graphs import shipped_graph
from app.services.store.timed_operations import TimedOperations

KEPT_ESTIMATORS = 8
FAR_BATCH = 1024
"""How far a slider is expected to go; the chart around this batch simulates every smaller one it needs."""
CONSIDERED_RUNS = 100
"""The newest runs of a model among which one that teaches something is looked for."""
COMPARED_RUNS = 12
"""The newest of them that are compared with each other."""


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
        self.usable: dict[str, frozenset[int]] = {}
        """Indices of the cards that each framework can use; one that nobody has asked yet is not there."""
        self._settings = settings
        self._history = history
        self._interpreter = interpreter
        self._entry = entry
        self._graphs = GraphStore(settings.cache_dir / "graphs")
        self._rates = JsonStore(settings.cache_dir / "rates.json", DeviceRates)
        self._timed = TimedOperations(settings.cache_dir / "operations.json")
        self._probes = JsonStore(settings.cache_dir / "probes.json", DeviceProbe)
        self._refined = RefinedStore(settings.cache_dir / "refined")
        self._known_graphs: dict[str, StepGraph] = {}
        self._known_rates: dict[str, DeviceRates | None] = {}
        self._known_probes: dict[str, DeviceProbe | None] = {}
        self._known_refined: dict[str, Refined | None] = {}
        self._known_runs: dict[tuple[object, ...], tuple[Run, ...]] = {}
        self._known_then: tuple[StepGraph | None, object, dict[int, Prediction]] = (None, None, {})
        self._known_witnesses: dict[tuple[object, ...], Witnesses] = {}
        self._known_record: tuple[int, TrackRecord | None] | None = None
        self._estimators: list[Estimator] = []
        self._lock = threading.RLock()

    def graph(self, workload: Workload) -> StepGraph | None:
        """The traced graph of a workload's model, from memory, disk or what ships with the program.

        Raises:
            BadModel: The model's file is gone.
        """
        key = self._graph_key(workload)
        if key not in self._known_graphs:
            stored = self._graphs.load(key) or shipped_graph(workload, self._entry(workload)) or self._cast(workload)
            if stored is None:
                return None
            self._known_graphs[key] = stored
        return self._known_graphs[key]

    def _cast(self, workload: Workload) -> StepGraph | None:
        """The graph for another precision, by arithmetic on the one for float32 if that is known."""
        plan = workload.plan
        if plan.precision == "float32" or plan.int8:
            return None
        traced = self.graph(replace(workload, plan=replace(plan, precision="float32")))
        return None if traced is None else cast_graph(traced, plan.precision)

    def keep_graph(self, workload: Workload, traced: dict[str, Any]) -> StepGraph:
        """Keep what the ``trace`` job answered."""
        key = self._graph_key(workload)
        self._known_graphs[key] = graph_from_json(traced)
        self._graphs.keep(key, traced)
        trim_cache(self._settings)
        return self._known_graphs[key]

    def rates(self, machine: Machine, device: str) -> DeviceRates | None:
        """The measured rates of ``cpu`` or ``gpu:N``, if somebody has measured them."""
        key = rates_key(machine, device, self._interpreter)
        if key not in self._known_rates:
            self._known_rates[key] = self._rates.load(key)
        return self._timed.join(key, self._known_rates[key])

    def keep_operations(self, machine: Machine, device: str, found: list[TimedOperation]) -> None:
        """Keep operations that a refinement has timed alone; they count for every network."""
        self._timed.keep(rates_key(machine, device, self._interpreter), found)

    def keep_rates(self, machine: Machine, device: str, measured: DeviceRates) -> None:
        """Keep measured rates."""
        key = rates_key(machine, device, self._interpreter)
        self._rates.save(key, measured)
        self._known_rates[key] = measured

    def probe(self, machine: Machine, device: str) -> DeviceProbe | None:
        """What tiny steps have shown of ``cpu`` or ``gpu:N``, if they have been run there."""
        key = rates_key(machine, device, self._interpreter)
        if key not in self._known_probes:
            self._known_probes[key] = self._probes.load(key)
        return self._known_probes[key]

    def keep_probe(self, machine: Machine, device: str, probe: DeviceProbe) -> None:
        """Keep what tiny steps have shown."""
        key = rates_key(machine, device, self._interpreter)
        self._probes.save(key, probe)
        self._known_probes[key] = probe

    def refined(self, workload: Workload, machine: Machine, graph: StepGraph) -> Refined | None:
        """What a refinement of this workload on this device has told, if there was one: of probes the nearest.

        It is TensorFlow's step that is refined.
        """
        device = self.device(workload, machine)
        if _elsewhere(machine, device) or workload.plan.backend != "tensorflow":
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
        self._refined.keep(key, answer)
        trim_cache(self._settings)
        self.keep_operations(machine, "cpu", msgspec.convert(answer.get("operations", []), list[TimedOperation]))

    def device(self, workload: Workload, machine: Machine) -> TargetDevice:
        """The device that a plan means on a machine."""
        return choose_device(machine, workload.plan.device, self.usable.get(workload.plan.backend))

    def predict(
        self, workload: Workload, machine: Machine, graph: StepGraph, otherwise: Calibration | None = None, *,
        only: bool = False, brief: bool = False,
    ) -> Prediction:  # fmt: skip
        """Predict, corrected by a run of the same kind, or by ``otherwise`` if there is none, or by that ``only``.

        ``brief``: one of many to be compared (`Estimator.predict`).
        """
        with self._lock:
            calibration = otherwise if only else self.calibration(workload, machine, graph) or otherwise
            refined = None if calibration and calibration.exact else self.refined(workload, machine, graph)
            rates, lessons = self._device_rates(machine), self._lessons(workload, machine, graph)
            elsewhere = None if calibration else self._transfer(workload, machine, graph)
            estimator = self._estimator(graph)
        # Outside the lock: a step that `anticipate` simulates must not hold up what somebody waits for.
        usable = self.usable.get(workload.plan.backend)
        found = estimator.predict(workload, machine, rates, usable, calibration, refined, lessons, elsewhere,
                                  brief=brief)  # fmt: skip
        return found if brief else self._with_record(found)

    def anticipate(self, workload: Workload, machine: Machine, graph: StepGraph, cancelled: Callable[[], bool]) -> None:
        """Simulate what may be asked next, every optimizer and the other state of XLA, so that it answers at once.

        Args:
            workload: What has just been answered.
            machine: For which machine.
            graph: Its traced step.
            cancelled: Asked before each simulation.
        """
        plan = workload.plan
        compiled = uses_xla(plan, self.device(workload, machine), graph)
        larger = replace(plan, batch_size=max(plan.batch_size, FAR_BATCH))
        others = [replace(larger, optimizer=name) for name in OPTIMIZERS if name != plan.optimizer]
        for changed in (larger, *others, replace(larger, jit=not compiled)):
            if cancelled():
                return
            self.predict(replace(workload, plan=changed), machine, graph)

    def calibration(self, workload: Workload, machine: Machine, graph: StepGraph) -> Calibration | None:
        """What runs of this model on this device have taught: the newest first, one of the same plan before others."""
        device = self.device(workload, machine)
        if device.gpu is not None and device.gpu.simulated:
            return None
        with self._lock:
            runs = self._runs(workload)
            teaching = [run for run in runs if self._same_kind(run, workload, device, graph)]
            if not teaching:
                return self._from_another_step(workload, machine, device, graph, runs)
            teaching.sort(key=lambda run: self._distance(run, workload))
            found = [self._lesson(run, workload, machine, device, graph) for run in teaching[:COMPARED_RUNS]]
            return combined([calibration for calibration in found if calibration is not None])

    def newest_doubts(self, workload: Workload) -> tuple[Doubt, ...]:
        """What was doubtful in the newest run of this model on its data that measured anything."""
        with self._lock:
            found = (run.result.measurement for run in self._runs(workload))
            newest = next((measurement for measurement in found if measurement is not None), None)
        return newest.doubts if newest else ()

    def _transfer(self, workload: Workload, machine: Machine, graph: StepGraph) -> Transfer | None:
        """What a run of this model on another card says of the card that is asked about."""
        device, plan = self.device(workload, machine), workload.plan
        if device.gpu is None or plan.backend != "tensorflow":
            return None
        alike = (run for run in self._runs(workload) if self._same_step(run, workload, device, graph))
        usable = self.usable.get(plan.backend)
        model = self._estimator(graph).card_step
        return transfer_from(islice(alike, COMPARED_RUNS), plan, device, machine, usable, model)

    def _lesson(
        self, run: Run, workload: Workload, machine: Machine, device: TargetDevice, graph: StepGraph
    ) -> Calibration | None:
        """What one run teaches about a workload; ``graph`` is the run's."""
        then, plan = self._then(run, machine, device, graph), run.workload.plan
        return calibrate(run.result, then.memory, then.time, run_plan=plan, plan=workload.plan, run_id=run.run_id)

    def _from_another_step(
        self, workload: Workload, machine: Machine, device: TargetDevice, graph: StepGraph, runs: tuple[Run, ...]
    ) -> Calibration | None:
        """What the newest run of the model with another precision or input size teaches about its time."""
        for run in runs:
            if run.workload.plan.mode != workload.plan.mode or not self._is_on(run, device):
                continue
            other = self._graph_of_run(run)
            if other is None or not self._same_code(run, workload, device, graph, other):
                continue
            found = self._lesson(run, workload, machine, device, other)
            if found is not None and found.time_factor is not None:
                return of_another_step(found)
        return None

    def _graph_of_run(self, run: Run) -> StepGraph | None:
        """The graph of a run's step, if it is known still."""
        try:
            return self.graph(run.workload)
        except BadModel:
            return None

    @staticmethod
    def _distance(run: Run, workload: Workload) -> tuple[bool, float]:
        """Runs of the same plan first, then those whose time need not be carried to another batch far away."""
        plan = run.workload.plan
        return not same_plan(plan, workload.plan), abs(math.log2(plan.batch_size / workload.plan.batch_size))

    def probe_of(self, machine: Machine, device: TargetDevice) -> DeviceProbe | None:
        """What tiny steps have shown of a device; None for one that is not here."""
        if _elsewhere(machine, device):
            return None
        return self.probe(machine, "cpu" if device.gpu is None else f"gpu:{device.gpu.index}")

    def track_record(self) -> TrackRecord | None:
        """The product's own error over the newest runs; read again only after the history has changed."""
        if self._known_record is None or self._known_record[0] != self._history.changes:
            self._known_record = (self._history.changes, self._history.track_record())
        return self._known_record[1]

    def _then(self, run: Run, machine: Machine, device: TargetDevice, graph: StepGraph) -> Prediction:
        """What would be said of a run's plan today if there had been no run; kept while nothing else changes."""
        name = "cpu" if device.gpu is None else f"gpu:{device.gpu.index}"
        tensorflow = run.workload.plan.backend == "tensorflow"
        lessons = DeviceLessons(self.probe_of(machine, device) if tensorflow else None)
        basis = (device.name, device.host_threads, self.rates(machine, name), lessons)
        if self._known_then[0] is not graph or self._known_then[1] != basis:
            self._known_then = (graph, basis, {})
        known = self._known_then[2]
        if run.run_id not in known:
            known[run.run_id] = self._estimator(graph).predict(
                run.workload, machine, self._device_rates(machine), self.usable.get(run.workload.plan.backend),
                lessons=lessons,
            )  # fmt: skip
        return known[run.run_id]

    def _lessons(self, workload: Workload, machine: Machine, graph: StepGraph) -> DeviceLessons:
        """What the device has taught beyond this model; its probe is TensorFlow's."""
        device = self.device(workload, machine)
        if _elsewhere(machine, device):
            return DeviceLessons()
        outlook = Outlook(device.name, uses_xla(workload.plan, device, graph), workload.plan.backend)
        key = (self._history.changes, workload.model, outlook)
        if key not in self._known_witnesses:
            self._known_witnesses = {key: self._history.witnesses(workload, outlook)}
        known = self._known_witnesses[key]
        probe = self.probe_of(machine, device) if workload.plan.backend == "tensorflow" else None
        return DeviceLessons(probe, known.memory, known.time)

    def _with_record(self, prediction: Prediction) -> Prediction:
        """The prediction with a line in its basis on how good such predictions have been."""
        record = self.track_record()
        if record is None:
            return prediction
        memory, time = prediction.memory, prediction.time
        about_memory, about_time = _record_line(record, record.memory), _record_line(record, record.time)
        return replace(
            prediction,
            memory=replace(memory, explanation=(*memory.explanation, about_memory)),
            time=replace(time, explanation=(*time.explanation, about_time)) if time.explanation else time,
            track_record=record,
        )

    def _same_kind(self, run: Run, workload: Workload, device: TargetDevice, graph: StepGraph) -> bool:
        """Did a run measure the same kind of code, of the same framework, on the same device."""
        return self._is_on(run, device) and self._same_step(run, workload, device, graph)

    def _is_on(self, run: Run, device: TargetDevice) -> bool:
        """Did a run use this device."""
        plan = run.workload.plan
        return choose_device(run.machine, plan.device, self.usable.get(plan.backend)).name == device.name

    def _same_step(self, run: Run, workload: Workload, device: TargetDevice, graph: StepGraph) -> bool:
        """Did a run measure the same kind of code, of the same framework, on whatever device."""
        same_step = run.workload.plan.traced == workload.plan.traced and _inputs(run.workload) == _inputs(workload)
        return same_step and self._same_code(run, workload, device, graph, graph)

    def _same_code(
        self, run: Run, workload: Workload, device: TargetDevice, graph: StepGraph, of_run: StepGraph
    ) -> bool:
        """Did a run measure the same kind of code, with as many threads, on whatever device."""
        plan = run.workload.plan
        where = choose_device(run.machine, plan.device, self.usable.get(plan.backend))
        same_code = uses_xla(plan, where, of_run) == uses_xla(workload.plan, device, graph)
        same_code = same_code and plan.backend == workload.plan.backend and plan.threads == workload.plan.threads
        return run.result.measurement is not None and same_code

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
            return graph_key(workload, tracing_interpreter(workload.plan.backend, self._interpreter))
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
def _record_line(record: TrackRecord, errors: Errors | None) -> Explanation:
    """The track record as a line in the basis of one of its quantities."""
    value = f"median error {percent_words(errors.median_error)}" if errors else ""
    return Explanation(record_title(record), value, record_words(record), "predicted against measured here")


def _elsewhere(machine: Machine, device: TargetDevice) -> bool:
    """Is the device not one of this machine's, but simulated?"""
    return "cpu" in machine.simulated if device.gpu is None else device.gpu.simulated
