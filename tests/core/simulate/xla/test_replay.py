from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.simulate.bfc import BfcAllocator, OutOfDeviceMemory
from app.core.simulate.xla.card import CardCompiler
from app.core.simulate.xla.compiled import CompiledSteps
from app.core.simulate.xla.replay import StepReplay
from app.core.types.units import MIB
from tests.core.graphs import SAMPLE_BYTES, WEIGHT_BYTES, chain_graph

GRAPH = chain_graph(layers=12)
ON_CARD, ON_HOST = (CompiledSteps(GRAPH, "adam", card).replay for card in (CardCompiler(), None))


def test_the_second_step_holds_the_residents_and_its_block():
    replayed = ON_CARD.steps(10, 60 * MIB, 70 * MIB)
    assert replayed.peak == pytest.approx(12 * WEIGHT_BYTES * 3 + 10 * SAMPLE_BYTES + 70 * MIB, abs=64 << 10)


def test_in_the_first_step_the_new_slots_are_beside_the_zeros_and_the_block():
    replayed = ON_CARD.steps(10, 60 * MIB, 60 * MIB)
    assert replayed.first_peak == pytest.approx(replayed.peak + WEIGHT_BYTES, abs=64 << 10)


@given(batch=st.integers(1, 100), block_bytes=st.integers(1, 400 * MIB), spare=st.floats(0.2, 3), on_host=st.booleans())
def test_what_gets_through_is_what_a_limited_allocator_lets_through(batch, block_bytes, spare, on_host):
    shared = ON_HOST if on_host else ON_CARD
    cap = int(spare * max(shared.steps(batch, block_bytes, block_bytes)[:2]))
    assert shared.get_through(batch, block_bytes, cap) is _gets_through_anew(batch, block_bytes, cap, on_host=on_host)


def _gets_through_anew(batch: int, block_bytes: int, cap_bytes: int, *, on_host: bool) -> bool:
    """The same request by request, with nothing that was replayed before."""
    compiled = CompiledSteps(GRAPH, "adam", None if on_host else CardCompiler())
    alone = StepReplay(GRAPH, compiled.residents, on_host=on_host)
    allocator = BfcAllocator.limited(cap_bytes, on_host=on_host)
    try:
        built = alone._build(allocator)
        alone._run_first_step(built, batch, block_bytes)
        allocator.allocate(block_bytes)
    except OutOfDeviceMemory:
        return False
    return True


def test_weights_are_built_in_the_order_in_which_they_were_made():
    sizes = [(1 + layer) * MIB for layer in range(12)]
    variables = tuple(
        replace(variable, size_bytes=size, made=(place + 4) % 12)
        for place, (variable, size) in enumerate(zip(GRAPH.variables, sizes, strict=True))
    )
    residents = CompiledSteps(replace(GRAPH, variables=variables), "sgd", None).residents
    assert [b.size.fixed for b in residents if b.role == "weights"] == [*sizes[8:], *sizes[:8]]
