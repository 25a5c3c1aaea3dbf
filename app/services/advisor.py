"""The façade: every use case as a method.  The window and the command line are two thin faces of it.

Methods may block for seconds (a trace, a benchmark) and are safe to call from worker threads;
`estimate`, `cached_graph` and `cached_rates` answer at once.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from app.catalog.clouds import CloudOffer, load_clouds
from app.catalog.datasets import load_datasets
from app.catalog.gpu_names import find_gpu
from app.catalog.gpus import load_gpus
from app.catalog.models import ModelEntry, load_models
from app.catalog.prices import load_prices
from app.core.advice import Advice
from app.core.errors import BadModel, InvalidWorkload, WorkerFailed
from app.core.estimate import uses_xla
from app.core.machine import DeviceProbe, DeviceRates, GpuSpec, Machine
from app.core.messages import Progress
from app.core.prediction import Prediction
from app.core.quick import quick_prediction
from app.core.recommend import proposals
from app.core.stepgraph import StepGraph
from app.core.track_record import TrackRecord
from app.core.variants import Wishes
from app.core.workload import Dataset, ModelRef, Workload
from app.services import dataset_find, model_find, refining, simulate
from app.services.advising import Shop, advise
from app.services.backends import tracing_interpreter
from app.services.batch_finder import BatchFinding, TrialBegins
from app.services.bench_watch import Event
from app.services.child_jobs import TRACE_TIMEOUT_S, EventSink, run_job, trace_request
from app.services.compared import Comparison, VariantEvent
from app.services.dataset_images import Report, never_cancelled
from app.services.doctor import Doctor
from app.services.history import History, Run
from app.services.knowledge import Knowledge
from app.services.measuring import Measuring
from app.services.settings import Settings
from app.services.shipped_graphs import layer_outputs
from app.services.this_machine import ThisMachine

Cancel = threading.Event


class Advisor:
    """All use cases on this machine.

    Args:
        settings: Folders and preferences.
        history: Where runs are stored.
        interpreter: The Python that trains; this program's own if None.
    """

    def __init__(self, settings: Settings, history: History, interpreter: str | None = None) -> None:
        self.settings = settings
        self.history = history
        self.interpreter = interpreter or settings.interpreter
        self._overrides = Path(settings.overrides_dir) if settings.overrides_dir else settings.folders.config_dir
        self._known = Knowledge(settings, history, self.interpreter, self._entry)
        self._here = ThisMachine(settings, self._known, self.interpreter, self.gpus)
        self._measuring = Measuring(settings, history, self._known, self.interpreter)

    # Catalog and machine

    def models(self) -> tuple[ModelEntry, ...]:
        """The catalog's networks."""
        return load_models(self._overrides)

    def datasets(self) -> tuple[Dataset, ...]:
        """The catalog's datasets."""
        return load_datasets(self._overrides)

    def gpus(self) -> tuple[GpuSpec, ...]:
        """The card table."""
        return load_gpus(self._overrides)

    def clouds(self) -> tuple[CloudOffer, ...]:
        """The table of offers."""
        return load_clouds(self._overrides)

    def machine(self, refresh: bool = False) -> Machine:
        """This machine, read once and again on ``refresh``."""
        return self._here.machine(refresh)

    def doctor(self, interpreters: tuple[str, ...] = (), cancel: Cancel | None = None) -> Doctor:
        """Machine, frameworks of each interpreter, and which card each can use; asks children.

        Raises:
            Cancelled: The user cancelled.
        """
        return self._here.doctor(interpreters, cancel)

    def usable_cards(self, backend: str = "tensorflow") -> frozenset[int] | None:
        """Indices of this machine's cards that a framework can use; asks a child once per framework and driver.

        None if there is no card to ask about, or no such framework.
        """
        return self._here.usable_cards(backend)

    def cached_rates(self, device: str) -> DeviceRates | None:
        """The measured rates of ``cpu`` or ``gpu:N``, if they have been measured; answers at once."""
        return self._here.cached_rates(device)

    def rates(
        self, device: str, on_event: EventSink | None = None, cancel: Cancel | None = None
    ) -> DeviceRates | None:
        """The rates of ``cpu`` or ``gpu:N``, measured in a child if nobody has done it before."""
        return self._here.rates(device, on_event, cancel)

    def cached_probe(self, device: str) -> DeviceProbe | None:
        """What tiny steps have shown of ``cpu`` or ``gpu:N``, if they have been run; answers at once."""
        return self._here.cached_probe(device)

    def simulate(
        self,
        machine: Machine,
        *,
        gpu: str | None = None,
        ram_bytes: int | None = None,
        disk_bytes_per_s: float | None = None,
    ) -> Machine:
        """The machine with parts replaced by others.

        Raises:
            UsageError: There is no such card, or a size makes no sense.
        """
        spec = find_gpu(gpu, self.gpus()).spec if gpu else None
        return simulate.simulate(machine, gpu=spec, ram_bytes=ram_bytes, disk_bytes_per_s=disk_bytes_per_s)

    # Picking

    def find_model(self, text: str, *, trust: bool = False) -> ModelRef:
        """A catalog name, a saved file or ``file.py:function``.

        Raises:
            BadModel: There is nothing of that name.
        """
        return model_find.find_model(text, self.models(), trust=trust)

    def find_dataset(
        self, text: str, report: Report | None = None, cancel: Cancel | None = None, *, trust: bool = False
    ) -> Dataset:
        """A catalog name, a shape such as ``28x28x1:60000:10``, a folder or file, which is scanned, or a function.

        Args:
            text: What the user typed.
            report: Called with (share done or None, words) while a folder is scanned.
            cancel: Ends the scan.
            trust: The user allows a ``file.py:function`` to run.

        Raises:
            BadDataset: There is no such data, or it cannot be read.
        """
        return dataset_find.find_dataset(text, self._overrides, report, cancel, trust=trust)

    # Estimating

    def cached_graph(self, workload: Workload) -> StepGraph | None:
        """The traced graph of a workload's model if it is known; answers at once.

        Raises:
            BadModel: The model's file is gone.
        """
        return self._known.graph(workload)

    def graph(self, workload: Workload, on_event: EventSink | None = None, cancel: Cancel | None = None) -> StepGraph:
        """The traced graph, traced in a child if nobody has done it before.

        Raises:
            BadModel: The model cannot be built; the child's words say why.
            WorkerFailed: The child died.
            Cancelled: The user cancelled.
        """
        known = self._known.graph(workload)
        if known is not None:
            return known
        traced = run_job(
            trace_request(workload), interpreter=tracing_interpreter(workload.plan.backend, self.interpreter),
            device="cpu", timeout_s=TRACE_TIMEOUT_S, on_event=on_event, cancel=cancel,
        )  # fmt: skip
        return self._known.keep_graph(workload, traced)

    def track_record(self) -> TrackRecord | None:
        """The product's own error over the newest runs on this machine; None without any."""
        return self._known.track_record()

    def estimate(self, workload: Workload, machine: Machine, graph: StepGraph) -> Prediction:
        """Predict memory, time and fit: arithmetic on a traced graph.

        Raises:
            InvalidWorkload: The plan asks for a device that is not there.
        """
        return self._known.predict(workload, machine, graph)

    def anticipate(
        self, workload: Workload, machine: Machine, graph: StepGraph, cancel: Cancel | None = None
    ) -> None:
        """Prepare for what may be asked after an `estimate`: another optimizer, XLA on or off.

        Takes some seconds of arithmetic for a large network; `estimate` answers meanwhile, and each prepared
        question in a few milliseconds afterwards.
        """
        self._known.anticipate(workload, machine, graph, cancel.is_set if cancel else never_cancelled)

    def refine(
        self, workload: Workload, machine: Machine, on_event: EventSink | None = None, cancel: Cancel | None = None
    ) -> None:
        """Sharpen what `estimate` says of this workload's memory: compile the step, or probe it at small batches.

        Takes seconds, once; a probe then answers for every batch size, best for those of which it ran a quarter,
        a compiled step for its own.  A run of the very same plan still counts for more.

        Raises:
            UsageError: The device is not one of this machine's.
            BadModel: The model cannot be built.
            WorkerFailed: The child died or took too much memory, or XLA cannot compile the model.
            Cancelled: The user cancelled.
        """
        device = self._known.device(workload, machine)
        refining.refuse_elsewhere(machine, device)
        graph = self.graph(workload, on_event, cancel)
        probe = None if uses_xla(workload.plan, device, graph) else self._probe(workload, machine, graph)
        known = self._known.refined(workload, machine, graph)
        if known is not None and (probe is None or probe in known.batch_sizes[:1]):
            return
        rates = self.rates("cpu", on_event, cancel) if probe is not None and device.gpu is None else None
        timed = rates.operations if rates else ()
        answer = refining.refine(
            workload, graph, device, probe=probe, interpreter=self.interpreter,
            reserve_bytes=self.settings.reserve_ram_bytes, timed=timed, on_event=on_event, cancel=cancel,
        )  # fmt: skip
        self._known.keep_refined(workload, machine, probe, answer)

    def quick_estimate(self, workload: Workload, machine: Machine) -> Prediction | None:
        """What can be said before a trace: the textbook formula for a network of the catalog."""
        entry = self._entry(workload)
        if entry is None or entry.params is None:
            return None
        device = self._known.device(workload, machine)
        return quick_prediction(
            workload, machine, device, params=entry.params, input_shape=entry.input_shape,
            outputs=layer_outputs(entry.name),
            probe=self._known.probe_of(machine, device),
        )  # fmt: skip

    def advise(self, workload: Workload, machine: Machine, graph: StepGraph) -> Advice:
        """Recommendations and upgrades for a workload; uses the newest matching run.

        A changed plan of which there is no run is corrected by the factors of today's run, so that "before"
        and "after" stand on the same ground.
        """
        shop = Shop(self.gpus(), self.clouds(), load_prices(self._overrides))
        return advise(self._known, workload, machine, graph, shop)

    def prepare_advice(
        self, workload: Workload, machine: Machine, on_event: EventSink | None = None, cancel: Cancel | None = None
    ) -> None:
        """Trace what `advise` would like to compare with, where memory is short: recomputing, freezing and so on.

        A network that cannot be traced that way is simply not recommended it.
        """
        graph = self.graph(workload, on_event, cancel)
        for proposal in proposals(workload, self.estimate(workload, machine, graph), graph):
            try:
                self.graph(replace(workload, plan=replace(workload.plan, **proposal.changes)), on_event, cancel)
            except (BadModel, InvalidWorkload, WorkerFailed):
                continue

    # Measuring

    def bench(
        self,
        workload: Workload,
        machine: Machine,
        *,
        seconds: float = 20,
        profile: bool | None = None,
        on_event: EventSink | None = None,
        cancel: Cancel | None = None,
        low_priority: bool = False,
    ) -> Run:
        """Train the workload for about ``seconds`` in a child and store the run, with one profiled step.

        ``profile`` is True or False, or None for yes if that step is cheap.
        """
        return self._measuring.bench(
            workload, machine, seconds=seconds, profile=profile, on_event=on_event, cancel=cancel,
            low_priority=low_priority,
        )  # fmt: skip

    def compare(
        self,
        workload: Workload,
        machine: Machine,
        wishes: Wishes,
        *,
        seconds: float = 20,
        on_event: Callable[[VariantEvent | Progress], None] | None = None,
        cancel: Cancel | None = None,
    ) -> Comparison:
        """Train variants of a workload side by side, ``seconds`` each, and store each variant's run.

        Raises:
            UsageError: There is nothing to compare.
        """
        return self._measuring.compare(workload, machine, wishes, seconds=seconds, on_event=on_event, cancel=cancel)

    def find_batch(
        self,
        workload: Workload,
        machine: Machine,
        *,
        effective: int | None = None,
        memory_limit_bytes: int | None = None,
        on_event: Callable[[Event | TrialBegins], None] | None = None,
        cancel: Cancel | None = None,
    ) -> BatchFinding:
        """Find the largest and the fastest batch by trials, each of which is stored as a run.

        Args:
            workload: What to train.
            machine: This machine.
            effective: Samples that an update shall see, for a pair of batch and accumulation.
            memory_limit_bytes: Host memory that a trial on the CPU may hold; None for all that can be spared.
            on_event: Hears what the trials do.
            cancel: Ends the search.

        Raises:
            UsageError: The limit is for the host, but a card trains.
        """
        return self._measuring.find_batch(
            workload, machine, effective=effective, memory_limit_bytes=memory_limit_bytes, on_event=on_event,
            cancel=cancel,
        )  # fmt: skip

    def _probe(self, workload: Workload, machine: Machine, graph: StepGraph) -> int:
        """The batch size to run for a sharper answer."""

        def peak_bytes(batch: int) -> int:
            changed = replace(workload, plan=replace(workload.plan, batch_size=batch))
            return self.estimate(changed, machine, graph).memory.allocator_peak_bytes

        return refining.probe_batch(workload.plan.batch_size, peak_bytes)

    def _entry(self, workload: Workload) -> ModelEntry | None:
        """The catalog's entry of a workload's model; None for files and functions."""
        if workload.model.kind != "catalog":
            return None
        return next((entry for entry in self.models() if entry.name == workload.model.name), None)
