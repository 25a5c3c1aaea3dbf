from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.timing.steptime import StepWork
from app.core.types.machine import DeviceRates
from tests.core.graphs import chain_graph
from tests.core.machines import HOST_RATES

WORK = StepWork(chain_graph(), "sgd")


def test_work_is_counted_by_operation():
    forward_and_two_gradients = 2 * 3 * 2.0 * 1000 * 1000
    assert WORK.flops(7) == pytest.approx(7 * forward_and_two_gradients)


def test_a_faster_device_takes_less_time_and_the_bound_moves():
    slow = WORK.time(HOST_RATES, 4096, xla=False)
    fast = WORK.time(replace(HOST_RATES, matmul_flops_per_s=1e12), 4096, xla=False)
    assert fast.step_s < slow.step_s
    assert slow.bound_by == "compute"
    assert WORK.time(HOST_RATES, 1, xla=False).bound_by in ("memory", "overhead")


def test_xla_moves_fewer_bytes_and_launches_fewer_kernels():
    graph = chain_graph()
    plain = StepWork(graph, "adam").time(HOST_RATES, 64, xla=False)
    fused = StepWork(graph, "adam").time(HOST_RATES, 64, xla=True)
    assert fused.memory_s < plain.memory_s
    assert fused.overhead_s < plain.overhead_s


def test_unknown_rates_give_no_time():
    assert WORK.time(DeviceRates("cpu", "x"), 8, xla=False) is None


@given(batch=st.integers(1, 10_000))
def test_time_grows_with_the_batch_but_less_than_in_proportion(batch):
    one, two = (WORK.time(HOST_RATES, n * batch, xla=False).step_s for n in (1, 2))
    assert one < two <= 2 * one * (1 + 1e-9)
