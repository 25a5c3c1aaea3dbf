"""Ask a child for what is not known yet: the graph of a model, and a sharper answer about its memory and time."""

from __future__ import annotations

import threading
from dataclasses import replace

from app.core.simulate.xla.choice import uses_xla
from app.core.types.machine import Machine
from app.core.types.stepgraph import StepGraph
from app.core.types.workload import Workload
from app.services.child.child_jobs import TRACE_TIMEOUT_S, EventSink, run_job, trace_request
from app.services.child.variables import tracing_interpreter
from app.services.known.knowledge import Knowledge
from app.services.machine.this_machine import ThisMachine
from app.services.models.consent import TrustStore
from app.services.predictor import refine as refining
from app.services.settings import Settings


class Asking:
    """Each question costs a child once; its answer is kept.

    Args:
        settings: How much memory stays free.
        known: What is known without asking; learns the answers.
        here: This machine, which measures its own rates.
        trust: The files of code that may run.
        interpreter: The Python that trains; this program's own if None.
    """

    def __init__(
        self, settings: Settings, known: Knowledge, here: ThisMachine, trust: TrustStore, interpreter: str | None
    ) -> None:
        self._settings = settings
        self._known = known
        self._answers = known.answers
        self._here = here
        self._trust = trust
        self._interpreter = interpreter

    def graph(
        self, workload: Workload, on_event: EventSink | None, cancel: threading.Event | None, *, anew: bool = False
    ) -> StepGraph:
        """The traced graph; see `app.services.advisor.Advisor.graph`."""
        known = None if anew else self._answers.graph(workload)
        if known is not None:
            return known
        self._trust.require(workload)
        before = self._answers.file_digest(workload)
        traced = run_job(
            trace_request(workload),
            interpreter=tracing_interpreter(workload.plan.backend, self._interpreter),
            device="cpu",
            timeout_s=TRACE_TIMEOUT_S,
            on_event=on_event,
            cancel=cancel,
        )
        return self._answers.keep_graph(workload, traced, before)

    def refine(
        self, workload: Workload, machine: Machine, on_event: EventSink | None, cancel: threading.Event | None
    ) -> None:
        """Compile the step, or probe it at small batches; see `app.services.advisor.Advisor.refine`."""
        self._trust.require(workload)
        device = self._answers.device(workload, machine)
        refining.refuse_elsewhere(machine, device)
        graph = self.graph(workload, on_event, cancel)
        probe = None if uses_xla(workload.plan, device, graph) else self._probe(workload, machine, graph)
        known = self._answers.refined(workload, machine, graph)
        if known is not None and (probe is None or probe in known.batch_sizes[:1]):
            return
        rates = self._here.rates("cpu", on_event, cancel) if probe is not None and device.gpu is None else None
        timed = rates.operations if rates else ()
        answer = refining.refine(
            workload,
            graph,
            device,
            probe=probe,
            interpreter=self._interpreter,
            reserve_bytes=self._settings.reserve_ram_bytes,
            timed=timed,
            on_event=on_event,
            cancel=cancel,
        )
        self._answers.keep_refined(workload, machine, probe, answer)

    def _probe(self, workload: Workload, machine: Machine, graph: StepGraph) -> int:
        """The batch size to run for a sharper answer."""

        def peak_bytes(batch: int) -> int:
            changed = replace(workload, plan=replace(workload.plan, batch_size=batch))
            return self._known.predict(changed, machine, graph).memory.allocator_peak_bytes

        return refining.probe_batch(workload.plan.batch_size, peak_bytes)
