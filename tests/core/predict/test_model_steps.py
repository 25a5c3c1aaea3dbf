"""One graph's steps: what of a device makes another step, and what they share."""

from __future__ import annotations

from dataclasses import replace

from app.core.predict.model_steps import LIMIT_STEP, ModelSteps
from app.core.simulate.device import TargetDevice, as_measured
from app.core.simulate.simulated import SimulatedTraining
from app.core.types.units import GIB
from app.core.types.workload import Plan
from tests.core.graphs import chain_graph
from tests.core.machines import card

OP_BY_OP = Plan(jit=False)
RTX = card()


def on_card(free_bytes):
    return as_measured(TargetDevice(RTX.name, replace(RTX, memory_free_bytes=free_bytes)), None)


def limit_of(device):
    assert device.allocator_bytes is not None
    return device.allocator_bytes // LIMIT_STEP * LIMIT_STEP


def test_a_card_is_told_what_its_allocator_may_take_and_a_processor_nothing():
    assert on_card(5 * GIB).allocator_bytes < 5 * GIB
    assert as_measured(TargetDevice("CPU"), None).allocator_bytes is None


def test_what_a_desktop_holds_of_a_card_makes_no_new_step_until_it_counts():
    steps, device = ModelSteps(chain_graph()), on_card(5 * GIB)
    room = device.allocator_bytes - limit_of(device)
    first = steps.step_memory(OP_BY_OP, device)
    assert steps.step_memory(OP_BY_OP, on_card(5 * GIB - room)) is first
    assert first.allocator_bytes == limit_of(device)
    other = steps.step_memory(OP_BY_OP, on_card(4 * GIB))
    assert other is not first
    assert other.allocator_bytes < first.allocator_bytes


def test_steps_under_two_limits_share_what_was_simulated():
    asked = []

    def recall(training):
        asked.append(training)
        return SimulatedTraining()

    steps = ModelSteps(chain_graph(), recall)
    first, other = (steps.step_memory(OP_BY_OP, on_card(gib * GIB)) for gib in (4, 5))
    assert first.simulated is other.simulated
    assert len(asked) == 1


def test_a_compiled_step_is_the_same_whatever_the_limit():
    steps = ModelSteps(chain_graph())
    first, other = (steps.step_memory(Plan(jit=True), on_card(gib * GIB)) for gib in (4, 5))
    assert first is other
    assert first.allocator_bytes is None


def test_a_step_is_fitted_to_the_card_that_it_is_compiled_for_unless_it_has_to_be_told_soon():
    steps, device = ModelSteps(chain_graph()), on_card(5 * GIB)
    for plan in (Plan(jit=True), Plan(jit=True, backend="jax")):
        assert steps.step_memory(plan, device).card_bytes == RTX.memory_total_bytes
        assert steps.step_memory(plan, device, wishes=False).card_bytes is None
