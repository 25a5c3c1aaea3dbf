from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.pipeline.input_cost import (
    HOST_COPY_BYTES_PER_S,
    SampleCost,
    assumed_cost,
    cache_room_bytes,
    decoded_bytes,
    expansion,
)
from app.core.pipeline.stages import UNBOUNDED, epochs, gain_limit, mixed, share_with_room
from app.core.types.predicted_time import Stages
from app.core.types.units import GIB
from app.core.types.workload import Dataset, Plan
from tests.core.machines import card, desktop

PHOTOS = Dataset("photos", "images", samples=40_000, sample_shape=(256, 256, 3), bytes_on_disk=19 * 10**9)
ELEMENTS = 256 * 256 * 3
TOGETHER_S = 64 * ELEMENTS * 4 / HOST_COPY_BYTES_PER_S
SMALL, LARGE = desktop(card(), ram_gib=16, free_gib=10), desktop(card(), ram_gib=64, free_gib=58)


def both(machine, dataset=PHOTOS, device_s=0.01, cost=None, gpu=True, **plan):
    cost = cost or assumed_cost(dataset, machine, ELEMENTS)
    chosen = machine.gpus[0] if gpu else None
    return epochs(cost, machine, Plan(batch_size=64, **plan), gpu=chosen, device_s=device_s, samples=dataset.samples)


def later(machine, **how):
    return both(machine, **how).later


def test_k_is_bytes_in_memory_per_byte_on_disk():
    assert decoded_bytes(PHOTOS) == 40_000 * ELEMENTS * 4
    assert expansion(PHOTOS) == pytest.approx(40_000 * ELEMENTS * 4 / (19 * 10**9))
    assert expansion(replace(PHOTOS, samples=None)) is None


def test_more_cores_decode_faster():
    slow, fast = (later(desktop(card(), cores=n, free_gib=58, ram_gib=64)).decode_s for n in (4, 16))
    assert (slow - TOGETHER_S) / (fast - TOGETHER_S) == pytest.approx(4)


def test_one_worker_decodes_on_one_core_whatever_there_is():
    one = later(LARGE, input_workers=1)
    assert one.decode_s - TOGETHER_S == pytest.approx(8 * (later(LARGE).decode_s - TOGETHER_S))
    assert one.one_thread


def test_files_larger_than_the_page_cache_are_read_from_disk_every_epoch():
    assert later(SMALL).disk_s > 0
    assert later(LARGE).disk_s == 0
    assert both(LARGE).first.disk_s > 0


def test_without_prefetch_the_stages_add_up():
    ahead, turns = later(SMALL), later(SMALL, prefetch=False)
    assert ahead.step_s == max(ahead.input_s, ahead.device_side_s)
    assert turns.step_s == pytest.approx(turns.disk_s + turns.decode_s + turns.device_side_s)


def test_a_ram_cache_leaves_the_host_only_the_batch_to_put_together():
    cached = later(LARGE, cache="ram")
    assert cached.disk_s == 0
    assert cached.decode_s == TOGETHER_S


def test_half_the_data_cached_helps_by_half():
    whole = SampleCost(read_bytes=475e3, decode_core_s=0.1, cached_bytes=1.2e6, from_files=True)
    none, half, full = (
        later(
            replace(LARGE, ram=replace(LARGE.ram, total_bytes=256 * GIB, available_bytes=250 * GIB)),
            cost=whole,
            device_s=0.0,
            **how,
        ).step_s
        for how in ({}, {"cache": "ram", "cache_share": 0.5}, {"cache": "ram"})
    )
    assert half == pytest.approx((none + full) / 2, rel=0.01)


def test_a_cache_larger_than_the_ram_swaps_and_is_slower_than_none():
    heavy = SampleCost(read_bytes=475e3, decode_core_s=1e-4, cached_bytes=3 * 475e3, from_files=True)
    before, swapping = both(SMALL, cost=heavy), both(SMALL, cost=heavy, cache="ram")
    assert swapping.swaps
    assert swapping.later.step_s > before.later.step_s


def test_encoded_files_in_ram_take_the_disk_away_and_leave_decoding():
    machine = desktop(card(), ram_gib=32, free_gib=26)
    heavy = SampleCost(read_bytes=475e3, decode_core_s=1e-3, cached_bytes=4 * 475e3, from_files=True)
    found = later(machine, cost=heavy, cache="encoded")
    assert found.disk_s == 0
    assert found.decode_s == later(machine, cost=heavy).decode_s


def test_a_cache_takes_the_room_in_which_the_system_would_keep_the_files():
    machine = desktop(card(), ram_gib=32, free_gib=26)
    heavy = SampleCost(read_bytes=475e3, decode_core_s=1e-3, cached_bytes=3 * 475e3, from_files=True)
    assert later(machine, cost=heavy).disk_s == 0
    assert later(machine, cost=heavy, cache="ram", cache_share=0.4).disk_s > 0


def test_augmentation_survives_every_cache():
    busy = SampleCost(read_bytes=1e3, decode_core_s=1e-3, augment_core_s=2e-3, cached_bytes=1e3, from_files=True)
    assert later(LARGE, cost=busy, cache="ram").decode_s == pytest.approx(2 / 3 * later(LARGE, cost=busy).decode_s)


def test_arrays_in_memory_cost_only_their_assembly_and_the_copy():
    arrays = Dataset("arrays", "npz", samples=100, sample_shape=(256, 256, 3))
    found = later(LARGE, dataset=arrays)
    assert found.disk_s == 0
    assert 0 < found.decode_s < 0.1
    assert found.copy_s > 0
    assert later(LARGE, dataset=arrays, gpu=False).copy_s == 0


def test_arrays_larger_than_the_ram_are_read_from_the_disk():
    assert later(SMALL, dataset=Dataset("huge", samples=10**9, sample_shape=(256, 256, 3))).disk_s > 0


def test_decoding_takes_cores_from_a_processor_that_trains():
    on_card, on_host = later(LARGE, device_s=1.0), later(LARGE, device_s=1.0, gpu=False)
    assert on_card.step_s == pytest.approx(1.0 + on_card.copy_s)
    assert on_host.step_s == pytest.approx(1.0 + on_host.decode_s)


def test_unknown_ram_does_not_pretend_that_a_cache_fits():
    unknown = replace(LARGE, ram=replace(LARGE.ram, available_bytes=None, total_bytes=16 * GIB))
    assert cache_room_bytes(unknown) is None
    assert later(unknown, cache="ram").decode_s == later(unknown).decode_s


def test_without_a_dataset_there_is_only_the_device():
    found = epochs(None, LARGE, Plan(), gpu=None, device_s=0.5, samples=None)
    assert found.first == found.later == Stages(0.5)


def test_a_share_that_has_room_is_what_is_free_over_what_is_needed():
    cost = SampleCost(cached_bytes=2 * GIB, from_files=True)
    assert share_with_room(cost, SMALL, 100) == pytest.approx(cache_room_bytes(SMALL) / (200 * GIB))
    assert share_with_room(cost, LARGE, 2) == 1.0


SECONDS = st.floats(0, 10)


@given(SECONDS, SECONDS, SECONDS, SECONDS, st.booleans())
def test_no_part_gains_more_than_its_bound(device_s, copy_s, decode_s, disk_s, overlap):
    stages = Stages(device_s, copy_s, decode_s, disk_s, overlap)
    faster = {
        "gpu": replace(stages, device_s=device_s / 3),
        "cpu": replace(stages, decode_s=decode_s / 3),
        "disk": replace(stages, disk_s=disk_s / 3),
        "ram": replace(stages, decode_s=decode_s / 3, disk_s=disk_s / 3),
    }
    for part, one in faster.items():
        if one.step_s > 0:
            limit = gain_limit(stages, part)
            assert limit == UNBOUNDED or stages.step_s / one.step_s <= limit * (1 + 1e-9)


@given(SECONDS, SECONDS, st.floats(0, 1))
def test_a_mixture_lies_between_its_ends(one_s, other_s, share):
    found = mixed(Stages(0, decode_s=one_s), Stages(0, decode_s=other_s), share)
    assert min(one_s, other_s) - 1e-9 <= found.decode_s <= max(one_s, other_s) + 1e-9


def test_small_decoded_samples_take_more_ram_than_their_bytes():
    small = SampleCost(decode_core_s=1e-3, cached_bytes=49_152.0, from_files=True)
    assert small.held_bytes == 1.5 * 49_152
    assert replace(small, cached_bytes=196_608.0).held_bytes == 196_608
    assert replace(small, decode_core_s=0.0).held_bytes == 49_152
