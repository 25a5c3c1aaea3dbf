"""What is printed of comparisons and of batch searches."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from app.cli.bench_batch import finding_blocks, finding_json
from app.cli.bench_compare import comparison_blocks, comparison_json
from app.cli.text import show
from app.core.advising.accumulation import Accumulation
from app.core.advising.batch_search import StoppedBy
from app.core.runs.comparison import ratios, winner
from app.core.types.measurement import MeasuredMemory
from app.core.types.units import GIB, MIB
from app.presentation.layout import Block
from app.presentation.words import STOPPED_BY
from app.services.benchmarks.batch_finder import BatchFinding, TrialRun
from app.services.benchmarks.compared import Comparison, VariantRun, diagnosis
from tests.cli import answers


@pytest.fixture
def shown(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("app.cli.text.PIPE_WIDTH", 200)

    def text_of(*blocks: Block) -> str:
        show(*blocks)
        return capsys.readouterr().out

    return text_of


def comparison() -> Comparison:
    """CPU against GPU, as in case S4, and a card that is not there."""
    measured = replace(answers.MEASURED, epoch_s=480.0, cpu_percent=80.0, gpu_percent=1.0)
    on_card = replace(
        measured,
        epoch_s=74.5,
        cpu_percent=60.0,
        gpu_percent=11.0,
        memory=MeasuredMemory(3 * GIB, 8 * GIB, 8 * GIB, 2 * GIB),
    )
    results = {
        "cpu": replace(answers.SUCCEEDED, measurement=measured, environment={"device": "CPU:0"}),
        "gpu:0": replace(answers.SUCCEEDED, measurement=on_card, environment={"device": "GPU:0"}),
        "gpu:1": answers.CRASHED,
    }
    times: dict[str, list[float | None]] = {"cpu": [0.05] * 8, "gpu:0": [0.008] * 8, "gpu:1": [None] * 8}
    runs = tuple(VariantRun(label, answers.run(result), tuple(times[label])) for label, result in results.items())
    return Comparison(runs, ratios(times), winner(times), diagnosis(runs), interleaved=True)


def finding(largest: int | None = 1024) -> BatchFinding:
    trials = (TrialRun(2048, answers.run(answers.NO_MEMORY), None), TrialRun(1024, answers.run(), 900 * MIB))
    pair = Accumulation(4096, 1024, 4, 1000 * MIB, 0.5, "")
    return BatchFinding(
        trials,
        largest,
        512 if largest else None,
        "out_of_memory" if largest else "nothing_fits",
        GIB,
        pair if largest else None,
    )


def test_the_comparison_has_the_keys_of_the_contract():
    document = comparison_json(comparison())
    assert {"schema", "variants", "ratios", "winner", "diagnosis"} <= set(document)
    assert {"label", "plan", "outcome", "measured", "run_id"} <= set(document["variants"][0])
    assert set(document["ratios"][0]) == {"of", "to", "median", "low", "high", "rounds"}
    assert document["winner"] == "gpu:0"
    assert document["variants"][2]["measured"] is None
    assert document["variants"][0]["measured"]["step_s"]["median"] == 0.020
    json.dumps(document, allow_nan=False)


def test_the_comparison_tells_case_s4(shown):
    text = shown(*comparison_blocks(comparison()))
    assert "gpu:0 is fastest" in text
    assert "gpu:0 is 6.25 times as fast as cpu (6.25 to 6.25)" in text
    assert "gpu:0 waits for data: the card was busy 11 % of the time, the processor 60 %" in text
    assert "cpu waits" not in text
    assert "8.0 GiB" in text
    assert "2 h 00 min" in text  # 15 epochs of 480 s
    assert "gpu:1: ended by signal 11" in text
    assert text.count("on battery") == 1


def test_no_winner_is_said_as_plainly(shown):
    equal = {"a": [1.0, 1.1] * 4, "b": [1.1, 1.0] * 4}
    found = replace(comparison(), ratios=ratios(equal), winner=winner(equal))
    text = shown(*comparison_blocks(found))
    assert "No variant is faster than all others beyond chance" in text
    assert "no difference that can be seen (between −" in text


def test_the_finding_has_the_keys_of_the_contract():
    document = finding_json(finding(), answers.WORKLOAD)
    assert {"schema", "trials", "largest_batch_size", "best_batch_size", "stopped_by", "accumulation"} <= set(document)
    assert {"batch_size", "outcome", "samples_per_s", "peak_bytes", "run_id"} <= set(document["trials"][0])
    assert document["accumulation"]["accumulate"] == 4
    assert finding_json(finding(None), answers.WORKLOAD)["accumulation"] is None
    json.dumps(document, allow_nan=False)


def test_the_finding_says_the_answer_first(shown):
    text = shown(*finding_blocks(finding()))
    assert text.startswith("Largest batch ✓ 1,024 · nearly as fast as the fastest from ✓ 512 — the next larger batch")
    assert "4,096 samples an update: --batch-size 1024 --accumulate 4 (≈ 1000.0 MiB, ≈ 500 ms an update)" in text
    assert "the first step failed" in text
    assert shown(*finding_blocks(finding(None))).startswith("No batch ran: not even one sample fits")


def test_every_reason_has_words():
    assert set(STOPPED_BY) == {*StoppedBy.__args__, "failed", "cancelled"}
