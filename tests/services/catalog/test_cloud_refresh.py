"""Offers from a folder of gpuhunt's tables."""

import csv
import os
import sys

import pytest

from app.catalog.clouds import load_clouds
from app.catalog.gpuhunt import read_offers
from app.catalog.gpus import load_gpus
from app.core.types.errors import StoreError
from app.core.types.units import GIB
from app.services.catalog.cloud_refresh import refresh_clouds

COLUMNS = tuple("instance_name location price cpu memory gpu_count gpu_name gpu_memory spot disk_size".split())
ROWS = (
    ("g5.xlarge", "us", "1.20", "4", "16", "1", "A10G", "24", "False", ""),
    ("g5.xlarge", "eu", "1.00", "4", "16", "1", "A10G", "24", "False", ""),
    ("g5.xlarge", "us", "0.40", "4", "16", "1", "A10G", "24", "True", ""),
    ("only-spot", "us", "0.10", "4", "16", "1", "T4", "16", "True", ""),
    ("plain", "us", "0.10", "4", "16", "0", "", "", "False", ""),
    ("odd", "us", "0.10", "4", "16", "1", "Quantum9000", "16", "False", ""),
    ("broken", "us", "free", "4", "16", "1", "T4", "16", "False", ""),
)


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "tables"
    place.mkdir()
    with open(place / "aws.csv", "w", newline="") as file:
        csv.writer(file).writerows([COLUMNS, *ROWS])
    return place


def test_the_cheapest_region_counts_and_spot_stands_beside_it(folder):
    (offer,) = read_offers(folder, load_gpus())
    assert (offer.provider, offer.instance, offer.gpu) == ("aws", "g5.xlarge", "A10G")
    assert (offer.usd_per_hour, offer.usd_per_hour_spot) == (1.0, 0.4)
    assert offer.ram_bytes == 16 * GIB
    assert offer.price_date.count("-") == 2


def test_refreshed_offers_are_those_of_the_catalog(folder, tmp_path):
    own = tmp_path / "own"
    assert refresh_clouds(folder, own, load_gpus()) == 1
    found = next(offer for offer in load_clouds(own) if offer.name == "aws g5.xlarge")
    assert found.usd_per_hour == 1.0
    assert "gpuhunt" in found.source


def test_the_table_that_was_there_is_kept(folder, tmp_path):
    refresh_clouds(folder, tmp_path, load_gpus())
    before = (tmp_path / "clouds.csv").read_bytes()
    refresh_clouds(folder, tmp_path, load_gpus())
    assert (tmp_path / "clouds.csv.old").read_bytes() == before


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such files")
def test_pipes_and_devices_are_no_tables(tmp_path):
    os.mkfifo(tmp_path / "pipe.csv")
    (tmp_path / "device.csv").symlink_to("/dev/zero")
    with pytest.raises(StoreError, match="no tables"):
        read_offers(tmp_path, load_gpus())


def test_a_folder_without_tables_is_refused(tmp_path):
    with pytest.raises(StoreError, match="no tables"):
        read_offers(tmp_path, load_gpus())
    (tmp_path / "x.csv").write_text("a,b\n1,2\n")
    with pytest.raises(StoreError, match="no table of gpuhunt"):
        read_offers(tmp_path, load_gpus())
