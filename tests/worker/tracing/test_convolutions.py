"""What cuDNN is asked for, from an operation's shapes and attributes."""

from __future__ import annotations

import pytest

from app.worker.tracing.convolutions import convolution
from app.worker.tracing.step_function import PRIME_BATCH
from tests.worker.tracing.test_card_scratch import attributes

IMAGE, FILTER, RESULT = (PRIME_BATCH, 224, 224, 3), (3, 3, 3, 32), (PRIME_BATCH, 112, 112, 32)


@pytest.mark.parametrize(
    ("kind", "inputs", "output", "direction"),
    [
        ("Conv2D", [IMAGE, FILTER], RESULT, "forward"),
        ("Conv2DBackpropFilter", [IMAGE, None, RESULT], FILTER, "filter"),
        ("Conv2DBackpropInput", [(4,), FILTER, RESULT], IMAGE, "image"),
    ],
)
def test_every_direction_is_asked_for_with_the_same_shapes(kind, inputs, output, direction):
    found = convolution(kind, attributes(), inputs, [output])
    assert found.direction == direction
    assert (found.images_at(1), found.images_at(32)) == (1, 32)
    assert (found.channels, found.filters, found.groups) == (3, 32, 1)
    assert (found.image, found.kernel, found.result) == ((225, 225), (3, 3), (112, 112))
    assert (found.padding, found.strides, found.dilations) == ((0, 0), (2, 2), (1, 1))


def test_what_is_padded_alike_on_both_sides_is_left_to_cudnn():
    image = (PRIME_BATCH, 16, 16, 128)
    found = convolution("Conv2D", attributes(stride=1), [image, (3, 3, 128, 128)], [image])
    assert (found.image, found.padding) == ((16, 16), (1, 1))


def test_frames_of_a_sample_are_images():
    image = (PRIME_BATCH * 5, 16, 16, 128)
    found = convolution("Conv2D", attributes(stride=1), [image, (3, 3, 128, 128)], [image])
    assert found.images_at(4) == 20


def test_products_of_matrices_are_not_asked_for():
    image = (PRIME_BATCH, 16, 16, 128)
    points = [image, (1, 1, 128, 64)], [(PRIME_BATCH, 16, 16, 64)]
    assert convolution("Conv2D", attributes(stride=1), *points) is None
    assert convolution("Conv2D", attributes(stride=1, data_format="NCHW"), *points) is not None
    whole = [image, (16, 16, 128, 64)], [(PRIME_BATCH, 1, 1, 64)]
    assert convolution("Conv2D", attributes("VALID", 1), *whole) is None
    assert convolution("MatMul", {}, [(4, 5), (5, 6)], [(4, 6)]) is None
