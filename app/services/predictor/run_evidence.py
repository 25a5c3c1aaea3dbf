"""What runs have taught: of a model on this device, of the device by other models, and of the product itself."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice

from app.core.predict.corrections import Calibration, calibrate, combined, of_another_step, same_plan
from app.core.predict.device_corrections import DeviceLessons
from app.core.predict.disturbed import Speed, slowdown, speed_of, usual_reference_s
from app.core.predict.knowledge import Knowledge
from app.core.simulate.device import TargetDevice, choose_device, is_elsewhere
from app.core.simulate.xla.choice import uses_xla
from app.core.timing.card_transfer import Transfer
from app.core.types.errors import BadModel
from app.core.types.measurement import Doubt
from app.core.types.prediction import Prediction
from app.core.types.run import Run
from app.core.types.stepgraph import StepGraph
from app.core.types.track_record import TrackRecord
from app.core.types.workload import Plan, Workload
from app.services.machine.device_facts import DeviceFacts
from app.services.predictor.card_runs import transfer_from
from app.services.predictor.graph_cache import GraphCache
from app.services.predictor.query import Query
from app.services.store.forecasts import Outlook, Witnesses
from app.services.store.history import History
from app.services.store.runs import same_content

CONSIDERED_RUNS = 100
"""The newest runs of a model among which one that teaches something is looked for."""
COMPARED_RUNS = 12
"""The newest of them that are compared with each other."""
KEPT_ANSWERS = 4
"""Models whose runs are kept: the one that is asked about, and what it is compared with."""


class RunEvidence:
    """The history, read for what it says of a workload that is asked about; nothing is read twice.

    Args:
        history: Every run.
        graphs: Traced graphs, and what the models' files hold.
        facts: What was measured of devices.
    """

    def __init__(self, history: History, graphs: GraphCache, facts: DeviceFacts) -> None:
        self._history = history
        self._graphs = graphs
        self._facts = facts
        self._read_runs = lru_cache(KEPT_ANSWERS)(self._runs_at)
        self._read_witnesses = lru_cache(KEPT_ANSWERS)(self._witnesses_at)
        self._read_record = lru_cache(1)(self._record_at)
        self._known_then: tuple[StepGraph | None, object, dict[Workload, Prediction]] = (None, None, {})
        self._lock = threading.RLock()

    def calibration(self, query: Query) -> Calibration | None:
        """What runs of this model on this device have taught: the newest first, one of the same plan before others."""
        return self.calibrations(query)(query.plan)

    def calibrations(self, query: Query) -> Callable[[Plan], Calibration | None]:
        """The same for the query's plan at any batch; the runs are looked through once."""
        if query.device.gpu is not None and query.device.gpu.simulated:
            return lambda _plan: None
        with self._lock:
            runs = self._runs_as_it_is(query.workload, query.content)
            teaching = [run for run in runs if self._is_on(run, query.device) and self.same_step(run, query)]
            usual_s = self._usual_reference_s(teaching, query)
        disturbed = {run.run_id for run in teaching if _is_disturbed(run, query, usual_s)}

        def of(plan: Plan) -> Calibration | None:
            asked = query.with_plan(plan)
            with self._lock:
                if not teaching:
                    return self._from_another_step(asked, runs)
                nearest = sorted(teaching, key=lambda run: (run.run_id in disturbed, _distance(run, plan)))
                nearest = nearest[:COMPARED_RUNS]
                found = [self.lesson(run, asked, query.graph, usual_s) for run in nearest]
                return combined([calibration for calibration in found if calibration is not None])

        return of

    def transfers(self, query: Query) -> Callable[[Plan], Transfer | None]:
        """What a run of this model on another card says of the card that is asked about, for any batch of the plan."""
        if query.device.gpu is None or query.plan.backend != "tensorflow":
            return lambda _plan: None
        usable = self._facts.usable.get(query.plan.backend)
        model = self._graphs.estimator(query.graph).steps.card_step
        with self._lock:
            runs = self._runs_as_it_is(query.workload, query.content)
            alike = list(islice((run for run in runs if self.same_step(run, query)), COMPARED_RUNS))
        return lambda plan: transfer_from(alike, plan, query.device, query.machine, usable, model)

    def about_device(self, query: Query) -> DeviceLessons:
        """What the device has taught beyond this model; its probe is TensorFlow's."""
        device, plan = query.device, query.plan
        if is_elsewhere(query.machine, device):
            return DeviceLessons()
        outlook = Outlook(device.name, uses_xla(plan, device, query.graph), plan.backend)
        model = Workload(query.workload.model)
        with self._lock:
            known = self._read_witnesses(self._history.changes, model, query.content, outlook)
        probe = self._facts.probe_of(query.machine, device) if plan.backend == "tensorflow" else None
        return DeviceLessons(probe, known.memory, known.time)

    def newest_doubts(self, workload: Workload) -> tuple[Doubt, ...]:
        """What was doubtful in the newest run of this model on its data that measured anything."""
        with self._lock:
            runs = self._runs_as_it_is(workload, self._graphs.contents.digest(workload.model))
            found = (run.result.measurement for run in runs)
            newest = next((measurement for measurement in found if measurement is not None), None)
        return newest.doubts if newest else ()

    def earlier_version(self, query: Query) -> int | None:
        """The number of the newest run of the model's file from before it was edited; None if one is of it as it is.

        Such runs are those of another model: they widen or narrow its intervals (`about_device`), no more.
        """
        if not query.workload.model.path:
            return None
        with self._lock:
            runs = self._runs(query.workload)
            return runs[0].run_id if runs and not self._runs_as_it_is(query.workload, query.content) else None

    def unheard(self, query: Query) -> tuple[int, float] | None:
        """The newest run like this if other programs made its time worthless: its number, and their use, percent."""
        with self._lock:
            runs = self._runs_as_it_is(query.workload, query.content)
            alike = [run for run in runs if self._is_on(run, query.device) and self.same_step(run, query)]
            speed = _speed(alike[0], query) if alike else None
            if speed is None or slowdown(speed, self._usual_reference_s(alike, query)) is not None:
                return None
        return alike[0].run_id, speed.others_percent or 0.0

    def track_record(self) -> TrackRecord | None:
        """The product's own error over the newest runs; read again only after the history has changed."""
        return self._read_record(self._history.changes)

    def _usual_reference_s(self, runs: Sequence[Run], query: Query) -> float | None:
        """The reference kernel's time on the query's device when it is left alone."""
        card = query.device.gpu
        rates = self._facts.measured(query.machine, "cpu" if card is None else f"gpu:{card.index}")
        others = rates.others_percent if rates and card is None else None
        return usual_reference_s(
            (speed for run in runs if (speed := _speed(run, query)) is not None),
            Speed(rates.reference_s if rates else None, others),
        )

    def lesson(
        self, run: Run, query: Query, graph: StepGraph, usual_reference_s: float | None = None
    ) -> Calibration | None:
        """What one run teaches about a workload.

        Args:
            run: The run.
            query: What is asked.
            graph: The run's.
            usual_reference_s: The reference kernel's time on the run's machine alone, if it is known.
        """
        with self._lock:
            then, plan = self._said_of(run, query, graph), run.workload.plan
        found = calibrate(
            run.result,
            then.memory,
            then.time,
            run_plan=plan,
            plan=query.plan,
            run_id=run.run_id,
            on_card=query.device.gpu is not None,
            usual_reference_s=usual_reference_s,
        )
        if found is None or found.time is None or _data(run.workload) == _data(query.workload):
            return found
        return replace(found, time=found.time.carried())  # a step takes the same memory whatever it reads

    def _from_another_step(self, query: Query, runs: tuple[Run, ...]) -> Calibration | None:
        """What the newest run of the model with another precision or input size teaches about its time."""
        for run in runs:
            if run.workload.plan.mode != query.plan.mode or not self._is_on(run, query.device):
                continue
            other = self._graph_of_run(run)
            if other is None or not self._same_code(run, query, other):
                continue
            found = self.lesson(run, query, other, self._usual_reference_s([run], query))
            if found is not None and found.teaches_time:
                return of_another_step(found)
        return None

    def _graph_of_run(self, run: Run) -> StepGraph | None:
        """The graph of a run's step, if it is known still."""
        try:
            return self._graphs.get(run.workload)
        except BadModel:
            return None

    def _said_of(self, run: Run, query: Query, graph: StepGraph) -> Prediction:
        """What would be said of a run's plan today if there had been no run; kept while nothing else changes."""
        machine, device = query.machine, query.device
        name = "cpu" if device.gpu is None else f"gpu:{device.gpu.index}"
        tensorflow = run.workload.plan.backend == "tensorflow"
        lessons = DeviceLessons(self._facts.probe_of(machine, device) if tensorflow else None)
        basis = (device.name, device.host_threads, self._facts.rates(machine, name), lessons)
        if self._known_then[0] is not graph or self._known_then[1] != basis:
            self._known_then = (graph, basis, {})
        known = self._known_then[2]
        if run.workload not in known:
            usable = self._facts.usable.get(run.workload.plan.backend)
            known[run.workload] = self._graphs.estimator(graph).predict(
                run.workload, machine, Knowledge(self._facts.rates_of(machine), usable, lessons), brief=True
            )
        return known[run.workload]

    def _is_on(self, run: Run, device: TargetDevice) -> bool:
        """Did a run use this device."""
        plan = run.workload.plan
        return choose_device(run.machine, plan.device, self._facts.usable.get(plan.backend)).name == device.name

    def same_step(self, run: Run, query: Query) -> bool:
        """Did a run measure the same kind of code, of the same framework, on whatever device."""
        same_step = run.workload.plan.traced == query.plan.traced and _inputs(run.workload) == _inputs(query.workload)
        return same_step and self._same_code(run, query, query.graph)

    def _same_code(self, run: Run, query: Query, of_run: StepGraph) -> bool:
        """Did a run measure the same kind of code, with as many threads and the same kernels, on whatever device."""
        plan, asked = run.workload.plan, query.plan
        where = choose_device(run.machine, plan.device, self._facts.usable.get(plan.backend))
        same_code = uses_xla(plan, where, of_run) == uses_xla(asked, query.device, query.graph)
        same_code = same_code and plan.backend == asked.backend and plan.threads == asked.threads
        same_code = same_code and where.onednn == query.device.onednn
        return run.result.measurement is not None and same_code

    def _runs_as_it_is(self, workload: Workload, content: str | None) -> tuple[Run, ...]:
        """The newest runs of a workload's model whose file was what it is now."""
        return tuple(run for run in self._runs(workload) if same_content(run, content))

    def _runs(self, workload: Workload) -> tuple[Run, ...]:
        """The newest runs of a workload's name or path, whatever their plan."""
        return self._read_runs(self._history.changes, Workload(workload.model))

    # What is read of the history: kept for as long as it has changed so often

    def _runs_at(self, _changes: int, workload: Workload) -> tuple[Run, ...]:
        return self._history.runs_of_model(workload, CONSIDERED_RUNS)

    def _witnesses_at(self, _changes: int, workload: Workload, content: str | None, outlook: Outlook) -> Witnesses:
        return self._history.witnesses(workload, content, outlook)

    def _record_at(self, _changes: int) -> TrackRecord | None:
        return self._history.track_record()


def _inputs(workload: Workload) -> tuple[object, ...]:
    """What decides about the size of a model's inputs and outputs."""
    data = workload.dataset
    return workload.input_shape, workload.classes, (data.sample_shape, data.classes) if data else None


def _data(workload: Workload) -> tuple[object, ...] | None:
    """What is known of the data itself: a folder with more files is read in another time."""
    data = workload.dataset
    return (data.name, data.path, data.function, data.samples, data.files, data.bytes_on_disk) if data else None


def _distance(run: Run, asked: Plan) -> tuple[bool, float]:
    """Runs of the same plan first, then those whose time need not be carried to another batch far away."""
    plan = run.workload.plan
    return not same_plan(plan, asked), abs(math.log2(plan.batch_size / asked.batch_size))


def _is_disturbed(run: Run, query: Query, usual_reference_s: float | None) -> bool:
    """Did other programs slow the query's device down during a run; such runs come last."""
    speed = _speed(run, query)
    return speed is not None and slowdown(speed, usual_reference_s) != 1


def _speed(run: Run, query: Query) -> Speed | None:
    """What is known of the query's device during a run on it."""
    found = run.result.measurement
    return None if found is None else speed_of(found, on_card=query.device.gpu is not None)
