"""The finder with scripted children that need memory as a line says."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from app.core.types.messages import Progress
from app.core.types.plan import Plan
from app.core.types.prediction import BatchPoint, Prediction
from app.core.types.run import Run
from app.core.types.units import MIB
from app.core.types.workload import Dataset, ModelRef, Workload
from app.services.benchmarks.batch_finder import BatchFinding, Room, TrialBegins, TrialOptions, find_batch, peak_between
from app.services.child.child_options import ChildOptions
from tests.cli.answers import PREDICTION
from tests.services.benchmarks.test_compare import MACHINE
from tests.services.benchmarks.turn_children import child

WORK = Workload(ModelRef("catalog", "x"), None, Plan(device="cpu", batch_size=32))
LIMIT = 1000 * MIB
CODE = """
batch = plan["batch_size"]
peak = int((100 + batch) * {factor} * 2**20)
if peak > 1000 * 2**20:
    out_of_memory()
else:
    done((batch + 50) / 1000, batch, peak=peak)
"""


def predict(workload: Workload) -> Prediction:
    """100 MiB and one for each sample; a second copy of the gradients for accumulation."""
    plan = workload.plan
    peak = (100 + plan.batch_size + (20 if plan.accumulate > 1 else 0)) * MIB
    memory = replace(PREDICTION.memory, allocator_peak_bytes=peak, high_bytes=peak, process_bytes=0, on_host=True)
    curve = tuple(BatchPoint(1 << n, (100 + (1 << n)) * MIB, None) for n in range(12))
    return replace(
        PREDICTION,
        memory=memory,
        batch_curve=curve,
        fit=replace(PREDICTION.fit, best_batch_size=None),
        time=replace(PREDICTION.time, step_s=0.01 * plan.batch_size),
    )


@pytest.fixture
def find():
    """Find with a scripted child; trials run until they end by themselves."""

    def run(
        code: str, *, work: Workload = WORK, told=predict, limit=LIMIT, on_host=False, effective=None, **keywords
    ) -> BatchFinding:
        numbers = iter(range(1, 100))
        return find_batch(
            work,
            MACHINE,
            Room(limit, on_host=on_host),
            TrialOptions(effective, child=ChildOptions(command=child(code))),
            predict=told,
            keep=lambda w, t, result: Run(next(numbers), "", w, MACHINE, t, result),
            **keywords,
        )

    return run


@pytest.mark.parametrize(("factor", "most"), [(1.0, 3), (0.97, 3), (1.03, 3), (1.3, 6), (0.7, 4)])
def test_it_finds_the_largest_in_few_trials(find, factor, most):
    found = find(CODE.format(factor=factor))
    truth = 1000 / factor - 100
    assert 0.85 * truth <= found.largest_batch_size <= truth
    assert len(found.trials) <= most
    assert found.best_batch_size <= found.largest_batch_size
    assert all(one.run.result.purpose == "trial" for one in found.trials)
    assert found.stopped_by in ("headroom", "out_of_memory")


def test_what_was_found_is_a_clean_object(find):
    events: list[object] = []
    found = find(CODE.format(factor=1.0), on_event=events.append, effective=4096)
    first = found.trials[0]
    assert first.peak_bytes == (100 + first.batch_size) * MIB
    assert first.samples_per_s == pytest.approx(1000 * first.batch_size / (first.batch_size + 50))
    pair = found.accumulation
    assert pair.batch_size * pair.accumulate == 4096
    assert pair.batch_size == 512
    assert (pair.peak_bytes, pair.update_s) == (632 * MIB, pytest.approx(8 * 5.12))
    begun = [event for event in events if isinstance(event, TrialBegins)]
    assert [b.batch_size for b in begun] == [one.batch_size for one in found.trials]
    fractions = [event.fraction for event in events if isinstance(event, Progress)]
    assert fractions == sorted(fractions)


def test_the_data_limit_it(find):
    found = find(CODE.format(factor=1.0), work=replace(WORK, dataset=Dataset("few", samples=200)))
    assert (found.largest_batch_size, found.stopped_by) == (200, "dataset_size")


def test_without_a_prediction_it_doubles(find):
    found = find(CODE.format(factor=1.0), told=lambda work: None)
    assert 810 <= found.largest_batch_size <= 900
    assert found.stopped_by == "out_of_memory"


def test_nothing_fits(find):
    found = find("out_of_memory()", effective=64)
    assert (found.largest_batch_size, found.best_batch_size, found.stopped_by) == (None, None, "nothing_fits")
    assert found.accumulation is None


def test_another_failure_ends_the_search(find):
    found = find("say('failed', kind='bad_model', message='no such layer')")
    assert (found.stopped_by, len(found.trials)) == ("failed", 1)


def test_a_cancel_ends_the_search(find):
    cancel = threading.Event()
    found = find(
        "time.sleep(60)", cancel=cancel, on_event=lambda event: None if isinstance(event, TrialBegins) else cancel.set()
    )
    assert (found.stopped_by, len(found.trials)) == ("cancelled", 1)


def test_on_the_host_the_whole_child_counts_and_is_stopped(find):
    code = """
batch = plan["batch_size"]
kept = bytearray(batch * 2**20)
for i in range(0, len(kept), 4096):
    kept[i] = 1
time.sleep(0.6)
done(batch / 1000, batch, peak=batch * 2**20)
"""
    found = find(code, on_host=True, limit=300 * MIB)
    assert {one.run.result.outcome for one in found.trials} <= {"succeeded", "out_of_memory"}
    assert 200 <= found.largest_batch_size <= 300
    assert found.trials[0].peak_bytes is None or found.trials[0].peak_bytes > 190 * MIB


def test_between_points_and_beyond_the_chart_the_peak_is_a_line():
    curve = [BatchPoint(1, 10, None), BatchPoint(2, 20, None), BatchPoint(4, 30, None)]
    assert [peak_between(curve, batch) for batch in (1, 2, 3, 4, 8)] == [10, 20, 25, 30, 50]
