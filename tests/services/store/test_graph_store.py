from dataclasses import replace
from pathlib import Path

import pytest

from app.core.types.errors import StoreError
from app.core.types.stepgraph import GRAPH_SCHEMA
from app.core.types.workload import Dataset, ModelRef, Plan, Workload
from app.services.store.graph_key import GraphKey
from app.services.store.graph_store import GraphStore, graph_from_json
from app.services.store.model_contents import ModelContents

OPERATION = ["MatMul", [0], [1], "backward", None, [0, 2.0], [0, 0], [0, 0], [], None, None, [], None, []]
TRACED = {
    "schema": GRAPH_SCHEMA,
    "model": {
        "name": "m",
        "source": "s",
        "params": 3,
        "trainable_params": 2,
        "input_shapes": [[None, 3]],
        "output_shapes": [[1]],
        "input_dtypes": ["float32"],
        "assumptions": ["a"],
    },
    "precision": "float32",
    "mode": "train",
    "variables": [
        {"path": "w", "shape": [3], "dtype": "float32", "size_bytes": 12, "trainable": True, "gradient": 1, "layer": 0}
    ],
    "layers": [{"name": "l", "kind": "Dense", "params": 3, "output_elements": 1, "trainable": True}],
    "sizes": [[0, 12.0], [12, 0]],
    "operations": [OPERATION],
    "input_tensors": [0],
    "constants": [],
    "outputs": [],
    "jit_allowed": True,
    "framework": "tensorflow 2",
    "trace_s": 0.5,
    "notes": [],
    "loops": [],
    "on_cuda": None,
}
WORKLOAD = Workload(ModelRef("catalog", "resnet50"), None, Plan())


def key(workload: Workload) -> str:
    """The name of a workload's graph; nothing was traced before."""
    return GraphKey.of(workload, ModelContents(Path("nowhere")).of(workload.model), None).name


def test_a_graph_comes_back_as_it_was(tmp_path):
    store = GraphStore(tmp_path / "graphs")
    store.save("key", TRACED)
    found = store.load("key")
    assert found == graph_from_json(TRACED)
    assert found.operations[0].flops.per_sample == 2.0
    assert store.load("other") is None


def test_inputs_are_told_in_the_order_in_which_they_were_written():
    found = graph_from_json(TRACED | {"operations": [["AddN", [0, 0], *OPERATION[2:-1], [1, 0]]]})
    assert found.operations[0].written == (1, 0)


@pytest.mark.parametrize("written", [[0], [0, 0], [0, 2]])
def test_an_order_that_is_none_of_the_inputs_is_damage(written):
    with pytest.raises(ValueError, match="nowhere"):
        graph_from_json(TRACED | {"operations": [["AddN", [0, 0], *OPERATION[2:-1], written]]})


@pytest.mark.parametrize("damage", [b"", b"\x1f\x8b garbage", b"not gzip"])
def test_a_damaged_file_is_removed_and_traced_again(tmp_path, damage):
    store = GraphStore(tmp_path)
    store.save("key", TRACED)
    path = next(tmp_path.glob("*.gz"))
    path.write_bytes(damage)
    assert store.load("key") is None
    assert not path.exists()


@pytest.mark.parametrize("size", [[2.0**61, 0], [0, 2**64], [-1, 0]])
def test_a_tensor_that_no_memory_can_hold_is_damage(tmp_path, size):
    store = GraphStore(tmp_path)
    store.save("key", TRACED | {"sizes": [[0, 12.0], size]})
    assert store.load("key") is None


@pytest.mark.parametrize("wrong", [{"batch_size": 0}, {"batch_size": -1}, {"epochs": -1}, {"samples": -5}])
def test_a_training_that_cannot_be_is_damage(wrong):
    captured = {"trainings": [{"fit": 1, "batch_size": 8, "epochs": 0, **wrong}]}
    with pytest.raises(ValueError, match="cannot be"):
        graph_from_json({**TRACED, "model": {**TRACED["model"], "captured": captured}})


def test_a_setting_of_another_type_is_damage():
    captured = {"settings": [["precision", "float32"], ["epochs", "3"]]}
    with pytest.raises(ValueError, match="Expected `int"):
        graph_from_json({**TRACED, "model": {**TRACED["model"], "captured": captured}})


def test_a_graph_of_another_schema_is_not_used(tmp_path):
    store = GraphStore(tmp_path)
    store.save("key", TRACED | {"schema": 99})
    assert store.load("key") is None


def test_a_folder_that_cannot_be_written_is_an_error_with_advice(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match="WILLITTRAIN_DATA_DIR"):
        GraphStore(tmp_path / "file" / "graphs").save("key", TRACED)


@pytest.mark.parametrize(
    "change",
    [
        {"model": ModelRef("catalog", "vgg16")},
        {"input_shape": (32, 32, 3)},
        {"classes": 7},
        {"plan": Plan(precision="mixed_float16")},
        {"plan": Plan(mode="inference")},
        {"plan": Plan(remat=True)},
        {"plan": Plan(freeze=("conv*",))},
        {"dataset": Dataset("d", sample_shape=(8, 8, 3), classes=4)},
        {"plan": Plan(lora_rank=4)},
        {"plan": Plan(sequence_length=64)},
        {"plan": Plan(image_size=(96, 96))},
    ],
)
def test_whatever_changes_the_trace_changes_the_key(change):
    assert key(replace(WORKLOAD, **change)) != key(WORKLOAD)


def test_other_arguments_are_another_graph(tmp_path):
    (tmp_path / "net.py").write_text("")
    made = ModelRef("code", "net.py:make", str(tmp_path / "net.py"), "make")
    workloads = [Workload(replace(made, arguments=one)) for one in ((), ("classes=3",), ("classes=4",))]
    assert len(set(map(key, workloads))) == 3


def test_8_bit_weights_are_another_graph():
    plain, quantised = (replace(WORKLOAD, plan=Plan(mode="inference", int8=int8)) for int8 in (False, True))
    assert key(plain) != key(quantised)


@pytest.mark.parametrize(
    "plan",
    [
        Plan(batch_size=512),
        Plan(optimizer="sgd"),
        Plan(epochs=9),
        Plan(jit=True),
        Plan(accumulate=4),
        Plan(ema=True),
        Plan(clipnorm=1.0),
        Plan(weight_decay=0.1),
        Plan(data="array"),
    ],
)
def test_what_is_arithmetic_needs_no_new_trace(plan):
    assert key(replace(WORKLOAD, plan=plan)) == key(WORKLOAD)


def test_a_changed_file_is_another_model(tmp_path):
    path = tmp_path / "net.py"
    path.write_text("one")
    workload = replace(WORKLOAD, model=ModelRef("code", "net.py:make", str(path), "make"))
    before = key(workload)
    path.write_text("two")
    assert key(workload) != before
