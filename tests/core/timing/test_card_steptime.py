from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.timing.card_steptime import CardWork
from app.core.timing.card_tiles import tiled
from app.core.types.convolution import Convolution
from app.core.types.machine import DeviceRates
from app.core.types.stepgraph import Operation, PerBatch
from tests.core.graphs import SAMPLE_BYTES, chain_graph

RATES = DeviceRates(
    "card",
    "test",
    matmul_flops_per_s=1e13,
    conv_flops_per_s=1e13,
    elementwise_bytes_per_s=5e11,
    copy_bytes_per_s=4e9,
    launch_s=1e-5,
    step_overhead_s=1e-3,
)
WORK = CardWork(chain_graph(), "sgd")


PLAIN = replace(RATES, plain_convolutions=True, winograd_through_memory=True, multiprocessors=80)


def asked(direction="forward", window=3, channels=256, filters=256, side=28, stride=1):
    """A square convolution of an image for each sample."""
    kernel, sides = (window, window), (side // stride, side // stride)
    padding = (window // 2, window // 2)
    return Convolution(
        direction, False, 0, 1, channels, filters, 1, (side, side), kernel, sides, padding, (stride, stride), (1, 1)
    )


def direct_flops(shape):
    """Of a convolution of one image as it is written down."""
    window = shape.kernel[0] * shape.kernel[1]
    return 2.0 * window * shape.channels * shape.filters * shape.result[0] * shape.result[1]


def convolution(shape=None, flops=None):
    """A graph of one convolution."""
    graph = chain_graph()
    work = PerBatch(0, direct_flops(shape) if flops is None else flops)
    operation = Operation("Conv2D", (), (), flops=work, convolution=shape)
    return replace(graph, operations=(operation,), variables=(), input_tensors=())


def card_s(shape, rates, batch=1):
    """Seconds of its kernel."""
    return CardWork(convolution(shape), "sgd").step(rates, batch, xla=False).card_s


def test_a_small_step_waits_for_the_host_and_a_large_one_for_the_card():
    slow = replace(RATES, launch_s=1e-4)
    small, large = WORK.step(slow, 1, xla=False), WORK.step(slow, 100_000, xla=False)
    assert small.waits_for_host
    assert small.step_s == small.host_s > small.card_s
    assert not large.waits_for_host
    assert large.step_s == large.between_s + large.card_s > large.host_s
    assert small.card_share < 0.5 < large.card_share


def test_the_batch_is_copied_to_the_card():
    found = WORK.step(RATES, 1000, xla=False)
    assert found.copy_s == pytest.approx(1000 * SAMPLE_BYTES / 4e9)


def test_a_kernel_takes_the_longer_of_computing_and_moving():
    graph = convolution(flops=1e10)
    assert CardWork(graph, "sgd").step(RATES, 1, xla=False).compute_s == pytest.approx(1e-3)
    assert CardWork(graph, "sgd").step(RATES, 1, xla=False).memory_s == 0


def test_a_window_of_three_is_filtered_within_a_kernel_but_for_its_own_gradient():
    fused = replace(RATES, winograd_speedup=2.25)
    for direction, speedup in (("forward", 2.25), ("image", 2.25), ("filter", 1.0)):
        shape = asked(direction)
        assert card_s(shape, fused) == pytest.approx(direct_flops(shape) / 1e13 / speedup)
    strided = asked(stride=2)
    assert card_s(strided, fused) == pytest.approx(direct_flops(strided) / 1e13)


def test_tiles_in_memory_are_taken_where_they_are_faster():
    slow_memory = replace(PLAIN, elementwise_bytes_per_s=1e9)
    for shape in (asked(), asked(window=5), asked(window=11)):
        way, direct_s = tiled(shape), 64 * direct_flops(shape) / 1e13
        seconds = way.flops.at(64) / 1e13 + way.tile_bytes.at(64) / 5e11
        assert card_s(shape, PLAIN, 64) == pytest.approx(seconds)
        assert seconds < direct_s
        assert card_s(shape, slow_memory, 64) == pytest.approx(direct_s)
        assert card_s(shape, RATES, 64) == pytest.approx(direct_s)


def test_the_products_of_a_filters_gradient_may_be_too_few_for_a_card():
    few, many = asked("filter", channels=64, filters=64), asked("filter", channels=1024, filters=1024)
    for rates in (PLAIN, replace(PLAIN, multiprocessors=36)):
        moved_s = tiled(few).tile_bytes.at(64) / 5e11
        products_s = card_s(few, replace(rates, conv_flops_per_s=1e9), 64) - moved_s
        assert products_s == pytest.approx(tiled(few).flops.at(64) / 1e13 * rates.multiprocessors / 36)
    assert card_s(many, replace(PLAIN, multiprocessors=10)) == pytest.approx(card_s(many, PLAIN))


def test_a_window_of_one_place_is_a_product_of_matrices_without_tensor_cores():
    shape, backwards = asked(window=1), asked("filter", window=1)
    fast = replace(PLAIN, matmul_flops_per_s=2e13)
    assert card_s(shape, fast) == pytest.approx(direct_flops(shape) / 2e13)
    assert card_s(backwards, fast) == pytest.approx(direct_flops(backwards) / 1e13)
    assert card_s(shape, replace(RATES, matmul_flops_per_s=2e13)) == pytest.approx(direct_flops(shape) / 1e13)


def test_no_kernel_is_shorter_than_the_floor():
    tiny = CardWork(convolution(flops=1.0), "sgd").step(RATES, 1, xla=False)
    assert tiny.card_s == pytest.approx(RATES.kernel_floor_s)
    assert tiny.latency_s == pytest.approx(RATES.kernel_floor_s, rel=1e-3)


def test_xla_moves_fewer_bytes_and_launches_fewer_kernels():
    work = CardWork(chain_graph(), "adam")
    plain, fused = work.step(RATES, 64, xla=False), work.step(RATES, 64, xla=True)
    assert fused.memory_s < plain.memory_s
    assert fused.host_s < plain.host_s


def test_parts_add_up_to_the_step():
    for batch in (1, 100_000):
        time = WORK.time(RATES, batch, xla=False)
        assert time.compute_s + time.memory_s + time.overhead_s == pytest.approx(time.step_s)
        assert time.overhead_s >= 0


def test_unknown_rates_give_no_time():
    assert WORK.time(DeviceRates("card", "x"), 8, xla=False) is None


@given(batch=st.integers(1, 10_000))
def test_time_grows_with_the_batch_but_not_faster(batch):
    one, two = (WORK.step(RATES, n * batch, xla=False).step_s for n in (1, 2))
    assert one <= two <= 2 * one * (1 + 1e-9)


@given(st.floats(1.1, 10))
def test_a_card_that_is_faster_in_everything_is_faster_by_no_more(factor):
    faster = replace(
        RATES, matmul_flops_per_s=factor * 1e13, conv_flops_per_s=factor * 1e13, elementwise_bytes_per_s=factor * 5e11
    )
    slow, fast = WORK.step(RATES, 4096, xla=False), WORK.step(faster, 4096, xla=False)
    assert fast.card_s < slow.card_s <= factor * fast.card_s * (1 + 1e-9)


def test_what_keras_does_between_two_steps_is_hidden_by_nothing():
    for batch in (1, 100_000):
        step = WORK.step(RATES, batch, xla=False)
        assert step.step_s == RATES.step_overhead_s + max(step.card_s, step.launching_s)
