from dataclasses import replace

import pytest

from app.core.advising.surroundings import Surroundings, surroundings_advice
from app.core.types.machine import Battery, GpuProcess, GpuSupport
from app.core.types.measurement import Doubt
from app.core.types.units import GIB
from app.core.types.workload import Dataset, ModelRef, Plan, Workload
from tests.core.advising.test_upgrades import predict
from tests.core.machines import card, desktop

WORKLOAD = Workload(ModelRef("catalog", "chain"), None, Plan())


def advice(machine=None, workload=WORKLOAD, **around):
    found = surroundings_advice(workload, predict(machine or desktop(card(gib=24))), Surroundings(**around))
    return {one.id: one for one in found}


def test_a_card_that_lies_idle_is_the_first_thing_to_mend():
    broken = GpuSupport(0, "RTX 3060", "tensorflow", False, "the driver is too old", "update the driver")
    found = advice(desktop(), support=(broken,), on_card=predict(desktop(card(gib=12))))["usable_card"]
    assert "the driver is too old" in found.why
    assert found.how == "update the driver"
    assert found.after.epoch_s is not None


def test_a_card_that_trains_needs_no_mending():
    broken = GpuSupport(1, "RTX 3060", "tensorflow", False, "no kernels", "")
    assert "usable_card" not in advice(support=(broken,))


def test_a_lowered_power_limit_is_told_with_what_raising_it_could_gain():
    capped = desktop(card(gib=24, power_limit_w=150.0))
    found = advice(capped, card_power_w=300.0)["power_limit"]
    assert found.after.low_s < found.before.epoch_s
    assert found.after.high_s == found.before.epoch_s
    assert "-pl 300" in found.how
    assert "power_limit" not in advice(capped, card_power_w=160.0)


@pytest.mark.parametrize(("kind", "wanted"), [("gpu_throttled", "cooling"), ("power_saver", "power_saver")])
def test_what_slowed_a_run_down_is_to_be_mended(kind, wanted):
    assert advice(doubts=(Doubt(kind, "slow"),))[wanted].why == "slow"


def test_a_laptop_on_battery_is_to_be_plugged_in():
    assert "plug_in" in advice(replace(desktop(card(gib=24)), battery=Battery(plugged_in=False)))
    assert "plug_in" not in advice(replace(desktop(card(gib=24)), battery=Battery(plugged_in=True)))


def test_programs_are_closed_only_where_memory_is_short():
    held = card(gib=24, processes=(GpuProcess(7, "browser", 2 * GIB),))
    assert "close_programs" not in advice(desktop(held))


def test_more_than_a_hundred_million_samples_are_a_case_for_rent():
    huge = replace(WORKLOAD, dataset=Dataset("huge", samples=100_000_001))
    found = advice(workload=huge)["cloud"]
    assert "100,000,001 samples" in found.why
    assert not found.free
    assert "cloud" not in advice(workload=replace(WORKLOAD, dataset=Dataset("fits", samples=100_000_000)))
