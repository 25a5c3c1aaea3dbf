"""What cuDNN is asked about, and how its answers are written."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace

import pytest

from app.catalog.convolution_scratch import NUMBERS, ShippedScratch
from app.core.simulate.scratch_table import UNASKED
from app.core.types.convolution import Convolution
from studies.accuracy import convolution_scratch
from studies.accuracy.convolution_scratch import CARDS, answered, kinds, shipped, wanted_of, write
from studies.accuracy.convolution_shapes import BETWEEN, EVERYDAY, SHAPES, Shape, shapes


def test_shapes_are_those_of_networks():
    found = list(shapes())
    assert len(set(found)) == len(found) > 30_000
    assert {(s.dimensions, images) for s, images in found} == {
        (d, n) for d, axes in SHAPES.items() for n in axes.images
    }
    for shape, _ in found:
        assert shape.side >= shape.window
        narrow = min(shape.channels, shape.filters)
        assert max(shape.channels, shape.filters) <= 4 * narrow or narrow <= 3
    between = {
        (s.dimensions, (s.window, s.stride, s.padded)) for s, _ in found if {s.channels, s.filters} & set(BETWEEN)
    }
    assert between == {(dimensions, window) for dimensions, windows in EVERYDAY.items() for window in windows}


def test_a_shape_is_asked_for_as_tensorflow_pads_it():
    """224 points by steps of 2 with a filter of 7: TensorFlow adds two before and three behind."""
    asked = Shape(2, 7, 2, True, 3, 64, 224).convolution(32, "forward", last=False)
    assert asked == Convolution(
        "forward", False, 32, 0, 3, 64, 1, (225, 225), (7, 7), (112, 112), (2, 2), (2, 2), (1, 1)
    )


def test_without_padding_a_filter_stays_within_its_image():
    asked = Shape(2, 5, 1, False, 32, 64, 28).convolution(8, "forward", last=True)
    assert asked == Convolution("forward", True, 8, 0, 32, 64, 1, (28, 28), (5, 5), (24, 24), (0, 0), (1, 1), (1, 1))


def test_a_row_is_asked_for_as_an_image_of_one_line():
    asked = Shape(1, 5, 2, True, 16, 32, 64).convolution(8, "image", last=True)
    assert asked == Convolution("image", True, 8, 0, 16, 32, 1, (1, 65), (1, 5), (1, 32), (0, 1), (1, 2), (1, 1))


def test_single_points_with_channels_last_are_asked_about_nowhere():
    numbers = {name: {shape for shape, _ in wanted_of(name)} for name in NUMBERS}
    assert all(s.window > 1 or s.stride > 1 for name in ("float16", "float32-last") for s in numbers[name])
    assert any(s.window == s.stride == 1 for s in numbers["float32"])
    assert {s.dimensions for s in numbers["float32-last"]} == {2}
    assert {card for card, name in kinds() if name == "float32-last"} == set(CARDS) - {"7.0", "7.5"}


def test_what_was_answered_is_written_and_read_as_it_was(tmp_path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(convolution_scratch, "own_folder", lambda: tmp_path)
    wanted = [(Shape(2, 3, 1, True, 64, 64, 32), images) for images in SHAPES[2].images]

    def answer(capability, shapes, per_image):
        rows = [[*shape, images, 0, per_image * images, None] for shape, images in shapes]
        file = tmp_path / "scratch" / f"{capability}-float32.jsonl"
        file.parent.mkdir(exist_ok=True)
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))
        (tmp_path / "scratch" / f"{capability}.version").write_text("92800\n")

    answer("7.5", wanted, 10**6)
    assert len(answered("7.5", "float32")) == len(wanted)
    write(tmp_path / "table.zip")
    asked = Convolution("image", False, 0, 1, 64, 64, 1, (32, 32), (3, 3), (32, 32), (1, 1), (1, 1), (1, 1))
    told = ShippedScratch(tmp_path / "table.zip")((7, 5))
    assert told.asked(asked, 4, 32).told.at(32) == pytest.approx(32e6, rel=0.023)
    assert told.asked(asked, 2, 32) is None
    assert told.asked(asked._replace(direction="filter"), 4, 32) is None
    answer("7.5", wanted[-1:], 10**5)
    write(tmp_path / "table.zip")
    both = ShippedScratch(tmp_path / "table.zip")((7, 5))
    assert both.asked(asked, 4, 256).told.at(256) == pytest.approx(25.6e6, rel=0.023), "what is new is written"
    assert both.asked(asked, 4, 32).told == told.asked(asked, 4, 32).told, "and beside it what there was"
    assert tuple(CARDS)[:3] == ("7.0", "7.5", "8.0")


def test_what_ships_keeps_its_place_where_axes_grow(tmp_path, monkeypatch: pytest.MonkeyPatch):
    shape = Shape(2, 3, 1, True, 64, 64, 32)
    table, fewer = tmp_path / "table.zip", replace(SHAPES[2], filters=(64, 128), sides=(16, 32))
    with zipfile.ZipFile(table, "w") as archive:
        codes = bytearray([UNASKED]) * fewer.size
        monkeypatch.setitem(SHAPES, 2, fewer)
        codes[shape.place] = 7
        archive.writestr("2/axes.json", json.dumps(fewer.__dict__))
        archive.writestr("2/7.5-float32", bytes(codes))
    monkeypatch.undo()
    found = shipped(table, 2, "7.5-float32")
    assert found[shape.place] == 7
    assert len(found) - found.count(UNASKED) == 1
