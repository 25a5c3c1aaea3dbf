"""Replaying requests, and turning two runs into lines."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.simulate.bfc import FIRST_REGION_BYTES
from app.core.simulate.recorded_trace import (
    RecordedRun,
    RecordedTrace,
    StepPeaks,
    anchors,
    fit_sizes,
    number_chunks,
    of_one_run,
)
from app.core.types.stepgraph import PerBatch
from app.core.types.units import MIB

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
    return RecordedRun(batch, tuple(events), tuple(sizes), tuple(keys), tuple(starts))


def test_a_trace_replays_to_its_own_peak():
    recording = of_one_run(trace(4, weights=(4 * KIB, 8 * KIB), activations=(1024, 256)))
    assert recording.step_peaks(4) == (17 * KIB, 17 * KIB)


def test_two_runs_answer_for_a_third_batch():
    recording = fit_sizes(trace(4), trace(2))
    assert recording.step_peaks(32) == of_one_run(trace(32)).step_peaks(32)
    assert recording.unmatched_share == 0


@given(
    weights=st.lists(st.integers(1, 1 << 22), min_size=1, max_size=5),
    activations=st.lists(st.integers(1, 1 << 18), min_size=1, max_size=5),
    batch=st.integers(1, 512),
)
def test_lines_through_two_batches_hit_every_other(weights, activations, batch):
    recording = fit_sizes(trace(4, weights, activations), trace(2, weights, activations))
    assert recording.step_peaks(batch) == of_one_run(trace(batch, weights, activations)).step_peaks(batch)
    assert min(recording.step_peaks(batch)) >= sum(weights) + batch * sum(activations)


def test_the_first_steps_own_requests_do_not_grow():
    first = trace(4)
    with_slots = RecordedRun(
        4,
        (*first.events[:1], 9, *first.events[1:]),
        (*first.sizes, *(0,) * 6, 2048),
        (*first.keys, *((0, ""),) * 6, (0, "Slots")),
        tuple(n + 1 for n in first.starts),
    )
    recording = fit_sizes(with_slots, trace(2))
    assert recording.sizes[9] == PerBatch(2048)


def test_an_operation_without_counterpart_grows_unless_the_other_run_knows_its_size():
    unknown = fit_sizes(trace(4, activations=(300,), operation="mine"), trace(2, activations=(301,)))
    assert unknown.sizes[1:] == (PerBatch(0, 300), PerBatch(0, 300))
    assert unknown.unmatched_share > 0
    seen = fit_sizes(trace(4, activations=(300,), operation="mine"), trace(2, activations=(300,)))
    assert seen.sizes == unknown.sizes
    assert seen.unmatched_share == 0
    known = fit_sizes(
        trace(4, weights=(1200,), activations=(300,), operation="mine"), trace(2, weights=(1200,), activations=(300,))
    )
    assert known.sizes[2] == PerBatch(1200)


def test_a_turn_that_wrote_over_its_input_is_found_in_another_step():
    other = trace(2, steps=2)
    keys = [*other.keys]
    keys[2] = (1, "somebody else")
    recording = fit_sizes(trace(4), RecordedRun(2, other.events, other.sizes, tuple(keys), other.starts))
    assert recording.sizes[2] == PerBatch(0, 256)
    assert recording.unmatched_share == 0


def test_what_shrinks_as_the_batch_grows_is_taken_for_constant():
    small, large = trace(2), trace(4)
    shrunk = RecordedRun(4, large.events, (large.sizes[0], 100, 100), large.keys, large.starts)
    assert fit_sizes(shrunk, small).sizes[1] == PerBatch(100)


def test_one_batch_size_does_not_tell_what_grows():
    with pytest.raises(ValueError, match="one batch size"):
        fit_sizes(trace(4), trace(4))


def test_chunks_are_numbered_and_unknown_releases_left_out():
    events, origins = number_chunks([(False, 7), (True, 7), (True, 8), (False, 7), (True, 7), (False, 8)])
    assert events == (0, 1, ~0, 2, ~1)
    assert origins == (1, 2, 3, 4, 5)


def test_the_first_region_is_of_tensorflows_size():
    half = FIRST_REGION_BYTES // 2
    recording = RecordedTrace((0, 1, ~0, 2), (PerBatch(half), PerBatch(half), PerBatch(half)), (0,))
    assert recording.step_peaks(1) == (FIRST_REGION_BYTES,)
    larger = RecordedTrace((0, ~0, 1), (PerBatch(FIRST_REGION_BYTES), PerBatch(half + 256)), (0,))
    assert larger.step_peaks(1) == (FIRST_REGION_BYTES,)


def test_each_run_of_steps_is_replayed_right_after_the_first():
    one = trace(4, weights=(MIB,), activations=(MIB,), steps=4)
    high = dataclasses.replace(one, sizes=(*one.sizes[:3], 8 * MIB, one.sizes[4]))
    found = of_one_run(high).peaks(4)
    assert found == StepPeaks(4, 5 * MIB, (9 * MIB, 9 * MIB))
    assert of_one_run(high).peaks(4, samples=1) == StepPeaks(4, 5 * MIB, (9 * MIB,))


def test_of_accumulated_steps_two_updates_are_replayed_after_the_first_one():
    one = trace(4, weights=(MIB,), activations=(MIB,), steps=8)
    high = of_one_run(dataclasses.replace(one, sizes=(*one.sizes[:2], 8 * MIB, *one.sizes[3:8], 16 * MIB)))
    assert high.peaks(4, accumulate=2) == StepPeaks(4, 9 * MIB, (5 * MIB, 17 * MIB))
    assert high.peaks(4, accumulate=3) == StepPeaks(4, 9 * MIB, (17 * MIB,))


def updating(steps: int) -> RecordedTrace:
    """A model whose variable gets another buffer in every step."""
    events, starts = [0], []
    for step in range(steps):
        starts.append(len(events))
        events += [step + 1, ~step]
    return RecordedTrace(tuple(events), (PerBatch(MIB),) * (steps + 1), tuple(starts))


def test_a_step_in_another_place_releases_the_buffer_that_is_there():
    found = updating(6).peaks(1)
    assert found.later_bytes == (2 * MIB,) * 4


def test_what_was_never_taken_cannot_be_released():
    recording = RecordedTrace((0, ~0, ~0), (PerBatch(MIB),), (1,))
    with pytest.raises(KeyError):
        recording.step_peaks(1)


def test_one_step_answers_for_the_later_ones_too():
    assert of_one_run(trace(4, steps=1)).peaks(4).later_bytes == (5 * KIB,)


@given(st.integers(1, 10_000))
def test_a_probe_is_replayed_at_the_batch_that_is_asked_about_and_on_both_sides(batch):
    found = anchors(batch)
    assert batch in found
    assert found[0] == 1
    assert found[-1] == 16 * batch
    assert list(found) == sorted(set(found))


def test_a_cards_allocator_has_one_region_of_which_no_rest_is_handed_out():
    recording = of_one_run(trace(1, activations=(FIRST_REGION_BYTES * 5 // 8,), weights=(), steps=3))
    assert recording.peaks(1).first_bytes == FIRST_REGION_BYTES
    assert recording.peaks(1, regions_grow=False).first_bytes == FIRST_REGION_BYTES * 5 // 8
