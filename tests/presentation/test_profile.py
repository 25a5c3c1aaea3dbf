"""Runs compared by their peaks, layers measured against predicted, and what was seen from outside."""

from __future__ import annotations

from dataclasses import replace

from app.core.types.measurement import PhaseSpan, RunResult, Sample
from app.core.types.memory_over_time import MemoryPoint
from app.core.types.predicted_memory import LayerMemory
from app.core.types.step_profile import MeasuredLayer, StepProfile
from app.presentation.profile import LayerRow, compare_runs, curves, layers_at_peak, verdict_words
from app.services.benchmarks.memory_beside import with_outside_view
from tests.cli import answers

MIB = 1024**2


def measured(peak_mib: int):
    points = (
        MemoryPoint(0.0, "epoch start", 1, 0, 40 * MIB, 40 * MIB),
        MemoryPoint(1.0, "batch", 1, 5, 41 * MIB, peak_mib * MIB),
        MemoryPoint(2.0, "end", 1, 9, 41 * MIB, peak_mib * MIB),
    )
    memory = replace(answers.MEASURED.memory, allocator_peak_bytes=(peak_mib - 5) * MIB, held_bytes=500 * MIB)
    return replace(answers.MEASURED, memory=memory, memory_over_time=points)


def run(run_id: int, peak_mib: int):
    return replace(answers.run(), run_id=run_id, result=RunResult("succeeded", measured(peak_mib)))


def test_which_of_two_networks_needs_more_and_by_what():
    compared = compare_runs([run(1, 100), run(2, 250)])
    assert compared.largest == 1
    assert verdict_words(compared) == (
        f"{compared.names[1]} needs most: 150.0 MiB more than {compared.names[0]}, 2.50 times as much."
    )
    assert [row.name for row in compared.rows] == ["epoch start", "batch 5", "end of the run"]


def test_a_run_that_failed_is_no_party():
    failed = replace(run(3, 1), result=RunResult("failed"))
    compared = compare_runs([run(1, 100), failed])
    assert compared.peaks == (100 * MIB, None)
    assert "not known" in verdict_words(compared)
    assert [curve.run_id for curve in curves([run(1, 100), failed])] == [1]


def test_a_peak_of_the_first_steps_counts_too():
    early = replace(measured(100), memory=replace(measured(100).memory, allocator_peak_bytes=130 * MIB))
    assert compare_runs([replace(run(1, 100), result=RunResult("succeeded", early)), run(2, 90)]).peaks[0] == 130 * MIB


def test_equal_runs_are_called_equal():
    assert "the same" in verdict_words(compare_runs([run(1, 100), run(2, 100)]))


def test_layers_stand_beside_their_prediction():
    seen = (MeasuredLayer("conv", "Conv2D", 10, 90), MeasuredLayer("dense", "Dense", 5, 1))
    guessed = (LayerMemory("conv", "Conv2D", 10, 80), LayerMemory("pool", "MaxPooling2D", 0, 50))
    profile = StepProfile(1.0, layers=seen)
    memory = replace(answers.PREDICTION.memory, largest_layers=guessed)
    rows = layers_at_peak(replace(measured(1), profile=profile), replace(answers.PREDICTION, memory=memory))
    assert rows == (
        LayerRow("conv", "Conv2D", 100, 90),
        LayerRow("pool", "MaxPooling2D", None, 50),
        LayerRow("dense", "Dense", 6, None),
    )
    assert layers_at_peak(measured(1), None) == ()


def test_what_was_seen_from_outside_stands_beside_each_point():
    samples = [Sample(4.9, "warm-up", ram_bytes=700), Sample(6.1, "measure", ram_bytes=800, gpu_memory_bytes=90)]
    found = with_outside_view(measured(100), samples, [PhaseSpan("measure", 5.0)])
    assert found is not None
    assert [p.process_bytes for p in found.memory_over_time] == [700, 800, 800]
    assert [p.seen_bytes for p in found.memory_over_time] == [None, 90, 90]
    assert [p.held_bytes for p in found.memory_over_time] == [None, None, 500 * MIB]
    assert with_outside_view(None, samples, []) is None
