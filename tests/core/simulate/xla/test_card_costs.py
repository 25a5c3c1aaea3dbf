import pytest

from app.core.simulate.xla.card_costs import blocks_of_columns, columns_at_once, is_tiled


@pytest.mark.parametrize(
    ("columns", "item_bytes", "expected"),
    [
        (63, 4, 1),  # odd
        (32, 4, 1),  # half of a warp would have nothing to do
        (88, 4, 2),
        (88, 2, 2),  # not four: a warp would not have enough
        (576, 2, 4),
        (576, 4, 2),
        (130, 2, 2),
    ],
)
def test_a_thread_adds_up_several_columns_where_all_threads_have_work(columns, item_bytes, expected):
    assert columns_at_once(columns, item_bytes) == expected


def test_a_block_adds_up_what_its_warp_does_side_by_side_and_long_columns_in_two_stages():
    assert blocks_of_columns(1024 * 576, 576, 2) == 5
    assert blocks_of_columns(1024 * 88, 88, 2) == 2
    assert blocks_of_columns(10_000 * 64, 64, 4) == 100


@pytest.mark.parametrize(
    ("rows", "columns", "expected"),
    [
        (9, 728, False),
        (9, 910, False),
        (9, 911, True),
        (25, 11, False),
        (25, 16, True),
        (49, 192, True),
        (1, 9000, False),
    ],
)
def test_many_rows_and_columns_are_exchanged_by_tiles(rows, columns, expected):
    assert is_tiled(rows, columns) == is_tiled(columns, rows) == expected
