"""What runs have taught: of a model on this device, of the device by other models, and of the product itself."""

from __future__ import annotations

import math
import threading
from itertools import islice

from app.core.predict.corrections import Calibration, calibrate, combined, of_another_step, same_plan
from app.core.predict.device_corrections import DeviceLessons
from app.core.simulate.device import TargetDevice, choose_device, is_elsewhere
from app.core.simulate.xla.choice import uses_xla
from app.core.timing.card_transfer import Transfer
from app.core.types.errors import BadModel
from app.core.types.machine import Machine
from app.core.types.measurement import Doubt
from app.core.types.prediction import Prediction
from app.core.types.stepgraph import StepGraph
from app.core.types.track_record import TrackRecord
from app.core.types.workload import Workload
from app.services.machine.device_facts import DeviceFacts
from app.services.predictor.card_runs import transfer_from
from app.services.predictor.estimators import Estimators
from app.services.predictor.graph_cache import GraphCache
from app.services.store.forecasts import Outlook, Witnesses
from app.services.store.history import History
from app.services.store.runs import Run, same_content

CONSIDERED_RUNS = 100
"""The newest runs of a model among which one that teaches something is looked for."""
COMPARED_RUNS = 12
"""The newest of them that are compared with each other."""


class RunEvidence:
    """The history, read for what it says of a workload that is asked about; nothing is read twice.

    Args:
        history: Every run.
        graphs: Traced graphs, and what the models' files hold.
        facts: What was measured of devices.
        estimators: Say what would be said today of a run's plan.
    """

    def __init__(self, history: History, graphs: GraphCache, facts: DeviceFacts, estimators: Estimators) -> None:
        self._history = history
        self._graphs = graphs
        self._facts = facts
        self._estimators = estimators
        self._known_runs: dict[tuple[object, ...], tuple[Run, ...]] = {}
        self._known_then: tuple[StepGraph | None, object, dict[int, Prediction]] = (None, None, {})
        self._known_witnesses: dict[tuple[object, ...], Witnesses] = {}
        self._known_record: tuple[int, TrackRecord | None] | None = None
        self._lock = threading.RLock()

    def calibration(self, workload: Workload, machine: Machine, graph: StepGraph) -> Calibration | None:
        """What runs of this model on this device have taught: the newest first, one of the same plan before others."""
        device = self._facts.device(workload, machine)
        if device.gpu is not None and device.gpu.simulated:
            return None
        with self._lock:
            runs = self._runs_as_it_is(workload)
            teaching = [run for run in runs if self._same_kind(run, workload, device, graph)]
            if not teaching:
                return self._from_another_step(workload, machine, device, graph, runs)
            teaching.sort(key=lambda run: _distance(run, workload))
            found = [self._lesson(run, workload, machine, device, graph) for run in teaching[:COMPARED_RUNS]]
            return combined([calibration for calibration in found if calibration is not None])

    def transfer(self, workload: Workload, machine: Machine, graph: StepGraph) -> Transfer | None:
        """What a run of this model on another card says of the card that is asked about."""
        device, plan = self._facts.device(workload, machine), workload.plan
        if device.gpu is None or plan.backend != "tensorflow":
            return None
        usable = self._facts.usable.get(plan.backend)
        model = self._estimators.of(graph).steps.card_step
        with self._lock:
            alike = (run for run in self._runs_as_it_is(workload) if self._same_step(run, workload, device, graph))
            return transfer_from(islice(alike, COMPARED_RUNS), plan, device, machine, usable, model)

    def about_device(self, workload: Workload, machine: Machine, graph: StepGraph) -> DeviceLessons:
        """What the device has taught beyond this model; its probe is TensorFlow's."""
        device = self._facts.device(workload, machine)
        if is_elsewhere(machine, device):
            return DeviceLessons()
        outlook = Outlook(device.name, uses_xla(workload.plan, device, graph), workload.plan.backend)
        content = self._graphs.contents.digest(workload.model)
        key = (self._history.changes, workload.model, content, outlook)
        with self._lock:
            if key not in self._known_witnesses:
                self._known_witnesses = {key: self._history.witnesses(workload, content, outlook)}
            known = self._known_witnesses[key]
        probe = self._facts.probe_of(machine, device) if workload.plan.backend == "tensorflow" else None
        return DeviceLessons(probe, known.memory, known.time)

    def newest_doubts(self, workload: Workload) -> tuple[Doubt, ...]:
        """What was doubtful in the newest run of this model on its data that measured anything."""
        with self._lock:
            found = (run.result.measurement for run in self._runs_as_it_is(workload))
            newest = next((measurement for measurement in found if measurement is not None), None)
        return newest.doubts if newest else ()

    def earlier_version(self, workload: Workload) -> int | None:
        """The number of the newest run of the model's file from before it was edited; None if one is of it as it is.

        Such runs are those of another model: they widen or narrow its intervals (`about_device`), no more.
        """
        if not workload.model.path:
            return None
        with self._lock:
            runs = self._runs(workload)
            return runs[0].run_id if runs and not self._runs_as_it_is(workload) else None

    def track_record(self) -> TrackRecord | None:
        """The product's own error over the newest runs; read again only after the history has changed."""
        if self._known_record is None or self._known_record[0] != self._history.changes:
            self._known_record = (self._history.changes, self._history.track_record())
        return self._known_record[1]

    def _lesson(
        self, run: Run, workload: Workload, machine: Machine, device: TargetDevice, graph: StepGraph
    ) -> Calibration | None:
        """What one run teaches about a workload; ``graph`` is the run's."""
        then, plan = self._then(run, machine, device, graph), run.workload.plan
        return calibrate(
            run.result,
            then.memory,
            then.time,
            run_plan=plan,
            plan=workload.plan,
            run_id=run.run_id,
            on_card=device.gpu is not None,
        )

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
            return self._graphs.get(run.workload)
        except BadModel:
            return None

    def _then(self, run: Run, machine: Machine, device: TargetDevice, graph: StepGraph) -> Prediction:
        """What would be said of a run's plan today if there had been no run; kept while nothing else changes."""
        name = "cpu" if device.gpu is None else f"gpu:{device.gpu.index}"
        tensorflow = run.workload.plan.backend == "tensorflow"
        lessons = DeviceLessons(self._facts.probe_of(machine, device) if tensorflow else None)
        basis = (device.name, device.host_threads, self._facts.rates(machine, name), lessons)
        if self._known_then[0] is not graph or self._known_then[1] != basis:
            self._known_then = (graph, basis, {})
        known = self._known_then[2]
        if run.run_id not in known:
            usable = self._facts.usable.get(run.workload.plan.backend)
            known[run.run_id] = self._estimators.of(graph).predict(
                run.workload, machine, self._facts.rates_of(machine), usable, lessons=lessons
            )
        return known[run.run_id]

    def _same_kind(self, run: Run, workload: Workload, device: TargetDevice, graph: StepGraph) -> bool:
        """Did a run measure the same kind of code, of the same framework, on the same device."""
        return self._is_on(run, device) and self._same_step(run, workload, device, graph)

    def _is_on(self, run: Run, device: TargetDevice) -> bool:
        """Did a run use this device."""
        plan = run.workload.plan
        return choose_device(run.machine, plan.device, self._facts.usable.get(plan.backend)).name == device.name

    def _same_step(self, run: Run, workload: Workload, device: TargetDevice, graph: StepGraph) -> bool:
        """Did a run measure the same kind of code, of the same framework, on whatever device."""
        same_step = run.workload.plan.traced == workload.plan.traced and _inputs(run.workload) == _inputs(workload)
        return same_step and self._same_code(run, workload, device, graph, graph)

    def _same_code(
        self, run: Run, workload: Workload, device: TargetDevice, graph: StepGraph, of_run: StepGraph
    ) -> bool:
        """Did a run measure the same kind of code, with as many threads, on whatever device."""
        plan = run.workload.plan
        where = choose_device(run.machine, plan.device, self._facts.usable.get(plan.backend))
        same_code = uses_xla(plan, where, of_run) == uses_xla(workload.plan, device, graph)
        same_code = same_code and plan.backend == workload.plan.backend and plan.threads == workload.plan.threads
        return run.result.measurement is not None and same_code

    def _runs_as_it_is(self, workload: Workload) -> tuple[Run, ...]:
        """The newest runs of a workload's model whose file was what it is now."""
        content = self._graphs.contents.digest(workload.model)
        return tuple(run for run in self._runs(workload) if same_content(run, content))

    def _runs(self, workload: Workload) -> tuple[Run, ...]:
        """The newest runs of a workload's name or path."""
        key = (self._history.changes, workload.model, workload.dataset, workload.input_shape, workload.classes)
        if key not in self._known_runs:
            self._known_runs = {key: self._history.runs_of_model(workload, CONSIDERED_RUNS)}
        return self._known_runs[key]


def _inputs(workload: Workload) -> tuple[object, ...]:
    """What decides about the size of a model's inputs and outputs."""
    data = workload.dataset
    return workload.input_shape, workload.classes, (data.sample_shape, data.classes) if data else None


def _distance(run: Run, workload: Workload) -> tuple[bool, float]:
    """Runs of the same plan first, then those whose time need not be carried to another batch far away."""
    plan = run.workload.plan
    return not same_plan(plan, workload.plan), abs(math.log2(plan.batch_size / workload.plan.batch_size))
