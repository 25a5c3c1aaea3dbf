from dataclasses import replace

import pytest

from app.core.simulate.device import GPU_CONTEXT_BYTES, allowed_memory, choose_device, system_reserve_bytes
from app.core.types.errors import InvalidWorkload
from app.core.types.machine import Machine, Ram
from app.core.types.units import GIB, MIB
from tests.core.machines import card, desktop

# The rule of core/common_runtime/gpu/gpu_device.cc, ``MinSystemMemory``.
KEPT_BACK = [((6, 1), 500), ((7, 5), 1050), ((8, 6), 1536), ((8, 9), 1536), ((9, 0), 1800), ((12, 0), 1800)]


@pytest.mark.parametrize(("capability", "kept_mib"), KEPT_BACK)
def test_tensorflow_keeps_memory_back_by_generation(capability, kept_mib):
    assert system_reserve_bytes(6 * GIB, capability) == kept_mib * MIB


def test_a_nearly_full_card_keeps_little_back():
    assert system_reserve_bytes(1 * GIB, (8, 6)) == 225 * MIB


def test_allowed_is_free_minus_context_minus_reserve():
    machine = desktop(card(gib=6, held_gib=1))
    found = allowed_memory(machine, choose_device(machine, "auto"))
    assert found.bytes == 5 * GIB - GPU_CONTEXT_BYTES - 1050 * MIB
    assert [line.name for line in found.explanation][-1] == "allowed"


def test_unknown_free_memory_is_unknown_not_zero():
    machine = desktop(replace(card(), memory_free_bytes=None, memory_used_bytes=None))
    assert allowed_memory(machine, choose_device(machine, "auto")).bytes is None
    nothing = Machine()
    assert allowed_memory(nothing, choose_device(nothing, "cpu")).bytes is None


def test_a_processor_that_shares_its_memory_with_the_gpu_has_no_cuda_context():
    machine = desktop(replace(card(gib=16, held_gib=4), vendor="Apple", unified=True, compute_capability=None))
    assert allowed_memory(machine, choose_device(machine, "auto")).bytes == 12 * GIB


def test_the_containers_limit_counts_on_the_host():
    machine = replace(desktop(), ram=Ram(total_bytes=64 * GIB, available_bytes=60 * GIB, limit_bytes=8 * GIB))
    found = allowed_memory(machine, choose_device(machine, "cpu")).bytes
    assert found is not None
    assert 3 * GIB < found < 8 * GIB


def test_auto_takes_the_first_card_that_the_framework_can_use():
    cards = (card("old"), replace(card("new"), index=1))
    machine = desktop(*cards)
    assert choose_device(machine, "auto").name == "old"
    assert choose_device(machine, "auto", frozenset({1})).name == "new"
    assert choose_device(machine, "auto", frozenset()).gpu is None


def test_a_simulated_card_counts_as_usable():
    machine = desktop(replace(card(), simulated=True))
    assert choose_device(machine, "auto", frozenset()).gpu is not None


@pytest.mark.parametrize("text", ["gpu:3", "gpu:x", "tpu", "gpu:-1"])
def test_a_device_that_is_not_there_is_refused(text):
    with pytest.raises(InvalidWorkload, match="expected"):
        choose_device(desktop(card()), text)
