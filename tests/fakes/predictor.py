"""A recorded predictor: every network is the one of case S1."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from app.core.predict.corrections import Calibration
from app.core.types.basis import Explanation
from app.core.types.cancelling import check_cancelled
from app.core.types.errors import BadModel, Cancelled, MissingModule, NeedsConsent
from app.core.types.machine import Machine
from app.core.types.messages import Phase, Progress
from app.core.types.predicted_memory import LayerMemory, MemoryParts, PredictedMemory
from app.core.types.predicted_time import PredictedTime, Schedule, Stages, StepParts
from app.core.types.prediction import BatchPoint, Fit, Prediction, Verdict
from app.core.types.stepgraph import StepGraph
from app.core.types.text import verbatim
from app.core.types.units import GIB, MIB
from app.core.types.workload import ModelRef, Workload
from app.services.catalog.catalog import Catalog
from app.services.child.child_jobs import EventSink
from app.services.machine.this_machine import ThisMachine
from app.services.predictor.graph_cache import GraphCache
from app.services.predictor.predictor import Predictor
from app.services.settings import Settings
from app.services.store.history import History
from app.services.store.model_contents import ModelContents
from tests.fakes.figures import CONTEXT, PER_SAMPLE, SAMPLES, WEIGHTS, model_facts, peak_bytes, step_s
from tests.fakes.script import Script


class FakeContents(ModelContents):
    """Digests of the real files."""

    def __init__(self, script: Script, settings: Settings) -> None:
        super().__init__(settings.cache_dir / "graphs" / "imports.json")
        self.script = script

    def files(self, model: ModelRef) -> dict[str, str]:
        self.script.note("files")
        return super().files(model)


class FakeGraphs(GraphCache):
    """Knows what the script was traced."""

    def __init__(self, script: Script, settings: Settings, contents: ModelContents, catalog: Catalog) -> None:
        super().__init__(settings, contents, None, catalog.entry)
        self.script = script

    def get(self, workload: Workload) -> StepGraph | None:
        self.script.note("cached_graph")
        return graph_of(workload) if self.traced_as(workload) in self.script.traced else None

    def traced_as(self, workload: Workload) -> tuple[str, ...]:
        """What a trace is kept under: the file as it is counts."""
        return (workload.model.name, workload.plan.precision, *self.contents.files(workload.model).values())


class FakePredictor(Predictor):
    """The predictor, recorded."""

    graphs: FakeGraphs

    def __init__(
        self, script: Script, settings: Settings, history: History, catalog: Catalog, machine: ThisMachine
    ) -> None:
        super().__init__(settings, history, catalog, machine, None)
        self.script = script
        self.interpreter = settings.interpreter
        self.contents = FakeContents(script, settings)
        self.graphs = FakeGraphs(script, settings, self.contents, catalog)

    def graph(
        self,
        workload: Workload,
        on_event: EventSink | None = None,
        cancel: threading.Event | None = None,
        *,
        anew: bool = False,
    ) -> StepGraph:
        self.script.note("graph anew" if anew else "graph")
        if on_event is not None:
            on_event(Phase("build", 0.0))
            on_event(Progress(0.5, verbatim("building the model")))
        if cancel is not None and cancel.wait(self.script.trace_s):
            raise Cancelled(verbatim("cancelled"))
        if workload.model.name == "broken_net":
            raise BadModel(
                verbatim("the model cannot be built"),
                received="a layer without a size",
                hint=verbatim("choose another model"),
            )
        if workload.model.path and Path(workload.model.path).stem == "lambda_net" and not workload.model.trusted:
            raise NeedsConsent(verbatim("the file holds code (Lambda)"), hint=verbatim("--trust"))
        if Path(workload.model.path or "").stem == "needs_pandas" and self.interpreter is None:
            missing = MissingModule(verbatim("the file needs pandas"), hint=verbatim("--python /opt/pandas/python"))
            missing.python = sys.executable
            raise missing
        if self.script.reads:
            self.contents.learn(workload.model, self.contents.main(workload.model), {}, self.script.reads)
        self.script.traced.add(self.graphs.traced_as(workload))
        return graph_of(workload)

    def as_written(
        self,
        workload: Workload,
        given: Collection[str],
        on_event: EventSink | None = None,
        cancel: threading.Event | None = None,
    ) -> Workload:
        if workload.model.kind != "script":
            return workload
        return replace(workload, plan=replace(workload.plan, batch_size=48, optimizer="rmsprop"))

    def quick(self, workload: Workload, machine: Machine) -> Prediction | None:
        self.script.note("quick_estimate")
        return None if workload.model.name == "broken_net" else self.answer(workload, machine, textbook=True)

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
        self.script.note("estimate")
        end = time.monotonic() + self.script.estimate_s
        while time.monotonic() < end:
            check_cancelled()
            time.sleep(0.005)
        return self.answer(workload, machine)

    def anticipate(
        self, workload: Workload, machine: Machine, graph: StepGraph, cancel: threading.Event | None = None
    ) -> None:
        self.script.note("anticipate")

    def answer(self, workload: Workload, machine: Machine, *, textbook: bool = False) -> Prediction:
        """What is predicted, without a note of the question."""
        plan = workload.plan
        half = plan.precision != "float32"
        batch = plan.batch_size
        peak = peak_bytes(batch, half=half)
        spread = 0.4 if textbook else 0.05
        allowed, device = _allowed(machine)
        needed = peak + CONTEXT
        largest = max(0, (allowed - CONTEXT - WEIGHTS * 4) // (PER_SAMPLE // (2 if half else 1)))
        verdict: Verdict = "does_not_fit" if needed > allowed else "tight" if needed * 1.15 > allowed else "fits"
        activations = peak - WEIGHTS * 4
        measured = workload.model.name in self.script.measured
        why = f"{needed / GIB:.1f} GiB are needed and {allowed / GIB:.1f} GiB can be used"
        return Prediction(
            model=model_facts(workload),
            plan=plan,
            machine=machine,
            memory=PredictedMemory(
                allocator_peak_bytes=peak,
                low_bytes=int(peak * (1 - spread)),
                high_bytes=int(peak * (1 + spread)),
                wanted_workspace_bytes=200 * MIB,
                process_bytes=900 * MIB,
                parts=MemoryParts(
                    WEIGHTS, WEIGHTS, WEIGHTS * 2, int(activations * 0.8), int(activations * 0.2), 0, CONTEXT
                ),
                basis="formula" if textbook else ("calibrated" if measured else "traced"),
                dominant_assumption=verbatim("every activation is kept for the backward pass"),
                largest_layers=(
                    LayerMemory("conv2d_1", "Conv2D", 73_856, int(activations * 0.3)),
                    LayerMemory("conv2d_2", "Conv2D", 147_712, int(activations * 0.3)),
                    LayerMemory("dense", "Dense", 2_000_000, 128 * 4 * batch),
                ),
                timeline=tuple((i / 40, int(peak * (0.4 + 0.6 * (1 - abs(i - 22) / 22)))) for i in range(41)),
                explanation=(
                    Explanation(
                        verbatim("Weights"), verbatim("2.1 MiB"), verbatim("parameters × 4 B"), verbatim("the model")
                    ),
                    Explanation(
                        verbatim("Activations"),
                        verbatim(f"{activations / MIB:.0f} MiB"),
                        verbatim("batch × 1.0 MiB"),
                        verbatim("trace of the step"),
                    ),
                ),
            ),
            fit=Fit(verdict, allowed, needed, int(largest), 512, device, (verbatim(why),)),
            time=PredictedTime(
                step_s=step_s(batch),
                low_s=step_s(batch) * 0.85,
                high_s=step_s(batch) * 1.2,
                schedule=Schedule(batch, SAMPLES / batch, plan.epochs),
                device_bound="compute",
                basis="scaled" if measured else "predicted",
                parts=StepParts(0.014, 0.003, 0.002),
                stages=Stages(step_s(batch) * 0.74, decode_s=step_s(batch) * 0.26, overlap=False),
                dominant_assumption=verbatim("the processor is not used by anything else"),
            ),
            textbook_bytes=int(peak * 0.8),
            textbook_reason=verbatim("It leaves out the workspace of the convolutions."),
            rule_of_thumb_bytes=int(1.3 * GIB),
            batch_curve=() if textbook else _curve(half=half),
            assumptions=(verbatim("one input pipeline thread per core"),),
        )


def graph_of(workload: Workload) -> StepGraph:
    """A graph without operations."""
    return StepGraph(model_facts(workload), workload.plan.precision, workload.plan.mode, (), (), (), ())


def _allowed(machine: Machine) -> tuple[int, str]:
    """What can be used, and of which device."""
    if machine.gpus:
        gpu = machine.gpus[0]
        return (gpu.memory_free_bytes or 0) - 500 * MIB, gpu.name
    return (machine.ram.available_bytes or 0), machine.cpu.name or "CPU"


def _curve(*, half: bool) -> tuple[BatchPoint, ...]:
    """The batch chart."""
    sizes = [2**i for i in range(17)]
    return tuple(BatchPoint(n, peak_bytes(n, half=half), n / step_s(n)) for n in sizes)
