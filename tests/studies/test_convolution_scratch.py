"""What cuDNN is asked about, and how its answers are written."""

from __future__ import annotations

import json

import pytest

from app.catalog.convolution_scratch import ShippedScratch
from app.core.types.convolution import Convolution
from studies.accuracy import convolution_scratch
from studies.accuracy.convolution_scratch import BETWEEN, CARDS, EVERYDAY, SHAPES, Shape, answered, shapes, write


def test_shapes_are_those_of_networks():
    found = list(shapes())
    assert len(set(found)) == len(found) > 30_000
    assert {(s.dimensions, images) for s, images in found} == {
        (d, n) for d, axes in SHAPES.items() for n in axes.images
    }
    for shape, _ in found:
        assert shape.side >= shape.window
        assert max(shape.channels, shape.filters) <= 4 * min(shape.channels, shape.filters) or shape.channels <= 3
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


def test_what_was_answered_is_written_and_read_as_it_was(tmp_path, monkeypatch: pytest.MonkeyPatch):
    wanted = [(Shape(2, 3, 1, True, 64, 64, 32), images) for images in SHAPES[2].images]
    monkeypatch.setattr(convolution_scratch, "shapes", lambda: iter(wanted))
    monkeypatch.setattr(convolution_scratch, "own_folder", lambda: tmp_path)
    folder = tmp_path / "scratch"
    folder.mkdir()
    for capability in ("7.5", "8.0"):
        rows = [[*shape, images, 0, 10**6 * images, 10**9, 0, None, 4096] for shape, images in wanted]
        rows = rows[:-1] if capability == "8.0" else rows
        (folder / f"{capability}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        (folder / f"{capability}.version").write_text("92800\n")
    assert len(answered("7.5")) == len(wanted)
    write(tmp_path / "table.zip")
    shipped = ShippedScratch(tmp_path / "table.zip")
    asked = Convolution("image", False, 0, 1, 64, 64, 1, (32, 32), (3, 3), (32, 32), (1, 1), (1, 1), (1, 1))
    assert shipped((7, 5), "float32").asked(asked, 32).told.at(32) == pytest.approx(32e6, rel=0.023)
    assert shipped((7, 5), "mixed_float16").asked(asked, 32) is None
    assert shipped((8, 0), "float32") is shipped((7, 5), "float32"), "a card with answers missing is left out"
    assert tuple(CARDS)[:3] == ("7.0", "7.5", "8.0")
