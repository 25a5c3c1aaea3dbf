from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.timing.op_times import ORDINARY, OpTimes
from app.core.timing.step_clock import Conditions, StepClock
from app.core.timing.step_signatures import FusedOps
from app.core.timing.steptime_here import StepTimesHere
from app.core.types.machine import DeviceRates, TimedOperation
from app.core.types.stepgraph import Operation, PerBatch
from app.core.types.workload import Plan
from tests.core.graphs import chain_graph

TIMED = (
    TimedOperation(ORDINARY, (2.0**16, 1.0), 2.0**16, 1e-5, 1.5e-5),
    TimedOperation(ORDINARY, (2.0**24, 1.0), 2.0**24, 2.56e-3, 4e-3),
    TimedOperation("update", (2.0**20, 1.0), 2.0**20, 1e-4, 2e-4),
    TimedOperation("product", (64.0, 1024.0, 1024.0), 2.0 * 2**26, 1.5e-3, 2.8e-3),
    TimedOperation("product", (4.0, 1024.0, 1024.0), 2.0 * 2**22, 4e-4, 4e-4),
    TimedOperation("product", (64.0, 1024.0, 1024.0), 2.0 * 2**26, 1e-3, variant="xla"),
    TimedOperation(ORDINARY, (2.0**24, 1.0), 2.0**24, 1e-3, variant="xla"),
)
RATES = DeviceRates("cpu", "x", launch_s=1e-6, step_overhead_s=2e-4, operations=TIMED, threads=2, train_overhead_s=1e-3)
GRAPH = chain_graph()


def step_s(plan: Plan, rates: DeviceRates = RATES, *, xla: bool = False) -> float:
    return StepTimesHere(GRAPH).step_time(plan, rates, xla=xla).step_s


def test_parts_of_a_step_add_up_to_it():
    time = StepClock(GRAPH, "adam").time(OpTimes(TIMED), 32, Conditions(1e-6, 1e-3, 2, 2))
    assert time.compute_s + time.memory_s + time.overhead_s == pytest.approx(time.step_s)
    assert time.overhead_s > 1e-3


def test_one_thread_takes_longer_than_two_but_not_twice_as_long():
    one, two = step_s(Plan(64, threads=1)), step_s(Plan(64, threads=2))
    assert two < one < 2 * two


def test_xla_is_priced_with_what_was_timed_in_compiled_code_and_unknown_where_nothing_was():
    assert step_s(Plan(64), xla=True) < step_s(Plan(64, threads=1))
    without = replace(RATES, operations=tuple(one for one in TIMED if not one.variant))
    assert StepTimesHere(GRAPH).step_time(Plan(64), without, xla=True) is None


def test_a_precision_that_nobody_timed_is_unknown():
    assert StepTimesHere(GRAPH).step_time(Plan(64, precision="mixed_float16"), RATES, xla=False) is None


def test_rates_without_operations_know_nothing():
    assert StepTimesHere(GRAPH).step_time(Plan(64), replace(RATES, operations=()), xla=False) is None


def test_with_accumulation_only_one_step_of_a_round_updates_the_weights():
    assert step_s(Plan(64, "adam", accumulate=8)) < step_s(Plan(64, "adam", accumulate=2))


def test_a_better_timed_operation_changes_the_answer_at_once():
    here = StepTimesHere(GRAPH)
    before = here.step_time(Plan(64), RATES, xla=False).step_s
    hot = TimedOperation("product", (64.0, 1000.0, 1000.0), 2.0 * 64e6, 9e-3)
    after = here.step_time(Plan(64), replace(RATES, operations=(*TIMED, hot)), xla=False).step_s
    assert after > before


def test_a_bias_and_its_activation_are_part_of_the_product_before_them():
    base = chain_graph(layers=1)
    sizes = (*base.sizes, PerBatch(4000), PerBatch(0, 40_000), PerBatch(0, 40_000))
    n = len(base.sizes)
    product = next(i for i, op in enumerate(base.operations) if op.kind == "MatMul")
    made = base.operations[product].outputs[0]
    kept = base.operations[: product + 1]
    tail = (Operation("BiasAdd", (made, n), (n + 1,)), Operation("Relu", (n + 1,), (n + 2,)))
    graph = replace(base, sizes=sizes, operations=(*kept, *tail))
    assert FusedOps.of(graph).operations == {product + 1, product + 2}


@given(batch=st.integers(1, 2000))
def test_time_grows_with_the_batch(batch):
    here = StepTimesHere(GRAPH)
    one, two = (here.step_time(Plan(n * batch), RATES, xla=False).step_s for n in (1, 2))
    assert one < two
