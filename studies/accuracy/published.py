"""Cards and networks of the published tables, as the product knows them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from app.catalog.gpu_names import find_gpu
from app.core.types.machine import GpuSpec, Machine
from app.core.types.prediction import Prediction
from app.core.types.stepgraph import StepGraph
from app.core.types.workload import ModelRef, Workload
from app.services.advisor import Advisor
from studies.accuracy.product import graph_of
from tests.fakes.own_code import own_model

NETWORKS_FILE = Path(__file__).with_name("networks_published.py")

PROFET_NETWORKS = {
    "AlexNet": "alexnet_batch_norm",
    "InceptionV3": "inception_v3",
    "LeNet5": "lenet5",
    "MNIST_CNN": "mnist_cnn",
    "ResNet50": "resnet50_preact",
    "ResNetSmall": "resnet_small",
    "VGG11": "vgg11",
}
"""Function in `networks_published` by the study's name; VGG16 is of our catalog."""

LAMBDA_NETWORKS = {
    "alexnet": "alexnet_one_tower",
    "inception3": "inception_v3",
    "resnet50": "resnet50",
    "vgg16": "vgg16_one_tower",
}
LAMBDA_SIDES = {"alexnet": 224, "inception3": 299, "resnet50": 224, "vgg16": 224}
"""Image sides of tensorflow/benchmarks, tf_cnn_benchmarks/models."""

CARDS = {
    "Tesla M60": "Tesla M60 (each of its two GPUs)",
    "Tesla K80": "Tesla K80 (each of its two GPUs)",
    "Tesla V100": "Tesla V100 SXM2 16GB",
    "Tesla V100-SXM2-16GB": "Tesla V100 SXM2 16GB",
    "Tesla V100-SXM3-32GB": "Tesla V100 SXM2 32GB",
    "GeForce RTX 2070 with Max-Q Design": "GeForce RTX 2070 Max-Q",
    "GeForce RTX 2080 with Max-Q Design": "GeForce RTX 2080 Max-Q",
    "GeForce RTX 2080 Super with Max-Q Design": "GeForce RTX 2080 Super Max-Q",
    "GeForce RTX 3080": "GeForce RTX 3080 10GB",
    "A100-SXM4-40GB": "A100 SXM 40GB",
    "A100-PCIE-40GB": "A100 PCIe 40GB",
    "Vega 20": "Radeon VII",
}
"""Names of the tables whose card our own search would have to guess."""

PROFET_CARD_OF_INSTANCE = {
    "g3s.xlarge": "Tesla M60",
    "g4dn.xlarge": "Tesla T4",
    "p2.xlarge": "Tesla K80",
    "p3.2xlarge": "Tesla V100",
}


def profet_model(name: str) -> ModelRef:
    """The model reference of one of the study's eight networks."""
    return _model(PROFET_NETWORKS.get(name), name.lower())


def lambda_model(name: str) -> ModelRef:
    """The model reference of one of the four networks of the card tests."""
    return _model(LAMBDA_NETWORKS.get(name), name)


def card(advisor: Advisor, name: str) -> GpuSpec:
    """The row of our card table."""
    return find_gpu(CARDS.get(name, name), advisor.catalog.gpus()).spec


def machine_with(advisor: Advisor, name: str, host_clock_mhz: float | None = None) -> Machine:
    """This machine with that card in place of its own, and a processor of that clock.

    Nobody tells of the processors beside published cards.  This one's clock says nothing of them, and a table that
    took it would be another one on every machine.
    """
    own = advisor.machine.read()
    host = replace(own, cpu=replace(own.cpu, max_clock_mhz=host_clock_mhz))
    return advisor.machine.simulate(host, gpu=card(advisor, name).name)


def told_on_card(
    advisor: Advisor,
    workload: Workload,
    name: str,
    label: str,
    *,
    brief: bool = False,
    host_clock_mhz: float | None = None,
) -> tuple[Prediction, StepGraph]:
    """What the program says of a workload on that card, simulated, and its graph, which the processor traces.

    Args:
        advisor: The program.
        workload: What is trained.
        name: The card's.
        label: What to call it while it is traced.
        brief: Without a search for the largest batch.
        host_clock_mhz: Of the processor beside it; None if nobody knows.
    """
    graph = graph_of(advisor, replace(workload, plan=replace(workload.plan, device="cpu")), label)
    machine = machine_with(advisor, name, host_clock_mhz)
    told = advisor.predictor.predict(workload, machine, graph, brief=brief, chart=False)
    return told, graph


def _model(function: str | None, catalog_name: str) -> ModelRef:
    if function is None:
        return ModelRef("catalog", catalog_name)
    return own_model(NETWORKS_FILE, function, function)
