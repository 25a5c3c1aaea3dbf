"""Which reductions first write what they read in another order."""

import pytest

from app.worker.tracing.reductions import is_turned
from tests.worker.tracing.test_trace import Spec, traced

IMAGES = (32, 16, 32, 64)


@pytest.mark.parametrize(
    ("shape", "axes", "expected"),
    [  # as TensorFlow 2.21 was seen to allocate, on a processor and on an emulated card
        (IMAGES, (0, 2), True),
        (IMAGES, (1, 3), True),
        (IMAGES, (0, 1, 2), False),
        (IMAGES, (0, 2, 3), False),
        (IMAGES, (0, 3), False),
        (IMAGES, (1, 2), False),
        (IMAGES, (2,), False),
        ((32, 1, 32, 64), (0, 2), False),  # a side of one is none
    ],
)
def test_every_other_of_four_dimensions_is_written_anew(shape, axes, expected):
    assert is_turned(shape, axes) == expected


def group_normalisation():
    import keras

    image = keras.Input((8, 8, 16))
    return keras.Model(image, keras.layers.GroupNormalization(4)(image))


@pytest.mark.worker
def test_means_of_groups_take_a_copy_of_the_image():
    graph = traced(group_normalisation, inputs=(Spec((8, 8, 16)),), targets=(Spec((8, 8, 16)),))
    image_bytes = 8 * 8 * 16 * 4
    means = [operation for operation in graph.operations if operation.kind == "Mean"]
    copies = [operation for operation in means if operation.scratch.per_sample == image_bytes]
    assert copies
    assert all(operation.card_scratch == (operation.scratch,) for operation in copies)
