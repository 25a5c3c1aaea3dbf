"""Predictions of memory, time and fit, and what has to be asked of a child before one can be made or sharpened."""

from __future__ import annotations

import threading
from dataclasses import replace

from app.core.predict.corrections import Calibration
from app.core.predict.quick import quick_prediction
from app.core.predict.track_record import percent_words, record_title, record_words
from app.core.simulate.xla.choice import uses_xla
from app.core.types.errors import BadModel
from app.core.types.machine import Machine
from app.core.types.plan import OPTIMIZERS
from app.core.types.prediction import Explanation, Prediction
from app.core.types.stepgraph import StepGraph
from app.core.types.text import phrase, verbatim
from app.core.types.track_record import Errors, TrackRecord
from app.core.types.workload import Workload
from app.services.catalog.catalog import Catalog
from app.services.child.child_jobs import TRACE_TIMEOUT_S, EventSink, run_job, trace_request
from app.services.child.child_options import ChildOptions
from app.services.child.variables import tracing_interpreter
from app.services.machine.this_machine import ThisMachine
from app.services.predictor import refine as refining
from app.services.predictor.graph_cache import GraphCache
from app.services.predictor.query import Query
from app.services.predictor.refinements import Refinements
from app.services.predictor.run_evidence import RunEvidence
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
        known = None if anew else self.graphs.get(workload)
        if known is not None:
            return known
        self._catalog.trust.require(workload)
        before = self.graphs.file_digest(workload)
        traced = run_job(
            trace_request(workload),
            "cpu",
            ChildOptions(tracing_interpreter(workload.plan.backend, self._interpreter), timeout_s=TRACE_TIMEOUT_S),
            on_event=on_event,
            cancel=cancel,
        )
        return self.graphs.keep(workload, traced, before)

    def predict(
        self,
        workload: Workload,
        machine: Machine,
        graph: StepGraph,
        otherwise: Calibration | None = None,
        *,
        only: bool = False,
        brief: bool = False,
    ) -> Prediction:
        """Predict memory, time and fit: arithmetic on a traced graph, corrected by runs.

        Args:
            workload: What to train.
            machine: On which machine.
            graph: The workload's traced step.
            otherwise: Corrects the prediction where no run of the same kind does.
            only: ``otherwise`` corrects it whatever runs there are.
            brief: It is one of many to be compared (`Estimator.predict`).

        Raises:
            InvalidWorkload: The plan asks for a device that is not there.
        """
        query, evidence = self.query(workload, machine, graph), self.evidence
        calibration = otherwise if only else evidence.calibration(query) or otherwise
        measured = calibration is not None and calibration.memory is not None and calibration.memory.exact
        refined = None if measured else self.refinements.get(query)
        lessons = evidence.about_device(query)
        timed = calibration is not None and calibration.teaches_time
        elsewhere = None if timed else evidence.transfer(query)
        rates, usable = self.facts.rates_of(machine), self.facts.usable.get(workload.plan.backend)
        found = self.graphs.estimator(graph).predict(
            workload, machine, rates, usable, calibration, refined, lessons, elsewhere, brief=brief
        )
        if brief:
            return found
        return _with_record(_with_earlier(found, evidence.earlier_version(query)), evidence.track_record())

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
        question in a few milliseconds afterwards.

        Args:
            workload: What has just been answered.
            machine: For which machine.
            graph: Its traced step.
            cancel: Asked before each simulation.
        """
        plan = workload.plan
        compiled = uses_xla(plan, self.facts.device(workload, machine), graph)
        larger = replace(plan, batch_size=max(plan.batch_size, FAR_BATCH))
        others = [replace(larger, optimizer=name) for name in OPTIMIZERS if name != plan.optimizer]
        octaves = [replace(plan, batch_size=1 << n) for n in range(larger.batch_size.bit_length())]
        for changed in (larger, *octaves, *others, replace(larger, jit=not compiled)):
            if cancel is not None and cancel.is_set():
                return
            self.predict(replace(workload, plan=changed), machine, graph)

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
        self._catalog.trust.require(workload)
        device = self.facts.device(workload, machine)
        refining.refuse_elsewhere(machine, device)
        graph = self.graph(workload, on_event, cancel)
        query = self.query(workload, machine, graph)
        probe = None if uses_xla(workload.plan, device, graph) else self._probe(workload, machine, graph)
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
            on_event=on_event,
            cancel=cancel,
        )
        self.refinements.keep(workload, machine, probe, answer)

    def _probe(self, workload: Workload, machine: Machine, graph: StepGraph) -> int:
        """The batch size to run for a sharper answer."""

        def peak_bytes(batch: int) -> int:
            changed = replace(workload, plan=replace(workload.plan, batch_size=batch))
            return self.predict(changed, machine, graph).memory.allocator_peak_bytes

        return refining.probe_batch(workload.plan.batch_size, peak_bytes)


def _with_earlier(prediction: Prediction, run_id: int | None) -> Prediction:
    """The prediction with word of a run that measured something else than what the file holds now."""
    if run_id is None:
        return prediction
    words = phrase(
        "run {run_id} was of an earlier version of this file: it counts like a run of another model", run_id=run_id
    )
    return replace(prediction, assumptions=(*prediction.assumptions, words))


def _with_record(prediction: Prediction, record: TrackRecord | None) -> Prediction:
    """The prediction with a line in its basis on how good such predictions have been."""
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


def _record_line(record: TrackRecord, errors: Errors | None) -> Explanation:
    """The track record as a line in the basis of one of its quantities."""
    value = phrase("median error {percent}", percent=percent_words(errors.median_error)) if errors else ""
    return Explanation(
        record_title(record), verbatim(value), verbatim(record_words(record)), phrase("predicted against measured here")
    )
