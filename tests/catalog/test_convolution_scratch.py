"""cuDNN's answers as they ship, held against allocator traces of the emulated card."""

from __future__ import annotations

import zipfile

import msgspec
import pytest

from app.catalog.convolution_scratch import AXES, DIMENSIONS, FILE, ITEM_BYTES, ShippedScratch, path_of
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
            assert {name.rpartition("-")[2] for name in tables} == ITEM_BYTES.keys()
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
    found = ShippedScratch()(TURING, "float32").asked(asked, 32)
    assert found.told.at(32) / MIB == pytest.approx(mib, rel=0.025, abs=0.2)
    assert found.told == found.most


def test_a_card_is_told_as_the_newest_that_is_not_newer():
    shipped = ShippedScratch()
    assert shipped((8, 7), "float32") is shipped((8, 6), "float32")
    assert shipped((7, 2), "float32") is shipped((7, 0), "float32")
    assert shipped((6, 1), "float32") is None
    assert shipped(None, "float32") is None


def test_both_kinds_of_16_bits_have_one_table():
    shipped = ShippedScratch()
    assert shipped((8, 0), "mixed_bfloat16") is shipped((8, 0), "mixed_float16")
    assert shipped((8, 0), "mixed_float16") is not shipped((8, 0), "float32")
