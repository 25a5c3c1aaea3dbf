from dataclasses import replace

import pytest

from app.core.machine import Disk
from app.core.pipeline import decoded_bytes, disk_rate_bytes_per_s, expansion, input_time
from app.core.units import GIB
from app.core.workload import Dataset, Plan
from tests.core.machines import desktop

PHOTOS = Dataset("photos", "images", samples=40_000, sample_shape=(256, 256, 3), bytes_on_disk=19 * 10**9)
ELEMENTS = 256 * 256 * 3


def cost(machine, dataset=PHOTOS, **plan):
    return input_time(dataset, machine, Plan(batch_size=64, **plan), ELEMENTS)


def test_k_is_bytes_in_memory_per_byte_on_disk():
    assert decoded_bytes(PHOTOS) == 40_000 * ELEMENTS * 4
    assert expansion(PHOTOS) == pytest.approx(40_000 * ELEMENTS * 4 / (19 * 10**9))
    assert expansion(replace(PHOTOS, samples=None)) is None


def test_more_cores_decode_faster():
    assert cost(desktop(cores=16)).decode_s == pytest.approx(cost(desktop(cores=4)).decode_s / 4)


def test_files_larger_than_the_page_cache_are_read_from_disk_every_epoch():
    assert cost(desktop(ram_gib=16, free_gib=10)).disk_s > 0
    assert cost(desktop(ram_gib=64, free_gib=58)).disk_s == 0


def test_a_ram_cache_helps_only_where_everything_fits():
    assert not cost(desktop(ram_gib=32, free_gib=26), cache="ram").cached
    enough = cost(desktop(ram_gib=64, free_gib=58), cache="ram")
    assert enough.cached
    assert enough.decode_s == 0


def test_what_a_run_measured_of_the_cache_decides_whether_it_fits():
    machine = desktop(ram_gib=32, free_gib=26)
    plan = Plan(batch_size=64, cache="ram")
    assert not input_time(PHOTOS, machine, plan, ELEMENTS).cached
    assert input_time(PHOTOS, machine, plan, ELEMENTS, cached_sample_bytes=ELEMENTS).cached
    assert not input_time(PHOTOS, machine, plan, ELEMENTS, cached_sample_bytes=8 * ELEMENTS).cached


def test_arrays_in_memory_cost_only_their_assembly():
    arrays = Dataset("arrays", "npz", samples=100, sample_shape=(256, 256, 3))
    found = cost(desktop(), arrays)
    assert (found.decode_s, found.disk_s) == (0, 0)
    assert found.assemble_s > 0


def test_a_measured_disk_rate_wins_over_the_usual_one():
    machine = desktop(disk="hdd")
    assert disk_rate_bytes_per_s(machine) == 120e6
    measured = replace(machine, disks=(Disk("/", kind="hdd", read_bytes_per_s=200e6),))
    assert disk_rate_bytes_per_s(measured) == 200e6
    assert disk_rate_bytes_per_s(replace(machine, disks=())) is None


def test_without_a_dataset_there_is_no_input_time():
    assert input_time(None, desktop(), Plan(), ELEMENTS) is None


def test_unknown_ram_does_not_pretend_that_a_cache_fits():
    machine = desktop()
    unknown = replace(machine, ram=replace(machine.ram, available_bytes=None, total_bytes=16 * GIB))
    assert not cost(unknown, cache="ram").cached
