"""Several orders of one step."""

from __future__ import annotations

from dataclasses import replace
from statistics import median

from app.core.simulate import orders
from app.core.simulate.executor import execute
from app.core.simulate.orders import ORDERS, SIZES, Orders, in_orders
from app.core.simulate.program_builder import LoweringOptions, build_program
from app.core.simulate.simulated import SimulatedStep
from app.core.types.stepgraph import Operation, PerBatch
from tests.core.graphs import chain_graph

PROGRAM = build_program(chain_graph(layers=12), "adam")


def made():
    runs = in_orders(PROGRAM, range(ORDERS), threads=2, on_host=True)
    return Orders(SimulatedStep(frozenset(), frozenset(), updating=runs), 0, on_host=True)


def test_an_order_is_always_the_same_and_differs_from_the_nominal_one():
    events = [execute(PROGRAM, threads=2, order=n).events for n in (0, 1, 1)]
    assert events[1] == events[2] != events[0]


def test_a_kernel_that_spreads_its_work_ends_after_those_that_began_before_it():
    sizes = (PerBatch(0, 8), PerBatch(400_000_000), PerBatch(4_000_000), PerBatch(4_000_000))
    operations = (
        Operation("MatMul", (0,), (1,), flops=PerBatch(1e12)),
        Operation("MatMul", (0,), (2,), flops=PerBatch(1e9)),
        Operation("Sqrt", (2,), (3,)),
    )
    graph = replace(chain_graph(), sizes=sizes, operations=operations, variables=())
    program = build_program(graph, "sgd")
    runs = [execute(program, threads=2, order=n) for n in (0, 1)]
    order = [[program.ops[n].kind for n, e in zip(run.by, run.events, strict=True) if e < 0] for run in runs]
    assert order[0][0] == "MatMul"
    assert order[1][-1] == "MatMul"


def test_the_range_holds_the_mean_and_no_peak_is_below_what_is_alive():
    several = made()
    for batch in (1, 7, 64, 1000):
        mean, low, high = several.peaks(batch, live_bytes=10_000_000)
        assert 10_000_000 <= mean <= high
        assert low <= mean


def test_peaks_are_simulated_once_for_a_power_of_two():
    several = made()
    several.peaks(5, 1)
    several.peaks(7, 1)
    assert sorted(several._step.overheads) == [4, 8]


def on_card():
    program = build_program(chain_graph(layers=12), "adam", LoweringOptions(kernels="card"))
    runs = in_orders(program, range(ORDERS), threads=2, on_host=False)
    return Orders(SimulatedStep(frozenset(), frozenset(), updating=runs), 0, on_host=False)


def test_on_a_card_the_middle_of_some_sizes_is_told():
    card, batch = on_card(), 64
    shares = [peak / card.nominal.live_bytes(batch * size) for size in SIZES for _, peak in card.replayed(batch * size)]
    live = card.nominal.live_bytes(batch)
    assert len(shares) == len(SIZES)
    assert card.peaks(batch, live) == (max(live, int(median(shares) * live)),) * 3


def test_a_step_of_many_requests_is_replayed_once(monkeypatch):
    card, batch = on_card(), 64
    monkeypatch.setattr(orders, "FEW_EVENTS", 0)
    ((_, peak),) = card.replayed(batch)
    assert card.peaks(batch, card.nominal.live_bytes(batch))[0] in (peak - 1, peak)
