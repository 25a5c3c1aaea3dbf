"""Comparisons with scripted children: turns, failures, cancels, and what is said at the end."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import replace

import psutil
import pytest

from app.core.advising.variants import Variant
from app.core.types.machine import Cpu, Machine, Ram
from app.core.types.measurement import RunResult
from app.core.types.messages import Phase, Progress
from app.core.types.plan import Plan
from app.core.types.prediction import Prediction
from app.core.types.run import Run
from app.core.types.units import GIB
from app.core.types.workload import Dataset, ModelRef, Workload
from app.services.benchmarks.bench import BenchOptions
from app.services.benchmarks.compare import VISITS, Comparer
from app.services.benchmarks.compared import Comparison, VariantEvent
from app.services.benchmarks.comparison_turns import ROUNDS
from app.services.child.child_options import ChildOptions
from tests.cli.answers import PREDICTION
from tests.services.benchmarks.turn_children import child

MACHINE = Machine(os="Linux", cpu=Cpu(name="c", usable_cores=2.0), ram=Ram(total_bytes=8 * GIB))
WORK = Workload(ModelRef("catalog", "x"), Dataset("d", samples=600), Plan(device="cpu", epochs=3))
ONE, TWO, THREE = (Variant(f"{n} threads", replace(WORK.plan, threads=n)) for n in (1, 2, 3))
SMALL = replace(
    PREDICTION,
    memory=replace(PREDICTION.memory, process_bytes=0, high_bytes=2000, allocator_peak_bytes=1000, on_host=True),
)
LARGE = replace(SMALL, memory=replace(SMALL.memory, process_bytes=1 << 50))


@pytest.fixture(autouse=True)
def no_child_left() -> Iterator[None]:
    yield
    assert psutil.Process().children(recursive=True) == []


@pytest.fixture
def compare():
    """Compare with a scripted child."""

    def run(code: str, *, told: Prediction | None = SMALL, others=None, compared=(ONE, TWO), **keywords) -> Comparison:
        predictions = {one.label: told for one in compared} | (others or {})
        options = ChildOptions(command=child(code))
        comparer = Comparer(WORK, MACHINE, compared, predictions, BenchOptions(1.0), options, **keywords)
        return comparer.run(lambda label, work, told, result: Run(1, "", work, MACHINE, told, result, label))

    return run


def test_the_faster_one_is_named_with_an_interval(compare):
    events: list[object] = []
    found = compare("take_turns(0.001 / plan['threads'], 32, plan['threads'])", on_event=events.append)
    assert found.interleaved
    assert found.winner == "2 threads"
    (ratio,) = found.ratios
    assert (ratio.of, ratio.to, ratio.rounds) == ("2 threads", "1 threads", ROUNDS)
    assert ratio.low < 0.5 * 1.01
    assert ratio.high > 0.5 * 0.99
    assert ratio.high / ratio.low < 1.05
    first = found.variants[0]
    assert first.total_s == pytest.approx(3 * 0.6)
    assert len(first.sample_s) == ROUNDS
    assert first.sample_s[0] == pytest.approx(0.001 / 32, rel=0.1)
    assert first.run.result.purpose == "comparison"
    assert first.run.result.measurement.cpu_percent == pytest.approx(25.0)  # half a core of two
    assert [p.name for p in first.run.result.phases] == ["start", "warm-up", "measure"]
    fractions = [event.fraction for event in events if isinstance(event, Progress)]
    assert fractions == sorted(fractions)
    assert {event.label for event in events if isinstance(event, VariantEvent)} == {ONE.label, TWO.label}


def test_never_do_two_measure_at_once(compare):
    measuring: set[str] = set()
    most = 0

    def listen(event: object) -> None:
        nonlocal most
        if isinstance(event, VariantEvent) and isinstance(event.event, Phase):
            (measuring.add if event.event.name == "measure" else measuring.discard)(event.label)
            most = max(most, len(measuring))

    compare("take_turns(0.001, 32, plan['threads'])", on_event=listen)
    assert most == 1


def test_equal_ones_have_no_winner(compare):
    found = compare("take_turns(0.001, 32, plan['threads'])")
    assert found.winner is None
    (ratio,) = found.ratios
    assert ratio.low < 1 < ratio.high


def test_a_variant_that_fails_is_a_row(compare):
    code = "out_of_memory() if plan['threads'] == 1 else take_turns(0.001, 32, 1)"
    found = compare(code)
    assert [one.run.result.outcome for one in found.variants] == ["out_of_memory", "succeeded"]
    assert (found.winner, found.ratios) == (None, ())
    assert len([t for t in found.variants[1].sample_s if t]) == ROUNDS


def test_a_variant_that_dies_in_its_turn_is_a_row(compare):
    code = """
if plan['threads'] == 1:
    say("paused", steps=0, seconds=0.0, cpu_s=0.0)
    read()
    import os
    os.abort()
take_turns(0.001, 32, 1)
"""
    found = compare(code)
    assert [one.run.result.outcome for one in found.variants] == ["crashed", "succeeded"]


def test_what_is_crowded_out_gets_the_machine_for_itself(compare):
    code = "out_of_memory() if plan['threads'] == 2 and plan['turns'] else take_turns(0.001 / plan['threads'], 32, 1)"
    found = compare(code)
    assert not found.interleaved
    assert [one.run.result.outcome for one in found.variants] == ["succeeded", "succeeded"]
    assert found.winner == "2 threads"


@pytest.mark.parametrize("told", [LARGE, None])
def test_what_does_not_fit_together_runs_one_after_the_other(compare, told):
    started: list[str] = []

    def listen(event: object) -> None:
        if isinstance(event, VariantEvent) and isinstance(event.event, Phase):
            started.append(event.label[0])

    found = compare("take_turns(0.001 / plan['threads'], 32, time.time())", told=told, on_event=listen)
    assert not found.interleaved
    assert "".join(started) == ("1221" * VISITS)[: 2 * VISITS]
    assert found.winner == "2 threads"
    assert found.ratios[0].rounds == VISITS


def test_a_variant_that_cannot_fit_takes_no_room_from_those_that_run(compare):
    code = "out_of_memory() if plan['threads'] == 2 else take_turns(0.001, 32, 1)"
    hopeless = replace(LARGE, fit=replace(LARGE.fit, verdict="does_not_fit"))
    found = compare(code, compared=(ONE, TWO, THREE), others={TWO.label: hopeless})
    assert found.interleaved
    assert [one.run.result.outcome for one in found.variants] == ["succeeded", "out_of_memory", "succeeded"]


def test_a_cancel_ends_paused_children_within_two_seconds(compare):
    cancel, at = threading.Event(), [0.0]

    def listen(event: object) -> None:
        if isinstance(event, Progress) and event.text.startswith("round 3"):
            at[0] = time.monotonic()
            cancel.set()

    found = compare("take_turns(0.001, 32, 1)", on_event=listen, cancel=cancel)
    assert time.monotonic() - at[0] < 2
    assert found.cancelled
    assert {one.run.result.outcome for one in found.variants} == {"cancelled"}


def test_a_cancel_before_the_second_starts_leaves_it_unstarted(compare):
    cancel = threading.Event()
    found = compare(
        "cancel = None\ntake_turns(0.001, 32, 1)",
        cancel=cancel,
        on_event=lambda event: cancel.set() if isinstance(event, VariantEvent) else None,
    )
    assert [one.run.result.outcome for one in found.variants] == ["cancelled", "cancelled"]


def test_an_error_of_the_listener_comes_through_and_no_child_stays(compare):
    def listen(event: object) -> None:
        if isinstance(event, Progress) and event.text.startswith("round 2"):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        compare("take_turns(0.001, 32, 1)", on_event=listen)


def test_an_error_of_the_listener_in_a_childs_thread_comes_through(compare):
    def listen(event: object) -> None:
        if isinstance(event, VariantEvent) and event.label == TWO.label:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        compare("take_turns(0.001, 32, 1)", on_event=listen)


def test_a_run_has_a_purpose():
    assert RunResult("succeeded").purpose == "benchmark"
