"""cuDNN's answers as they ship, held against allocator traces of the emulated card."""

from __future__ import annotations

import zipfile

import msgspec
import pytest

from app.catalog.convolution_scratch import AXES, DIMENSIONS, FILE, NUMBERS, ShippedScratch, path_of
from app.catalog.paths import resource_path
from app.core.simulate.scratch_table import Axes
from app.core.types.convolution import Convolution
from app.core.types.units import MIB

TURING = (7, 5)


def square(side, channels, filters, direction="forward"):
    sides = (side, side)
    return Convolution(direction, False, 0, 1, channels, filters, 1, sides, (3, 3), sides, (1, 1), (1, 1), (1, 1))


def test_every_table_answers_for_every_shape():
    with zipfile.ZipFile(resource_path(FILE)) as archive:
        for dimensions in DIMENSIONS:
            axes = msgspec.json.decode(archive.read(path_of(dimensions, AXES)), type=Axes)
            tables = [name for name in archive.namelist() if name.startswith(f"{dimensions}/") and AXES not in name]
            assert {archive.getinfo(name).file_size for name in tables} == {axes.size}
            assert {name.partition("-")[2] for name in tables} <= NUMBERS.keys()
    assert resource_path(FILE).stat().st_size < MIB


@pytest.mark.parametrize(
    ("asked", "mib"),
    [
        (square(32, 64, 64), 0.391),
        (square(16, 64, 128), 14.625),
        (square(16, 128, 128), 20.25),
        (square(16, 128, 128, "filter"), 20.25),
        (square(16, 64, 128, "image"), 14.625),
        (square(32, 64, 64, "filter"), 36.562),
        (square(32, 32, 64, "image"), 132.07),
        (square(32, 32, 64, "filter"), 0),
    ],
)
def test_it_is_what_a_training_was_seen_to_allocate(asked, mib):
    """A plain network at batch 32 in float32 on an emulated RTX 2060, TensorFlow 2.21, cuDNN 9.28."""
    found = ShippedScratch()(TURING).asked(asked, 4, 32)
    assert found.told.at(32) / MIB == pytest.approx(mib, rel=0.025, abs=0.2)
    assert found.told == found.most


def test_a_card_is_told_as_the_newest_that_is_not_newer():
    shipped = ShippedScratch()
    assert shipped((8, 7)) is shipped((8, 6))
    assert shipped((7, 2)) is shipped((7, 0))
    assert shipped((6, 1)) is None
    assert shipped(None) is None


def test_an_image_of_three_colours_is_answered():
    """A generator's last layer, 128 images on an emulated A100: TensorFlow took 645 MiB for its filter's gradient."""
    last = square(64, 32, 3, "filter")._replace(kernel=(5, 5), padding=(2, 2), channels_last=True)
    assert ShippedScratch()((8, 0)).asked(last, 4, 128).told.at(128) / MIB == pytest.approx(645, rel=0.025)
    assert ShippedScratch()((8, 0)).asked(last._replace(channels_last=False), 4, 128).told.at(128) < 600 * MIB
