"""Chart, header and advice never disagree about the best batch: random small networks, plans, machines and runs."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.core.advising.recommend import WORTH_TIME, nothing_to_gain, recommend
from app.core.pipeline.input_cost import assumed_cost
from app.core.predict.corrections import calibrate, for_another_plan
from app.core.predict.device_corrections import DeviceLessons, Witness
from app.core.predict.estimate import Estimator
from app.core.predict.knowledge import Knowledge
from app.core.predict.refined import Refined
from app.core.predict.time import Rates, sample_elements
from app.core.simulate.recorded_trace import StepPeaks
from app.core.types.backends import TITLES
from app.core.types.measurement import MeasuredMemory, MeasuredShares, MeasuredStep, Measurement, RunResult
from app.core.types.stepgraph import StepGraph
from app.core.types.units import MIB
from app.core.types.workload import Dataset, ModelRef, Plan, Workload
from tests.core.graphs import chain_graph
from tests.core.machines import HOST_RATES, card, desktop
from tests.core.predict.lessons import known

BACKENDS = sorted(TITLES)
MODEL = ModelRef("catalog", "chain")
MACHINES = {
    "processor": desktop(ram_gib=4, free_gib=3),
    "card": desktop(card(gib=6)),
    "slow input": desktop(card(gib=24), cores=1),
}
GRAPHS = [chain_graph(sample_bytes=size, layers=layers) for size in (4_000, 400_000, 8_000_000) for layers in (1, 4)]
ESTIMATORS = [Estimator(graph) for graph in GRAPHS]
PHOTOS = Dataset("photos", "images", samples=10_000, sample_shape=(64, 64, 3), bytes_on_disk=10**9)
SHOWN = [{}, {"shares": MeasuredShares(0.0, 0.0, 1.0)}, {"compute_only_step_s": 0.05, "data_only_step_s": 0.01}]

plans = st.builds(
    Plan,
    batch_size=st.one_of(st.sampled_from([1 << n for n in range(11)]), st.integers(1, 1500)),
    optimizer=st.sampled_from(["sgd", "adam"]),
    prefetch=st.booleans(),
    epochs=st.sampled_from([1, 3]),
)
runs = st.one_of(st.none(), st.tuples(st.floats(0.3, 3.0), st.sampled_from(SHOWN), st.sampled_from([None, 0.8, 1.2])))


def taught_by(run, estimator, workload, machine):
    """What a run of the very plan has taught."""
    if run is None:
        return None
    factor, known, peak = run
    then = estimator.predict(workload, machine, Knowledge(Rates(HOST_RATES)))
    step_s, needed = factor * then.time.step_s, peak and int(peak * then.memory.allocator_peak_bytes)
    step = MeasuredStep(step_s, step_s, step_s, 40)
    batch = workload.plan.batch_size
    found = Measurement(step, step_s, batch / step_s, None, MeasuredMemory(needed), **known)
    plan, on_card = workload.plan, then.card is not None
    return calibrate(
        RunResult("succeeded", found), then.memory, then.time, run_plan=plan, plan=plan, run_id=1, on_card=on_card
    )


def refined_by(how, batch):
    """What a refinement has told: of a step compiled for a batch, or of a probe of small ones."""
    batches = (batch,) if how == "compiled" else (4, 8, 4096)
    peaks = tuple(StepPeaks(n, MIB + n * MIB, (MIB + n * 900_000,)) for n in batches)
    return Refined(how == "compiled", batches[:2], peaks) if how else None


def shown_of(plan, calibration=None, **shown):
    """What is known where something has been shown of one plan."""
    return known(Rates(HOST_RATES), plan.batch_size, calibration=calibration, **shown)


@given(st.sampled_from(ESTIMATORS), st.sampled_from(sorted(MACHINES)), st.sampled_from([None, PHOTOS]), plans, runs)
@settings(deadline=None, max_examples=60)
def test_chart_header_and_advice_agree_about_the_best_batch(estimator, where, dataset, plan, run):
    machine, workload = MACHINES[where], Workload(MODEL, dataset, plan)
    taught = taught_by(run, estimator, workload, machine)
    carried = for_another_plan(taught) if taught else None

    def predict(changed):
        only_batch = replace(changed, batch_size=plan.batch_size) == plan
        shown = shown_of(plan, taught) if only_batch else shown_of(changed, carried)
        return estimator.predict(replace(workload, plan=changed), machine, shown, brief=True)

    now = estimator.predict(workload, machine, shown_of(plan, taught))
    graph: StepGraph = estimator.graph
    cost = assumed_cost(dataset, machine, sample_elements(graph)) if dataset else None
    found = recommend(workload, now, predict, graph, cost=cost, taught=taught)
    chart = {point.batch_size: point for point in now.batch_curve}
    best, own = now.fit.best_batch_size, now.time.samples_per_s
    told = [one for one in found if set(one.changes) == {"batch_size"} and one.id != "batch_largest"]
    assert all(one.changes["batch_size"] == best for one in told)
    if not best or now.fit.verdict != "fits":
        return
    faster = chart[best].samples_per_s * WORTH_TIME >= own
    assert bool(told) == faster
    for one in told:
        after = predict(replace(plan, batch_size=best))
        assert after.time.samples_per_s == pytest.approx(chart[best].samples_per_s)
        assert after.fit.verdict == "fits"
        assert "updates" in one.why
    if nothing_to_gain(now, found):
        powers = [1 << n for n in range(best.bit_length(), 20)] + [1 << n for n in range(best.bit_length())]
        most = dataset.samples if dataset else max(powers)  # no batch is larger than the data
        powers = [b for b in powers if b in chart and b <= most]
        fitting = [b for b in powers if predict(replace(plan, batch_size=b)).fit.verdict == "fits"]
        assert all(chart[b].samples_per_s * WORTH_TIME <= own * (1 + 1e-9) for b in fitting)


witnesses = st.lists(st.builds(Witness, st.text(), st.floats(1e5, 1e9), st.floats(0.2, 3.0)), max_size=8).map(tuple)


@given(
    st.sampled_from(ESTIMATORS),
    st.sampled_from(sorted(MACHINES)),
    st.sampled_from([None, PHOTOS]),
    plans.flatmap(lambda plan: st.sampled_from(BACKENDS).map(lambda name: replace(plan, backend=name))),
    runs,
    st.sampled_from([None, "compiled", "probed"]),
    witnesses,
)
@settings(deadline=None, max_examples=60)
def test_every_point_of_the_chart_is_what_is_told_of_its_batch(estimator, where, dataset, plan, run, how, others):
    machine, workload = MACHINES[where], Workload(MODEL, dataset, plan)
    taught = taught_by(run, estimator, workload, machine) if plan.backend == "tensorflow" else None
    refined = refined_by(how, plan.batch_size) if plan.backend == "tensorflow" else None
    shown = shown_of(plan, taught, refined=refined, lessons=DeviceLessons(memory=others, time=others))
    now = estimator.predict(workload, machine, shown)
    for point in now.batch_curve[::3]:
        there = replace(workload, plan=replace(plan, batch_size=point.batch_size))
        for brief in (True, False):
            told = estimator.predict(there, machine, shown, brief=brief)
            assert told.memory.allocator_peak_bytes == point.allocator_peak_bytes
            assert told.time.samples_per_s == pytest.approx(point.samples_per_s)
        assert told.fit.max_batch_size == now.fit.max_batch_size
        if told.fit.verdict != "unknown":
            assert told.fit.needed_bytes == point.allocator_peak_bytes


def test_a_faster_smaller_batch_is_recommended_with_what_it_does_to_the_updates():
    machine, estimator = MACHINES["processor"], ESTIMATORS[3]
    workload = Workload(MODEL, PHOTOS, Plan(batch_size=64))
    now = estimator.predict(workload, machine, Knowledge(Rates(HOST_RATES)))
    rate = 1.3 * now.time.samples_per_s
    told = replace(now, fit=replace(now.fit, verdict="fits", best_batch_size=16))

    def predict(changed):
        found = estimator.predict(replace(workload, plan=changed), machine, Knowledge(Rates(HOST_RATES)), brief=True)
        return replace(found, time=replace(found.time, step_s=changed.batch_size / rate))

    one = next(r for r in recommend(workload, told, predict, estimator.graph) if r.id == "batch_best")
    assert one.changes == {"batch_size": 16}
    assert one.changes_result
    assert "an epoch has 625 updates instead of 157" in one.why
    assert one.after.epoch_s < one.before.epoch_s
