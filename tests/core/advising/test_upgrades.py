from dataclasses import replace

import pytest

from app.core.advising.shortlist import Wanted, shortlist
from app.core.advising.upgrades import Candidate, compare
from app.core.predict.estimate import Estimator
from app.core.predict.knowledge import Knowledge
from app.core.predict.time import Rates
from app.core.types.advice import Electricity
from app.core.types.workload import Dataset, ModelRef, Plan, Workload
from tests.core.graphs import chain_graph
from tests.core.machines import HOST_RATES, card, desktop

ESTIMATOR = Estimator(chain_graph(sample_bytes=4_000_000))
PHOTOS = Dataset("photos", "images", samples=10_000, sample_shape=(1000, 1000), bytes_on_disk=20 * 10**9)
CENTS = Electricity(0.30, "USD")


def predict(machine=None, plan=None):
    workload = Workload(ModelRef("catalog", "chain"), PHOTOS, plan or Plan(batch_size=8, epochs=10))
    return ESTIMATOR.predict(workload, machine or starved(), Knowledge(Rates(HOST_RATES)))


def starved(**known):
    return desktop(card(gib=24), **{"cores": 1, "ram_gib": 16, "free_gib": 10, "disk": "hdd"} | known)


def test_more_ram_is_judged_with_the_cache_that_it_makes_possible():
    roomy = starved(ram_gib=128, free_gib=120)
    cached = ({"cache": "ram"}, lambda: predict(roomy, Plan(batch_size=8, epochs=10, cache="ram")))
    row = compare(predict(), [Candidate("ram", "128 GiB", lambda: predict(roomy), 300, "2025", variants=(cached,))])[0]
    assert row.changes == {"cache": "ram"}
    assert "with the decoded data cached in RAM" in row.why
    assert row.epoch_s == predict(roomy, Plan(batch_size=8, epochs=10, cache="ram")).time.epoch_s


def test_a_training_on_rent_has_its_cost_and_a_card_pays_off_after_so_many():
    fast = starved(cores=64, disk="nvme")
    rows = compare(
        predict(),
        [
            Candidate("cloud", "rented", lambda: predict(fast), 2.0, "2025", 2.0),
            Candidate("gpu", "bought", lambda: predict(fast), 1000, "2025", power_w=200),
        ],
        CENTS,
    )
    rented, bought = (next(row for row in rows if row.name == name) for name in ("rented", "bought"))
    assert rented.cost == pytest.approx(2.0 * rented.total_s / 3600)
    assert bought.break_even_hours == 500
    assert bought.break_even_runs == pytest.approx(1000 / (rented.cost - bought.energy_cost))


def test_a_card_draws_its_power_only_while_it_computes():
    row = compare(predict(), [Candidate("gpu", "same", predict, 100, "2025", power_w=360)], CENTS)[0]
    busy = 1 - predict().time.stages.waiting_share
    assert row.energy_kwh == pytest.approx(0.36 * busy * row.total_s / 3600)
    assert row.energy_cost == pytest.approx(0.30 * row.energy_kwh)


def test_no_card_is_worth_it_while_the_step_waits_for_its_data():
    bigger = desktop(card(gib=48, fp32_flops_per_s=80e12), cores=1, disk="hdd", ram_gib=16, free_gib=10)
    row = compare(predict(), [Candidate("gpu", "huge", lambda: predict(bigger), 3000, "2025")])[0]
    assert row.worth is False
    assert "a faster card changes nothing" in row.why


def test_another_processor_is_worth_what_decoding_gains():
    decoding = starved(ram_gib=64, free_gib=58)
    more = starved(ram_gib=64, free_gib=58, cores=8)
    row = compare(predict(decoding), [Candidate("cpu", "8 cores", lambda: predict(more), 300, "2025")])[0]
    assert row.worth
    assert row.epoch_s < predict(decoding).time.epoch_s


def test_what_stock_builds_cannot_use_stands_behind_what_they_can():
    fast = starved(cores=64, disk="nvme")
    first = Candidate("gpu", "usable", lambda: predict(fast), 900, "2025")
    rows = compare(predict(), [replace(first, name="other", price=300, usable=False, note="WSL2"), first])
    assert [row.name for row in rows] == ["usable", "other"]


def test_a_shortlist_filters_sorts_and_puts_the_unknown_last():
    fast = starved(cores=64, disk="nvme")
    rows = compare(
        predict(),
        [
            Candidate("gpu", "dear", lambda: predict(fast), 900, "2025"),
            Candidate("gpu", "cheap", lambda: predict(fast), 100, "2025"),
            Candidate("ram", "unpriced", predict, None, None),
        ],
    )
    assert [row.name for row in shortlist(rows, Wanted(order="price"))] == ["cheap", "dear", "unpriced"]
    assert [row.name for row in shortlist(rows, Wanted(most_price=500))] == ["cheap"]
    assert [row.name for row in shortlist(rows, Wanted(kinds=frozenset({"ram"})))] == ["unpriced"]
    assert [row.name for row in shortlist(rows, Wanted(text="EA", order="name"))] == ["cheap", "dear"]
    assert shortlist(rows, Wanted()) == rows
