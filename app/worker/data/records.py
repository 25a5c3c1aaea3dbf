"""TFRecord files with encoded images and labels."""

from __future__ import annotations

import os
from typing import Any

from app.core.pipeline.datafiles import RECORD_LABELS, is_record
from app.core.types.errors import BadDataset
from app.core.types.text import phrase
from app.core.types.workload import Dataset, Plan
from app.worker.data.fit import channels_of, check_image_model, image_sample
from app.worker.data.plan import calls_at_once, decoded
from app.worker.models.built import BuiltModel

_IMAGE_MAGIC = (b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"GIF8", b"BM", b"RIFF")


def samples(built: BuiltModel, dataset: Dataset, plan: Plan) -> Any:
    """Images of the model's size as bytes, and their labels.

    Raises:
        BadDataset: The records hold no encoded image, or the model takes none.
    """
    import tensorflow as tf

    check_image_model(built, dataset.name)
    paths = list_records(dataset.path or "")
    image_key, label_key = _keys(next(iter(tf.data.TFRecordDataset(paths[:1]))).numpy(), dataset.name)
    channels = channels_of(built)
    features = {image_key: tf.io.FixedLenFeature((), tf.string)}
    if label_key is not None:
        features[label_key] = tf.io.FixedLenFeature((), tf.int64)

    def read(record: Any) -> tuple[Any]:
        return (record,)

    def decode(record: Any) -> tuple[Any, Any]:
        parsed = tf.io.parse_single_example(record, features)
        image = tf.io.decode_image(parsed[image_key], channels=channels, expand_animations=False)
        image.set_shape((None, None, channels))
        label = parsed[label_key] if label_key is not None else tf.constant(0, tf.int64)
        return image_sample(built, image, label)

    at_once = calls_at_once(plan)
    records = tf.data.TFRecordDataset(paths, num_parallel_reads=at_once if plan.cache_share == 1 else None)
    return decoded(records, dataset.samples, read, decode, plan)


def list_records(root: str) -> list[str]:
    """The file itself, or the TFRecord files of a folder."""
    if os.path.isdir(root):
        return sorted(entry.path for entry in os.scandir(root) if entry.is_file() and is_record(entry.name))
    return [root]


def _keys(record: bytes, name: str) -> tuple[str, str | None]:
    """Names of the image and of the label among an example's features."""
    import tensorflow as tf

    features = tf.train.Example.FromString(record).features.feature
    images = [key for key, f in features.items() if f.bytes_list.value[:1] and _is_image(f.bytes_list.value[0])]
    if not images:
        raise BadDataset(
            phrase("the records hold no encoded image"),
            expected=phrase("a feature with a JPEG or PNG file"),
            received=f"{name}: {', '.join(sorted(features)[:8])}",
        )
    labels = [key for key in RECORD_LABELS if key in features and len(features[key].int64_list.value) == 1]
    return images[0], labels[0] if labels else None


def _is_image(value: bytes) -> bool:
    """Do the bytes begin like an image file?"""
    return value.startswith(_IMAGE_MAGIC)
