"""Sums of many terms that are rewritten where memory is short."""

from dataclasses import replace

import pytest

from app.core.simulate.executor import execute
from app.core.simulate.op_memory import OpByOpDevice, OpByOpMemory
from app.core.simulate.optimizers import NOTHING_ADDED
from app.core.simulate.program_builder import LoweringOptions, build_program
from app.core.simulate.simulated import SimulatedTraining
from app.core.simulate.sums import HOST_BYTES, SHORT_ABOVE, short_sums, sums_of
from app.core.types.stepgraph import Operation, PerBatch
from app.core.types.units import MIB
from tests.core.graphs import chain_graph

TERM = MIB
"""Bytes of a term for each sample."""


def sum_of(terms):
    """``terms`` tensors made of the batch, their sum, and one reader."""
    made, total, read = range(1, terms + 1), terms + 1, terms + 2
    operations = [Operation("Sigmoid", (0,), (term,)) for term in made]
    operations += [Operation("AddN", tuple(made), (total,)), Operation("Mean", (total,), (read,))]
    sizes = (PerBatch(0, 4), *[PerBatch(0, TERM)] * (terms + 1), PerBatch(4))
    return replace(
        chain_graph(layers=1),
        sizes=sizes,
        operations=tuple(operations),
        variables=(),
        layers=(),
        input_tensors=(0,),
        outputs=(read,),
    )


def rewritten(graph, batch):
    program = build_program(graph, "sgd", LoweringOptions(kernels="host"))
    return short_sums(sums_of(program), execute(program), batch)


def memory(graph, *, on_host=True, allocator_bytes=None):
    return OpByOpMemory(
        graph,
        "sgd",
        OpByOpDevice(1, on_host, allocator_bytes=allocator_bytes),
        accumulate=1,
        options=NOTHING_ADDED,
        simulated=SimulatedTraining(),
    )


@pytest.mark.parametrize("terms", [3, 20])
def test_a_sum_is_rewritten_once_its_terms_take_most_of_what_a_processor_is_said_to_have(terms):
    enough = int(SHORT_ABOVE * HOST_BYTES / TERM / terms)
    assert not rewritten(sum_of(terms), enough // 2)
    assert rewritten(sum_of(terms), 2 * enough) == {terms}


def test_a_sum_of_two_gains_nothing():
    assert not rewritten(sum_of(2), 4096)


def test_rewritten_terms_are_given_back_as_they_come():
    graph = sum_of(20)
    waiting, adding = (
        build_program(graph, "sgd", LoweringOptions(kernels="host", one_by_one=frozenset(chosen)))
        for chosen in ((), (20,))
    )
    most = [max(_alive(execute(program), 16)) for program in (waiting, adding)]
    assert most[0] == pytest.approx(20 * 16 * TERM, rel=0.01)  # the sum takes over one term's place
    assert most[1] < 6 * 16 * TERM


def test_half_of_the_terms_wait_and_all_may():
    peak = memory(sum_of(20)).peak(64)
    assert peak.low_bytes < 6 * 64 * TERM < peak.peak_bytes < 14 * 64 * TERM
    assert peak.high_bytes >= 20 * 64 * TERM


def test_a_card_is_told_the_larger_figure():
    alone, short = (memory(sum_of(20), on_host=False, allocator_bytes=limit).peak(64) for limit in (None, MIB))
    assert short.peak_bytes == alone.peak_bytes >= 20 * 64 * TERM
    assert short.low_bytes < alone.low_bytes


def test_memory_that_is_enough_leaves_sums_alone():
    peak = memory(sum_of(20)).peak(4)
    assert peak.peak_bytes >= 20 * 4 * TERM


def _alive(execution, batch):
    """Bytes after every event."""
    live, found = 0.0, []
    for event in execution.events:
        live += execution.sizes[event].at(batch) if event >= 0 else -execution.sizes[~event].at(batch)
        found.append(live)
    return found
