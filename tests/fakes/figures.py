"""The recorded figures: those of case S1, a small network on Fashion-MNIST, batch 256.

Memory is a line in the batch, time as well, so that a test can count them by hand.
"""

from __future__ import annotations

from app.catalog.models import ModelEntry
from app.core.types.machine import Cpu, Disk, GpuSpec, Machine, Ram
from app.core.types.stepgraph import ModelFacts
from app.core.types.text import verbatim
from app.core.types.units import GIB, MIB
from app.core.types.workload import Dataset, Workload

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
    Dataset("fashion_mnist", "catalog", None, SAMPLES, (28, 28, 1), "uint8", 10, 37_500_000, None, verbatim("tests")),
    Dataset("cifar10", "catalog", None, 50_000, (32, 32, 3), "uint8", 10, 138_831_462, None, verbatim("tests")),
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
    unavailable={"ram.kind": verbatim("needs root")},
    taken_at="2026-01-02T03:04:05+00:00",
)


def peak_bytes(batch_size: int, *, half: bool = False) -> int:
    """Peak of the allocator: weights, gradients and two moments, and the activations of the batch."""
    activations = PER_SAMPLE * batch_size
    return WEIGHTS * 4 + (activations // 2 if half else activations)


def step_s(batch_size: int) -> float:
    """Time of a step."""
    return LAUNCH_S + PER_SAMPLE_S * batch_size


def model_facts(workload: Workload) -> ModelFacts:
    """Facts of the only network."""
    notes = (verbatim("images 28 × 28 × 1"),)
    return ModelFacts(workload.model.name, verbatim("tests"), PARAMS, PARAMS, ((28, 28, 1),), assumptions=notes)
