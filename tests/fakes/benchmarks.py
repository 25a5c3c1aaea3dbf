"""Recorded benchmarks: thirty steps that take no time to compute, and what a child would have told of them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

from app.core.advising.variants import Here, Wishes, variants
from app.core.runs.comparison import ratios, winner
from app.core.types.allocator_events import TimelinePoint
from app.core.types.basis import Range
from app.core.types.machine import Machine
from app.core.types.measurement import (
    MeasuredMemory,
    MeasuredShares,
    MeasuredStep,
    Measurement,
    Outcome,
    PhaseSpan,
    Problem,
    RunResult,
    Sample,
)
from app.core.types.memory_over_time import MemoryPoint, Moment
from app.core.types.messages import Phase, Progress, Reading
from app.core.types.run import Run
from app.core.types.step_profile import MeasuredLayer, StepProfile
from app.core.types.text import phrase, verbatim
from app.core.types.units import GIB, MIB
from app.core.types.whole import Growth, MeasuredPhase, MeasuredWhole
from app.core.types.workload import Workload
from app.services.benchmarks.batch_finder import BatchFinding, TrialBegins, TrialRun
from app.services.benchmarks.benchmarks import Benchmarks
from app.services.benchmarks.compared import Comparison, VariantEvent, VariantRun
from app.services.child.child_jobs import EventSink
from app.services.child.watch import Event
from app.services.models.consent import TrustStore
from app.services.settings import Settings
from app.services.store.history import History
from tests.fakes.figures import SAMPLES, peak_bytes, step_s
from tests.fakes.predictor import FakePredictor
from tests.fakes.script import Script

WHOLE = MeasuredWhole(
    (
        MeasuredPhase("prepare", 8.0, 1, None, 700 * MIB),
        MeasuredPhase("training", 4.0, 1, 900 * MIB, 800 * MIB),
        MeasuredPhase("validation", 3.0, 3, GIB, 900 * MIB),
        MeasuredPhase("later", 8.0, 2, 900 * MIB, 900 * MIB),
    ),
    growth=(Growth("device", Range(3 * MIB, 2 * MIB, 4 * MIB), 16),),
    steps_per_epoch=5,
    validation_steps=2,
)
"""Some of everything of a training that keeps three MiB in each epoch."""


class FakeBenchmarks(Benchmarks):
    """Benchmarks, recorded; their runs are stored in the real history."""

    def __init__(
        self, script: Script, settings: Settings, history: History, predictor: FakePredictor, trust: TrustStore
    ) -> None:
        super().__init__(settings, history, predictor, trust, None)
        self.script = script
        self.history = history
        self.predictor = predictor

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
        self.script.note("bench")
        samples, cancelled = _act_out(
            on_event or (lambda _event: None), cancel or threading.Event(), self.script.bench_s
        )
        outcome: Outcome = "cancelled" if cancelled else self.script.bench_outcome
        prediction = self.predictor.answer(workload, machine)
        result = RunResult(
            outcome,
            measurement=replace(_measurement(workload), doubts=self.script.doubts) if outcome == "succeeded" else None,
            problem=_problem(outcome),
            phases=(PhaseSpan("import", 0.0, 2.1), PhaseSpan("compile", 2.1, 3.4), PhaseSpan("measure", 3.4, 23.4)),
            warnings=tuple(doubt.text for doubt in self.script.doubts),
            samples=samples,
            environment={"tensorflow": "2.21.0", "python": "3.11"},
            whole=WHOLE if whole and outcome == "succeeded" else None,
        )
        if outcome == "succeeded":
            self.script.measured.add(workload.model.name)
        return self.history.add(Run(0, "", workload, machine, prediction, result))

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
        self.script.note("compare")
        sink = on_event or (lambda _event: None)
        here = Here("cpu", xla=False, threads=8, gpus=tuple(gpu.index for gpu in machine.gpus))
        rounds = {}
        found = []
        for number, variant in enumerate(variants(workload.plan, wishes, here)):
            sink(Progress(0.1 * number, phrase("{label}: starting", label=variant.label)))
            changed = replace(workload, plan=variant.plan)
            run = self.bench(
                changed, machine, seconds=seconds, cancel=cancel, on_event=_of_variant(sink, variant.label)
            )
            rounds[variant.label] = [
                (1 + number * self.script.variant_gain) * (1 + 0.01 * (i % 3)) * 1e-4 for i in range(8)
            ]
            found.append(VariantRun(variant.label, run, tuple(rounds[variant.label])))
        cancelled = bool(cancel and cancel.is_set())
        return Comparison(tuple(found), ratios(rounds), winner(rounds), None, interleaved=True, cancelled=cancelled)

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
        self.script.note("find_batch")
        sink = on_event or (lambda _event: None)
        trials = []
        for number, batch in enumerate((4096, 2048)):
            sink(TrialBegins(number + 1, batch))
            changed = replace(workload, plan=replace(workload.plan, batch_size=batch))
            run = self.bench(changed, machine, on_event=sink, cancel=cancel)
            trials.append(TrialRun(batch, run, peak_bytes(batch)))
        return BatchFinding(tuple(trials), 4096, 2048, "headroom", 6 * GIB)


def _of_variant(sink: Callable[[VariantEvent | Progress], None], label: str) -> EventSink:
    """Hands on what is told of one variant."""
    return lambda event: sink(VariantEvent(label, event))


def _act_out(sink: EventSink, cancel: threading.Event, seconds: float) -> tuple[tuple[Sample, ...], bool]:
    """Tell what a run tells; True if it was cancelled."""
    samples = []
    for number, phase in enumerate(("import", "build", "compile", "warm-up", "measure")):
        sink(Phase(phase, float(number)))
    steps = 30
    for step in range(steps):
        t_s = 5 + step * 0.5
        wobble = 1 + 0.06 * ((step * 7919) % 13 - 6) / 6
        sink(Reading(t_s, step, 0.0187 * wobble, int(0.9 * GIB), int(1.1 * GIB), int(1.4 * GIB)))
        sample = Sample(
            t_s,
            "measure",
            step,
            None,
            None,
            None,
            82.0 + (step % 5),
            int((1.4 + step * 0.004) * GIB),
            cpu_power_w=61.0 + step % 4,
            cpu_temperature_c=58.0 + step / 3,
            cpu_clock_mhz=4050.0 - 2 * step,
            disk_read_bytes_per_s=3e6 * (step % 3),
        )
        samples.append(sample)
        sink(sample)
        sink(Progress((step + 1) / steps, verbatim("training real steps")))
        if cancel.wait(seconds / steps):
            return tuple(samples), True
    return tuple(samples), False


def _measurement(workload: Workload) -> Measurement:
    """A run that went a little slower than predicted."""
    batch = workload.plan.batch_size
    median = step_s(batch) * 1.08
    return Measurement(
        step=MeasuredStep(median, median * 0.97, median * 1.06, 240),
        first_step_s=1.2,
        samples_per_s=batch / median,
        epoch_s=SAMPLES / batch * median,
        memory=MeasuredMemory(int(peak_bytes(batch) * 0.97), int(peak_bytes(batch) * 1.2), None, int(1.5 * GIB)),
        shares=MeasuredShares(0.05, 0.0, 0.95),
        bound_by="compute",
        memory_over_time=_memory_over_time(batch),
        data_only_step_s=median * 0.1,
        compute_only_step_s=median * 0.9,
        cpu_percent=84.0,
        profile=_profile(batch),
    )


def _memory_over_time(batch: int) -> tuple[MemoryPoint, ...]:
    """Epoch start, two batches and the end."""
    peak = int(peak_bytes(batch) * 0.97)
    told: tuple[tuple[float, Moment, int, float], ...] = (
        (0.0, "epoch start", 0, 0.2),
        (0.5, "batch", 5, 0.8),
        (1.0, "batch", 10, 0.85),
        (20.0, "end", 240, 0.85),
    )
    return tuple(
        MemoryPoint(t_s, moment, 1, number, int(peak * share), peak, int(peak_bytes(batch) * 1.2), int(1.5 * GIB))
        for t_s, moment, number, share in told
    )


def _profile(batch: int) -> StepProfile:
    """One step of two layers."""
    peak = int(peak_bytes(batch) * 0.97)
    layers = (
        MeasuredLayer("conv2d", "Conv2D", 4 * MIB, peak // 2, 0.006, 0.009),
        MeasuredLayer("dense", "Dense", 2 * MIB, peak // 8, 0.001, 0.001),
    )
    timeline = tuple(TimelinePoint(i / 1000, int(peak * min(i, 20 - i) / 10), "conv2d/Conv2D") for i in range(21))
    return StepProfile(
        0.021, peak, "conv2d/Conv2D", int(peak * 1.2), timeline, layers=layers, operations_s=0.02, layers_s=0.017
    )


def _problem(outcome: str) -> Problem | None:
    """Why a run ended badly."""
    if outcome == "out_of_memory":
        return Problem(
            "out_of_memory",
            verbatim("The training needs more memory than there is"),
            "measure",
            verbatim("Use a smaller batch"),
            needed_bytes=9 * GIB,
            had_bytes=5 * GIB,
        )
    if outcome == "crashed":
        message = "The training process ended with signal 11"
        return Problem("crashed", verbatim(message), "compile", stderr=("Segmentation fault",))
    return None
