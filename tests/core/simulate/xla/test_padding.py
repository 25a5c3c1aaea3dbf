from dataclasses import replace

import pytest

from app.core.simulate.xla.padding import dilated, surrounding, swapped, uneven_padding
from app.core.types.stepgraph import Layer, PerBatch, Variable
from tests.core.graphs import chain_graph


def graph(*shape, kind="Conv2D"):
    return replace(
        chain_graph(),
        layers=(Layer("layer", kind, 1, 1),),
        variables=(Variable("layer/kernel", shape, "float32", 4, True, None, 0),),
    )


def size(side, channels):
    return PerBatch(0, side * side * channels * 4)


@pytest.mark.parametrize(
    ("kernel", "given", "made", "less"),
    [
        (3, 64, 64, None),  # one on either side
        (3, 64, 32, 0),  # one in all: stride 2
        (4, 64, 64, 1),
        (9, 64, 32, 3),  # three and four
        (1, 64, 32, None),
        (7, 230, 112, None),  # padded by a layer of its own
    ],
)
def test_same_padding_is_uneven_where_kernel_and_stride_differ_by_an_odd_number(kernel, given, made, less):
    network = graph(kernel, kernel, 3, 16)
    padding = uneven_padding(network, 0, size(given, 3), size(made, 16), 4)
    assert (None if padding is None else padding.less) == less


def test_a_padded_image_is_larger_by_a_row_and_a_column_for_all_or_for_what_is_uneven():
    padding = uneven_padding(graph(9, 9, 3, 16), 0, size(64, 3), size(32, 16), 4)
    assert padding.whole == pytest.approx((71 / 64) ** 2)
    assert padding.difference == pytest.approx((65 / 64) ** 2)


def test_a_depthwise_convolution_has_as_many_filters_as_its_channels_have():
    network = graph(3, 3, 8, 2, kind="DepthwiseConv2D")
    assert uneven_padding(network, 0, size(64, 8), size(32, 16), 4).less == 0
    assert uneven_padding(network, 0, size(64, 8), size(64, 16), 4) is None


def test_what_has_no_kernel_is_not_padded():
    assert uneven_padding(graph(3, 16), 0, size(64, 3), size(32, 16), 4) is None
    assert uneven_padding(graph(3, 3, 3, 16), None, size(64, 3), size(32, 16), 4) is None


@pytest.mark.parametrize(
    ("kernel", "given", "made", "filters"),
    [
        (5, 8, 4, (14 / 5) ** 2),  # what XLA writes for a discriminator's last layer: f16[256,14,14,512]
        (3, 4, 2, 2.0**2),
        (3, 8, 4, None),  # nine places are fewer than sixteen
        (5, 2, 1, None),  # a single place
        (3, 8, 8, None),
    ],
)
def test_filters_with_more_places_than_a_gradient_are_convolved_with_it(kernel, given, made, filters):
    found = swapped(graph(kernel, kernel, 256, 512), 0, size(given, 256), size(made, 512), 4)
    assert found == (None if filters is None else (pytest.approx(filters), ((2 * made - 1) / made) ** 2))


@pytest.mark.parametrize(
    ("image", "whole", "less", "more"),
    [
        (224, 230, 3, 3),  # of a ResNet's first layer
        (112, 113, 0, 1),  # of a MobileNet's: one more at the end
        (16, 19, 1, 2),
        (16, 16, None, None),
    ],
)
def test_zeros_that_a_layer_has_put_around_an_image_are_the_convolutions_own(image, whole, less, more):
    found = surrounding(graph(7, 7, 3, 16), 0, size(whole, 3), size(image, 3), 4)
    assert (None if found is None else (found.less, found.more)) == (None if less is None else (less, more))
    if found is not None:
        assert found.whole == pytest.approx((whole / image) ** 2)
        assert found.difference == pytest.approx(((image + more - less) / image) ** 2)


def test_of_an_image_that_is_not_square_nobody_knows_what_was_put_around():
    assert surrounding(graph(3, 3, 3, 16), 0, PerBatch(0, 7 * 9 * 3 * 4), PerBatch(0, 5 * 8 * 3 * 4), 4) is None


@pytest.mark.parametrize(("image", "gradient", "side", "times"), [(33, 16, 3, (35 / 16) ** 2), (32, 32, 3, None)])
def test_the_gradient_of_a_depthwise_layer_with_a_stride_is_read_with_zeros_between_its_places(
    image, gradient, side, times
):
    """16 x 16 places by twos and 3 x 3 filters: 31, and two on either side."""
    network = graph(side, side, 8, 1, kind="DepthwiseConv2D")
    found = dilated(network, 0, size(image, 8), size(gradient, 8), 4)
    assert found == (None if times is None else pytest.approx(times))
