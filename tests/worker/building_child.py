"""Runs in a child process with real TensorFlow: builds models, reads data, and prints what it found as JSON.

Input (stdin): {"make": folder or null, "cases": {id: {"model", "input_shape", "classes", "dataset", "precision",
"freeze", "remat", "lora_rank", "int8", "sequence_length", "image_size", "weightless", "feed": {"batch_size",
"cache"}}}}.  The last line of stdout is the answer.
"""

from __future__ import annotations

import contextlib
import json
import math
import sys
from pathlib import Path
from typing import Any

from app.core.types.errors import WillItTrainError
from app.core.types.workload import Dataset, ModelRef
from tests.fakes.own_code import allowed


def main() -> None:
    asked = json.load(sys.stdin)
    if asked.get("make"):
        make_files(Path(asked["make"]))
    found = {}
    for name, case in asked["cases"].items():
        try:
            found[name] = run(case)
        except WillItTrainError as error:
            found[name] = {"error": type(error).__name__, "text": str(error), "hint": error.hint}
        except ZeroDivisionError as error:
            from app.worker.failures import describe_failure

            failed = describe_failure(error, phase=None, arguments={"model": case["model"]})
            found[name] = {"error": failed.kind, "text": failed.message, "where": failed.where}
    print("\n" + json.dumps(found))


def run(case: dict[str, Any]) -> dict[str, Any]:
    from app.worker.models.build import apply_plan, build
    from app.worker.models.weightless import weightless

    data = case.get("dataset")
    if data is not None:
        data = Dataset(**{**data, "sample_shape": tuple(data["sample_shape"]) if data["sample_shape"] else None})
    shape, length = case.get("input_shape"), case.get("sequence_length")
    with weightless() if case.get("weightless", True) else contextlib.nullcontext():
        model = ModelRef(**case["model"])
        built = build(
            allowed(model) if model.trusted and Path(model.path or "").exists() else model,
            input_shape=tuple(shape) if shape else None,
            classes=case.get("classes"),
            dataset=data,
            precision=case.get("precision", "float32"),
            sequence_length=length if isinstance(length, int | None) else tuple((name, n) for name, n in length),
            image_size=tuple(case["image_size"]) if "image_size" in case else None,
        )
        done = apply_plan(
            built.model,
            freeze=tuple(case.get("freeze", ())),
            remat=case.get("remat", False),
            lora_rank=case.get("lora_rank"),
            int8=case.get("int8", False),
        )
    model = built.model
    found = {
        "params": model.count_params(),
        "trainable": sum(math.prod(v.shape) for v in model.trainable_variables),
        "inputs": [[list(s.shape), s.dtype, s.high] for s in built.input_specs],
        "targets": [[list(s.shape), s.dtype, s.high] for s in built.target_specs],
        "assumptions": [*built.assumptions, *done],
        "trained": [v.path for v in model.trainable_variables],
        "int8": sorted({v.path for v in model.variables if v.dtype == "int8"}),
        "source": built.source,
        "loss": getattr(built.loss, "__name__", None) or str(built.loss),
        "compute_dtypes": sorted({layer.compute_dtype for layer in model._flatten_layers(include_self=False)}),
        "outputs": sum(math.prod(s) for s in output_shapes(model)),
    }
    if "feed" in case:
        found.update(feed(built, data, case["feed"]))
    return found


def output_shapes(model: Any) -> list[tuple[int, ...]]:
    """Outputs of the layers of a plain stack, without the batch."""
    import keras

    return [layer.output.shape[1:] for layer in model.layers] if isinstance(model, keras.Sequential) else []


def feed(built: Any, data: Dataset | None, how: dict[str, Any]) -> dict[str, Any]:
    """Go through the data once, then train a step on its last batch and on a made-up one."""
    import tensorflow as tf

    from app.core.types.workload import Plan
    from app.worker.data.batches import dataset_pipeline, synthetic_batch

    built.model.compile("sgd", built.loss)
    made_up = built.model.train_on_batch(*synthetic_batch(built, how["batch_size"]))
    if data is None:
        return {"loss_made_up": float(made_up)}
    plan = Plan(**{name: value for name, value in how.items() if name not in ("cache_dir", "passes")})
    batches = dataset_pipeline(built, data, plan, cache_dir=how.get("cache_dir"))
    passes = []
    for _ in range(how.get("passes", 1)):
        count, labels, high = 0, set(), 0.0
        for x, y in batches:
            count += 1
            first = tf.nest.flatten(x)[0]
            high = max(high, float(tf.reduce_max(tf.cast(first, tf.float32))))
            if len(y.shape) == 1:
                labels.update(y.numpy().tolist())
        passes.append(count)
    return {
        "passes": passes,
        "labels": sorted(labels),
        "high": high,
        "x": [[list(t.shape), t.dtype.name] for t in tf.nest.flatten(x)],
        "y": [list(y.shape), y.dtype.name],
        "loss_made_up": float(made_up),
        "loss": float(built.model.train_on_batch(list(x) if isinstance(x, tuple) else x, y)),
    }


def make_files(folder: Path) -> None:
    """Save models as users do, and records."""
    import keras
    import numpy as np
    import tensorflow as tf
    from keras import layers

    image = keras.Input((None, None, 3))
    x = layers.Conv2D(8, 3)(image)
    x = layers.GlobalAveragePooling2D()(x)
    net = keras.Model(image, layers.Dense(7, activation="softmax")(x))
    net.compile("adam", "sparse_categorical_crossentropy")
    plain = keras.Sequential([keras.Input((20,)), layers.Dense(8), layers.Dense(1, activation="sigmoid")])
    code = keras.Sequential([keras.Input((20,)), layers.Lambda(lambda x: x * 2), layers.Dense(1)])
    for suffix in ("keras", "h5"):
        net.save(folder / f"net.{suffix}")
        plain.save(folder / f"plain.{suffix}")
        code.save(folder / f"code.{suffix}")
    (folder / "net.json").write_text(net.to_json())
    (folder / "plain.json").write_text(plain.to_json())
    net.save_weights(folder / "only.weights.h5")
    generator = np.random.default_rng(0)
    with tf.io.TFRecordWriter(str(folder / "r.tfrecord")) as writer:
        for i in range(70):
            pixels = generator.integers(0, 255, (32, 48, 3), dtype=np.uint8)
            writer.write(_example(tf, tf.io.encode_jpeg(pixels).numpy(), i % 7))


def _example(tf: Any, image: bytes, label: int) -> bytes:
    features = {
        "image": tf.train.Feature(bytes_list=tf.train.BytesList(value=[image])),
        "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[label])),
        "weights": tf.train.Feature(float_list=tf.train.FloatList(value=[0.5, 1.5])),
    }
    made: bytes = tf.train.Example(features=tf.train.Features(feature=features)).SerializeToString()
    return made


if __name__ == "__main__":
    main()
