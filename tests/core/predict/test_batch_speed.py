"""The chart over batch sizes and the figure above it are one answer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.predict.batch_speed import speed_like
from app.core.types.prediction import PredictedTime, Stages

seconds = st.floats(1e-6, 1e3)


def device_speed(batch: int) -> float:
    return batch / (0.01 + 0.001 * batch)


def told(step_s: float | None, stages: Stages | None = None) -> PredictedTime:
    return PredictedTime(
        step_s=step_s,
        low_s=step_s,
        high_s=step_s,
        epoch_s=None,
        total_s=None,
        samples_per_s=None,
        bound_by=None,
        bound_share=None,
        basis="predicted",
        dominant_assumption="",
        stages=stages,
    )


@given(step_s=seconds, device_s=seconds, decode_s=seconds, batch=st.integers(1, 1 << 20), overlap=st.booleans())
def test_it_goes_through_what_was_told(step_s, device_s, decode_s, batch, overlap):
    speed = speed_like(told(step_s, Stages(device_s, decode_s=decode_s, overlap=overlap)), device_speed, batch)
    assert speed(batch) == pytest.approx(batch / step_s)


def test_what_a_run_has_shown_of_the_device_holds_for_all_batches():
    slower = speed_like(told(2 * 32 / device_speed(32)), device_speed, 32)
    assert slower(512) == pytest.approx(device_speed(512) / 2)


def test_an_input_that_is_waited_for_gives_every_large_batch_the_same_speed():
    speed = speed_like(told(3.2, Stages(32 / device_speed(32), decode_s=3.2)), device_speed, 32)
    assert speed(64) == pytest.approx(10.0)
    assert speed(1 << 14) == pytest.approx(10.0)


def test_where_nobody_knows_it_says_nothing_else():
    assert speed_like(told(None), device_speed, 32)(64) == device_speed(64)
    assert speed_like(told(1.0), lambda _batch: None, 32)(64) is None
