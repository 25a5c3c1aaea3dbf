from dataclasses import replace

import pytest

from app.core.advising.recommend import recommend
from app.core.advising.upgrades import Candidate, break_even_hours, compare, gain_limit, ram_sizes_bytes
from app.core.pipeline.input_cost import assumed_cost
from app.core.predict.estimate import Estimator
from app.core.predict.knowledge import Knowledge
from app.core.predict.time import Rates, sample_elements
from app.core.types.errors import InvalidWorkload
from app.core.types.machine import Battery, GpuProcess
from app.core.types.units import GIB
from app.core.types.workload import Dataset, ModelRef, Plan, Workload
from tests.core.graphs import chain_graph
from tests.core.machines import HOST_RATES, card, desktop

ESTIMATOR = Estimator(chain_graph(sample_bytes=4_000_000))
ARRAYS = Dataset("arrays", "npz", samples=2_000, sample_shape=(1_000_000,), bytes_on_disk=10**9)
PHOTOS = Dataset("photos", "images", samples=10_000, sample_shape=(1000, 1000), bytes_on_disk=10**9)
SMALL_CARD = card(gib=4, held_gib=0.5)


def predict(plan=None, machine=None, dataset=ARRAYS):
    workload = Workload(ModelRef("catalog", "chain"), dataset, plan or Plan())
    return ESTIMATOR.predict(workload, machine or desktop(SMALL_CARD), Knowledge(Rates(HOST_RATES)))


def ladder(plan=None, machine=None, dataset=ARRAYS, around=None):
    workload = Workload(ModelRef("catalog", "chain"), dataset, plan or Plan())

    def same_trace(changed):
        if changed.traced != workload.plan.traced:
            raise InvalidWorkload("not traced")
        return predict(changed, machine, dataset)

    cost = assumed_cost(dataset, machine or desktop(SMALL_CARD), sample_elements(ESTIMATOR.graph))
    now = predict(plan, machine, dataset)
    return recommend(workload, now, same_trace, ESTIMATOR.graph, cost=cost, around=around)


def test_what_does_not_fit_is_offered_ways_that_fit():
    found = ladder(Plan(batch_size=4096))
    ids = [r.id for r in found]
    assert "accumulate" in ids
    assert {"batch_smaller", "batch_largest"} & set(ids)
    for recommendation in found:
        if recommendation.changes:
            assert recommendation.after.memory_bytes < recommendation.before.memory_bytes


def test_what_keeps_the_result_stands_before_what_changes_it():
    found = [r for r in ladder(Plan(batch_size=4096)) if r.changes]
    assert [r.changes_result for r in found] == sorted(r.changes_result for r in found)


def test_accumulation_keeps_the_effective_batch():
    found = next(r for r in ladder(Plan(batch_size=4096)) if r.id == "accumulate")
    assert found.changes["batch_size"] * found.changes["accumulate"] >= 4096
    assert not found.changes_result


def test_a_tiny_batch_is_told_the_best_one():
    machine = desktop(card(gib=24, held_gib=0.5))
    best = next(r for r in ladder(Plan(batch_size=1), machine) if r.id == "batch_best")
    assert best.after.epoch_s < best.before.epoch_s
    assert best.changes["batch_size"] == predict(Plan(batch_size=1), machine).fit.best_batch_size


def test_waiting_for_photos_asks_for_a_cache():
    machine = desktop(card(gib=24), cores=1, ram_gib=128, free_gib=100)
    assert predict(Plan(batch_size=8), machine, PHOTOS).time.bound_by == "input"
    assert "cache_ram" in [r.id for r in ladder(Plan(batch_size=8), machine, PHOTOS)]


def test_programs_that_hold_memory_are_named():
    held = replace(SMALL_CARD, processes=(GpuProcess(7, "browser", 2 * GIB),))
    found = next(r for r in ladder(Plan(batch_size=4096), desktop(held)) if r.id == "close_programs")
    assert "browser" in found.why


def test_more_than_a_hundred_million_records_go_to_the_cloud():
    huge = replace(ARRAYS, samples=200_000_000)
    assert "cloud" in [r.id for r in ladder(Plan(), dataset=huge)]


def test_a_laptop_on_battery_is_told_to_plug_in():
    machine = replace(desktop(SMALL_CARD), battery=Battery(plugged_in=False, percent=50))
    assert "plug_in" in [r.id for r in ladder(Plan(), machine)]


def test_nothing_to_gain_is_an_answer():
    machine = desktop(card(gib=24, held_gib=0.5))
    best = predict(Plan(batch_size=1), machine).fit.best_batch_size
    assert [r for r in ladder(Plan(batch_size=best, jit=True), machine) if r.id.startswith("batch")] == []


def candidate(kind, name, machine, price, dataset=ARRAYS, plan=None, hourly=None):
    return Candidate(kind, name, lambda: predict(plan, machine, dataset), price, "2026-11", hourly)


def test_upgrades_that_fit_come_first():
    plan = Plan(batch_size=512)
    rows = compare(
        predict(plan),
        [
            candidate("gpu", "tiny", desktop(card(gib=2)), 100, plan=plan),
            candidate("gpu", "large", desktop(card(gib=48)), 5000, plan=plan),
        ],
    )
    assert [row.name for row in rows] == ["large", "tiny"]
    assert [row.fits for row in rows] == [True, False]


def test_a_bigger_card_gains_nothing_while_the_data_is_the_bottleneck():
    machine = desktop(card(gib=24), cores=1)
    now = predict(Plan(batch_size=8), machine, PHOTOS)
    assert gain_limit(now, "gpu") == pytest.approx(1.0)
    bigger = desktop(card(gib=48, fp32_flops_per_s=80e12), cores=1)
    row = compare(now, [candidate("gpu", "huge", bigger, 3000, PHOTOS, Plan(batch_size=8))])[0]
    assert row.why.startswith("not worth it")


def test_what_saves_most_for_its_price_comes_first():
    heavy = Estimator(chain_graph(sample_bytes=400))

    def on(gpu):
        workload = Workload(ModelRef("catalog", "chain"), ARRAYS, Plan(batch_size=65_536))
        return heavy.predict(workload, desktop(gpu), Knowledge(Rates(HOST_RATES)))

    def offer(kind, name, gpu, price, hourly=None):
        return Candidate(kind, name, lambda: on(gpu), price, "2026-11", hourly)

    fast = {"fp32_flops_per_s": 13e12, "memory_bandwidth_bytes_per_s": 700e9, "tensor_fp16_flops_per_s": 50e12}
    rows = compare(
        on(card(gib=8)),
        [
            offer("gpu", "same again", card(gib=8), 50),
            offer("gpu", "fair", card(gib=8, **fast), 400),
            offer("gpu", "dear", card(gib=8, **fast), 4000),
            offer("cloud", "rented", card(gib=8, **fast), 1.0, hourly=1.0),
        ],
    )
    assert [row.name for row in rows] == ["rented", "fair", "dear", "same again"]


def test_break_even_is_price_over_rent():
    assert break_even_hours(1500, 0.5) == 3000
    assert break_even_hours(None, 0.5) is None
    assert break_even_hours(1500, None) is None


def test_only_more_ram_is_offered():
    assert ram_sizes_bytes(16 * GIB) == (32 * GIB, 64 * GIB, 128 * GIB, 256 * GIB)
    assert ram_sizes_bytes(None)[0] == 16 * GIB


def test_data_held_as_an_array_is_offered_to_be_streamed():
    found = next(r for r in ladder(Plan(batch_size=4096, data="array")) if r.id == "data_pipeline")
    held = predict(Plan(batch_size=4096, data="array")).memory.dataset_bytes
    assert held > 0
    assert found.before.memory_bytes - found.after.memory_bytes == held
    assert not found.changes_result


def test_what_the_card_has_left_can_hold_a_part_of_the_data():
    machine = desktop(card(gib=24), cores=1, ram_gib=12, free_gib=8)
    found = next(r for r in ladder(Plan(batch_size=8), machine, PHOTOS) if r.id == "cache_on_device")
    assert not found.verifiable
    assert found.after.epoch_s < found.before.epoch_s
    assert "copy_to_device" in found.how
