import pytest

from app.core.timing.signatures import OpContext, signature_of
from app.core.types.stepgraph import PerBatch


def values(signature, batch=1):
    return [line.at(batch) for line in signature.dimensions]


def test_a_convolution_is_described_by_positions_channels_window_and_stride():
    image, result = PerBatch(0, 4 * 56 * 56 * 64), PerBatch(0, 4 * 28 * 28 * 128)
    flops = PerBatch(0, 2.0 * 28 * 28 * 128 * 9 * 64)
    kernel = (3, 3, 64, 128)
    found = signature_of("Conv2D", [image, PerBatch(4 * 9 * 64 * 128)], [result], flops, OpContext(kernel=kernel))
    assert found.family == "convolution"
    assert values(found, 8) == [8 * 28 * 28, 64, 128, 9, 4]


def test_both_gradients_of_a_convolution_have_its_dimensions():
    image, result, weight = PerBatch(0, 4 * 56 * 56 * 64), PerBatch(0, 4 * 56 * 56 * 128), PerBatch(4 * 9 * 64 * 128)
    flops, kernel = PerBatch(0, 2.0 * 56 * 56 * 128 * 9 * 64), (3, 3, 64, 128)
    forward = signature_of("Conv2D", [image, weight], [result], flops, OpContext(kernel=kernel))
    to_input = signature_of(
        "Conv2DBackpropInput", [PerBatch(16), weight, result], [image], flops, OpContext(kernel=kernel)
    )
    to_filter = signature_of(
        "Conv2DBackpropFilter", [image, PerBatch(16), result], [weight], flops, OpContext(kernel=kernel)
    )
    assert values(forward, 4) == values(to_input, 4) == values(to_filter, 4)
    assert len({forward.family, to_input.family, to_filter.family}) == 3


def test_the_sides_of_a_product_follow_from_its_sizes_and_work():
    x, w, y = PerBatch(0, 4 * 300), PerBatch(4 * 300 * 10), PerBatch(0, 4 * 10)
    found = signature_of("MatMul", [x, w], [y], PerBatch(0, 2.0 * 300 * 10), OpContext(reads_weight=True))
    assert values(found, 32) == pytest.approx([32, 300, 10, 1])
    gradient = signature_of("MatMul", [x, y], [w], PerBatch(0, 2.0 * 300 * 10), OpContext(backward=True))
    assert gradient.family == "product, transposed"
    assert values(gradient, 32) == pytest.approx([300, 32, 10, 1])


def test_many_products_at_once_are_counted():
    q, scores = PerBatch(0, 4 * 8 * 50 * 64), PerBatch(0, 4 * 8 * 50 * 50)
    found = signature_of("BatchMatMulV2", [q, q], [scores], PerBatch(0, 2.0 * 8 * 50 * 50 * 64))
    assert values(found, 16) == pytest.approx([50, 64, 50, 16 * 8])


def test_one_weight_for_all_matrices_of_a_batch_makes_one_product_of_them():
    x, w, y = PerBatch(0, 4 * 50 * 160), PerBatch(4 * 160 * 96), PerBatch(0, 4 * 50 * 96)
    work = PerBatch(0, 2.0 * 50 * 160 * 96)
    forward = signature_of("BatchMatMulV2", [x, w], [y], work)
    assert (forward.family, values(forward, 16)) == ("product", pytest.approx([16 * 50, 160, 96, 1]))
    back = signature_of("BatchMatMulV2", [y, w], [x], work, OpContext(backward=True))
    assert back.family == "product, transposed weight"
    each = signature_of("BatchMatMulV2", [x, y], [PerBatch(0, 4 * 160 * 96)], work, OpContext(backward=True))
    assert (each.family, values(each, 16)) == ("products, transposed", pytest.approx([160, 50, 96, 16]))


def test_a_spread_operand_and_a_number_are_families_of_their_own():
    big = PerBatch(0, 4096)
    work = PerBatch(0, 1024)
    assert signature_of("Mul", [big, big], [big], work).family == "Mul"
    assert signature_of("Mul", [big, PerBatch(256)], [big], work).family == "Mul, spread"
    assert signature_of("Mul", [big, PerBatch(4)], [big], work).family == "Mul, with a number"


def test_what_a_loop_repeats_is_told_from_its_work():
    size = PerBatch(0, 4 * 64)
    assert signature_of(
        "Tanh", [size], [size], PerBatch(0, 64 * 50), OpContext(looped=True)
    ).trip_count == pytest.approx(50)
    assert signature_of("Tanh", [size], [size], PerBatch(0, 64), OpContext(looped=True)).trip_count == 1


def test_a_list_passes_its_elements_on_for_next_to_nothing_however_long_it_is():
    whole, element, index = PerBatch(0, 4 * 64 * 50), PerBatch(0, 4 * 64), PerBatch(4)
    found = signature_of(
        "TensorListSetItem", [whole, index, element], [whole], PerBatch(0, 64 * 50), OpContext(looped=True)
    )
    assert found.family == "list element"
    assert found.trip_count == pytest.approx(50)
