from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.timing.card_steptime import PAGEABLE_COPY_BYTES_PER_S, CardWork
from app.core.types.machine import DeviceRates
from app.core.types.stepgraph import Operation, PerBatch
from tests.core.graphs import SAMPLE_BYTES, chain_graph

RATES = DeviceRates(
    "card",
    "test",
    matmul_flops_per_s=1e13,
    conv_flops_per_s=1e13,
    elementwise_bytes_per_s=5e11,
    launch_s=1e-5,
    step_overhead_s=1e-3,
)
WORK = CardWork(chain_graph(), "sgd")


def convolution(flops: float, tiles: float):
    """A graph of one 3x3 convolution of a batch of one."""
    graph = chain_graph()
    operation = Operation("Conv2D", (), (), flops=PerBatch(0, flops), wanted_workspace=PerBatch(0, tiles))
    return replace(graph, operations=(operation,), variables=(), input_tensors=())


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
    assert found.copy_s == pytest.approx(1000 * SAMPLE_BYTES / PAGEABLE_COPY_BYTES_PER_S)


def test_a_kernel_takes_the_longer_of_computing_and_moving():
    graph = convolution(flops=1e10, tiles=0)
    assert CardWork(graph, "sgd").step(RATES, 1, xla=False).compute_s == pytest.approx(1e-3)
    assert CardWork(graph, "sgd").step(RATES, 1, xla=False).memory_s == 0


def test_winograd_is_the_fastest_of_its_ways():
    fused = replace(RATES, winograd_speedup=2.25)
    both = replace(fused, winograd_through_memory=True)
    few, many = (CardWork(convolution(1e10, tiles), "sgd") for tiles in (1e6, 1e9))
    assert few.step(fused, 1, xla=False).card_s == pytest.approx(1e-3 / 2.25)
    assert few.step(both, 1, xla=False).card_s == pytest.approx(1e-3 / 4 + 2 * 1e6 / 5e11)
    assert many.step(both, 1, xla=False).card_s == pytest.approx(1e-3 / 2.25)
    assert many.step(replace(both, winograd_speedup=1.0), 1, xla=False).card_s == pytest.approx(1e-3)


def test_no_kernel_is_shorter_than_the_floor():
    tiny = CardWork(convolution(1.0, 0), "sgd").step(RATES, 1, xla=False)
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
