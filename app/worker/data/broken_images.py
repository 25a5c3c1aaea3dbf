"""Images that have a sound header and cannot be decoded all the same; a pipeline leaves them out in silence."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass

from app.core.types.text import Text, phrase
from app.core.types.units import format_number
from app.core.types.workload import Dataset
from app.worker.data.images import list_images, pixels

LEAST_LOOK_S, LONGEST_LOOK_S = 0.5, 2.0
LEAST_IMAGES, LEAST_IMAGES_S = 64, 10.0
"""So many images are looked at however slow the machine is; but where one takes seconds, not for longer than this."""


@dataclass(frozen=True)
class BrokenImages:
    """How many files were looked at, and those among them that cannot be decoded, from the folder on."""

    looked_at: int
    names: tuple[str, ...] = ()

    def words(self) -> Text:
        """For people; empty if none is broken."""
        if not self.names:
            return Text()
        more = " and others" if len(self.names) > 1 else ""
        return phrase(
            "{count} of {looked_at} images that were looked at cannot be decoded and were left out: {names}{more}",
            count=format_number(len(self.names), ","),
            looked_at=format_number(self.looked_at, ","),
            names=self.names[0],
            more=more,
        )


def find_broken(dataset: Dataset | None, channels: int, limit_s: float = LONGEST_LOOK_S) -> BrokenImages:
    """Decode images of the user's folder, drawn by chance, for as long as there is time; some of them in any case.

    Args:
        dataset: The user's data; anything but images on this machine has no broken ones.
        channels: Of the model's images: what cannot be decoded to so many is left out too.
        limit_s: Seconds to spend, from the first image on.
    """
    if dataset is None or dataset.kind != "images" or not dataset.real or dataset.path is None:
        return BrokenImages(0)
    import tensorflow as tf

    paths = list_images(dataset.path)[0]
    asked = []

    def numbers() -> object:
        began_s = time.monotonic()
        for number in range(len(paths)):
            longest_s = limit_s if number >= LEAST_IMAGES else max(limit_s, LEAST_IMAGES_S)
            if time.monotonic() > began_s + longest_s:
                return
            asked.append(number)
            yield number

    names = tf.constant(paths)
    files = tf.data.Dataset.from_generator(numbers, output_signature=tf.TensorSpec((), tf.int64))
    whole = files.map(  # what nobody takes is not computed, so the size is handed on
        lambda n: (n, tf.shape(pixels(tf.io.read_file(names[n]), channels))), num_parallel_calls=tf.data.AUTOTUNE
    )
    good = {int(number) for number, _ in whole.ignore_errors().as_numpy_iterator()}
    broken = [os.path.relpath(paths[number], dataset.path) for number in asked if number not in good]
    return BrokenImages(len(asked), tuple(broken))
