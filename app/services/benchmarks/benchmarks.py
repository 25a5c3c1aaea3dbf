"""Real runs on this machine: one, variants side by side, or a search for the batch; each is stored."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

from app.core.advising.variants import Wishes, variants
from app.core.runs.bottleneck import with_device_bound
from app.core.runs.whole_course import length_within
from app.core.types.errors import InvalidWorkload, UsageError
from app.core.types.machine import Machine
from app.core.types.measurement import RunResult
from app.core.types.messages import Progress
from app.core.types.prediction import Prediction
from app.core.types.run import Run
from app.core.types.text import phrase
from app.core.types.workload import Workload
from app.services.benchmarks.batch_finder import BatchFinding, TrialBegins, TrialOptions, find_batch
from app.services.benchmarks.bench import BenchOptions, bench, room_for
from app.services.benchmarks.compare import Comparer
from app.services.benchmarks.compared import Comparison, VariantEvent
from app.services.benchmarks.compared_here import here, room_of
from app.services.benchmarks.whole import with_whole
from app.services.child.child_jobs import EventSink
from app.services.child.child_options import ChildOptions
from app.services.child.variables import script_variables
from app.services.child.watch import Event
from app.services.models.consent import TrustStore
from app.services.predictor.predictor import Predictor
from app.services.settings import Settings
from app.services.store.history import History


class Benchmarks:
    """Runs children and keeps what they measured.

    Args:
        settings: How much memory others are left.
        history: Where runs go.
        predictor: Predicts each run before it is made.
        trust: The files of code that may run.
        interpreter: The Python that trains; this program's own if None.
    """

    def __init__(
        self, settings: Settings, history: History, predictor: Predictor, trust: TrustStore, interpreter: str | None
    ) -> None:
        self._settings = settings
        self._history = history
        self._predictor = predictor
        self._trust = trust
        self._interpreter = interpreter

    def bench(
        self,
        workload: Workload,
        machine: Machine,
        *,
        seconds: float = 20,
        profile: bool | None = None,
        on_event: EventSink | None = None,
        cancel: threading.Event | None = None,
        low_priority: bool = False,
        whole: bool = False,
    ) -> Run:
        """Train the workload for about ``seconds`` in a child and store the run, with one profiled step.

        With ``whole`` a second child runs some of everything of the training: validation, saving, later epochs.

        ``profile`` is True or False, or None for yes if that step is cheap.

        Raises:
            BadModel, BadDataset: A file of code has changed since it was allowed to run; likewise below.
        UsageError: A script shall be measured otherwise than its author wrote it; likewise below.
        """
        if whole:
            _refuse_script(workload)
        workload = self._trust.require(workload)
        graph = self._predictor.graphs.get(workload)
        told = None if graph is None else self._predictor.predict(workload, machine, graph)
        content = self._content(workload)
        with self._history.traces.place() as folder:
            child = replace(self._child(), low_priority=low_priority, environment=script_variables(workload.model))
            options = BenchOptions(seconds, profile, folder, room_bytes=room_for(told))
            result = bench(workload, machine, options, child, on_event=on_event, cancel=cancel)
            if whole and result.outcome == "succeeded":
                length = length_within(workload, told, seconds)
                options = replace(options, trace_dir=None, whole=length, room_bytes=room_for(told, whole=True))
                ran = bench(workload, machine, options, child, on_event=on_event, cancel=cancel)
                result = with_whole(result, ran, machine, told)
            result = with_device_bound(result, told.time.parts if told else None)
            run = Run(0, "", workload, machine, told, result, content=self._still(workload, content))
            return self._history.keep(run, trace=folder)

    def compare(
        self,
        workload: Workload,
        machine: Machine,
        wishes: Wishes,
        *,
        seconds: float = 20,
        on_event: Callable[[VariantEvent | Progress], None] | None = None,
        cancel: threading.Event | None = None,
    ) -> Comparison:
        """Train variants of a workload side by side, ``seconds`` each, and store each variant's run.

        Raises:
            UsageError: There is nothing to compare.
        """
        _refuse_script(workload)
        workload = self._trust.require(workload)
        compared = variants(workload.plan, wishes, here(workload, machine, self._predictor))
        comparer = Comparer(
            workload,
            machine,
            compared,
            {one.label: self._told(replace(workload, plan=one.plan), machine) for one in compared},
            BenchOptions(seconds),
            self._child(),
            on_event=on_event,
            cancel=cancel,
        )
        content = self._content(workload)
        return comparer.run(
            lambda label, work, told, result: self._history.keep(
                Run(
                    0,
                    "",
                    work,
                    machine,
                    told,
                    result,
                    phrase("compared: {label}", label=label),
                    content=self._still(workload, content),
                )
            )
        )

    def find_batch(
        self,
        workload: Workload,
        machine: Machine,
        *,
        effective: int | None = None,
        memory_limit_bytes: int | None = None,
        on_event: Callable[[Event | TrialBegins], None] | None = None,
        cancel: threading.Event | None = None,
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
        _refuse_script(workload)
        workload = self._trust.require(workload)
        room = room_of(
            workload,
            machine,
            self._predictor,
            self._told(workload, machine),
            memory_limit_bytes,
            self._settings.reserve_ram_bytes,
        )
        content = self._content(workload)

        def keep(work: Workload, told: Prediction | None, result: RunResult) -> Run:
            note = phrase("trial of batch {batch_size}", batch_size=work.plan.batch_size)
            run = Run(0, "", work, machine, told, result, note, content=self._still(workload, content))
            return self._history.keep(run)

        return find_batch(
            workload,
            machine,
            room,
            TrialOptions(effective, child=self._child()),
            predict=lambda work: self._told(work, machine),
            keep=keep,
            on_event=on_event,
            cancel=cancel,
        )

    def _child(self) -> ChildOptions:
        """The Python that trains, and what it leaves to others."""
        return ChildOptions(self._interpreter, reserve_bytes=self._settings.reserve_ram_bytes)

    def _content(self, workload: Workload) -> str | None:
        """What the model's file holds before a child reads it."""
        return self._predictor.contents.digest(workload.model)

    def _still(self, workload: Workload, before: str | None) -> str | None:
        """That content if the file holds it still; of one that was written to meanwhile nobody knows what ran."""
        return before if self._content(workload) == before else None

    def _told(self, workload: Workload, machine: Machine) -> Prediction | None:
        """What can be said at once; None without a trace or without such a device."""
        graph = self._predictor.graphs.get(workload)
        try:
            return None if graph is None else self._predictor.predict(workload, machine, graph)
        except InvalidWorkload:
            return None


def _refuse_script(workload: Workload) -> None:
    """A script is trained on its own data in its own way, and cannot be had in variants.

    Raises:
        UsageError: It is one.
    """
    if workload.model.kind == "script":
        raise UsageError(
            phrase("a script is measured as its author wrote it, in one way"),
            received=workload.model.name,
            hint=phrase("name a function of it that returns the model: file.py:function"),
        )
