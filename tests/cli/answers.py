"""Answers made by hand, for tests of what is printed and written."""

from __future__ import annotations

from app.core.types.advice import Advice, Effect, Recommendation, Upgrade
from app.core.types.basis import Explanation
from app.core.types.machine import Cpu, Gpu, Machine, Ram
from app.core.types.measurement import (
    MeasuredMemory,
    MeasuredShares,
    MeasuredStep,
    Measurement,
    Problem,
    RunResult,
    Sample,
)
from app.core.types.plan import Plan
from app.core.types.predicted_memory import MemoryParts, PredictedMemory
from app.core.types.predicted_time import PredictedTime, Schedule, Stages
from app.core.types.prediction import Fit, Prediction
from app.core.types.run import Run
from app.core.types.stepgraph import ModelFacts
from app.core.types.text import verbatim
from app.core.types.units import GIB, MIB
from app.core.types.workload import Dataset, ModelRef, Workload

PLAN = Plan(batch_size=256, epochs=15, freeze=("conv*",))
MACHINE = Machine(
    os="Linux",
    cpu=Cpu(name="Test CPU", physical_cores=8, logical_cores=16, usable_cores=16.0, features=("avx2",)),
    ram=Ram(total_bytes=64 * GIB, available_bytes=58 * GIB),
    gpus=(Gpu(0, "NVIDIA", "RTX 2060", memory_total_bytes=6 * GIB, memory_free_bytes=5 * GIB),),
)
FIT = Fit("fits", 4 * GIB, 1 * GIB, 1024, 512, "RTX 2060", (verbatim("3.0 GiB stay free"),))
PREDICTION = Prediction(
    model=ModelFacts("cnn", verbatim("catalog"), 562_474, 562_474, ((28, 28, 1),)),
    plan=PLAN,
    machine=MACHINE,
    memory=PredictedMemory(
        allocator_peak_bytes=1 * GIB,
        low_bytes=900 * MIB,
        high_bytes=1200 * MIB,
        wanted_workspace_bytes=0,
        process_bytes=None,
        parts=MemoryParts(weights=100 * MIB, activations=924 * MIB, framework=420 * MIB),
        basis="traced",
        dominant_assumption=verbatim("operations run in order"),
        explanation=(
            Explanation(verbatim("weights"), verbatim("100.0 MiB"), verbatim("sum of sizes"), verbatim("trace")),
        ),
    ),
    fit=FIT,
    time=PredictedTime(
        0.019,
        0.016,
        0.023,
        Schedule(256, 235, 15),
        "compute",
        "predicted",
        stages=Stages(0.74 * 0.019, decode_s=0.26 * 0.019, overlap=False),
    ),
    textbook_bytes=230 * MIB,
    assumptions=(verbatim("loss cross-entropy"),),
)
MEASURED = Measurement(
    step=MeasuredStep(0.020, 0.019, 0.030, 100),
    first_step_s=1.5,
    samples_per_s=12_800.0,
    epoch_s=4.7,
    memory=MeasuredMemory(allocator_peak_bytes=1100 * MIB, held_bytes=4 * GIB, host_bytes=900 * MIB),
    shares=MeasuredShares(input=0.2, copy=0.1, compute=0.7),
    bound_by="compute",
)
SUCCEEDED = RunResult(
    "succeeded",
    MEASURED,
    warnings=(verbatim("on battery"),),
    samples=(Sample(0.5, "measure", 1, 0.02), Sample(1.0, "measure", 2, 0.03)),
    environment={"tensorflow": "2.21.0"},
)
NO_MEMORY = RunResult(
    "out_of_memory",
    problem=Problem(
        "out_of_memory", verbatim("the first step failed"), "warm-up", verbatim("try batch 128"), 8 * GIB, 4 * GIB
    ),
)
BROKEN_MODEL = RunResult("failed", problem=Problem("bad_model", verbatim("no such layer"), "build", where="net.py:7"))
CRASHED = RunResult("crashed", problem=Problem("crashed", verbatim("ended by signal 11")))
CANCELLED = RunResult("cancelled", problem=Problem("cancelled", verbatim("cancelled")))

WORKLOAD = Workload(ModelRef("catalog", "cnn"), Dataset("fashion_mnist", samples=60_000, real=True), PLAN)

ADVICE = Advice(
    fit=FIT,
    bound_by="compute",
    basis=verbatim("traced memory, predicted time"),
    recommendations=(
        Recommendation(
            "xla",
            verbatim("Turn XLA on"),
            verbatim("it fuses operations"),
            {"jit": True},
            Effect(GIB, 4.5),
            Effect(GIB // 2, 3.0, 2.5, 4.0),
            changes_result=False,
        ),
    ),
    upgrades=(
        Upgrade(
            "gpu",
            verbatim("RTX 4090"),
            True,
            8192,
            0.9,
            0.7,
            1.2,
            8.0,
            1600.0,
            "USD",
            verbatim("2025-06"),
            900.0,
            verbatim("it computes"),
        ),
        Upgrade("ram", verbatim("128 GB"), True, None, 4.5, None, None, 100.0, None),
    ),
)


def run(result: RunResult = SUCCEEDED, prediction: Prediction | None = PREDICTION, note: str = "") -> Run:
    """A stored run."""
    return Run(7, "2026-01-02T03:04:05+00:00", WORKLOAD, MACHINE, prediction, result, note)
