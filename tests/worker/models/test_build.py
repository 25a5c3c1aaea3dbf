"""Real Keras builds the catalog, saved files and the user's functions, without weights."""

from __future__ import annotations

import importlib.util
import json
import zipfile

import pytest

from app.catalog.models import load_models
from tests.worker.building import ask, catalog, code, file, images

pytestmark = pytest.mark.worker

ENTRIES = {entry.name: entry for entry in load_models()}
HAS_HUB = importlib.util.find_spec("keras_hub") is not None
BUILT = [
    "fashion_mnist_cnn",
    "cnn_58m",
    "srresnet",
    "lstm_1",
    "lstm_2",
    "gru_1",
    "gru_2",
    "transformer_small",
    "vit_small",
    "unet",
    "mlp",
    "resnet50",
    "vgg16",
    "mobilenetv3small",
    "efficientnetb0",
    "densenet121",
    *(["bert_base", "gpt2", "vit_b16"] if HAS_HUB else []),
]
GREY = {"name": "fm", "kind": "catalog", "sample_shape": [28, 28, 1], "dtype": "uint8", "classes": 10}
TEXT = {"name": "imdb", "kind": "catalog", "sample_shape": [None], "dtype": "int32", "classes": 2}
USER_CODE = """
import keras
import numpy as np
from keras import layers

def plain():
    return keras.Sequential([keras.Input((5,)), layers.Dense(3, activation="softmax")])

def asked(input_shape=(4, 4, 3), classes=2):
    return keras.Sequential([keras.Input(input_shape), layers.Flatten(), layers.Dense(classes)]), "mse"

def with_batch():
    return plain(), "categorical_crossentropy", (np.zeros((4, 5), "float32"), np.zeros((4, 3)))

class Own(keras.Model):
    def __init__(self):
        super().__init__()
        self.a = layers.Dense(1000)
        self.b = layers.Dense(4, activation="softmax")

    def call(self, x):
        return self.b(self.a(x))

def subclassed():
    return Own()

def two_inputs():
    a, b = keras.Input((5,), name="a"), keras.Input((6,), name="b", dtype="int32")
    x = layers.Concatenate()([a, layers.Flatten()(layers.Embedding(11, 3)(b))])
    return keras.Model({"b": b, "a": a}, [layers.Dense(2, activation="softmax")(x), layers.Dense(1)(x)])

def three():
    return 3

def boom():
    return 1 / 0
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("models")
    (path / "user.py").write_text(USER_CODE)
    (path / "bad.keras").write_text("no zip")
    (path / "bad.h5").write_text("no hdf")
    (path / "bad.json").write_text("[1")
    (path / "list.json").write_text("[1]")
    with zipfile.ZipFile(path / "bomb.keras", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("config.json", b" " * 50_000_000)
    lookup = {"module": "keras.layers", "class_name": "StringLookup", "config": {"vocabulary": "/etc/hostname"}}
    spy = {"module": "keras", "class_name": "Sequential", "config": {"name": "net", "layers": [lookup]}}
    (path / "spy.json").write_text(json.dumps({**spy, "registered_name": None}))
    return path


@pytest.fixture(scope="module")
def found(folder):
    user = folder / "user.py"
    cases = {name: catalog(name) for name in BUILT}
    cases |= {
        "resnet on grey": catalog("resnet50", dataset=GREY),
        "resnet on a folder": catalog("resnet50", dataset=images(classes=3)),
        "small on a folder": catalog("fashion_mnist_cnn", dataset=images(classes=3)),
        "small on cifar": catalog("fashion_mnist_cnn", dataset={**GREY, "sample_shape": [32, 32, 3]}),
        "small on large": catalog("fashion_mnist_cnn", dataset={**GREY, "sample_shape": [640, 480, 3]}),
        "lstm on text": catalog("lstm_1", dataset=TEXT),
        "lstm on images": catalog("lstm_1", dataset=GREY),
        "resnet on text": catalog("resnet50", dataset={**TEXT, "sample_shape": None, "dtype": "string"}),
        "mlp on rows": catalog("mlp", dataset={**TEXT, "sample_shape": [8], "dtype": "float64", "classes": 1}),
        "too small": catalog("resnet50", input_shape=[16, 16, 3]),
        "absurd": catalog("resnet50", input_shape=[3_000_000, 1_000_000, 3]),
        "no multiple": catalog("unet", input_shape=[100, 100, 3]),
        "no classes": catalog("srresnet", classes=3),
        "zero classes": catalog("mlp", classes=0),
        "unknown": catalog("nosuch"),
        "mixed": catalog("fashion_mnist_cnn", precision="mixed_float16"),
        "bfloat16": catalog("fashion_mnist_cnn", precision="bfloat16"),
        "frozen": catalog("fashion_mnist_cnn", freeze=["conv*"]),
        "frozen nothing": catalog("fashion_mnist_cnn", freeze=["nosuch*"]),
        "huge": catalog("cnn_58m", input_shape=[4096, 4096, 3]),
        "net.keras": file(folder / "net.keras"),
        "net.h5": file(folder / "net.h5"),
        "net.json": file(folder / "net.json"),
        "plain.keras": file(folder / "plain.keras", dataset=TEXT),
        "code.keras": file(folder / "code.keras"),
        "code.h5": file(folder / "code.h5"),
        "trusted.keras": file(folder / "code.keras", trusted=True),
        "trusted.h5": file(folder / "code.h5", trusted=True),
        "only.weights.h5": file(folder / "only.weights.h5"),
        "no file": file(folder / "nosuch.keras"),
        "untrusted": code(user, "plain", trusted=False),
        "asked": code(user, "asked", classes=9, dataset=GREY),
        "subclassed without shape": code(user, "subclassed"),
        "subclassed": code(user, "subclassed", input_shape=[12]),
        "absent": code(user, "nosuch"),
    }
    for suffix in ("keras", "h5", "json"):
        cases[f"adapted {suffix}"] = file(
            folder / f"net.{suffix}", input_shape=[64, 64, 1], classes=3, precision="mixed_float16"
        )
    for name in ("bad.keras", "bad.h5", "bad.json", "list.json", "bomb.keras", "spy.json"):
        cases[name] = file(folder / name)
    for name in ("plain", "with_batch", "two_inputs", "three", "boom"):
        cases[name] = code(user, name)
    return ask(cases, make=folder)


@pytest.mark.parametrize("name", BUILT)
def test_the_catalog_says_what_is_built(found, name):
    entry = ENTRIES[name]
    assert found[name]["params"] == entry.params
    assert found[name]["inputs"][0][0] == list(entry.input_shape)
    if entry.classes is not None:
        assert found[name]["targets"][0][2] == entry.classes


def test_the_founding_cases_to_the_parameter(found):
    assert found["fashion_mnist_cnn"]["params"] == 562_474
    assert found["fashion_mnist_cnn"]["outputs"] == 112_906
    assert (found["cnn_58m"]["params"], found["cnn_58m"]["trainable"]) == (58_091_396, 58_088_516)
    assert found["srresnet"]["targets"] == [[[96, 96, 3], "float32", None]]


def test_images_and_classes_are_adapted_and_it_is_said(found):
    grey = found["resnet on grey"]
    assert grey["inputs"] == [[[224, 224, 3], "float32", None]]
    assert grey["targets"] == [[[], "int32", 10]]
    assert "images resized to 224×224×3" in grey["assumptions"]
    assert "10 classes instead of 1000" in grey["assumptions"]
    assert "grey images repeated to 3 channels" in grey["assumptions"]
    assert found["resnet on a folder"]["inputs"][0][0] == [224, 224, 3]
    assert found["small on a folder"]["inputs"][0][0] == [28, 28, 3]
    assert found["small on cifar"]["inputs"][0][0] == [32, 32, 3]
    assert found["small on large"]["inputs"][0][0] == [28, 28, 3]
    assert "sequence length 200" in found["lstm on text"]["assumptions"]
    assert found["lstm on text"]["inputs"] == [[[200], "int32", 20_000]]
    assert found["mlp on rows"]["targets"] == [[[1], "float32", None]]


@pytest.mark.parametrize(
    ("case", "kind", "words"),
    [
        ("lstm on images", "BadDataset", "does not suit"),
        ("resnet on text", "BadDataset", "expected images"),
        ("too small", "BadModel", "at least 32x32"),
        ("absurd", "BadModel", "impossible input shape"),
        ("no multiple", "BadModel", "112x112x3"),
        ("no classes", "BadModel", "no classes"),
        ("zero classes", "BadModel", "impossible number"),
        ("unknown", "BadModel", "unknown model"),
        ("frozen nothing", "BadModel", "no layer to freeze"),
        ("code.keras", "NeedsConsent", "holds code"),
        ("code.h5", "NeedsConsent", "holds code"),
        ("only.weights.h5", "BadModel", "weights only"),
        ("no file", "BadModel", "cannot be read"),
        ("bad.keras", "BadModel", "damaged"),
        ("bad.h5", "BadModel", "damaged"),
        ("bad.json", "BadModel", "damaged"),
        ("list.json", "BadModel", "no Keras model"),
        ("bomb.keras", "BadModel", "too large"),
        ("spy.json", "BadModel", "another file"),
        ("untrusted", "BadModel", "consent"),
        ("subclassed without shape", "BadModel", "--input-shape"),
        ("absent", "BadModel", "has no function"),
        ("three", "BadModel", "does not return a model"),
    ],
)
def test_what_cannot_be_built_says_why(found, case, kind, words):
    assert found[case].get("error") == kind
    assert words in found[case]["text"]


def test_precision_becomes_the_layers_policy(found):
    assert found["mixed"]["compute_dtypes"] == ["float16"]
    assert found["bfloat16"]["compute_dtypes"] == ["bfloat16"]
    assert found["fashion_mnist_cnn"]["compute_dtypes"] == ["float32"]


def test_frozen_layers_do_not_train(found):
    assert found["frozen"]["params"] - found["frozen"]["trainable"] == 320 + 18_496 + 36_928 + 2_080


def test_a_network_larger_than_the_machine_is_built_at_once(found):
    assert found["huge"]["params"] > 10**10


@pytest.mark.parametrize("suffix", ["keras", "h5", "json"])
def test_saved_files_build_without_their_weights(found, suffix):
    net, adapted = found[f"net.{suffix}"], found[f"adapted {suffix}"]
    assert net["params"] == 3 * 3 * 3 * 8 + 8 + 8 * 7 + 7
    assert net["loss"] == "sparse_categorical_crossentropy"
    assert net["targets"] == [[[], "int32", 7]]
    assert adapted["params"] == 3 * 3 * 8 + 8 + 8 * 3 + 3
    assert adapted["compute_dtypes"] == ["float16"]
    assert "3 classes instead of 7" in adapted["assumptions"]


def test_a_single_sigmoid_output_stays_for_two_classes(found):
    assert found["plain.keras"]["targets"] == [[[1], "float32", 2]]
    assert found["plain.keras"]["loss"] == "binary_crossentropy"


def test_trusted_files_may_run_their_code(found):
    assert found["trusted.keras"]["params"] == found["trusted.h5"]["params"] == 21


def test_functions_return_a_model_a_loss_and_a_batch(found):
    assert "loss sparse categorical cross-entropy assumed from softmax output" in found["plain"]["assumptions"]
    assert found["asked"]["inputs"][0][0] == [28, 28, 1]
    assert found["asked"]["targets"] == [[[9], "float32", None]]
    assert found["with_batch"]["targets"] == [[[3], "float64", None]]
    assert found["subclassed"]["params"] == 12 * 1000 + 1000 + 1000 * 4 + 4
    assert [spec[0] for spec in found["two_inputs"]["inputs"]] == [[5], [6]]
    assert found["two_inputs"]["inputs"][1][2] == 11


def test_an_error_in_the_users_code_has_file_and_line(found, folder):
    line = USER_CODE.splitlines().index("    return 1 / 0") + 1
    assert found["boom"]["where"] == f"{folder / 'user.py'}:{line}"
