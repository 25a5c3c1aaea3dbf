"""Replaying requests, and turning two runs into lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.bfc import FIRST_REGION_BYTES
from app.core.recording import (
    Recording,
    Trace,
    as_recording,
    in_lines,
    number_chunks,
    without_trifles,
)
from app.core.stepgraph import Line
from app.core.units import MIB

KIB = 1024


def trace(batch, weights=(4 * KIB,), activations=(256,), steps=2, operation="layer"):
    """A model that keeps ``weights`` and in each step takes and gives back ``activations`` a sample."""
    events, sizes, keys, starts = [], [], [], []

    def take(size, key):
        sizes.append(size)
        keys.append(key)
        events.append(len(sizes) - 1)
        return len(sizes) - 1

    for size in weights:
        take(size, (-1, "Build"))
    for step in range(steps):
        starts.append(len(events))
        taken = [take(size * batch, (step, f"{operation}{i}")) for i, size in enumerate(activations)]
        events += [~chunk for chunk in taken]
    return Trace(batch, tuple(events), tuple(sizes), tuple(keys), tuple(starts))


def test_a_trace_replays_to_its_own_peak():
    recording = as_recording(trace(4, weights=(4 * KIB, 8 * KIB), activations=(1024, 256)))
    assert recording.step_peaks(4) == (17 * KIB, 17 * KIB)


def test_two_runs_answer_for_a_third_batch():
    recording = in_lines(trace(4), trace(2))
    assert recording.step_peaks(32) == as_recording(trace(32)).step_peaks(32)
    assert recording.unmatched_share == 0


@given(
    weights=st.lists(st.integers(1, 1 << 22), min_size=1, max_size=5),
    activations=st.lists(st.integers(1, 1 << 18), min_size=1, max_size=5),
    batch=st.integers(1, 512),
)
def test_lines_through_two_batches_hit_every_other(weights, activations, batch):
    recording = in_lines(trace(4, weights, activations), trace(2, weights, activations))
    assert recording.step_peaks(batch) == as_recording(trace(batch, weights, activations)).step_peaks(batch)
    assert min(recording.step_peaks(batch)) >= sum(weights) + batch * sum(activations)


def test_the_first_steps_own_requests_do_not_grow():
    first = trace(4)
    with_slots = Trace(4, (*first.events[:1], 9, *first.events[1:]), (*first.sizes, *(0,) * 6, 2048),
                       (*first.keys, *((0, ""),) * 6, (0, "Slots")), tuple(n + 1 for n in first.starts))  # fmt: skip
    recording = in_lines(with_slots, trace(2))
    assert recording.sizes[9] == Line(2048)


def test_an_operation_without_counterpart_grows_unless_the_other_run_knows_its_size():
    unknown = in_lines(trace(4, activations=(300,), operation="mine"), trace(2, activations=(300,)))
    assert unknown.sizes[2] == Line(0, 300)
    assert unknown.unmatched_share > 0
    known = in_lines(trace(4, weights=(1200,), activations=(300,), operation="mine"),
                     trace(2, weights=(1200,), activations=(300,)))  # fmt: skip
    assert known.sizes[2] == Line(1200)


def test_a_turn_that_wrote_over_its_input_is_found_in_another_step():
    other = trace(2, steps=2)
    keys = [*other.keys]
    keys[2] = (1, "somebody else")
    recording = in_lines(trace(4), Trace(2, other.events, other.sizes, tuple(keys), other.starts))
    assert recording.sizes[2] == Line(0, 256)
    assert recording.unmatched_share == 0


def test_what_shrinks_as_the_batch_grows_is_taken_for_constant():
    small, large = trace(2), trace(4)
    shrunk = Trace(4, large.events, (large.sizes[0], 100, 100), large.keys, large.starts)
    assert in_lines(shrunk, small).sizes[1] == Line(100)


def test_one_batch_size_makes_no_line():
    with pytest.raises(ValueError, match="two batch sizes"):
        in_lines(trace(4), trace(4))


def test_chunks_are_numbered_and_unknown_releases_left_out():
    events, origins = number_chunks([(False, 7), (True, 7), (True, 8), (False, 7), (True, 7), (False, 8)])
    assert events == (0, 1, ~0, 2, ~1)
    assert origins == (1, 2, 3, 4, 5)


def test_the_first_region_is_of_tensorflows_size():
    half = FIRST_REGION_BYTES // 2
    recording = Recording((0, 1, ~0, 2), (Line(half), Line(half), Line(half)), (0,))
    assert recording.step_peaks(1) == (FIRST_REGION_BYTES,)
    larger = Recording((0, ~0, 1), (Line(FIRST_REGION_BYTES), Line(half + 256)), (0,))
    assert larger.step_peaks(1) == (FIRST_REGION_BYTES,)


def test_scalars_that_come_and_go_in_a_step_are_left_out():
    sizes = (Line(MIB), Line(8), Line(0, 4), Line(512), Line(8), Line(MIB))
    recording = Recording((0, 1, 2, ~1, 3, ~2, ~3, 4, 5, ~5, ~4), sizes, (1, 8))
    found = without_trifles(recording)
    assert found.events == (0, 2, 3, ~2, ~3, 4, 5, ~5, ~4)
    assert found.starts == (1, 6)
    assert found.step_peaks(1) == pytest.approx(recording.step_peaks(1), rel=0.001)
