"""Comparisons and the batch finder with real TensorFlow in real children."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from app.core.advising.variants import read_wishes
from app.core.runs.comparison import FEWEST_ROUNDS
from app.core.types.units import GIB, MIB
from app.core.types.workload import Dataset, ModelRef, Plan, Workload
from app.services.advisor import Advisor
from app.services.settings import Folders, Settings
from app.services.store.history import History

pytestmark = pytest.mark.worker
CNN = ModelRef("catalog", "fashion_mnist_cnn")
FASHION = Dataset("fashion_mnist", samples=60_000, sample_shape=(28, 28, 1), classes=10)


@pytest.fixture
def advisor(tmp_path: Path) -> Advisor:
    settings = replace(Settings(), folders=Folders(tmp_path / "data", tmp_path / "cache", tmp_path / "config"))
    return Advisor(settings, History(settings.history_path))


def test_variants_take_turns_and_one_that_cannot_run_is_a_row(advisor: Advisor):
    work = Workload(CNN, FASHION, Plan(batch_size=32, device="cpu", epochs=2))
    found = advisor.benchmarks.compare(
        work, advisor.machine.read(), read_wishes(["threads=1,2", "device=cpu,gpu:7"]), seconds=2.0
    )
    first, more, missing = found.variants
    assert found.interleaved
    assert [one.run.result.outcome for one in found.variants] == ["succeeded", "succeeded", "failed"]
    assert missing.run.result.problem is not None
    assert missing.run.result.problem.kind == "missing"
    assert [first.run.result.environment["intra_op_threads"], more.run.result.environment["inter_op_threads"]] == [
        "1",
        "2",
    ]
    (ratio,) = found.ratios
    assert (ratio.of, ratio.to) == ("2 threads", first.label)
    assert ratio.rounds >= FEWEST_ROUNDS
    assert ratio.low is not None
    measured = first.run.result.measurement
    assert measured is not None
    assert measured.step.n >= ratio.rounds
    assert measured.cpu_percent is not None
    assert measured.cpu_percent > 0
    assert first.total_s == pytest.approx(2 * measured.epoch_s)  # type: ignore[operator]
    stored = advisor.history.get(first.run.run_id)
    assert (stored.result.purpose, stored.workload.plan.threads) == ("comparison", 1)
    assert stored.note == f"compared: {first.label}"


def test_the_largest_batch_under_a_limit_is_found_in_few_trials(advisor: Advisor):
    work = Workload(CNN, FASHION, Plan(batch_size=32, device="cpu", jit=False))
    limit = int(1.5 * GIB)
    found = advisor.benchmarks.find_batch(work, advisor.machine.read(), memory_limit_bytes=limit, effective=8192)
    assert found.largest_batch_size is not None
    assert {one.run.result.outcome for one in found.trials} <= {"succeeded", "out_of_memory"}
    assert len(found.trials) <= 6
    largest = next(one for one in found.trials if one.batch_size == found.largest_batch_size)
    assert largest.peak_bytes is not None
    assert 0.6 * limit < largest.peak_bytes < limit + 100 * MIB
    assert found.best_batch_size in [one.batch_size for one in found.trials]
    pair = found.accumulation
    assert pair is not None
    assert pair.batch_size * pair.accumulate == 8192
    stored = advisor.history.get(largest.run.run_id)
    assert (stored.result.purpose, stored.note) == ("trial", f"trial of batch {largest.batch_size}")
