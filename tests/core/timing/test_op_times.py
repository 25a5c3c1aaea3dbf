from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.timing.op_times import ORDINARY, OpTimes, SignatureTable
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
