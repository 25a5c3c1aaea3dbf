"""Images in class folders: read, decoded and resized in parallel."""

from __future__ import annotations

import os
import random
from typing import Any

from app.core.pipeline.datafiles import is_image, is_skipped_folder
from app.core.types.errors import BadDataset
from app.core.types.text import phrase
from app.core.types.workload import Dataset, Plan
from app.worker.data.fit import channels_of, check_image_model, image_sample
from app.worker.data.plan import decoded
from app.worker.models.built import BuiltModel


def samples(built: BuiltModel, dataset: Dataset, plan: Plan) -> Any:
    """Images of the model's size as bytes, and their class numbers.

    Files that cannot be decoded are left out; `app.worker.data.broken_images` tells which.

    Raises:
        BadDataset: There is no image, or the model takes none.
    """
    import tensorflow as tf

    check_image_model(built, dataset.name)
    paths, labels = list_images(dataset.path or "")
    channels = channels_of(built)

    def read(path: Any, label: Any) -> tuple[Any, Any]:
        return tf.io.read_file(path), label

    def decode(content: Any, label: Any) -> tuple[Any, Any]:
        image = pixels(content, channels)
        image.set_shape((None, None, channels))
        return image_sample(built, image, label)

    files = tf.data.Dataset.from_tensor_slices((paths, labels))
    if plan.cache_share == 1:
        files = files.shuffle(len(paths))  # a part to be cached must be the same in each pass
    return decoded(files, len(paths), read, decode, plan, skip_broken=True)


def pixels(content: Any, channels: int) -> Any:
    """The tensor of an image's pixels from its file's bytes; an animation's first picture."""
    import tensorflow as tf

    return tf.io.decode_image(content, channels=channels, expand_animations=False)


def list_images(root: str) -> tuple[list[str], list[int]]:
    """Paths of all images below a folder and their class numbers, in an order drawn by chance.

    Raises:
        BadDataset: There is none.
    """
    found: list[tuple[str, str]] = []
    seen: set[tuple[int, int]] = set()
    for folder, names, files in os.walk(root, followlinks=True):
        status = os.stat(folder)
        if (status.st_dev, status.st_ino) in seen:
            names.clear()
            continue
        seen.add((status.st_dev, status.st_ino))
        names[:] = sorted(name for name in names if not is_skipped_folder(name))
        first = os.path.relpath(folder, root).split(os.sep)[0]
        found.extend((os.path.join(folder, name), first) for name in files if is_image(name))
    if not found:
        raise BadDataset(
            phrase("there is no image in the folder"), expected=phrase("class folders of images"), received=root
        )
    random.Random(0).shuffle(found)
    number = {name: index for index, name in enumerate(sorted({name for _, name in found}))}
    return [path for path, _ in found], [number[name] for _, name in found]
