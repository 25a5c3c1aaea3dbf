"""Pairs of batch and steps for a wanted effective batch."""

from hypothesis import given
from hypothesis import strategies as st

from app.core.advising.accumulation import Effort, accumulate_to


def predict(batch: int, steps: int) -> Effort:
    return Effort(1000 * batch + (500 if steps > 1 else 0), 0.1 * batch)


@given(effective=st.integers(1, 5000), largest=st.integers(1, 300), room=st.integers(1000, 10**6))
def test_the_pair_multiplies_to_what_was_wanted_and_fits(effective, largest, room):
    found = accumulate_to(effective, largest, predict, lambda b, k: (predict(b, k).peak_bytes or 0) <= room)
    if found is None:
        assert room < 1500
        return
    assert found.batch_size * found.accumulate == effective
    assert found.batch_size <= largest
    assert found.peak_bytes is not None
    assert found.peak_bytes <= room


def test_kept_gradients_count():
    found = accumulate_to(64, 64, predict, lambda b, k: (predict(b, k).peak_bytes or 0) <= 32_400)
    assert found is not None
    assert (found.batch_size, found.accumulate, found.peak_bytes, found.update_s) == (16, 4, 16_500, 0.1 * 64)


def test_a_batch_that_fits_needs_no_accumulation():
    found = accumulate_to(64, 100, predict, lambda b, k: True)
    assert found is not None
    assert (found.batch_size, found.accumulate) == (64, 1)


def test_a_prime_gets_a_hint():
    found = accumulate_to(1009, 100, predict, lambda b, k: True)
    assert found is not None
    assert (found.batch_size, found.accumulate) == (1, 1009)
    assert found.hint == "1009 divides badly: 1012 would be 92 × 11"
