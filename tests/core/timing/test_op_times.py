from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.timing.op_times import ORDINARY, OpTimes, SignatureTable, late_s
from app.core.timing.signatures import Signature
from app.core.types.machine import TimedOperation
from app.core.types.stepgraph import PerBatch

SMALL = TimedOperation(ORDINARY, (2.0**16, 1.0), 2.0**16, 1e-4, 1e-4)
LARGE = TimedOperation(ORDINARY, (2.0**24, 1.0), 2.0**24, 8e-3, 16e-3)


def seconds(times: OpTimes, signature: Signature, batch: int = 1, variants: tuple[str, ...] = ()) -> float:
    return float(times.alone(SignatureTable([signature]), batch, variants).every_s[0])


def ordinary(size: float, family: str = ORDINARY) -> Signature:
    return Signature(family, (PerBatch(size), PerBatch(1)), PerBatch(size))


def test_an_operation_with_the_very_dimensions_of_a_timed_one_takes_its_time():
    times = OpTimes((SMALL, LARGE))
    assert seconds(times, ordinary(2.0**16)) == pytest.approx(1e-4, rel=1e-3)
    assert seconds(times, ordinary(2.0**24)) == pytest.approx(8e-3, rel=1e-3)


def test_half_way_between_two_timed_ones_both_count_alike():
    slowness = np.sqrt(1e-4 / 2**16 * 8e-3 / 2**24)
    assert seconds(OpTimes((SMALL, LARGE)), ordinary(2.0**20)) == pytest.approx(slowness * 2**20)


def test_a_family_that_nobody_timed_is_priced_as_its_kin_or_as_something_ordinary():
    product = TimedOperation("product", (64.0, 64.0, 64.0), 2.0 * 64**3, 1e-5)
    times = OpTimes((SMALL, product))
    asked = Signature(
        "products, transposed", (PerBatch(64), PerBatch(64), PerBatch(64), PerBatch(1)), PerBatch(2.0 * 64**3)
    )
    assert seconds(times, asked) == pytest.approx(1e-5)
    assert seconds(times, ordinary(2.0**16, "Whatever")) == pytest.approx(1e-4)


def test_a_variant_changes_the_time_by_what_was_measured_at_the_same_place():
    half = TimedOperation(ORDINARY, (2.0**16, 1.0), 2.0**16, 5e-5, variant="mixed_bfloat16")
    times = OpTimes((SMALL, LARGE, half))
    assert times.knows(("mixed_bfloat16",))
    assert not times.knows(("xla",))
    assert seconds(times, ordinary(2.0**24), variants=("mixed_bfloat16",)) == pytest.approx(4e-3, rel=1e-2)


def test_a_loop_multiplies_the_time():
    looped = Signature(ORDINARY, (PerBatch(2.0**16), PerBatch(1)), PerBatch(2.0**16), trip_count=30)
    assert seconds(OpTimes((SMALL,)), looped) == pytest.approx(30e-4)


def test_nothing_timed_knows_nothing():
    assert not OpTimes(())


@given(batch=st.integers(1, 4096))
def test_more_work_of_the_same_kind_takes_longer(batch):
    times = OpTimes((SMALL, LARGE))
    growing = Signature(ORDINARY, (PerBatch(0, 4096), PerBatch(1)), PerBatch(0, 4096))
    assert seconds(times, growing, batch) < seconds(times, growing, 2 * batch)


def test_what_was_not_timed_with_one_thread_promises_no_gain_from_running_side_by_side():
    unknown = TimedOperation(ORDINARY, (2.0**16, 1.0), 2.0**16, 1e-4)
    every, single, _ = OpTimes((unknown,), threads=4).alone(SignatureTable([ordinary(2.0**16)]), 1)
    assert single[0] == pytest.approx(4 * every[0])


def test_what_the_largest_one_of_a_family_would_not_take_is_the_cost_of_a_call():
    pace = LARGE.seconds / LARGE.work
    table = SignatureTable([ordinary(2.0**16), ordinary(2.0**24), ordinary(2.0**23)])
    small = replace(SMALL, seconds=2 * SMALL.work * pace)
    calls = OpTimes((small, LARGE)).alone(table, 1).call_s
    assert calls[:2] == pytest.approx([SMALL.work * pace, 0.0], rel=1e-2, abs=1e-9)
    assert calls[2] <= small.seconds
    in_cache = replace(SMALL, seconds=0.5 * SMALL.work * pace)
    assert not OpTimes((in_cache, LARGE)).alone(table, 1).call_s.any()


@pytest.mark.parametrize(
    ("family", "channels_in", "channels_out", "filled_up"),
    [
        ("convolution", 64, 20, 32 / 20),
        ("convolution", 20, 64, 1.0),
        ("convolution, input gradient", 20, 64, 32 / 20),
        ("convolution, filter gradient", 64, 1, 16.0),
        ("depthwise", 64, 20, 1.0),
    ],
)
def test_a_convolution_whose_channels_fill_no_vector_takes_as_long_as_if_they_did(
    family, channels_in, channels_out, filled_up
):
    timed = TimedOperation(family, (1000.0, 64.0, 64.0, 9.0, 1.0), 1e9, 1e-3)
    asked = (PerBatch(1000), PerBatch(channels_in), PerBatch(channels_out), PerBatch(9), PerBatch(1))
    taken = seconds(OpTimes((SMALL, timed), vector=16), Signature(family, asked, PerBatch(1e9)))
    assert taken == pytest.approx(filled_up * 1e-3)
    assert seconds(OpTimes((SMALL, timed)), Signature(family, asked, PerBatch(1e9))) == pytest.approx(1e-3)


def test_an_odd_number_of_channels_that_was_timed_is_told_as_it_was_timed():
    timed = TimedOperation("convolution", (1000.0, 64.0, 20.0, 9.0, 1.0), 1e9, 1e-3)
    asked = tuple(PerBatch(side) for side in timed.dimensions)
    assert seconds(OpTimes((timed,), vector=16), Signature("convolution", asked, PerBatch(1e9))) == pytest.approx(1e-3)


def spread(work: float, late_s: float, family: str = "product") -> TimedOperation:
    """Timed with two threads of which the second begins late: 1 ns for a unit of work with one."""
    return TimedOperation(family, (work, 1.0), work, work * 0.5e-9 + late_s, work * 1e-9)


def test_what_a_late_thread_costs_does_not_grow_with_the_work():
    times = OpTimes((SMALL, *(spread(work, 5e-5) for work in (2e5, 4e5, 8e5))), threads=2)
    for work in (2e5, 8e5, 3.2e6):
        asked = Signature("product", (PerBatch(work), PerBatch(1)), PerBatch(work))
        assert seconds(times, asked) == pytest.approx(work * 0.5e-9 + 5e-5, rel=1e-3)


@given(late=st.lists(st.floats(0, 3e-4), min_size=3, max_size=3), scale=st.floats(0.1, 10))
def test_no_operation_is_told_shorter_than_its_even_share_and_a_timed_one_is_told_as_timed(late, scale):
    timed = [spread(work, late_s) for work, late_s in zip((2e5, 5e5, 9e5), late, strict=True)]
    times = OpTimes((SMALL, *timed), threads=2)
    for one in timed:
        asked = Signature("product", (PerBatch(one.work), PerBatch(1)), PerBatch(one.work))
        assert seconds(times, asked) == pytest.approx(one.seconds, rel=1e-2)
    asked = Signature("product", (PerBatch(2e5 * scale), PerBatch(1)), PerBatch(2e5 * scale))
    every, single, _ = times.alone(SignatureTable([asked]), 1)
    assert 2 * every[0] >= 0.99 * single[0]


def test_one_thread_is_never_late():
    timed = [spread(work, 5e-5) for work in (2e5, 4e5)]
    assert late_s(timed, 1) == late_s([replace(one, one_thread_s=None) for one in timed], 2) == 0.0
    assert late_s(timed, 2) == pytest.approx(5e-5)
