"""Places in a block: none overlaps another one of its time, and holes count."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from app.core.simulate.xla.packing import packed_bytes

results = st.lists(st.tuples(st.integers(1, 900), st.integers(0, 30), st.integers(0, 9)), min_size=1, max_size=40)


def packed(*results):
    """The block of results, each told by its bytes, when it is made and when it is read last."""
    sizes, starts, ends = (np.array(column) for column in zip(*results, strict=True))
    return packed_bytes(sizes.astype(float), starts, ends)


def test_what_is_not_there_at_the_same_time_shares_a_place():
    assert packed((10, 0, 1), (10, 2, 3)) == 10
    assert packed((10, 0, 2), (10, 2, 3)) == 20


def test_a_hole_is_no_use_to_what_is_larger():
    """Never more than three are alive; but where the first small one ends it leaves a hole below the second."""
    assert packed((2, 0, 1), (1, 0, 3), (1, 3, 4), (2, 4, 4)) == 4


@given(results)
def test_the_block_has_room_for_all_that_is_alive_and_no_more_than_for_everything(drawn):
    alive = [(size, start, start + life) for size, start, life in drawn]
    most = max(sum(size for size, start, end in alive if start <= moment <= end) for moment in range(40))
    assert most <= packed(*alive) <= sum(size for size, *_ in alive)


def test_nothing_takes_nothing():
    assert packed_bytes(np.array([]), np.array([]), np.array([])) == 0
