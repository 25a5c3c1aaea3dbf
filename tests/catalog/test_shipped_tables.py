"""Datasets, clouds and prices that ship with the program, and a user's own rows over all tables."""

import re
from typing import get_args

import pytest

from app.catalog.clouds import load_clouds
from app.catalog.datasets import find_dataset, load_catalog_datasets, load_datasets
from app.catalog.gpus import load_gpus
from app.catalog.prices import PriceKind, gpu_price, load_prices, prices_of
from app.core.types.errors import BadDataset, StoreError
from app.core.types.units import GIB

DATASETS = load_catalog_datasets()
CARDS = {spec.name: spec for spec in load_gpus()}


def test_twenty_eight_datasets_each_with_source_and_date():
    assert len(DATASETS) == len({row.dataset.name for row in DATASETS}) == 28
    for row in DATASETS:
        assert row.dataset.source
        assert row.source_date.startswith("2026")
        assert row.title
        assert row.task
        assert not row.dataset.real


def test_fashion_mnist_has_the_figures_of_its_page():
    dataset = find_dataset("Fashion-MNIST", DATASETS)
    assert (dataset.name, dataset.kind, dataset.samples) == ("fashion_mnist", "keras", 60_000)
    assert (dataset.sample_shape, dataset.dtype, dataset.classes) == ((28, 28, 1), "uint8", 10)
    row = next(row for row in DATASETS if row.dataset == dataset)
    assert row.test_samples == 10_000
    assert row.ram_bytes == 70_000 * 28 * 28  # labels left out
    assert dataset.bytes_on_disk == row.download_bytes == 30_878_645


def test_arrays_of_keras_are_as_large_as_their_shapes():
    for row in DATASETS:
        shape = row.dataset.sample_shape
        if row.ram_bytes and shape:
            values = row.dataset.samples + row.test_samples
            for side in shape:
                values *= side
            assert row.ram_bytes == values * {"uint8": 1, "float64": 8}[row.dataset.dtype]


def test_unknown_stays_none():
    libri = find_dataset("librispeech", DATASETS)
    assert libri.samples is None
    assert libri.sample_shape == (None,)
    assert find_dataset("imagenet", DATASETS).sample_shape == (None, None, 3)
    assert find_dataset("IMDB reviews", DATASETS).sample_shape is None


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("coco", "coco/2014 or coco/2017"),
        ("fashon mnist", "fashion_mnist"),
        ("???", "see `willittrain datasets`"),
        ("", "see `willittrain datasets`"),
    ],
)
def test_unclear_dataset_names_are_refused_with_the_closest(text, hint):
    with pytest.raises(BadDataset) as caught:
        find_dataset(text, DATASETS)
    assert hint in caught.value.hint


def test_cloud_offers_name_cards_of_our_table_and_are_marked_indicative():
    offers = load_clouds()
    assert len(offers) >= 22
    for offer in offers:
        assert "indicative" in offer.price_date
        assert offer.source
        assert 0.01 < offer.usd_per_hour < 100
        assert offer.usd_per_hour_spot is None or offer.usd_per_hour_spot <= offer.usd_per_hour
        if offer.gpu is None:
            assert (offer.gpu_count, offer.vram_bytes_per_gpu) == (0, None)
        else:
            assert offer.vram_bytes_per_gpu == pytest.approx(CARDS[offer.gpu].memory_bytes, rel=0.05)


def test_prices_are_dated_and_cover_every_kind():
    prices = load_prices()
    assert {price.kind for price in prices} == set(get_args(PriceKind))
    for price in prices:
        assert price.price > 0
        assert re.search(r"20\d\d.*\(indicative\)", price.price_date)
        assert re.fullmatch("USD|EUR", price.currency)
        assert price.source
    sizes = {round(price.capacity_bytes / GIB) for price in prices_of("ram", prices)}
    assert sizes >= {16, 32, 64, 128}
    assert all(price.read_bytes_per_s >= 5e8 for price in prices_of("disk", prices))
    assert {price.name for price in prices_of("gpu", prices)} <= CARDS.keys()


def test_a_card_without_a_street_price_shows_its_launch_price():
    prices = load_prices()
    assert gpu_price(CARDS["GeForce RTX 3060 12GB"], prices).price_date == "2025-06 (indicative)"
    launch = gpu_price(CARDS["GeForce RTX 2060 6GB"], prices)
    assert (launch.price, launch.price_date) == (349, "2019-01-15 (at launch)")
    assert gpu_price(CARDS["A2"], prices) is None


def test_own_rows_replace_in_place_and_add_at_the_end(tmp_path):
    (tmp_path / "gpus.csv").write_text(
        "name,vendor,segment,memory_gib,bandwidth_gb_s,fp32_tflops,compute_capability\n"
        "GeForce RTX 2060 6GB,nvidia,desktop,6,300,7,7.5\nMy card,amd,desktop,20,400,20,\n"
    )
    own = load_gpus(tmp_path)
    assert [spec.name for spec in own] == [*CARDS, "My card"]
    changed = next(spec for spec in own if spec.name == "GeForce RTX 2060 6GB")
    assert (changed.fp32_flops_per_s, changed.tensor_fp16_flops_per_s, changed.source) == (7e12, None, "your own table")
    assert own[-1].tensorflow == "rocm"
    (tmp_path / "prices.csv").write_text(
        "kind,name,price,currency,price_date\nelectricity,Germany,0.5,EUR,2027\ngpu,A2,900,EUR,2027\n"
    )
    prices = load_prices(tmp_path)
    assert len(prices) == len(load_prices()) + 1
    assert next(price for price in prices if price.name == "Germany").price == 0.5
    (tmp_path / "clouds.csv").write_text(
        "provider,instance,gpu,gpu_count,ram_gib,usd_per_hour,price_date\nmine,box,Tesla T4,1,32,0.1,2027\n"
    )
    assert load_clouds(tmp_path)[-1].name == "mine box"
    (tmp_path / "datasets.csv").write_text(
        "name,task,train_examples,sample_shape,dtype\ncats,image classification,,224x224x3,uint8\n"
    )
    assert load_datasets(tmp_path)[-1].samples is None


@pytest.mark.parametrize(
    ("file", "load", "text"),
    [
        ("gpus.csv", load_gpus, "name,vendor,segment,memory_gib,bandwidth_gb_s,fp32_tflops\nx,acme,desktop,6,1,1\n"),
        ("gpus.csv", load_gpus, "name,vendor,segment,memory_gib,bandwidth_gb_s,fp32_tflops\nx,amd,desktop,,1,1\n"),
        ("datasets.csv", load_datasets, "name,task,train_examples,sample_shape,dtype\nx,y,1,28*28,uint8\n"),
        ("datasets.csv", load_datasets, "name,task,train_examples,sample_shape,dtype\nx,y,1,28x28,\n"),
        (
            "clouds.csv",
            load_clouds,
            "provider,instance,gpu,gpu_count,ram_gib,usd_per_hour,price_date\na,b,,1,2,3,2027\n",
        ),
        ("prices.csv", load_prices, "kind,name,price,currency,price_date\ngpu,x,1,Euro,2027\n"),
    ],
)
def test_a_damaged_own_table_is_named_with_its_line(tmp_path, file, load, text):
    (tmp_path / file).write_text(text)
    with pytest.raises(StoreError, match=f"{file}, line 2") as caught:
        load(tmp_path)
    assert str(tmp_path / file) in caught.value.hint
