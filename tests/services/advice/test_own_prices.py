"""A price of the user's own takes the place of ours, in the table that everything reads."""

import csv
from dataclasses import replace

import pytest

from app.catalog.clouds import load_clouds
from app.catalog.gpus import load_gpus
from app.catalog.prices import gpu_price, load_prices, prices_of
from app.core.types.advice import Upgrade
from app.core.types.errors import StoreError, UsageError
from app.services.advice.own_prices import change_price


def upgrade(kind, name, price, currency="USD", price_date="2025-06"):
    return Upgrade(kind, name, True, None, None, None, None, None, price, currency, price_date)


def test_a_kit_of_ram_is_found_by_the_price_that_was_shown(tmp_path):
    kit = prices_of("ram", load_prices())[2]
    shown = upgrade("ram", "64.0 GiB RAM", kit.price, kit.currency, kit.price_date)
    change_price(tmp_path, shown, 210.5, "EUR", "2026-01-05")
    (changed,) = [p for p in load_prices(tmp_path) if p.name == kit.name]
    assert (changed.price, changed.currency, changed.price_date) == (210.5, "EUR", "2026-01-05")
    assert (changed.capacity_bytes, changed.source) == (kit.capacity_bytes, "your own price")
    others = [p for p in load_prices(tmp_path) if p.name != kit.name]
    assert others == [p for p in load_prices() if p.name != kit.name]


def test_a_card_that_had_only_a_price_at_launch_gets_one(tmp_path):
    priced = {p.name for p in prices_of("gpu", load_prices())}
    spec = next(s for s in load_gpus() if s.launch_price_usd is not None and s.name not in priced)
    change_price(tmp_path, upgrade("gpu", spec.name, spec.launch_price_usd), 111.0, "USD", "2026-01-05")
    found = gpu_price(spec, load_prices(tmp_path))
    assert (found.price, found.price_date) == (111.0, "2026-01-05")


def test_an_offer_keeps_everything_but_its_price(tmp_path):
    offer = load_clouds()[0]
    change_price(tmp_path, upgrade("cloud", offer.name, offer.usd_per_hour), 1.25, "USD", "2026-01-05")
    (changed,) = [o for o in load_clouds(tmp_path) if o.name == offer.name]
    expected = replace(
        offer, usd_per_hour=1.25, usd_per_hour_spot=None, price_date="2026-01-05", source="your own price"
    )
    assert changed == expected


def test_a_second_change_replaces_the_first(tmp_path):
    offer = load_clouds()[0]
    for price in (1.25, 1.5):
        change_price(tmp_path, upgrade("cloud", offer.name, offer.usd_per_hour), price, "USD", "2026-01-05")
    with (tmp_path / "clouds.csv").open() as file:
        assert [row["usd_per_hour"] for row in csv.DictReader(file)] == ["1.5"]


@pytest.mark.parametrize(
    ("price", "currency"), [(0.0, "USD"), (-1.0, "USD"), (float("nan"), "USD"), (1.0, "dollars"), (1.0, "")]
)
def test_what_is_no_price_is_refused(tmp_path, price, currency):
    with pytest.raises(UsageError):
        change_price(tmp_path, upgrade("gpu", "RTX 4090", 1.0), price, currency, "2026")
    assert not list(tmp_path.iterdir())


def test_an_upgrade_of_no_table_is_refused(tmp_path):
    with pytest.raises(UsageError, match="in no table"):
        change_price(tmp_path, upgrade("ram", "3 GiB RAM", 12345.0), 1.0, "USD", "2026")
    with pytest.raises(UsageError, match="in no table"):
        change_price(tmp_path, upgrade("cloud", "nobody x1", 1.0), 1.0, "USD", "2026")
    with pytest.raises(UsageError, match="currency"):
        change_price(tmp_path, upgrade("cloud", "nobody x1", 1.0), 1.0, "EUR", "2026")


def test_a_folder_that_cannot_be_written_says_so(tmp_path):
    (tmp_path / "config").write_text("a file")
    with pytest.raises(StoreError):
        change_price(tmp_path / "config", upgrade("gpu", "RTX 4090", 1.0), 1.0, "USD", "2026")
