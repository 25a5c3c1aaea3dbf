"""Predictions of memory, time and fit, and what has to be asked of a child before one can be made or sharpened."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial

from app.core.predict.corrections import Calibration
from app.core.predict.estimate import KEPT_QUESTIONS
from app.core.predict.fit import judge_whole
from app.core.predict.knowledge import Evidence, Knowledge, about
from app.core.predict.quick import quick_prediction
from app.core.predict.whole import evaluation_of
from app.core.simulate.xla.choice import uses_xla
from app.core.types.errors import BadModel, MissingModule
from app.core.types.machine import Machine
from app.core.types.plan_values import OPTIMIZERS
from app.core.types.prediction import Prediction
from app.core.types.run import Run
from app.core.types.stepgraph import StepGraph
from app.core.types.workload import ModelRef, Workload
from app.services.catalog.catalog import Catalog
from app.services.child.child_jobs import TRACE_TIMEOUT_S, EventSink, run_job, trace_request
from app.services.child.child_options import ChildOptions
from app.services.child.sandbox import sandboxed
from app.services.child.variables import script_variables, tracing_interpreter
from app.services.machine.this_machine import ThisMachine
from app.services.predictor import refine as refining
from app.services.predictor.captured import with_captured
from app.services.predictor.graph_cache import GraphCache
from app.services.predictor.provenance import with_busy_rates, with_earlier, with_record, with_shared, with_unheard
from app.services.predictor.query import Query
from app.services.predictor.refinements import Refinements
from app.services.predictor.run_evidence import RunEvidence
from app.services.predictor.shared_evidence import SharedEvidence
from app.services.predictor.whole import WholeTrainings
from app.services.settings import Settings
from app.services.store.history import History
from app.services.store.model_contents import ModelContents
from app.services.store.shipped_graphs import layer_outputs

FAR_BATCH = 1024
"""How far a slider is expected to go; the chart around this batch simulates every smaller one it needs."""


class Predictor:
    """Answers at once from graphs, device facts and runs; `graph` and `refine` ask a child for what is missing.

    Args:
        settings: Folders, and how much memory stays free.
        history: Runs that teach.
        catalog: The networks that can be named, and the files of code that may run.
        machine: This machine, with what was measured of its devices.
        interpreter: The Python that traces and trains; this program's own if None.

    Attributes:
        contents: What the models' files hold.
        graphs: Traced graphs.
        facts: What was measured of devices.
        refinements: What refinements have shown.
        evidence: What runs have taught.
        timeout_s: How long a model may take to be built and traced.
        on_missing: Adds to the error of a missing module what other Python has it.
    """

    def __init__(
        self, settings: Settings, history: History, catalog: Catalog, machine: ThisMachine, interpreter: str | None
    ) -> None:
        self._settings = settings
        self._catalog = catalog
        self._machine = machine
        self._interpreter = interpreter
        self.contents = ModelContents(settings.cache_dir / "graphs" / "imports.json")
        self.graphs = GraphCache(settings, self.contents, interpreter, catalog.entry)
        self.facts = machine.facts
        self.refinements = Refinements(settings, self.graphs, self.facts)
        self.evidence = RunEvidence(history, self.graphs, self.facts)
        self._history = history
        self._kept: list[tuple[object, Knowledge]] = []
        self._shared = SharedEvidence(self.evidence)
        self.timeout_s = TRACE_TIMEOUT_S
        self.on_missing: Callable[[MissingModule, ModelRef], MissingModule] = lambda error, _model: error
        self._wholes = WholeTrainings(self.graphs, self.facts, self.predict)

    def listen_to(self, shared: tuple[Run, ...]) -> None:
        """Let runs that other people shared count a little (`app.core.predict.strangers`) where no own run does."""
        self._shared = SharedEvidence(self.evidence, shared, self._catalog.gpus())
        self._kept = []

    def graph(
        self,
        workload: Workload,
        on_event: EventSink | None = None,
        cancel: threading.Event | None = None,
        *,
        anew: bool = False,
    ) -> StepGraph:
        """The traced graph, traced in a child if nobody has done it before, or all the same if ``anew``.

        Raises:
            BadModel: The model cannot be built; the child's words say why.
            WorkerFailed: The child died.
            Cancelled: The user cancelled.
        """
        found = (None if anew else self.graphs.get(workload)) or self._traced(workload, on_event, cancel)
        validated = evaluation_of(workload)
        if validated is not None and validated.model.kind != "script" and (anew or self.graphs.get(validated) is None):
            self._traced(validated, on_event, cancel)
        return found

    def as_written(
        self,
        workload: Workload,
        given: Collection[str],
        on_event: EventSink | None = None,
        cancel: threading.Event | None = None,
    ) -> Workload:
        """The workload with what the model's author wrote wherever the user said nothing.

        Args:
            workload: What is asked about.
            given: The options of its plan that the user chose.
            on_event: Hears what a child says.
            cancel: Ends the child.

        Raises:
            BadModel: The model cannot be built, or the script does not train.
            InvalidWorkload: What the user chose cannot be had beside what the author wrote.
            WorkerFailed: The child died.
            Cancelled: The user cancelled.
        """
        if workload.model.kind not in ("code", "script"):
            return workload
        captured = self.graphs.captured(workload)
        if captured is None:
            captured = self._traced(workload, on_event, cancel, as_written=True).model.captured
        return workload if captured is None else with_captured(workload, captured, given)

    def _traced(
        self,
        workload: Workload,
        on_event: EventSink | None,
        cancel: threading.Event | None,
        *,
        as_written: bool = False,
    ) -> StepGraph:
        """What a child traces of a workload's model."""
        workload = self._catalog.trust.require(workload)
        before = self.graphs.file_digest(workload)
        options = ChildOptions(
            tracing_interpreter(workload.plan.backend, self._interpreter),
            environment=script_variables(workload.model),
            reserve_bytes=self._settings.reserve_ram_bytes,
            timeout_s=self.timeout_s,
        )
        with sandboxed(workload.model) as sandbox:
            request = trace_request(workload, as_written=as_written)
            if sandbox is not None:
                request, options = sandbox.request(request), sandbox.options(options)
            try:
                traced = run_job(request, "cpu", options, on_event=on_event, cancel=cancel)
            except MissingModule as error:
                raise self.on_missing(error, workload.model) from error
            traced = traced if sandbox is None else sandbox.told(traced)
        evaluation = traced.pop("evaluation", None)
        if evaluation is not None:  # of a script, whose run is not repeated for it
            asked = replace(workload.plan, mode="evaluate", precision=evaluation["precision"])
            evaluation["own_files"] = dict(traced.get("own_files", {}))
            self.graphs.keep(replace(workload, plan=asked), evaluation, before)
        return self.graphs.keep(workload, traced, before, as_written=as_written)

    def predict(
        self,
        workload: Workload,
        machine: Machine,
        graph: StepGraph,
        otherwise: Calibration | None = None,
        *,
        only: bool = False,
        brief: bool = False,
        chart: bool = True,
    ) -> Prediction:
        """Predict memory, time and fit: arithmetic on a traced graph, corrected by runs.

        Args:
            workload: What to train.
            machine: On which machine.
            graph: The workload's traced step.
            otherwise: Corrects the prediction where no run of the same kind does.
            only: ``otherwise`` corrects it whatever runs there are.
            brief: It is one of many to be compared (`Estimator.predict`).
            chart: The answer shows how memory and speed change with the batch.

        Raises:
            InvalidWorkload: The plan asks for a device that is not there.
        """
        query, evidence = self.query(workload, machine, graph), self.evidence
        known = self._known(query, about(workload.plan.batch_size, Evidence(otherwise)) if otherwise else None, only)
        found = self.graphs.estimator(graph).predict(workload, machine, known, brief=brief, chart=chart)
        if brief:
            return found
        found = with_unheard(with_earlier(found, evidence.earlier_version(query)), known.unheard)
        found = with_busy_rates(found, known.rates.host)
        found = with_shared(found, known.at(query.plan.batch_size))
        found = with_record(found, evidence.track_record())
        if workload.plan.mode != "train":
            return found
        whole = self._wholes.of(workload, graph, found)
        return replace(found, whole=whole, fit=judge_whole(found.fit, whole))

    def _known(self, query: Query, otherwise: Callable[[int], Evidence] | None, only: bool) -> Knowledge:
        """What is known of the devices, and what has been shown of each batch of a plan; kept for the slider."""
        rates, usable = self.facts.rates_of(query.machine), self.facts.usable.get(query.plan.backend)
        lessons, whatever = self.evidence.about_device(query), query.with_plan(replace(query.plan, batch_size=1))
        if otherwise is not None or only:
            return Knowledge(rates, usable, lessons, self._shown(query, otherwise, only), self.evidence.unheard(query))
        learnt = (whatever, rates, usable, lessons, self._history.changes, self.refinements.changes)
        known = next((known for then, known in self._kept if then == learnt), None)
        if known is None:
            shown = self._shown(query, None, only=False)
            known = Knowledge(rates, usable, lessons, shown, self.evidence.unheard(query))
            self._kept = [(learnt, known), *self._kept[: KEPT_QUESTIONS - 1]]
        return known

    def _shown(
        self, query: Query, otherwise: Callable[[int], Evidence] | None, only: bool
    ) -> Callable[[int], Evidence]:
        """What has been shown of each batch of a query's plan."""
        calibration = (lambda _plan: None) if only else self.evidence.calibrations(query)
        refined, transfer = self.refinements.of_plans(query), self.evidence.transfers(query)
        strangers = self._shared.of_plans(query)

        @functools.cache
        def at(batch_size: int) -> Evidence:
            plan = replace(query.plan, batch_size=batch_size)
            taught = calibration(plan) or (otherwise(batch_size).calibration if otherwise else None)
            timed = taught is not None and taught.teaches_time
            return Evidence(taught, refined(plan), None if timed else transfer(plan), strangers(plan))

        return at

    def query(self, workload: Workload, machine: Machine, graph: StepGraph) -> Query:
        """A question, with the device and the file as they are now."""
        try:
            key = self.graphs.key(workload)
        except BadModel:
            key = None
        return Query(workload, machine, graph, self.facts.device(workload, machine), key)

    def quick(self, workload: Workload, machine: Machine) -> Prediction | None:
        """What can be said before a trace: the textbook formula for a network of the catalog."""
        entry = self._catalog.entry(workload)
        if entry is None or entry.params is None:
            return None
        device = self.facts.device(workload, machine)
        return quick_prediction(
            workload,
            machine,
            device,
            params=entry.params,
            input_shape=entry.input_shape,
            outputs=layer_outputs(entry.name),
            probe=self.facts.probe_of(machine, device),
        )

    def anticipate(
        self, workload: Workload, machine: Machine, graph: StepGraph, cancel: threading.Event | None = None
    ) -> None:
        """Simulate what may be asked next: other batches, another optimizer, XLA on or off.

        Takes some seconds of arithmetic for a large network; `predict` answers meanwhile, and each prepared
        question in a few milliseconds afterwards.  The next start of the program knows it too.

        Args:
            workload: What has just been answered.
            machine: For which machine.
            graph: Its traced step.
            cancel: Asked before each simulation.
        """
        plan, device = workload.plan, self.facts.device(workload, machine)
        larger = replace(plan, batch_size=max(plan.batch_size, FAR_BATCH))
        others = [replace(larger, optimizer=name) for name in OPTIMIZERS if name != plan.optimizer]
        octaves = [replace(plan, batch_size=1 << n) for n in range(larger.batch_size.bit_length())]
        for changed in (larger, *octaves, *others, replace(larger, jit=not uses_xla(plan, device, graph))):
            if cancel is not None and cancel.is_set():
                return
            self.predict(replace(workload, plan=changed), machine, graph)
        self.graphs.simulations.keep()

    def refine(
        self,
        workload: Workload,
        machine: Machine,
        on_event: EventSink | None = None,
        cancel: threading.Event | None = None,
    ) -> None:
        """Sharpen what `predict` says of this workload's memory: compile the step, or probe it at small batches.

        Takes seconds, once; a probe then answers for every batch size, best for those of which it ran a quarter,
        a compiled step for its own.  A run of the very same plan still counts for more.

        Raises:
            UsageError: The device is not one of this machine's.
            BadModel: The model cannot be built.
            WorkerFailed: The child died or took too much memory, or XLA cannot compile the model.
            Cancelled: The user cancelled.
        """
        workload = self._catalog.trust.require(workload)
        device = self.facts.device(workload, machine)
        refining.refuse_elsewhere(machine, device)
        graph = self.graph(workload, on_event, cancel)
        query = self.query(workload, machine, graph)
        at = partial(self._at, workload=workload, machine=machine, graph=graph)
        probe = None
        if not uses_xla(workload.plan, device, graph):
            probe = refining.probe_batch(workload.plan.batch_size, lambda batch: at(batch).memory.allocator_peak_bytes)
        known = self.refinements.get(query)
        if known is not None and (probe is None or probe in known.batch_sizes[:1]):
            return
        rates = self._machine.rates("cpu", on_event, cancel) if probe is not None and device.gpu is None else None
        answer = refining.refine(
            query,
            probe=probe,
            interpreter=self._interpreter,
            reserve_bytes=self._settings.reserve_ram_bytes,
            timed=rates.operations if rates else (),
            stages=refining.stages_of(
                graph,
                workload.plan,
                probe,
                work=self.graphs.estimator(graph).steps.program_operations(workload.plan),
                step=lambda batch: at(batch).time.range,
                known=self.facts.probe_of(machine, device),
            ),
            on_event=on_event,
            cancel=cancel,
        )
        self.refinements.keep(workload, machine, probe, answer)

    def _at(self, batch: int, workload: Workload, machine: Machine, graph: StepGraph) -> Prediction:
        """What is predicted of another batch of the same plan."""
        changed = replace(workload, plan=replace(workload.plan, batch_size=batch))
        return self.predict(changed, machine, graph, brief=True)
