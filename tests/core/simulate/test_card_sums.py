"""Sums that are rewritten on a card whose memory Grappler thinks short, and what that takes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.simulate.card_sums import AHEAD, CardSums
from app.core.simulate.program_builder import LoweringOptions, build_program
from app.core.simulate.sums import SHORT_ABOVE
from app.core.types.stepgraph import PerBatch
from app.core.types.units import MIB
from tests.core.graphs import chain_graph
from tests.core.simulate.test_sums import TERM, memory, sum_of


def with_result(terms):
    """A sum of three terms whose reader makes so many times as much as one of them."""
    graph = sum_of(3)
    return replace(graph, sizes=(*graph.sizes[:-1], PerBatch(0, terms * TERM)))


@given(batch=st.integers(1, 4096), room=st.floats(0.1, 10))
def test_a_sum_is_rewritten_where_its_terms_take_most_of_what_the_allocator_has(batch, room):
    terms = 5
    counted = AHEAD * (terms + 1) * TERM * batch  # the terms, and their sum
    short = CardSums(sum_of(terms)).short(batch, int(counted / SHORT_ABOVE * room))
    assert short == (frozenset({terms}) if room < 1 - 1e-6 else frozenset()) or room == pytest.approx(1, rel=1e-4)


def test_a_sum_of_two_and_a_graph_without_sums_are_left_alone():
    assert not CardSums(sum_of(2)).short(4096, MIB)
    assert not CardSums(chain_graph(layers=2)).short(4096, MIB)


def test_a_sum_that_is_not_where_memory_is_short_stays():
    assert CardSums(with_result(2.5)).short(64, MIB) == {3}
    assert not CardSums(with_result(4)).short(64, MIB)


def test_the_zeros_that_a_rewritten_sum_begins_with_stay_on_a_card():
    graph, batch = sum_of(3), 64
    alone, rewritten = (
        build_program(graph, "sgd", LoweringOptions(kernels="card", one_by_one=frozenset(chosen)))
        for chosen in ((), (3,))
    )
    zeros = [buffer for buffer in rewritten.buffers[: rewritten.resident] if buffer.role == "constants"]
    assert rewritten.resident == alone.resident + 1
    assert [buffer.size.at(batch) for buffer in zeros] == [TERM * batch]


def test_sums_of_few_terms_take_more_when_they_are_rewritten():
    alone, short = (memory(with_result(2.5), on_host=False, allocator_bytes=limit) for limit in (None, MIB))
    assert short.peak(64).peak_bytes > alone.peak(64).peak_bytes
    assert short.first_step_peak_bytes(64) > alone.first_step_peak_bytes(64)
    cap = short.peak(64).peak_bytes - MIB
    assert alone.survives(64, cap)
    assert not short.survives(64, cap)
