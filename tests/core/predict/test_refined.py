"""What a refinement makes of a prediction."""

from __future__ import annotations

from dataclasses import asdict, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.predict.refined import COMPILED_INTERVAL, PROBE_INTERVAL, Refined, refined_memory
from app.core.simulate.recorded_trace import StepPeaks, anchors, fit_sizes, of_one_run
from app.core.types.units import MIB
from tests.core.predict.test_estimate import predict
from tests.core.simulate.test_recorded_trace import trace

LINES = fit_sizes(trace(4, (MIB,), (MIB,), 4), trace(2, (MIB,), (MIB,)))
PROBE = Refined(False, (4, 2), tuple(LINES.peaks(batch) for batch in anchors(16)), framework="tensorflow")
COMPILED = Refined(True, (32,), (of_one_run(trace(32, (8 * MIB,), (4 * MIB,), 3)).peaks(32),))


def test_a_compiled_step_answers_for_its_own_batch_only():
    assert COMPILED.answers(32)
    assert not COMPILED.answers(64)
    found = COMPILED.peak(32)
    assert found.peak_bytes == found.first_step_bytes == 136 * MIB
    assert found.high_bytes == pytest.approx(found.peak_bytes * (1 + COMPILED_INTERVAL), abs=1)
    with pytest.raises(ValueError, match="compiled for batch 32"):
        COMPILED.peak(64)


@pytest.mark.parametrize("batch", [1, 2, 7, 31, 48, 64, 1000])
def test_a_probe_answers_for_every_batch(batch):
    found = PROBE.peak(batch)
    assert found.low_bytes <= found.peak_bytes <= found.high_bytes
    assert found.peak_bytes == (batch + 1) * MIB


def test_the_interval_widens_with_the_distance_from_the_probe():
    step = PROBE
    near, far = (step.peak(batch) for batch in (64, 1024))
    assert near.high_bytes / near.peak_bytes == pytest.approx(1 + PROBE_INTERVAL + 4 * 0.01, abs=0.001)
    assert far.high_bytes / far.peak_bytes > near.high_bytes / near.peak_bytes


def test_a_small_step_has_a_wide_interval():
    found = PROBE.peak(4)
    assert found.high_bytes / found.peak_bytes > 1.1


def test_steps_that_scatter_widen_the_interval():
    found = Refined(True, (4,), (StepPeaks(4, 60 * MIB, (65 * MIB, 257 * MIB, 64 * MIB)),)).peak(4)
    assert (found.peak_bytes, found.first_step_bytes) == (65 * MIB, 60 * MIB)
    assert found.low_bytes < 64 * MIB
    assert found.high_bytes > 257 * MIB


def test_what_must_be_allowed_is_the_upper_end():
    found = replace(PROBE, cap_share=1.5).peak(64)
    assert found.high_bytes == int(1.5 * found.peak_bytes)
    assert found.peak_bytes == PROBE.peak(64).peak_bytes


@given(batch=st.integers(1, 4096))
def test_the_interval_holds_the_peak_and_the_live_bytes(batch):
    found = PROBE.peak(batch)
    assert (batch + 1) * MIB <= found.peak_bytes
    assert found.low_bytes <= found.peak_bytes <= found.high_bytes


@pytest.mark.parametrize("factor", [0.5, 2.0])
def test_a_traced_answer_that_is_far_off_widens_the_interval_only(factor):
    probed = PROBE.peak(48).peak_bytes
    traced = replace(predict(batch_size=48).memory, allocator_peak_bytes=int(factor * probed))
    found = refined_memory(traced, PROBE, 48, traced.parts.inputs)
    assert (found.basis, found.allocator_peak_bytes) == ("calibrated", probed)
    assert found.low_bytes <= traced.allocator_peak_bytes <= found.high_bytes
    assert "traced graph" in found.dominant_assumption


@pytest.mark.parametrize(("refined", "batch", "basis"), [(PROBE, 48, "calibrated"), (COMPILED, 32, "compiled")])
def test_the_prediction_is_replaced_consistently(refined, batch, basis):
    peak = refined.peak(batch).peak_bytes
    traced = predict(batch_size=batch).memory
    found = refined_memory(traced, refined, batch, traced.parts.inputs)
    assert found.basis == basis
    assert found.allocator_peak_bytes == peak
    assert found.device_bytes == peak + traced.parts.framework
    assert found.low_bytes <= peak <= found.high_bytes
    known = traced.parts.weights + traced.parts.optimizer_state + traced.parts.inputs
    if peak >= known:
        assert sum(asdict(found.parts).values()) == pytest.approx(peak + found.parts.framework, abs=3)
    assert found.explanation[: len(traced.explanation)] == traced.explanation
    assert found.dominant_assumption != traced.dominant_assumption


def test_a_compiled_step_may_take_the_batch_over_without_a_copy():
    traced = predict(batch_size=32).memory
    found = refined_memory(traced, COMPILED, 32, traced.parts.inputs)
    assert found.low_bytes == COMPILED.peak(32).low_bytes - traced.parts.inputs
    assert found.high_bytes == COMPILED.peak(32).high_bytes
