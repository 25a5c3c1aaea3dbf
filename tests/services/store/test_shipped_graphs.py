from dataclasses import replace

import pytest

from app.catalog.models import load_models
from app.catalog.paths import resource_path
from app.core.predict.memory import StepMemory
from app.core.types.workload import Dataset, ModelRef, Plan, Workload
from app.services.store.graph_key import tracer_digest
from app.services.store.shipped_graphs import read_manifest, shipped_graph

ENTRIES = {entry.name: entry for entry in load_models()}
WORKLOAD = Workload(ModelRef("catalog", "fashion_mnist_cnn"), None, Plan())


def test_the_shipped_graphs_are_current():
    found = read_manifest(resource_path("graphs"))
    assert found.tracer == tracer_digest(), "run `python packaging/trace_catalog.py`"


def test_every_network_of_the_catalog_has_one():
    files = {path.name.removesuffix(".json.gz") for path in resource_path("graphs").glob("*.json.gz")}
    assert files == set(ENTRIES)


def test_a_shipped_graph_answers_without_tensorflow():
    graph = shipped_graph(WORKLOAD, ENTRIES["fashion_mnist_cnn"])
    assert graph.model.params == 562_474
    assert StepMemory(graph, "adam").peak_bytes(256) > 100 * 2**20


@pytest.mark.parametrize("name", ["resnet50", "vgg16", "mobilenetv2", "lstm_2", "unet"])
def test_parameters_are_the_catalogs(name):
    workload = replace(WORKLOAD, model=ModelRef("catalog", name))
    assert shipped_graph(workload, ENTRIES[name]).model.params == ENTRIES[name].params


@pytest.mark.parametrize(
    "change",
    [
        {"plan": Plan(precision="mixed_float16")},
        {"plan": Plan(mode="inference")},
        {"plan": Plan(remat=True)},
        {"plan": Plan(freeze=("conv*",))},
        {"input_shape": (32, 32, 3)},
        {"classes": 100},
        {"plan": Plan(lora_rank=4)},
        {"plan": Plan(image_size=(32, 32))},
        {"plan": Plan(leave_out=("conv2d",))},
        {"dataset": Dataset("other", sample_shape=(28, 28, 1), classes=47)},
    ],
)
def test_a_changed_network_is_traced_anew(change):
    assert shipped_graph(replace(WORKLOAD, **change), ENTRIES["fashion_mnist_cnn"]) is None


def test_the_same_data_changes_nothing():
    data = Dataset("fashion_mnist", sample_shape=(28, 28, 1), classes=10, samples=60_000)
    workload = replace(WORKLOAD, dataset=data, plan=Plan(batch_size=512, optimizer="sgd", jit=True))
    assert shipped_graph(workload, ENTRIES["fashion_mnist_cnn"]) is not None
