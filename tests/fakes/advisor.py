"""A recorded advisor: the façade's signatures with hand-made figures, quick and without a framework.

The figures are those of case S1 (a small network on Fashion-MNIST, batch 256): memory is a line in the
batch, time as well, so that a test can count them by hand.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from app.catalog.models import ModelEntry
from app.core.advising.variants import Here, Wishes, variants
from app.core.runs.comparison import ratios, winner
from app.core.types.advice import Advice, Effect, Recommendation, StageShare, Upgrade
from app.core.types.allocator_events import TimelinePoint
from app.core.types.cancelling import check_cancelled
from app.core.types.errors import BadDataset, BadModel, Cancelled, UsageError
from app.core.types.machine import Cpu, DeviceRates, Disk, FrameworkBuild, Gpu, GpuSpec, Interpreter, Machine, Ram
from app.core.types.measurement import (
    Doubt,
    MeasuredMemory,
    MeasuredShares,
    MeasuredStep,
    Measurement,
    PhaseSpan,
    Problem,
    RunResult,
    Sample,
)
from app.core.types.memory_over_time import MemoryPoint, Moment
from app.core.types.messages import Phase, Progress, Reading
from app.core.types.prediction import (
    BatchPoint,
    Explanation,
    Fit,
    LayerMemory,
    MemoryParts,
    PredictedMemory,
    PredictedTime,
    Prediction,
    StepParts,
    Verdict,
)
from app.core.types.step_profile import MeasuredLayer, StepProfile
from app.core.types.stepgraph import ModelFacts, StepGraph
from app.core.types.units import GIB, MIB
from app.core.types.workload import Dataset, ModelRef, Workload
from app.services.benchmarks.batch_finder import BatchFinding, TrialBegins, TrialRun
from app.services.benchmarks.compared import Comparison, VariantEvent, VariantRun
from app.services.datasets.code import code_dataset
from app.services.machine.doctor import Doctor
from app.services.models.consent import TrustStore
from app.services.runtimes.find import Runtime
from app.services.settings import Folders, Settings
from app.services.store.file_digests import FileDigests
from app.services.store.history import History
from app.services.store.runs import Run
from app.ui.session.ports import AdvisorPort

WHY = "It waits for compute."
TASK = "image classification"
PARAMS = 562_474
WEIGHTS = PARAMS * 4
PER_SAMPLE = 1_100_000
CONTEXT = 400 * MIB
SAMPLES = 60_000
LAUNCH_S = 0.004
PER_SAMPLE_S = 6e-5

MODELS = (
    ModelEntry("fashion_mnist_cnn", "Fashion-MNIST CNN", "cnn", PARAMS, (28, 28, 1), 10, TASK, "", "S1"),
    ModelEntry("resnet50", "ResNet50", "resnet", 25_636_712, (224, 224, 3), 1000, TASK, "", "keras"),
    ModelEntry("broken_net", "Broken net", "cnn", None, (8, 8, 1), 2, TASK, "", "tests"),
    ModelEntry(
        "a_network_with_quite_a_long_name_that_nobody_would_choose_but_somebody_did_v2_large",
        "A network with quite a long name that nobody would choose but somebody did, v2 large",
        "cnn",
        1_234_567,
        (32, 32, 3),
        10,
        TASK,
        "",
        "tests",
    ),
)
DATASETS = (
    Dataset("fashion_mnist", "catalog", None, SAMPLES, (28, 28, 1), "uint8", 10, 37_500_000, None, "tests"),
    Dataset("cifar10", "catalog", None, 50_000, (32, 32, 3), "uint8", 10, 138_831_462, None, "tests"),
)
GPUS = (
    GpuSpec("RTX 2060 6GB", "nvidia", "desktop", 6 * GIB, 336e9, 6.5e12, 26e12, compute_capability=(7, 5)),
    GpuSpec("RTX 4060 8GB", "nvidia", "desktop", 8 * GIB, 272e9, 15.1e12, 60e12, compute_capability=(8, 9)),
    GpuSpec("H100 80GB", "nvidia", "datacenter", 80 * GIB, 3350e9, 67e12, 990e12, compute_capability=(9, 0)),
)
MACHINE = Machine(
    os="Linux",
    os_version="6.1",
    cpu=Cpu(
        "AMD Ryzen 7 3700X 8-Core Processor", "amd", "zen2", 8, 16, 16.0, 4400.0, ("avx2",), 32768, 524288, 32 * MIB
    ),
    ram=Ram(total_bytes=64 * GIB, available_bytes=52 * GIB, kind="DDR4", speed_mts=3600),
    disks=(Disk("/", "nvme0n1", "nvme", "ext4", 500 * 10**9, 200 * 10**9),),
    unavailable={"ram.kind": "needs root"},
    taken_at="2026-01-02T03:04:05+00:00",
)


def peak_bytes(batch_size: int, *, half: bool = False) -> int:
    """Peak of the allocator: weights, gradients and two moments, and the activations of the batch."""
    activations = PER_SAMPLE * batch_size
    return WEIGHTS * 4 + (activations // 2 if half else activations)


def step_s(batch_size: int) -> float:
    """Time of a step."""
    return LAUNCH_S + PER_SAMPLE_S * batch_size


@dataclass
class FakeAdvisor(AdvisorPort):
    """The façade, recorded.

    Attributes:
        trace_s: How long a trace takes.
        scan_s: How long looking through a folder takes.
        bench_s: How long a benchmark takes at most; it obeys a cancel at once.
        bench_outcome: How benchmarks end.
        doubts: What casts doubt on every benchmark.
        variant_gain: How much slower each further variant of a comparison is.
        calls: Names of the methods called, in order.
    """

    history: History
    settings: Settings
    trust: TrustStore
    trace_s: float = 0.0
    bench_s: float = 0.3
    estimate_s: float = 0.0
    scan_s: float = 0.0
    bench_outcome: str = "succeeded"
    variant_gain: float = 0.2
    real_machine: Machine = MACHINE
    calls: list[str] = field(default_factory=list)
    threads: set[int] = field(default_factory=set)
    doubts: tuple[Doubt, ...] = ()
    traced: set[tuple[str, ...]] = field(default_factory=set)
    measured: set[str] = field(default_factory=set)

    def with_settings(self, settings: Settings) -> FakeAdvisor:
        self._note("with_settings")
        if settings.interpreter is not None and not Path(settings.interpreter).exists():
            raise UsageError("no such interpreter", received=settings.interpreter)
        return replace(self, settings=settings)

    def _note(self, name: str) -> None:
        self.calls.append(name)
        self.threads.add(threading.get_ident())

    def models(self) -> tuple[ModelEntry, ...]:
        self._note("models")
        return MODELS

    def datasets(self) -> tuple[Dataset, ...]:
        self._note("datasets")
        return DATASETS

    def gpus(self) -> tuple[GpuSpec, ...]:
        self._note("gpus")
        return GPUS

    def machine(self, refresh: bool = False) -> Machine:
        self._note("machine")
        return self.real_machine

    def doctor(self, interpreters: tuple[str, ...] = (), cancel: threading.Event | None = None) -> Doctor:
        self._note("doctor")
        build = FrameworkBuild("tensorflow", "2.21.0", devices=("CPU:0",))
        return Doctor(self.real_machine, (Interpreter("/usr/bin/python3", "3.11", (build,)),))

    def simulate(
        self,
        machine: Machine,
        *,
        gpu: str | None = None,
        ram_bytes: int | None = None,
        disk_bytes_per_s: float | None = None,
    ) -> Machine:
        self._note("simulate")
        parts: list[str] = []
        if gpu is not None:
            spec = next(g for g in GPUS if g.name == gpu)
            memory = spec.memory_bytes
            card = Gpu(0, "nvidia", spec.name, None, memory, 0, memory, compute_capability=(7, 5), simulated=True)
            machine = replace(machine, gpus=(card,))
            parts.append("gpu")
        if ram_bytes is not None:
            machine = replace(machine, ram=replace(machine.ram, total_bytes=ram_bytes, available_bytes=ram_bytes))
            parts.append("ram")
        if disk_bytes_per_s is not None:
            parts.append("disk")
        return replace(machine, simulated=tuple(parts))

    def find_model(self, text: str, *, trust: bool = False) -> ModelRef:
        self._note("find_model")
        path = Path(text.partition(":")[0])
        if not path.exists():
            raise BadModel("there is no such model file", received=text, hint="choose another file")
        function = text.partition(":")[2] or None
        return ModelRef("code" if function else "file", Path(text).name, str(path), function, trusted=trust)

    def find_dataset(
        self,
        text: str,
        report: Callable[[float | None, str], None] | None = None,
        cancel: threading.Event | None = None,
        *,
        trust: bool = False,
    ) -> Dataset:
        self._note("find_dataset")
        own = code_dataset(text, trust=trust)
        if own is not None:
            return own
        if report is not None:
            report(0.5, "reading headers")
        if cancel is not None and cancel.wait(self.scan_s):
            raise Cancelled("cancelled")
        files = sorted(Path(text).rglob("*.jpg"))
        if not files:
            expected = "a folder per class with images"
            raise BadDataset("no images found", expected=expected, received=text, hint="pick another")
        count = len(files)
        return Dataset(Path(text).name, "images", text, count, (32, 32, 3), "uint8", 2, 10**6, count, real=True)

    def cached_graph(self, workload: Workload) -> StepGraph | None:
        self._note("cached_graph")
        return self._graph(workload) if self._traced_as(workload) in self.traced else None

    def graph(
        self,
        workload: Workload,
        on_event: Callable[[Any], None] | None = None,
        cancel: threading.Event | None = None,
        *,
        anew: bool = False,
    ) -> StepGraph:
        self._note("graph anew" if anew else "graph")
        if on_event is not None:
            on_event(Phase("build", 0.0))
            on_event(Progress(0.5, "building the model"))
        if cancel is not None and cancel.wait(self.trace_s):
            raise Cancelled("cancelled")
        if workload.model.name == "broken_net":
            raise BadModel("the model cannot be built", received="a layer without a size", hint="choose another model")
        self.traced.add(self._traced_as(workload))
        return self._graph(workload)

    def files(self, model: ModelRef) -> dict[str, str]:
        self._note("files")
        return {model.path: FileDigests().of(model.path)} if model.path else {}

    def _traced_as(self, workload: Workload) -> tuple[str, ...]:
        """What a trace is kept under: the file as it is counts."""
        return (workload.model.name, workload.plan.precision, *self.files(workload.model).values())

    @staticmethod
    def _graph(workload: Workload) -> StepGraph:
        return StepGraph(_facts(workload), workload.plan.precision, workload.plan.mode, (), (), (), ())

    def rates(
        self, device: str, on_event: Callable[[Any], None] | None = None, cancel: threading.Event | None = None
    ) -> DeviceRates | None:
        self._note("rates")
        return DeviceRates(device, "tensorflow 2.21")

    def cached_rates(self, device: str) -> DeviceRates | None:
        return None

    def quick_estimate(self, workload: Workload, machine: Machine) -> Prediction | None:
        self._note("quick_estimate")
        return None if workload.model.name == "broken_net" else self._predict(workload, machine, textbook=True)

    def estimate(self, workload: Workload, machine: Machine, graph: StepGraph) -> Prediction:
        self._note("estimate")
        end = time.monotonic() + self.estimate_s
        while time.monotonic() < end:
            check_cancelled()
            time.sleep(0.005)
        return self._predict(workload, machine, textbook=False)

    def anticipate(
        self, workload: Workload, machine: Machine, graph: StepGraph, cancel: threading.Event | None = None
    ) -> None:
        self._note("anticipate")

    def _predict(self, workload: Workload, machine: Machine, *, textbook: bool) -> Prediction:
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
        epoch = step_s(batch) * SAMPLES / batch
        measured = workload.model.name in self.measured
        why = f"{needed / GIB:.1f} GiB are needed and {allowed / GIB:.1f} GiB can be used"
        return Prediction(
            model=_facts(workload),
            plan=plan,
            machine=machine,
            memory=PredictedMemory(
                allocator_peak_bytes=peak,
                low_bytes=int(peak * (1 - spread)),
                high_bytes=int(peak * (1 + spread)),
                device_bytes=needed,
                wanted_workspace_bytes=200 * MIB,
                host_bytes=900 * MIB,
                parts=MemoryParts(
                    WEIGHTS, WEIGHTS, WEIGHTS * 2, int(activations * 0.8), int(activations * 0.2), 0, CONTEXT
                ),
                basis="formula" if textbook else ("calibrated" if measured else "traced"),
                dominant_assumption="every activation is kept for the backward pass",
                largest_layers=(
                    LayerMemory("conv2d_1", "Conv2D", 73_856, int(activations * 0.3)),
                    LayerMemory("conv2d_2", "Conv2D", 147_712, int(activations * 0.3)),
                    LayerMemory("dense", "Dense", 2_000_000, 128 * 4 * batch),
                ),
                timeline=tuple((i / 40, int(peak * (0.4 + 0.6 * (1 - abs(i - 22) / 22)))) for i in range(41)),
                explanation=(
                    Explanation("Weights", "2.1 MiB", "parameters × 4 B", "the model"),
                    Explanation("Activations", f"{activations / MIB:.0f} MiB", "batch × 1.0 MiB", "trace of the step"),
                ),
            ),
            fit=Fit(verdict, allowed, allowed - needed, int(largest), 512, device, (why,)),
            time=PredictedTime(
                step_s=step_s(batch),
                low_s=step_s(batch) * 0.85,
                high_s=step_s(batch) * 1.2,
                epoch_s=epoch,
                total_s=epoch * plan.epochs,
                samples_per_s=batch / step_s(batch),
                bound_by="compute",
                bound_share=0.74,
                basis="scaled" if measured else "predicted",
                parts=StepParts(0.014, 0.003, 0.002),
                dominant_assumption="the processor is not used by anything else",
            ),
            textbook_bytes=int(peak * 0.8),
            textbook_reason="It leaves out the workspace of the convolutions.",
            rule_of_thumb_bytes=int(1.3 * GIB),
            batch_curve=() if textbook else _curve(half=half),
            assumptions=("one input pipeline thread per core",),
        )

    def advise(self, workload: Workload, machine: Machine, graph: StepGraph) -> Advice:
        self._note("advise")
        now = self._predict(workload, machine, textbook=False)
        before = Effect(now.memory.device_bytes, now.time.epoch_s, 4.0, 6.0)
        half = Effect(now.memory.device_bytes // 2, (now.time.epoch_s or 0) * 0.7, 2.5, 4.5)
        bigger = Effect(now.memory.device_bytes * 2, (now.time.epoch_s or 0) * 0.9, 3.5, 5.5)
        ladder = (
            Recommendation(
                "batch",
                "Train with batch 512",
                "A bigger batch pays the start of each operation less often.",
                {"batch_size": 512},
                before,
                bigger,
                changes_result=True,
            ),
            Recommendation(
                "precision",
                "Use mixed precision",
                "Activations take half the memory in float16.",
                {"precision": "mixed_float16"},
                before,
                half,
                changes_result=True,
            ),
            Recommendation(
                "close",
                "Close other programs",
                "A browser holds 1.2 GiB.",
                {},
                before,
                Effect(None, None),
                changes_result=False,
            ),
        )
        upgrades = (
            Upgrade(
                "gpu",
                "RTX 4060 8GB",
                True,
                5000,
                1.9,
                1.5,
                2.4,
                3.1,
                299.0,
                "USD",
                "2026-01-05",
                410.0,
                WHY,
                worth=True,
                total_s=28.5,
                total_low_s=22.5,
                total_high_s=36.0,
                energy_kwh=0.001,
            ),
            Upgrade(
                "ram",
                "128 GiB RAM",
                True,
                4000,
                18.0,
                16.0,
                20.0,
                1.0,
                320.0,
                why=f"Not worth it. {WHY}",
                worth=False,
                total_s=270.0,
            ),
            Upgrade(
                "cloud",
                "lambda gpu_1x_h100",
                True,
                70_000,
                0.4,
                None,
                None,
                40.0,
                2.49,
                "USD",
                "2025-11-02",
                9.0,
                worth=True,
                total_s=6.0,
                cost=0.004,
                note="needs an account",
            ),
        )
        stages = (StageShare("decode", 0.001, 0.2), StageShare("compute", 0.004, 0.8))
        return Advice(
            now.fit,
            "compute",
            "traced memory, predicted time",
            ladder,
            upgrades,
            ("one note",),
            waits="it waits for compute 80 % of a step",
            stages=stages,
        )

    def advice_after(self, run: Run) -> Advice | None:
        self._note("advice_after")
        return self.advise(run.workload, run.machine, self._graph(run.workload))

    def prepare_advice(
        self,
        workload: Workload,
        machine: Machine,
        on_event: Callable[[Any], None] | None = None,
        cancel: threading.Event | None = None,
    ) -> None:
        self._note("prepare_advice")

    def bench(
        self,
        workload: Workload,
        machine: Machine,
        *,
        seconds: float = 20,
        on_event: Callable[[Any], None] | None = None,
        cancel: threading.Event | None = None,
    ) -> Run:
        self._note("bench")
        samples, cancelled = _act_out(on_event or (lambda _event: None), cancel or threading.Event(), self.bench_s)
        outcome = "cancelled" if cancelled else self.bench_outcome
        prediction = self._predict(workload, machine, textbook=False)
        result = RunResult(
            outcome,  # type: ignore[arg-type]
            measurement=replace(_measurement(workload), doubts=self.doubts) if outcome == "succeeded" else None,
            problem=_problem(outcome),
            phases=(PhaseSpan("import", 0.0, 2.1), PhaseSpan("compile", 2.1, 3.4), PhaseSpan("measure", 3.4, 23.4)),
            warnings=tuple(doubt.text for doubt in self.doubts),
            samples=samples,
            environment={"tensorflow": "2.21.0", "python": "3.11"},
        )
        if outcome == "succeeded":
            self.measured.add(workload.model.name)
        return self.history.add(Run(0, "", workload, machine, prediction, result))

    def compare(
        self,
        workload: Workload,
        machine: Machine,
        wishes: Wishes,
        *,
        seconds: float = 20,
        on_event: Callable[[Any], None] | None = None,
        cancel: threading.Event | None = None,
    ) -> Comparison:
        self._note("compare")
        sink = on_event or (lambda _event: None)
        here = Here("cpu", xla=False, threads=8, gpus=tuple(gpu.index for gpu in machine.gpus))
        rounds = {}
        found = []
        for number, variant in enumerate(variants(workload.plan, wishes, here)):
            sink(Progress(0.1 * number, f"{variant.label}: starting"))
            changed = replace(workload, plan=variant.plan)
            run = self.bench(
                changed, machine, seconds=seconds, cancel=cancel, on_event=_of_variant(sink, variant.label)
            )
            rounds[variant.label] = [(1 + number * self.variant_gain) * (1 + 0.01 * (i % 3)) * 1e-4 for i in range(8)]
            found.append(VariantRun(variant.label, run, tuple(rounds[variant.label])))
        cancelled = bool(cancel and cancel.is_set())
        return Comparison(tuple(found), ratios(rounds), winner(rounds), None, interleaved=True, cancelled=cancelled)

    def find_batch(
        self,
        workload: Workload,
        machine: Machine,
        *,
        effective: int | None = None,
        on_event: Callable[[Any], None] | None = None,
        cancel: threading.Event | None = None,
    ) -> BatchFinding:
        self._note("find_batch")
        sink = on_event or (lambda _event: None)
        trials = []
        for number, batch in enumerate((4096, 2048)):
            sink(TrialBegins(number + 1, batch))
            changed = replace(workload, plan=replace(workload.plan, batch_size=batch))
            run = self.bench(changed, machine, on_event=sink, cancel=cancel)
            trials.append(TrialRun(batch, run, peak_bytes(batch)))
        return BatchFinding(tuple(trials), 4096, 2048, "headroom", 6 * GIB)

    def runtimes(self) -> tuple[Runtime, ...]:
        self._note("runtimes")
        return ()

    def make_runtime(self, report: Callable[[float | None, str], None], cancel: threading.Event | None = None) -> str:
        self._note("make_runtime")
        report(0.5, "installing")
        if cancel is not None and cancel.is_set():
            raise Cancelled("cancelled")
        return "/usr/bin/python3"


def _of_variant(sink: Callable[[Any], None], label: str) -> Callable[[Any], None]:
    """Hands on what is told of one variant."""
    return lambda event: sink(VariantEvent(label, event))


def make(folder: Path) -> FakeAdvisor:
    """A recorded advisor with an empty history."""
    settings = Settings(folders=Folders(folder, folder / "cache", folder / "config"))
    return FakeAdvisor(History(folder / "history.sqlite3"), settings, TrustStore(folder / "config" / "trusted.json"))


def _facts(workload: Workload) -> ModelFacts:
    """Facts of the only network."""
    notes = ("images 28 × 28 × 1",)
    return ModelFacts(workload.model.name, "tests", PARAMS, PARAMS, ((28, 28, 1),), assumptions=notes)


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


def _act_out(sink: Callable[[Any], None], cancel: threading.Event, seconds: float) -> tuple[tuple[Sample, ...], bool]:
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
        sink(Progress((step + 1) / steps, "training real steps"))
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
            "The training needs more memory than there is",
            "measure",
            "Use a smaller batch",
            needed_bytes=9 * GIB,
            had_bytes=5 * GIB,
        )
    if outcome == "crashed":
        message = "The training process ended with signal 11"
        return Problem("crashed", message, "compile", stderr=("Segmentation fault",))
    return None
