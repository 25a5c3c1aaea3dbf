"""Scratch that allocator traces of TensorFlow's build for cards show beside an operation's results."""

from types import SimpleNamespace

import pytest

from app.worker.tracing.card_scratch import card_scratch

IMAGE, FILTER, RESULT = (32, 1, 4000, 64), (1, 9, 64, 64), (32, 1, 2000, 64)


def attributes(padding="SAME", stride=2, data_format="NHWC"):
    sides = [1, stride, stride, 1] if data_format == "NHWC" else [1, 1, stride, stride]
    return {
        "padding": SimpleNamespace(s=padding.encode()),
        "data_format": SimpleNamespace(s=data_format.encode()),
        "strides": SimpleNamespace(list=SimpleNamespace(i=sides)),
        "dilations": SimpleNamespace(list=SimpleNamespace(i=[1, 1, 1, 1])),
    }


@pytest.mark.parametrize("data_format", ["NHWC", "NCHW"])
def test_an_image_is_padded_where_its_sides_are_not_alike(data_format):
    given = attributes(data_format=data_format)
    assert card_scratch("Conv2D", given, [IMAGE, FILTER], [RESULT], 4) == ((147_456,), (32_776_192,))
    filter_gradient = [IMAGE, None, RESULT]
    assert card_scratch("Conv2DBackpropFilter", given, filter_gradient, [FILTER], 4) == ((147_456,), (32_776_192,))


def test_the_gradient_of_an_image_is_computed_beside_the_result():
    found = card_scratch("Conv2DBackpropInput", attributes(), [(4,), FILTER, RESULT], [IMAGE], 4)
    assert found == ((32_768_000,), (147_456,), (32_776_192,))


def test_nothing_is_padded_where_both_sides_are_alike():
    image = (64, 16, 16, 128)
    found = card_scratch("Conv2D", attributes(stride=1), [image, (3, 3, 128, 128)], [image], 2)
    assert found == ((294_912,),)
    assert card_scratch("MatMul", {}, [(4, 5), (5, 6)], [(4, 6)], 4) == ()


VOLUME, POOLED = (32, 12, 32, 32, 16), (32, 6, 16, 16, 16)


def test_volumes_are_pooled_in_copies_with_channels_first():
    """As an emulated T4 was seen to allocate them (TensorFlow 2.21): 24 and 3 MiB."""
    given = attributes(data_format="NHWC")
    image, result = (25_165_824,), (3_145_728,)
    assert card_scratch("MaxPool3D", given, [VOLUME], [POOLED], 4) == (image, result)
    assert card_scratch("AvgPool3D", given, [VOLUME], [POOLED], 4) == (image, result)
    assert card_scratch("MaxPool3DGrad", given, [VOLUME, POOLED, POOLED], [VOLUME], 4) == (image, result) * 2
    assert card_scratch("AvgPool3DGrad", given, [(5,), POOLED], [VOLUME], 4) == (image, result) * 2


def test_volumes_with_channels_first_need_no_copies():
    assert card_scratch("MaxPool3D", attributes(data_format="NCHW"), [VOLUME], [POOLED], 4) == ()


@pytest.mark.parametrize(("item_bytes", "pieces"), [(4, (4_194_304, 4_194_304)), (2, (2_097_152, 4_194_304))])
@pytest.mark.parametrize("kind", ["Softmax", "LogSoftmax"])
def test_a_softmax_has_room_for_a_maximum_and_a_sum_of_every_number(kind, item_bytes, pieces):
    """As an emulated RTX 4090 was seen to allocate them in float32, float16 and bfloat16."""
    shape = (1024, 1024)
    assert card_scratch(kind, {}, [shape], [shape], item_bytes) == tuple((piece,) for piece in pieces)


def test_the_gradient_of_a_mean_of_images_is_made_channels_first():
    """4 and 1 MiB of an emulated RTX 4090."""
    image, result = (8, 64, 64, 32), (8, 32, 32, 32)
    found = card_scratch("AvgPoolGrad", attributes(), [(4,), result], [image], 4)
    assert found == ((4_194_304,), (1_048_576,))
    assert card_scratch("AvgPoolGrad", attributes(data_format="NCHW"), [(4,), result], [image], 4) == ()


@pytest.mark.parametrize(("type_", "pieces"), [(1, ()), (19, ((4_194_304,),))])
def test_the_gradient_of_an_image_of_16_bits_that_is_enlarged_is_added_up_in_float32(type_, pieces):
    image, large = (8, 64, 64, 32), (8, 128, 128, 32)
    given = {"T": SimpleNamespace(type=type_)}
    assert card_scratch("ResizeBilinearGrad", given, [large, image], [image], 4) == pieces
