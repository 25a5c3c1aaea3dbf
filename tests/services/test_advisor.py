"""The façade with real children: the first issue's case from end to end."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

import pytest

from app.core.predict.disturbed import slowdown, speed_of, usual_reference_s
from app.core.predict.time import speed_then
from app.core.types.errors import BadModel, Cancelled
from app.core.types.workload import Plan, Workload
from app.services.advisor import Advisor
from app.services.settings import Settings
from app.services.store.history import History
from tests.measured_once import known_in
from tests.patience import SOON_S

pytestmark = pytest.mark.worker


@pytest.fixture(scope="module")
def advisor(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    known_in(folder, tmp_path_factory)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WILLITTRAIN_DATA_DIR", str(folder))
        settings = Settings.load()
        yield Advisor(settings, History(settings.history_path))


@pytest.fixture(scope="module")
def workload(advisor):
    dataset = advisor.catalog.find_dataset("fashion_mnist")
    return Workload(advisor.catalog.find_model("fashion_mnist_cnn"), dataset, Plan(batch_size=256, epochs=15))


@pytest.fixture(scope="module")
def card(advisor):
    return advisor.machine.simulate(advisor.machine.read(), gpu="RTX 2060 6GB")


@pytest.mark.parametrize(("batch", "verdict"), [(256, "fits"), (4096, "tight"), (32768, "does_not_fit")])
def test_the_card_of_2021_answers_rightly(advisor, workload, card, batch, verdict):
    graph = advisor.predictor.graph(workload)
    changed = replace(workload, plan=replace(workload.plan, batch_size=batch))
    found = advisor.predictor.predict(changed, card, graph)
    assert found.fit.verdict == verdict
    if verdict == "tight":
        assert "workspace" in found.fit.reasons[0]


def test_a_second_question_starts_no_child(advisor, workload):
    advisor.predictor.graph(workload)
    started = time.perf_counter()
    assert advisor.predictor.graphs.get(workload) is not None
    assert time.perf_counter() - started < 0.5


def test_other_batches_and_optimizers_are_arithmetic(advisor, workload, card):
    graph = advisor.predictor.graph(workload)
    peaks = {
        optimizer: advisor.predictor.predict(
            replace(workload, plan=Plan(batch_size=64, optimizer=optimizer)), card, graph
        ).memory.allocator_peak_bytes
        for optimizer in ("sgd", "adam")
    }
    assert peaks["sgd"] < peaks["adam"]


def test_before_a_trace_the_weights_are_known(advisor, card):
    vgg = Workload(advisor.catalog.find_model("vgg16"), None, Plan(batch_size=1))
    found = advisor.predictor.quick(vgg, card)
    assert found.memory.basis == "formula"
    assert found.memory.parts.weights == 4 * 138_357_544
    assert found.fit.verdict == "unknown"


def test_estimate_against_measured_and_the_run_is_kept(advisor, workload):
    assert advisor.machine.rates("cpu").matmul_flops_per_s > 1e9
    before = advisor.predictor.predict(workload, advisor.machine.read(), advisor.predictor.graph(workload))
    run = advisor.benchmarks.bench(workload, advisor.machine.read(), seconds=4)
    assert run.result.outcome == "succeeded"
    peak = run.result.measurement.memory.allocator_peak_bytes
    assert before.memory.low_bytes <= peak <= before.memory.high_bytes
    assert advisor.history.get(run.run_id).result.outcome == "succeeded"
    after = advisor.predictor.predict(workload, advisor.machine.read(), advisor.predictor.graph(workload))
    assert after.memory.basis == "measured"
    told_s, slower = run.result.measurement.epoch_step_s(workload.plan.batch_size), slower_then(advisor, run)
    if slower is None:
        assert after.time.basis == "predicted", "nobody can tell what the tests beside this one took of the machine"
    else:
        assert after.time.step_s == pytest.approx(told_s / slower, rel=0.01)
    other = replace(workload, plan=replace(workload.plan, batch_size=128))
    carried = advisor.predictor.predict(other, advisor.machine.read(), advisor.predictor.graph(other))
    assert carried.time.basis == ("predicted" if slower is None else "scaled")


def slower_then(advisor, run):
    """How much slower the machine was than it is alone; None if nobody can tell: tests beside this one compute, too."""
    then = speed_of(run.result.measurement, on_card=False)
    return slowdown(then, usual_reference_s([then], speed_then(advisor.machine.rates("cpu"))))


def test_a_deleted_run_teaches_nothing_any_more(advisor, workload):
    other = replace(workload, plan=Plan(batch_size=16, optimizer="sgd"))
    run = advisor.benchmarks.bench(other, advisor.machine.read(), seconds=1)
    graph = advisor.predictor.graph(other)
    assert advisor.predictor.predict(other, advisor.machine.read(), graph).memory.basis == "measured"
    advisor.history.delete(run.run_id)
    assert advisor.predictor.predict(other, advisor.machine.read(), graph).memory.basis != "measured"


def test_advice_has_numbers(advisor, workload, card):
    graph = advisor.predictor.graph(workload)
    small = replace(workload, plan=Plan(batch_size=4096, epochs=15))
    advice = advisor.advice.advise(small, card, graph)
    assert {"accumulate", "batch_smaller"} & {r.id for r in advice.recommendations}
    assert {"gpu", "ram", "cloud"} <= {u.kind for u in advice.upgrades}
    assert all(u.price_date for u in advice.upgrades if u.price is not None)


def test_a_cancelled_trace_ends_soon(advisor):
    cancel = threading.Event()
    threading.Timer(0.5, cancel.set).start()
    started = time.perf_counter()
    slow = Workload(advisor.catalog.find_model("densenet121"), None, Plan(), input_shape=(96, 96, 3))
    with pytest.raises(Cancelled):
        advisor.predictor.graph(slow, cancel=cancel)
    assert time.perf_counter() - started < SOON_S


def test_a_model_that_cannot_be_built_says_why(advisor):
    wrong = Workload(advisor.catalog.find_model("inceptionv3"), None, Plan(), input_shape=(32, 32, 3))
    with pytest.raises(BadModel, match="75"):
        advisor.predictor.graph(wrong)
