"""Memory over time and a profiled step, as the command line shows and exports them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from app.cli.main import run
from app.core.types.allocator_events import TimelinePoint
from app.core.types.measurement import RunResult
from app.core.types.memory_over_time import MemoryPoint
from app.core.types.step_profile import AliveParts, KindTime, MeasuredLayer, StepProfile
from app.services.settings import Settings
from app.services.store.history import History
from app.services.store.traces import TraceStore
from tests.cli import answers
from tests.services.store.test_traces import written

MIB = 1024**2
PROFILE = StepProfile(
    step_s=0.5,
    peak_bytes=300 * MIB,
    peak_operation="gradient_tape/net/pool/MaxPoolGrad",
    held_bytes=510 * MIB,
    timeline=(TimelinePoint(0.1, 300 * MIB, "gradient_tape/net/pool/MaxPoolGrad"),),
    parts=AliveParts(weights=100 * MIB, forward=200 * MIB),
    layers=(MeasuredLayer("conv_big", "Conv2D", 90 * MIB, 150 * MIB, 0.2, 0.25), MeasuredLayer("pool", "Pool", 0, MIB)),
    kinds=(KindTime("Conv2D", 0.45, 2),),
    operations_s=0.6,
    layers_s=0.45,
    update_s=0.1,
    operations=20,
    requests=40,
)


def measured(peak_mib: int):
    points = (
        MemoryPoint(0.0, "epoch start", 1, 0, 40 * MIB, 40 * MIB, process_bytes=900 * MIB),
        MemoryPoint(1.0, "batch", 1, 5, 41 * MIB, peak_mib * MIB),
        MemoryPoint(1.1, "step", 1, 6, 41 * MIB, peak_mib * MIB),
        MemoryPoint(2.0, "epoch end", 1, 9, 41 * MIB, peak_mib * MIB),
        MemoryPoint(2.0, "end", 1, 9, 41 * MIB, peak_mib * MIB, held_bytes=510 * MIB),
    )
    memory = replace(answers.MEASURED.memory, allocator_peak_bytes=peak_mib * MIB)
    return replace(answers.MEASURED, memory=memory, memory_over_time=points, profile=PROFILE)


@pytest.fixture
def history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> History:
    monkeypatch.setenv("WILLITTRAIN_DATA_DIR", str(tmp_path))
    store = History(Settings.load().history_path)
    for peak_mib in (300, 450):
        with store.traces.place() as folder:
            assert folder is not None
            written(folder)
            store.add(replace(answers.run(), result=RunResult("succeeded", measured(peak_mib))), trace=folder)
    return store


def test_a_run_comes_back_with_its_curve_and_its_profile(history: History):
    assert history.get(1).result.measurement == measured(300)


def test_a_run_shows_its_moments_its_layers_and_its_times(history: History, capsys: pytest.CaptureFixture[str]):
    assert run(["runs", "show", "1"]) == 0
    out = capsys.readouterr().out
    for word in ("epoch start", "batch 5", "epoch end", "conv_big", "240.0 MiB", "510.0 MiB", "MaxPoolGrad", "75 %"):
        assert word in out
    assert "batch 6" not in out


def test_the_document_has_the_curve_and_the_profile(history: History, capsys: pytest.CaptureFixture[str]):
    assert run(["runs", "show", "1", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)["measured"]
    assert document["memory_over_time"][0]["moment"] == "epoch start"
    assert document["profile"]["layers"][0]["name"] == "conv_big"
    assert document["profile_skipped"] is None


def test_case_s3_two_networks_peaks_as_bars_and_the_answer(history: History, capsys: pytest.CaptureFixture[str]):
    assert run(["runs", "compare", "1", "2"]) == 0
    out = capsys.readouterr().out
    assert "150.0 MiB more" in out
    bars = [line.count("█") for line in out.splitlines() if "█" in line]
    assert bars == [27, 40]
    assert run(["runs", "compare", "1", "2", "--json"]) == 0
    peaks = json.loads(capsys.readouterr().out)["peaks"]
    assert peaks["largest"] == 2
    assert peaks["more_bytes"] == 150 * MIB
    assert peaks["moments"][1] == {"name": "batch 5", "peak_bytes": [300 * MIB, 450 * MIB]}
    assert peaks["curves"][0]["t_s"] == [0.0, 1.0, 1.1, 2.0, 2.0]


def test_a_trace_is_exported_with_a_word_how_to_open_it(
    history: History, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    target = tmp_path / "out"
    assert run(["runs", "export", "2", "--trace", "-o", str(target)]) == 0
    assert "perfetto" in capsys.readouterr().out
    assert json.loads((target / "run_2.trace.json").read_text())["traceEvents"] == []
    history.delete(1)
    TraceStore(history.traces.folder).prune([2])
    assert run(["runs", "export", "1", "--trace", "-o", str(target)]) == 2
    assert "no trace" in capsys.readouterr().err
