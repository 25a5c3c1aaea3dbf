"""Real files through real ``tf.data`` pipelines into a real training step."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from PIL import Image

from app.services.datasets.scan import scan_dataset
from tests.worker.building import ask, catalog, code

pytestmark = pytest.mark.worker

BATCH = 16
STEPS_CODE = """
import keras


def steps():
    return keras.Sequential([keras.Input((12, 4)), keras.layers.GRU(8), keras.layers.Dense(2, activation="softmax")])
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("data")
    generator = np.random.default_rng(0)
    kinds = {"bird": "jpg", "cat": "jpg", "dog": "png", "eel": "webp", "fly": "gif"}
    for name, suffix in kinds.items():
        (path / "images" / name).mkdir(parents=True)
        for i in range(60):
            height, width = generator.integers(40, 90, 2)
            pixels = generator.integers(0, 255, (height, width, 3), dtype=np.uint8)
            Image.fromarray(pixels).save(path / "images" / name / f"{i}.{suffix}")
    whole = (path / "images" / "cat" / "0.jpg").read_bytes()
    (path / "images" / "cat" / "cut.jpg").write_bytes(whole[:700])
    pictures = generator.integers(0, 255, (600, 28, 28), dtype=np.uint8)
    np.savez(path / "fm.npz", x_train=pictures, y_train=(np.arange(600) % 10).astype(np.uint8))
    np.savez(path / "text.npz", x=generator.integers(0, 90_000, (300, 80)), y=np.arange(300) % 2)
    np.savez(path / "steps.npz", x=generator.random((300, 12, 4), dtype=np.float32), y=np.arange(300) % 2)
    (path / "steps.py").write_text(STEPS_CODE, encoding="utf-8")
    rows = "".join(f"{i / 9:.3f},{i % 4},{i},{'xyz'[i % 3]}\n" for i in range(150))
    (path / "table.csv").write_text("a,b,c,species\n" + rows)
    return path


@pytest.fixture(scope="module")
def found(folder, tmp_path_factory):
    ask({}, make=folder)  # writes the TFRecord file with TensorFlow; our own scan then reads it
    data = {
        "images": scan_dataset(folder / "images"),
        "npz": scan_dataset(folder / "fm.npz"),
        "text": scan_dataset(folder / "text.npz"),
        "steps": scan_dataset(folder / "steps.npz"),
        "csv": scan_dataset(folder / "table.csv"),
        "records": scan_dataset(folder / "r.tfrecord"),
    }
    assert data["records"].samples == 70
    assert data["records"].classes == 7
    assert data["images"].samples == 300
    cache = str(tmp_path_factory.mktemp("cache"))

    def fed(model, source, **how):
        shape = how.pop("input_shape", None)
        case = catalog(model, dataset=dataclasses.asdict(data[source]), weightless=False, input_shape=shape)
        return case | {"feed": {"batch_size": BATCH, **how}}

    def fed_steps(**how):
        case = code(folder / "steps.py", "steps", dataset=dataclasses.asdict(data["steps"]), weightless=False, **how)
        return case | {"feed": {"batch_size": BATCH}}

    return ask(
        {
            "images": fed("fashion_mnist_cnn", "images"),
            "images in ram": fed("fashion_mnist_cnn", "images", cache="ram", passes=2),
            "images on disk": fed("fashion_mnist_cnn", "images", cache="disk", passes=2, cache_dir=cache),
            "encoded images": fed("fashion_mnist_cnn", "images", cache="encoded", passes=2),
            "some images": fed("fashion_mnist_cnn", "images", cache="ram", cache_share=0.4, passes=2),
            "some records": fed("fashion_mnist_cnn", "records", cache="encoded", cache_share=0.5, passes=2),
            "one worker": fed("fashion_mnist_cnn", "images", input_workers=1, passes=2),
            "in turns": fed("fashion_mnist_cnn", "images", input_workers=1, prefetch=False, passes=2),
            "super-resolution": fed("srresnet", "images"),
            "segmentation": fed("unet", "images", input_shape=[32, 32, 3], batch_size=4),
            "npz": fed("fashion_mnist_cnn", "npz"),
            "npz resized": fed("mobilenetv2", "npz", input_shape=[32, 32, 3]),
            "text": fed("lstm_1", "text"),
            "long text": fed("transformer_small", "text", input_shape=[100]),
            "steps cut": fed_steps(sequence_length=5),
            "steps filled": fed_steps(sequence_length=20),
            "csv": fed("mlp", "csv"),
            "records": fed("fashion_mnist_cnn", "records"),
            "gone": fed("fashion_mnist_cnn", "npz")
            | {"dataset": dataclasses.asdict(dataclasses.replace(data["npz"], path="/nowhere.npz"))},
            "made up": catalog("gru_1", weightless=False) | {"feed": {"batch_size": 3}},
            "recomputed": catalog(
                "transformer_small", weightless=False, remat=True, precision="mixed_bfloat16", input_shape=[16]
            )
            | {"feed": {"batch_size": 3}},
        }
    )


@pytest.mark.parametrize(
    ("case", "samples", "shape"),
    [
        ("images", 300, [28, 28, 3]),
        ("super-resolution", 300, [24, 24, 3]),
        ("npz", 600, [28, 28, 1]),
        ("npz resized", 600, [32, 32, 3]),
        ("text", 300, [80]),
        ("long text", 300, [100]),
        ("steps cut", 300, [5, 4]),
        ("steps filled", 300, [20, 4]),
        ("csv", 150, [3]),
        ("records", 70, [32, 48, 3]),
    ],
)
def test_every_sample_comes_once_in_full_batches(found, case, samples, shape):
    assert "error" not in found[case], found[case]
    assert found[case]["passes"] == [samples // BATCH]
    assert found[case]["x"][0][0] == [BATCH, *shape]
    assert math.isfinite(found[case]["loss"])


def test_labels_are_the_class_folders_and_images_are_scaled(found):
    assert found["images"]["labels"] == [0, 1, 2, 3, 4]
    assert 0.9 < found["images"]["high"] <= 1
    assert found["npz"]["labels"] == list(range(10))
    assert found["records"]["labels"] == list(range(7))


def test_a_cache_gives_the_same_data_again(found):
    assert found["images in ram"]["passes"] == [18, 18]
    assert found["images on disk"]["passes"] == [18, 18]


@pytest.mark.parametrize("case", ["encoded images", "some images", "one worker", "in turns"])
def test_however_a_pipeline_is_planned_every_sample_comes_once(found, case):
    assert "error" not in found[case], found[case]
    assert found[case]["passes"] == [18, 18]
    assert found[case]["labels"] == [0, 1, 2, 3, 4]


def test_a_part_of_the_records_can_be_cached(found):
    assert found["some records"]["passes"] == [70 // BATCH] * 2


def test_targets_fit_the_loss(found):
    assert found["super-resolution"]["y"] == [[BATCH, 96, 96, 3], "float32"]
    assert found["segmentation"]["y"] == [[4, 32, 32], "int32"]
    assert found["csv"]["y"] == [[BATCH], "int32"]
    assert found["text"]["high"] < 20_000


def test_data_that_is_gone_is_a_bad_dataset(found):
    assert found["gone"]["error"] == "BadDataset"


def test_made_up_batches_train(found):
    assert math.isfinite(found["made up"]["loss_made_up"])


def test_a_recomputing_model_trains_in_mixed_precision(found):
    assert math.isfinite(found["recomputed"]["loss_made_up"])
