from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.predict.memory import StepMemory, predict_memory
from app.core.simulate.xla.card import CardCompiler
from app.core.simulate.xla.compiled import CompiledSteps
from app.core.simulate.xla.memory import CompiledMemory
from tests.core.graphs import SAMPLE_BYTES, WEIGHT_BYTES, chain_graph

GRAPH = chain_graph(layers=12)
ADAM = CompiledMemory(CompiledSteps(GRAPH, "adam"))


def test_residents_are_weights_slots_and_the_batch():
    assert ADAM.resident_bytes(10) == 12 * WEIGHT_BYTES * 3 + 10 * SAMPLE_BYTES


def test_activations_that_the_backward_pass_wants_are_in_the_block():
    batch = 1000
    assert ADAM.block_bytes(batch) >= 11 * batch * SAMPLE_BYTES


def test_a_weight_that_both_passes_read_is_copied():
    assert ADAM.moment(2).roles["activations"].at(2) >= WEIGHT_BYTES


def test_what_is_alive_at_the_worst_moment_is_the_block():
    for batch in (1, 7, 100):
        everything = ADAM.resident_bytes(batch) + ADAM.block_bytes(batch)
        assert sum(size.at(batch) for size in ADAM.moment(batch).roles.values()) == pytest.approx(everything, abs=2)
        assert ADAM.changes(batch).max() == pytest.approx(ADAM.block_bytes(batch), abs=1)


def test_loss_scaling_holds_all_gradients_back():
    scaled = CompiledMemory(CompiledSteps(chain_graph(layers=12, precision="mixed_float16"), "sgd"))
    assert scaled.block_bytes(2) > CompiledMemory(CompiledSteps(GRAPH, "sgd")).block_bytes(2) + 3 * WEIGHT_BYTES


def test_a_cards_block_is_left_open_by_what_was_seen_of_it():
    card = CompiledMemory(CompiledSteps(GRAPH, "adam", CardCompiler()))
    peak = card.peak(100)
    assert peak.low_bytes <= peak.peak_bytes < peak.high_bytes
    assert card.peak(100).peak_bytes >= card.resident_bytes(100) + card.block_bytes(100) - 1


def test_a_cards_first_step_has_the_old_zeros_beside_the_new_slots():
    card = CompiledMemory(CompiledSteps(GRAPH, "adam", CardCompiler()))
    assert card.first_step_peak_bytes(1) >= card.peak(1).peak_bytes
    assert card.peak(128).peak_bytes > card.peak(64).peak_bytes


@given(batch=st.integers(1, 100_000))
def test_the_peak_lies_between_its_bounds_and_holds_the_residents(batch):
    peak = ADAM.peak(batch)
    assert peak.low_bytes <= peak.peak_bytes <= peak.high_bytes
    assert peak.peak_bytes >= ADAM.resident_bytes(batch) + ADAM.block_bytes(batch) - 1


@pytest.mark.parametrize("on_host", [True, False])
def test_the_parts_of_a_compiled_step_add_up(on_host):
    step = StepMemory(GRAPH, "adam", xla=True, on_host=on_host)
    found = predict_memory(step, batch_size=20, context_bytes=7, host_process_bytes=11, cuda=not on_host)
    assert sum(vars(found.parts).values()) == found.device_bytes == found.allocator_peak_bytes + 7
    assert found.low_bytes <= found.allocator_peak_bytes <= found.high_bytes
    assert max(size for _, size in found.timeline) == step.live_bytes(20)
    assert found.largest_layers


@pytest.mark.parametrize(("on_host", "told"), [(True, True), (False, False)])
def test_why_16_bits_on_a_processor_have_a_wide_interval_is_said(on_host, told):
    step = StepMemory(chain_graph(precision="mixed_bfloat16"), "adam", xla=True, on_host=on_host)
    found = predict_memory(step, batch_size=20, context_bytes=7, host_process_bytes=11, cuda=not on_host)
    assert ("both widths" in str(found.dominant_assumption)) is told


def test_zeros_of_another_shape_are_held_beside_the_others_in_the_first_step():
    flat = replace(GRAPH, variables=(replace(GRAPH.variables[0], shape=(1_000_000,)), *GRAPH.variables[1:]))

    def zeros(graph):
        memory = CompiledMemory(CompiledSteps(graph, "adam"))
        return memory.first_step_peak_bytes(1) - memory.peak(1).peak_bytes

    assert zeros(flat) - zeros(GRAPH) == WEIGHT_BYTES


def test_a_cap_must_leave_room_for_the_first_step():
    memory = CompiledMemory(CompiledSteps(GRAPH, "adam"))
    peak = memory.first_step_peak_bytes(64)
    assert memory.survives(64, 2 * peak)
    assert not memory.survives(64, memory.peak(64).peak_bytes - 1024 * 1024)
