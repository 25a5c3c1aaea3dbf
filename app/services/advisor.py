"""The façade: every use case as a method.  The window and the command line are two thin faces of it.

Methods may block for seconds (a trace, a benchmark) and are safe to call from worker threads;
`estimate`, `cached_graph` and `cached_rates` answer at once.
"""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable
from pathlib import Path

from app.catalog.clouds import CloudOffer
from app.catalog.gpu_names import find_gpu
from app.catalog.models import ModelEntry
from app.core.advising.variants import Wishes
from app.core.predict.quick import quick_prediction
from app.core.types.advice import Advice, Electricity
from app.core.types.cancelling import never_cancelled
from app.core.types.errors import UsageError
from app.core.types.machine import DeviceProbe, DeviceRates, GpuSpec, Machine
from app.core.types.measurement import Measurement
from app.core.types.messages import Progress
from app.core.types.prediction import Prediction
from app.core.types.stepgraph import StepGraph
from app.core.types.track_record import TrackRecord
from app.core.types.workload import Dataset, ModelRef, Workload
from app.services.advice.cloud_refresh import refresh_clouds
from app.services.advice.consulting import Consulting
from app.services.benchmarks.batch_finder import BatchFinding, TrialBegins
from app.services.benchmarks.compared import Comparison, VariantEvent
from app.services.benchmarks.measuring import Measuring
from app.services.catalog import Picking
from app.services.child.child_jobs import EventSink
from app.services.child.watch import Event
from app.services.datasets.images import Report
from app.services.known.knowledge import Knowledge
from app.services.machine import simulate
from app.services.machine.doctor import Doctor
from app.services.machine.this_machine import ThisMachine
from app.services.models.consent import TrustStore
from app.services.predictor.asking import Asking
from app.services.runtimes.find import Runtime, find_runtimes
from app.services.runtimes.make import make_and_ask
from app.services.runtimes.recipe import extras_for, plan_runtime
from app.services.settings import Settings
from app.services.store.history import History
from app.services.store.runs import Run
from app.services.store.shipped_graphs import layer_outputs

Cancel = threading.Event


class Advisor:
    """All use cases on this machine.

    Args:
        settings: Folders and preferences.
        history: Where runs are stored.
        interpreter: The Python that trains; this program's own if None.

    Attributes:
        trust: The files of code that the user has allowed to run.
    """

    def __init__(self, settings: Settings, history: History, interpreter: str | None = None) -> None:
        self.settings = settings
        self.history = history
        self.interpreter = interpreter or settings.interpreter
        self.trust = TrustStore(settings.folders.config_dir / "trusted.json")
        self._picking = Picking(settings.tables_dir, self.trust)
        self._known = Knowledge(settings, history, self.interpreter, self._picking.entry)
        self._here = ThisMachine(settings, self._known, self.interpreter, self.gpus)
        self._asking = Asking(settings, self._known, self._here, self.trust, self.interpreter)
        self._consulting = Consulting(settings, self._known, self._asking, self._here, self._picking)
        self._measuring = Measuring(settings, history, self._known, self.interpreter)

    def with_settings(self, settings: Settings) -> Advisor:
        """A façade with other settings, which are kept, and the same history.

        Raises:
            UsageError: There is no such interpreter.
            StoreError: The settings cannot be written.
        """
        if settings.interpreter is not None and shutil.which(settings.interpreter) is None:
            raise UsageError("no such interpreter", expected="the path of a Python", received=settings.interpreter)
        settings.save()
        return Advisor(settings, self.history)

    # Catalog and machine

    def models(self) -> tuple[ModelEntry, ...]:
        """The catalog's networks."""
        return self._picking.models()

    def datasets(self) -> tuple[Dataset, ...]:
        """The catalog's datasets."""
        return self._picking.datasets()

    def gpus(self) -> tuple[GpuSpec, ...]:
        """The card table."""
        return self._picking.gpus()

    def clouds(self) -> tuple[CloudOffer, ...]:
        """The table of offers."""
        return self._picking.clouds()

    def refresh_clouds(self, folder: Path) -> int:
        """Take offers from a folder of gpuhunt's tables; returns how many.  Nothing is fetched.

        Raises:
            StoreError: The tables cannot be read, or ours not be written.
        """
        return refresh_clouds(folder, self.settings.tables_dir, self.gpus())

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

    def rates(self, device: str, on_event: EventSink | None = None, cancel: Cancel | None = None) -> DeviceRates | None:
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

        Args:
            text: What the user typed or dropped.
            trust: The user allows this file to run its code; remembered for the file as it is now.

        Raises:
            BadModel: There is nothing of that name.
        """
        return self._picking.find_model(text, trust=trust)

    def allows(self, text: str) -> bool:
        """Has the user allowed the file of ``file.py:function`` to run its code, as it is now?"""
        return self._picking.allows(text)

    def find_dataset(
        self, text: str, report: Report | None = None, cancel: Cancel | None = None, *, trust: bool = False
    ) -> Dataset:
        """A catalog name, a shape such as ``28x28x1:60000:10``, a folder or file, which is scanned, or a function.

        Args:
            text: What the user typed.
            report: Called with (share done or None, words) while a folder is scanned.
            cancel: Ends the scan.
            trust: The user allows a ``file.py:function`` to run; remembered for the file as it is now.

        Raises:
            BadDataset: There is no such data, or it cannot be read.
        """
        return self._picking.find_dataset(text, report, cancel, trust=trust)

    # Estimating

    def cached_graph(self, workload: Workload) -> StepGraph | None:
        """The traced graph of a workload's model if it is known; answers at once.

        Raises:
            BadModel: The model's file is gone.
        """
        return self._known.answers.graph(workload)

    def graph(
        self, workload: Workload, on_event: EventSink | None = None, cancel: Cancel | None = None, *, anew: bool = False
    ) -> StepGraph:
        """The traced graph, traced in a child if nobody has done it before, or all the same if ``anew``.

        Raises:
            BadModel: The model cannot be built; the child's words say why.
            WorkerFailed: The child died.
            Cancelled: The user cancelled.
        """
        return self._asking.graph(workload, on_event, cancel, anew=anew)

    def content(self, model: ModelRef) -> str | None:
        """A digest of a model's file and what it imports, as they are now; None for one of the catalog."""
        return self._known.answers.contents.digest(model)

    def files(self, model: ModelRef) -> dict[str, str]:
        """Digests by path of the files that decide about a model, as far as known; empty for one of the catalog."""
        return self._known.answers.contents.files(model)

    def track_record(self) -> TrackRecord | None:
        """The product's own error over the newest runs on this machine; None without any."""
        return self._known.experience.track_record()

    def estimate(self, workload: Workload, machine: Machine, graph: StepGraph) -> Prediction:
        """Predict memory, time and fit: arithmetic on a traced graph.

        Raises:
            InvalidWorkload: The plan asks for a device that is not there.
        """
        return self._known.predict(workload, machine, graph)

    def anticipate(self, workload: Workload, machine: Machine, graph: StepGraph, cancel: Cancel | None = None) -> None:
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
        self._asking.refine(workload, machine, on_event, cancel)

    def quick_estimate(self, workload: Workload, machine: Machine) -> Prediction | None:
        """What can be said before a trace: the textbook formula for a network of the catalog."""
        entry = self._picking.entry(workload)
        if entry is None or entry.params is None:
            return None
        device = self._known.answers.device(workload, machine)
        return quick_prediction(
            workload,
            machine,
            device,
            params=entry.params,
            input_shape=entry.input_shape,
            outputs=layer_outputs(entry.name),
            probe=self._known.answers.probe_of(machine, device),
        )

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
        return self._consulting.advise(workload, machine, graph, measured, psu_watts)

    def electricity(self) -> Electricity | None:
        """The user's price of a kilowatt hour, else the first of the price table."""
        return self._consulting.electricity()

    def advice_after(self, run: Run) -> Advice | None:
        """The advice that goes with a stored run, for the machine it ran on; None if its model is not known any more.

        Answers at once: what nobody has traced is not traced for this.
        """
        return self._consulting.after(run)

    def prepare_advice(
        self, workload: Workload, machine: Machine, on_event: EventSink | None = None, cancel: Cancel | None = None
    ) -> None:
        """Trace and simulate what `advise` would like to compare with, so that it answers at once.

        Where memory is short: recomputing, freezing and so on.  A network that cannot be traced that way is simply
        not recommended it.
        """
        self._consulting.prepare(workload, machine, on_event, cancel)

    # The Python that trains

    def runtimes(self) -> tuple[Runtime, ...]:
        """Pythons of this machine and the frameworks in each, the one in use first; takes a second or two."""
        return find_runtimes(self.settings)

    def make_runtime(self, report: Report, cancel: Cancel | None = None) -> str:
        """Make a Python environment with TensorFlow in the user's data folder; downloads about a gigabyte.

        Args:
            report: Called with (share done or None, words).
            cancel: Ends it within a second; nothing is left then.

        Returns:
            Its Python; nothing is chosen yet.

        Raises:
            MachineUnavailable: There is no Python to make it from, or no room.
            WorkerFailed: It could not be made; the error has the last lines.
            Cancelled: The user cancelled.
        """
        recipe = plan_runtime(self.settings, extras_for(self.machine().nvidia_driver))
        return str(make_and_ask(recipe, report, cancel or Cancel()))

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

        Raises:
            BadModel, BadDataset: A file of code has changed since it was allowed to run; likewise below.
        """
        self.trust.require(workload)
        return self._measuring.bench(
            workload,
            machine,
            seconds=seconds,
            profile=profile,
            on_event=on_event,
            cancel=cancel,
            low_priority=low_priority,
        )

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
        self.trust.require(workload)
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
        self.trust.require(workload)
        return self._measuring.find_batch(
            workload,
            machine,
            effective=effective,
            memory_limit_bytes=memory_limit_bytes,
            on_event=on_event,
            cancel=cancel,
        )
