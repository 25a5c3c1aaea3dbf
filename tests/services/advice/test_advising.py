"""Advice from what runs have taught, on a graph made by hand: no child is started."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.catalog.clouds import load_clouds
from app.catalog.gpus import load_gpus
from app.catalog.prices import load_prices
from app.core.types.machine import GpuSupport
from app.core.types.measurement import MeasuredMemory, MeasuredStep, Measurement, RunResult
from app.core.types.plan import Plan
from app.core.types.run import Run
from app.core.types.workload import Dataset, ModelRef, Workload
from app.services.advice.advising import Shop, advise, first_electricity, tables_stamp
from app.services.advisor import Advisor
from app.services.settings import Folders, Settings
from app.services.store.history import History
from tests.core.graphs import chain_graph
from tests.core.machines import HOST_RATES, card, desktop

GRAPH = chain_graph(sample_bytes=600_000)
PHOTOS = Dataset("photos", "images", "/photos", 20_000, (50_000, 1, 3), bytes_on_disk=2 * 10**9, real=True)
HERE = desktop(ram_gib=32, free_gib=24)
SHOP = Shop(load_gpus(), load_clouds(), load_prices())


@pytest.fixture
def known(tmp_path):
    settings = Settings(folders=Folders(tmp_path, tmp_path / "cache", tmp_path))
    made = Advisor(settings, History(tmp_path / "history.sqlite3")).predictor
    made.facts.keep_rates(HERE, "cpu", HOST_RATES)
    made.graphs.get = lambda workload: GRAPH  # every variant counts as traced; what differs is arithmetic
    return made


def workload(**plan):
    return Workload(ModelRef("catalog", "mlp"), PHOTOS, Plan(**{"batch_size": 32, "epochs": 5, **plan}))


def waited(step_s=1.0, compute_s=0.1):
    return Measurement(
        MeasuredStep(step_s, step_s, step_s, 20),
        step_s,
        32 / step_s,
        625 * step_s,
        MeasuredMemory(),
        compute_only_step_s=compute_s,
        data_only_step_s=0.98 * step_s,
    )


def remember(known, measured, **plan):
    asked = workload(**plan)
    told = known.predict(asked, HERE, GRAPH)
    known.evidence._history.add(Run(0, "", asked, HERE, told, RunResult("succeeded", measured)))


def asked(known, machine=HERE, measured=None, shop=SHOP, **plan):
    return advise(known, workload(**plan), machine, GRAPH, shop, measured)


def test_a_run_of_yours_is_what_advice_starts_from(known):
    remember(known, waited())
    found = asked(known)
    assert found.prediction.time.basis == "measured"
    assert found.bound_by == "input"
    cache = next(one for one in found.recommendations if one.id == "cache_ram")
    assert cache.before.epoch_s == pytest.approx(625)
    assert cache.after.epoch_s < 0.3 * cache.before.epoch_s
    assert cache.verifiable
    assert cache.gain_limit == pytest.approx(0.98 / 0.1, rel=0.2)


def test_a_given_run_says_the_same_as_one_of_the_history(known):
    given = asked(known, measured=waited())
    remember(known, waited())
    of_history = asked(known)
    assert [one.id for one in given.recommendations] == [one.id for one in of_history.recommendations]
    pairs = zip(given.recommendations, of_history.recommendations, strict=True)
    assert all(one.after.epoch_s == pytest.approx(other.after.epoch_s) for one, other in pairs)


def test_what_the_input_costs_here_is_carried_to_every_machine(known):
    unmeasured = {row.name: row.epoch_s for row in asked(known, desktop(card(gib=8))).upgrades if row.kind == "gpu"}
    remember(known, waited(step_s=8.0))
    measured = {row.name: row.epoch_s for row in asked(known).upgrades if row.kind == "gpu"}
    slow = [name for name in measured if name in unmeasured]
    assert slow
    assert all(measured[name] > 2 * unmeasured[name] for name in slow)


def test_how_fast_one_card_was_says_nothing_of_another_by_itself(known):
    here = desktop(card(gib=8))
    step_s = known.predict(workload(), here, GRAPH).time.step_s

    def rows(factor):
        measured = replace(waited(factor * step_s, factor * step_s), data_only_step_s=1e-6)
        return {row.name: row.epoch_s for row in asked(known, here, measured).upgrades if row.kind == "gpu"}

    assert rows(3.0) == pytest.approx(rows(6.0))


def test_ram_is_not_bought_for_a_cache_that_fits_already(known):
    remember(known, waited())
    rows = [row for row in asked(known).upgrades if row.kind == "ram"]
    assert rows
    assert all(row.changes == {} and not row.worth for row in rows)


def test_a_small_machine_is_told_which_ram_the_cache_needs(known):
    small = replace(PHOTOS, samples=200_000, bytes_on_disk=20 * 10**9)
    tight = desktop(ram_gib=16, free_gib=10)
    known.facts.keep_rates(tight, "cpu", HOST_RATES)
    question = replace(workload(), dataset=small)
    rows = {row.name: row for row in advise(known, question, tight, GRAPH, SHOP).upgrades if row.kind == "ram"}
    assert "would swap" in rows["32 GiB RAM"].why
    assert rows["64 GiB RAM"].changes == {"cache": "ram"}


def test_nothing_to_gain_has_a_reason(known):
    found = asked(known, measured=waited(step_s=0.1, compute_s=0.0999), jit=True)
    if not found.recommendations:
        assert "none makes an epoch 5 % shorter" in found.nothing_to_gain
    else:
        assert found.nothing_to_gain == ""


def test_a_card_that_is_not_used_is_mended_first(known):
    idle = desktop(card(gib=8), ram_gib=32, free_gib=24)
    known.facts.keep_rates(idle, "cpu", HOST_RATES)
    known.facts.usable["tensorflow"] = frozenset()
    why = GpuSupport(0, "RTX 2060", "tensorflow", False, "this build was made for the CPU only", "install it anew")
    found = asked(known, idle, shop=replace(SHOP, support=(why,)))
    first = found.recommendations[0]
    assert first.id == "usable_card"
    assert first.after.epoch_s is not None
    assert first.how == "install it anew"


def test_electricity_is_the_first_of_the_table_and_tables_have_a_stamp(tmp_path):
    assert first_electricity(load_prices()).currency == "USD"
    assert first_electricity(()) is None
    before = tables_stamp(tmp_path)
    (tmp_path / "prices.csv").write_text("kind,name,price,currency,price_date\n")
    assert tables_stamp(tmp_path) != before


def test_cards_that_reach_the_same_floor_say_what_no_card_shortens(known):
    asked = Workload(ModelRef("catalog", "mlp"), replace(PHOTOS, kind="npz", sample_shape=(10,)), Plan(batch_size=32))
    devices = [row for row in advise(known, asked, HERE, GRAPH, SHOP).upgrades if row.kind in ("gpu", "cloud")]
    floor_s = min(row.epoch_s for row in devices)
    at_it = [row for row in devices if row.epoch_s <= 1.001 * floor_s]
    assert len(at_it) >= 2
    for row in devices:
        assert ("as quick as any card gets here: each step waits for" in row.why) is (row in at_it)


def test_an_offer_is_called_by_what_it_is(known):
    offers = {row.name: row for row in advise(known, workload(), HERE, GRAPH, SHOP).upgrades if row.kind == "cloud"}
    assert offers["verda 1V100.6V"].label == "1 × V100 16 GB, verda"
    assert offers["aws g4dn.xlarge"].shown == "1 × T4 16 GB, aws"
