"""States from predictions, without Qt."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.types.errors import BadModel
from app.core.types.machine import GpuSupport
from app.core.types.measurement import Sample
from app.core.types.messages import Reading
from app.core.types.plan import Plan
from app.core.types.predicted_time import FROM_DATA_SHEET
from app.core.types.units import GIB
from app.core.types.workload import ModelRef, Workload
from app.presentation.fit import FitState, fit_state
from app.presentation.problem import error_state
from app.presentation.upgrades import price_words
from app.presentation.verdict import awaited_verdict, verdict_state
from app.presentation.words import difference_words, short_name
from app.ui.advice.state_advice import advice_state, upgrades_state
from app.ui.benchmark.state_bench import result_state
from app.ui.benchmark.state_live import MAX_POINTS, LiveSeries
from app.ui.machine.state_machine import LiveReading, live_text, machine_state
from app.ui.runs.state_runs import compare_runs, run_details
from app.ui.workload.state_form import sample_workload, short_count, trace_key
from tests.fakes.advisor import make
from tests.fakes.figures import DATASETS, MACHINE, MODELS, peak_bytes

WORKLOAD = Workload(ModelRef("catalog", "fashion_mnist_cnn"), DATASETS[0], Plan(batch_size=256, epochs=15))


@pytest.fixture
def advisor(tmp_path):
    return make(tmp_path)


@pytest.fixture
def prediction(advisor):
    return advisor.predictor.predict(WORKLOAD, MACHINE, advisor.predictor.graph(WORKLOAD))


def test_needed_is_what_the_verdict_compares_with_allowed(prediction):
    state = fit_state(prediction)
    assert state.needed_bytes == peak_bytes(256)
    assert state.needed.text == f"{peak_bytes(256) / 1024**2:.1f} MiB"
    assert state.needed.mark == "predicted"


def test_the_bar_is_as_long_as_what_is_needed(prediction):
    state = fit_state(prediction)
    assert abs(sum(s.size_bytes for s in state.segments) - state.needed_bytes) <= 2


def test_what_others_hold_and_what_is_allowed_add_up_to_the_device(prediction):
    state = fit_state(prediction)
    assert state.others_bytes + state.allowed_bytes == state.total_bytes == 64 * GIB


def test_before_the_first_answer_nothing_is_said_to_be_unavailable():
    state = awaited_verdict(256, 15)
    figures = (state.needed, state.epoch, state.total, state.largest_batch, state.samples, FitState().needed)
    assert {str(figure.text) for figure in figures} == {"…"}
    assert not any(figure.known for figure in figures)


def test_a_time_of_the_data_sheet_says_so(prediction):
    assert not verdict_state(prediction).unmeasured
    promised = replace(prediction, time=replace(prediction.time, dominant_assumption=FROM_DATA_SHEET))
    assert verdict_state(promised).unmeasured


def test_the_header_says_which_formula_answered(prediction):
    assert verdict_state(prediction, textbook=True).stage == "textbook"
    assert verdict_state(prediction).stage == "predicted"


def test_an_epochs_interval_is_the_steps_interval_times_the_steps(prediction):
    state = verdict_state(prediction)
    epoch_s = prediction.time.epoch_s
    assert (state.epoch.low, state.epoch.high) == pytest.approx((epoch_s * 0.85, epoch_s * 1.2))


def test_a_number_that_is_not_known_has_no_mark(advisor):
    prediction = advisor.predictor.predict(WORKLOAD, MACHINE, advisor.predictor.graph(WORKLOAD))
    prediction = replace(prediction, time=replace(prediction.time, schedule=None))
    state = verdict_state(prediction)
    assert (state.epoch.known, state.epoch.mark) == (False, "none")
    assert state.samples.text == "not available"


def test_a_run_measures_its_own_batch_but_the_largest_one_is_only_scaled(prediction):
    measured = replace(prediction, memory=replace(prediction.memory, basis="measured"))
    state = verdict_state(measured)
    assert (state.needed.mark, state.largest_batch.mark) == ("measured", "scaled")


def test_errors_keep_their_four_parts():
    state = error_state(BadModel("cannot open it", expected="a .keras file", received="a folder", hint="choose a file"))
    expected = ("cannot open it", "a .keras file", "a folder", "choose a file")
    assert (state.message, state.expected, state.received, state.hint) == expected


def test_a_bug_is_named_as_one():
    assert "ZeroDivisionError" in error_state(ZeroDivisionError("x")).original


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("AMD Ryzen 7 3700X 8-Core Processor", "Ryzen 7 3700X"),
        ("Intel(R) Core(TM) i7-9700F CPU @ 3.00GHz", "Core i7-9700F"),
        ("NVIDIA GeForce RTX 2060", "RTX 2060"),
        (None, "not available"),
    ],
)
def test_names_lose_what_every_maker_adds(name, short):
    assert short_name(name) == short


def test_batch_and_optimizer_need_no_new_trace_but_precision_does():
    other = Workload(WORKLOAD.model, WORKLOAD.dataset, Plan(batch_size=4096, optimizer="sgd", epochs=3))
    half = Workload(WORKLOAD.model, WORKLOAD.dataset, Plan(precision="mixed_float16"))
    assert trace_key(other) == trace_key(WORKLOAD) != trace_key(half)


def test_advice_keeps_its_order_and_says_what_is_better(advisor, prediction):
    advice = advisor.advice.advise(WORKLOAD, MACHINE, advisor.predictor.graph(WORKLOAD))
    state = advice_state(advice, "predicted", {"precision": "succeeded"})
    assert [card.item.id for card in state.cards] == ["batch", "precision", "close"]
    batch, half, close = state.cards
    assert (batch.memory.better, batch.epoch.better, half.memory.better) == (False, True, True)
    assert close.epoch.better is None
    assert (half.verified, half.epoch.after.mark, batch.epoch.after.mark) == ("succeeded", "measured", "predicted")


def test_upgrades_say_unknown_instead_of_zero(advisor):
    rows = upgrades_state(advisor.advice.advise(WORKLOAD, MACHINE, advisor.predictor.graph(WORKLOAD))).rows
    assert rows[1].item.price_date is None
    assert price_words(rows[2].item).startswith("2.49 USD/h")


def test_a_result_stands_beside_its_estimate(advisor):
    run = advisor.benchmarks.bench(WORKLOAD, MACHINE)
    state = result_state(run)
    assert [row.quantity for row in state.comparisons] == [
        "step",
        "epoch",
        "samples",
        "memory",
        "held",
        "seen",
        "process",
    ]
    assert {row.measured.mark for row in state.comparisons[:4]} == {"measured"}
    assert {row.estimated.mark for row in state.comparisons[:4]} == {"predicted"}
    assert state.comparisons[0].difference == "−7 %"


def test_out_of_memory_offers_a_batch_that_fits(advisor):
    advisor.script.bench_outcome = "out_of_memory"
    run = advisor.benchmarks.bench(Workload(WORKLOAD.model, WORKLOAD.dataset, Plan(batch_size=100_000)), MACHINE)
    state = result_state(run)
    assert state.error.action == f"apply_batch:{run.prediction.fit.max_batch_size}"


@pytest.mark.parametrize(("estimate", "real", "text"), [(110, 100, "+10 %"), (None, 1, ""), (1, 0, "")])
def test_differences(estimate, real, text):
    assert difference_words(estimate, real) == text


@given(st.integers(1, 4 * MAX_POINTS))
def test_curves_stay_bounded_and_in_order(count):
    series = LiveSeries()
    for step in range(count):
        series.take(Reading(float(step), step, 0.01))
    times, values = series.frozen()["step_ms"]
    assert len(times) == len(values) <= MAX_POINTS
    assert list(times) == sorted(times)
    assert times[0] == 0


def test_unknown_readings_leave_no_point():
    series = LiveSeries()
    series.take(Reading(1.0, 1, None, None, None, None))
    assert series.frozen() == {}


def test_needed_held_and_seen_are_curves_of_their_own():
    series = LiveSeries()
    series.take(Reading(1.0, 1, 0.01, 1 * GIB, 2 * GIB, 3 * GIB))
    series.take(Sample(1.0, "measure", gpu_memory_bytes=4 * GIB))
    curves = series.frozen()
    told = {name: values[0] for name, (_times, values) in curves.items() if name.endswith("_gib")}
    assert told == {"current_gib": 1.0, "needed_gib": 2.0, "held_gib": 3.0, "seen_gib": 4.0}


def test_the_first_start_is_the_founding_case():
    first = sample_workload(MODELS, DATASETS)
    assert (first.model.name, first.dataset.name) == ("fashion_mnist_cnn", "fashion_mnist")
    assert (first.plan.batch_size, first.plan.epochs) == (256, 15)
    assert sample_workload((), DATASETS) is None


@pytest.mark.parametrize(("count", "text"), [(None, ""), (12, "12"), (562_474, "562 k"), (25_636_712, "25.6 M")])
def test_parameters_in_three_figures(count, text):
    assert short_count(count) == text


def test_a_machine_says_why_something_is_missing():
    state = machine_state(MACHINE)
    assert "RAM (type" in dict(state.details.rows)["Not available"]
    assert ("RAM · type", "needs root") in state.reasons.rows
    assert [row.key for row in state.rows] == ["cpu", "ram", "disk"]


def test_only_tensorflow_speaks_in_the_panel():
    support = [GpuSupport(0, "RTX", name, False, "no driver") for name in ("tensorflow", "jax")]
    assert len(machine_state(MACHINE, "TensorFlow 2.21", support).support) == 1


def test_unknown_live_values_are_not_zero():
    assert live_text("cpu", LiveReading()) == "not available"
    assert live_text("cpu", LiveReading(cpu_percent=0.0)) == "0 %"


def test_comparing_shows_only_differences(advisor):
    first = advisor.benchmarks.bench(WORKLOAD, MACHINE)
    second = advisor.benchmarks.bench(
        Workload(WORKLOAD.model, WORKLOAD.dataset, Plan(batch_size=512, epochs=15)), MACHINE
    )
    table = compare_runs((first, second)).table
    assert [row[0] for row in table.rows[table.rule :]] == ["Batch size"]
    assert run_details(first).result.outcome == "succeeded"


def test_the_four_memories_stand_side_by_side(prediction):
    rows = {row.kind: row for row in fit_state(prediction).memories}
    assert {"needed", "held", "process", "allowed"} <= set(rows)
    assert rows["needed"].size == fit_state(prediction).needed
    assert rows["needed"].size.range


def test_nothing_is_assumed_twice(prediction):
    assumed = fit_state(prediction).assumptions
    assert len(assumed) == len(set(assumed))


def test_before_a_trace_there_is_nothing_to_compare_the_textbook_with(advisor):
    first = advisor.predictor.quick(WORKLOAD, MACHINE)
    assert fit_state(first, textbook=True).textbook_bytes is None
