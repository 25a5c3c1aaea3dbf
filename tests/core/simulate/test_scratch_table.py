"""cuDNN's answers, looked up: what was asked about as it was told, what lies between as what is around it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.simulate.scratch_table import (
    DIRECTIONS,
    LEAST_SHARE,
    UNASKED,
    Axes,
    Grid,
    Numbers,
    ScratchTable,
    Window,
    code_of,
    dimensions_of,
    operands_of,
    share_of,
)
from app.core.types.convolution import Convolution

AXES = Axes(windows=(Window(3, 1),), channels=(3, 16, 32), filters=(16, 32), sides=(8, 16), images=(8, 16, 32))
SQUARE = Convolution("forward", False, 0, 1, 16, 32, 1, (8, 8), (3, 3), (8, 8), (1, 1), (1, 1), (1, 1))

FLOAT = Numbers(4, channels_last=False)

AROUND = ((16, 8), (16, 16), (32, 8), (32, 16))


def table(shares):
    """A table of one window by channels, filters, side, images and direction."""
    codes = bytearray([UNASKED]) * AXES.size
    for (channels, filters, side, images, direction), share in shares.items():
        at = AXES.place(0, AXES.channels.index(channels), AXES.filters.index(filters), AXES.sides.index(side))
        codes[at + AXES.images.index(images) * len(DIRECTIONS) + DIRECTIONS.index(direction)] = code_of(share)
    return ScratchTable({FLOAT: {2: Grid(AXES, bytes(codes))}})


def operands_bytes(asked, batch):
    return operands_of(asked, 4).at(asked.images_at(batch))


@given(st.floats(0.02, 300))
def test_a_share_is_kept_to_its_code(share):
    assert share_of(code_of(share)) == pytest.approx(share, rel=0.0221)


def test_next_to_nothing_is_nothing():
    assert share_of(code_of(0)) == share_of(code_of(LEAST_SHARE * 0.9)) == 0


def test_operands_are_filter_image_and_result():
    assert operands_bytes(SQUARE, 8) == 4 * (9 * 16 * 32 + 8 * 64 * (16 + 32))


def test_what_was_asked_about_is_told_as_it_was_answered():
    known = table({(16, 32, 8, 8, "forward"): 2.0, (16, 32, 8, 8, "filter"): 0.5})
    assert known.asked(SQUARE, 4, 8).told.at(8) == 2 * operands_bytes(SQUARE, 8)
    assert known.asked(SQUARE._replace(direction="filter"), 4, 8).told.at(8) == 0.5 * operands_bytes(SQUARE, 8)
    assert known.asked(SQUARE._replace(direction="image"), 4, 8) is None


def test_between_two_numbers_of_images_it_goes_straight_from_one_answer_to_the_other():
    known = table({(16, 32, 8, 8, "forward"): 1.0, (16, 32, 8, 16, "forward"): 2.0})
    start, end = operands_bytes(SQUARE, 8), 2 * operands_bytes(SQUARE, 16)
    found = known.asked(SQUARE, 4, 12)
    assert found.told.at(12) == pytest.approx((start + end) / 2)
    assert (found.told.at(8), found.told.at(16)) == pytest.approx((start, end))
    assert found.most.at(12) == pytest.approx(2 * operands_bytes(SQUARE, 12))


def test_beyond_the_most_images_the_share_stays():
    known = table({(16, 32, 8, 32, "forward"): 2.0})
    assert known.asked(SQUARE, 4, 4096).told.at(4096) == 2 * operands_bytes(SQUARE, 4096)
    assert known.asked(SQUARE, 4, 2) is None


def test_where_shapes_around_it_disagree_the_nearest_is_told_and_the_most_may_be():
    known = table({(16, 32, 8, 8, "forward"): 0.0, (32, 32, 8, 8, "forward"): 4.0})
    for channels, share in ((20, 0.0), (28, 4.0)):
        between = SQUARE._replace(channels=channels)
        found = known.asked(between, 4, 8)
        assert (found.told.at(8), found.most.at(8)) == (
            share * operands_bytes(between, 8),
            4 * operands_bytes(between, 8),
        )
    four = {(c, 32, side, 8, "forward"): share for (c, side), share in zip(AROUND, (0.0, 1.0, 2.0, 4.0), strict=True)}
    for side, share in ((9, 2.0), (15, 4.0)):
        between = SQUARE._replace(channels=28, image=(side, side), result=(side, side))
        assert table(four).asked(between, 4, 8).told.at(8) == share * operands_bytes(between, 8)


def test_an_image_without_padding_is_told_by_its_own_window_where_there_is_one():
    axes = replace(AXES, windows=(Window(3, 1), Window(3, 1, padded=False), Window(5, 1)))
    third = axes.size // 3
    codes = b"".join(bytes([code_of(share)]) * third for share in (1.0, 2.0, 4.0))
    known = ScratchTable({FLOAT: {2: Grid(axes, codes)}})
    bare = SQUARE._replace(image=(16, 16), result=(14, 14), padding=(0, 0))
    assert known.asked(SQUARE, 4, 8).told.at(8) == operands_bytes(SQUARE, 8)
    assert known.asked(bare, 4, 8).told.at(8) == 2 * operands_bytes(bare, 8)
    wider = bare._replace(kernel=(5, 5), result=(12, 12))
    assert known.asked(wider, 4, 8).told.at(8) == 4 * operands_bytes(wider, 8)


@pytest.mark.parametrize(
    "other",
    [
        {"strides": (2, 2)},
        {"dilations": (2, 2)},
        {"kernel": (1, 3)},
        {"image": (1, 8), "kernel": (1, 3), "result": (1, 8)},
        {"channels": 129},
        {"image": (65, 65), "result": (65, 65)},
    ],
)
def test_what_is_unlike_all_that_was_asked_about_is_not_known(other):
    known = table({(c, f, side, 8, "forward"): 1.0 for c in (16, 32) for f in (16, 32) for side in (8, 16)})
    assert known.asked(SQUARE, 4, 8) is not None
    assert known.asked(SQUARE._replace(**other), 4, 8) is None


@pytest.mark.parametrize("other", [{"channels": 128}, {"filters": 128}, {"image": (64, 64), "result": (64, 64)}])
def test_a_shape_next_to_which_nobody_asked_is_told_as_the_nearest(other):
    known = table({(c, 32, 16, 8, "forward"): share for c, share in ((16, 1.0), (32, 2.0))})
    asked = SQUARE._replace(channels=32, image=(16, 16), result=(16, 16))._replace(**other)
    assert known.asked(asked, 4, 8).told.at(8) == 2 * operands_bytes(asked, 8)
    assert not known.asked(asked, 4, 8).near
    assert known.asked(SQUARE._replace(channels=32, image=(16, 16), result=(16, 16)), 4, 8).near


def test_what_asks_for_many_times_its_operands_tells_nothing_of_its_neighbours():
    unusual = {
        (c, 32, side, 8, "forward"): share for (c, side), share in zip(AROUND, (0.5, 99.0, 99.0, 99.0), strict=True)
    }
    between = SQUARE._replace(channels=24, image=(12, 12), result=(12, 12))
    found = table(unusual).asked(between, 4, 8)
    assert found.told.at(8) == pytest.approx(0.5 * operands_bytes(between, 8))
    assert found.most.at(8) == pytest.approx(99 * operands_bytes(between, 8), rel=0.03)
    both = {(c, 32, 8, 8, "forward"): 99.0 for c in (16, 32)}
    assert table(both).asked(SQUARE._replace(channels=24), 4, 8).told.at(8) == 0
    assert table({(16, 32, 8, 8, "forward"): 99.0}).asked(SQUARE, 4, 8).told.at(8) > 90 * operands_bytes(SQUARE, 8)


def test_numbers_that_lie_the_other_way_are_looked_up_where_they_were_asked_about():
    def grid(share):
        return {2: Grid(AXES, bytes([code_of(share)]) * AXES.size)}

    def told(known, *, last):
        return known.asked(SQUARE._replace(channels_last=last), 4, 8).told.at(8) / operands_bytes(SQUARE, 8)

    first, last = Numbers(4, channels_last=False), Numbers(4, channels_last=True)
    both = ScratchTable({first: grid(1.0), last: grid(2.0)})
    assert (told(both, last=False), told(both, last=True)) == (1.0, 2.0)
    assert told(ScratchTable({first: grid(1.0)}), last=True) == 1.0
    assert both.asked(SQUARE, 2, 8) is None


def test_many_images_of_a_sample_count_as_so_many():
    known = table({(16, 32, 8, 32, "forward"): 1.0})
    frames = SQUARE._replace(more_images=4)
    assert known.asked(frames, 4, 8).told.at(8) == operands_bytes(frames, 8) == operands_bytes(SQUARE, 32)


def test_what_same_adds_on_one_side_does_not_count_for_the_side():
    axes = replace(AXES, windows=(Window(3, 2),))
    known = ScratchTable({FLOAT: {2: Grid(axes, bytes([code_of(1.0)]) * axes.size)}})
    padded = SQUARE._replace(image=(9, 9), result=(4, 4), strides=(2, 2))
    assert known.asked(padded, 4, 8).told == known.asked(padded, 4, 8).most


ROW = SQUARE._replace(image=(1, 16), kernel=(1, 3), result=(1, 16), padding=(0, 1))
CUBE = SQUARE._replace(
    image=(8,) * 3, kernel=(3,) * 3, result=(8,) * 3, padding=(1,) * 3, strides=(1,) * 3, dilations=(1,) * 3
)


@pytest.mark.parametrize(
    ("asked", "dimensions"),
    [
        (ROW, 1),
        (ROW._replace(kernel=(1, 1), padding=(0, 0)), 1),
        (SQUARE, 2),
        (SQUARE._replace(image=(1, 8), result=(1, 8)), 2),
        (SQUARE._replace(image=(8, 16), result=(8, 16)), 2),
        (CUBE, 3),
        (CUBE._replace(kernel=(1, 3, 3)), None),
        (ROW._replace(dilations=(1, 2)), None),
        (SQUARE._replace(kernel=(1, 7)), None),
        (SQUARE._replace(image=(1, 1), kernel=(1, 1), result=(1, 1)), None),
    ],
)
def test_a_row_is_an_image_of_one_line(asked, dimensions):
    assert dimensions_of(asked) == dimensions


def test_rows_images_and_volumes_are_looked_up_apart():
    axes = replace(AXES, sides=(8, 16))
    grids = {dimensions: Grid(axes, bytes([code_of(2.0**dimensions)]) * axes.size) for dimensions in (1, 2, 3)}
    known = ScratchTable({FLOAT: grids})
    for dimensions, asked in ((1, ROW), (2, SQUARE), (3, CUBE)):
        assert known.asked(asked, 4, 8).told.at(8) == 2.0**dimensions * operands_bytes(asked, 8)


def test_each_group_asks_as_a_convolution_of_its_own():
    known = table({(16, 32, 8, 8, "forward"): 2.0})
    grouped = SQUARE._replace(channels=64, filters=128, groups=4)
    assert known.asked(grouped, 4, 8).told.at(8) == 2 * 4 * operands_bytes(SQUARE, 8)
    assert not known.asked(grouped, 4, 8).near


def test_a_window_between_two_is_told_as_the_nearer_and_one_beyond_them_not_at_all():
    axes = replace(AXES, windows=(Window(3, 1), Window(3, 2), Window(7, 1)))
    half = axes.size // 3
    codes = b"".join(bytes([code_of(share)]) * half for share in (1.0, 8.0, 2.0))
    known = ScratchTable({FLOAT: {1: Grid(axes, codes)}})
    between = ROW._replace(kernel=(1, 4), padding=(0, 2))
    found = known.asked(between, 4, 8)
    assert (found.told.at(8), found.most.at(8)) == (operands_bytes(between, 8), 2 * operands_bytes(between, 8))
    assert known.asked(ROW._replace(kernel=(1, 9)), 4, 8) is None


def test_a_single_point_is_next_to_no_other_window():
    axes = replace(AXES, windows=(Window(1, 1), Window(3, 1)))
    known = ScratchTable({FLOAT: {1: Grid(axes, bytes([code_of(1.0)]) * axes.size)}})
    assert known.asked(ROW._replace(kernel=(1, 1), padding=(0, 0)), 4, 8) is not None
    assert known.asked(ROW._replace(kernel=(1, 2), padding=(0, 0)), 4, 8) is None
