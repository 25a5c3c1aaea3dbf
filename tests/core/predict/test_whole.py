"""The whole of a training from the predictions of its two steps."""

import math
import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.predict.estimate import Estimator
from app.core.predict.fit import judge_whole
from app.core.predict.intervals import sharpen
from app.core.predict.saving import FAILURE_S
from app.core.predict.time import Rates
from app.core.predict.whole import Pieces, batches_ahead, chance_by, evaluation_of, predict_whole
from app.core.predict.whole_times import CARD_FIRST_S, IMPORT_S, WholeTimes, Work
from app.core.types.basis import Range
from app.core.types.captured import Captured
from app.core.types.units import GIB
from app.core.types.whole import PredictedPhase, PredictedWhole
from app.core.types.workload import Dataset, ModelRef, Plan, Workload
from tests.core.graphs import SAMPLE_BYTES, chain_graph
from tests.core.machines import HOST_RATES, card, desktop
from tests.core.predict.lessons import known

TRAINED = chain_graph()
EVALUATED = replace(chain_graph(), mode="evaluate")
SAMPLES, VALIDATED = 3200, 6400
USERS = 1500


def workload(**plan):
    given = {"batch_size": 32, "epochs": 5, "data": "array", "validation": VALIDATED, "validation_batch": 256, **plan}
    return Workload(ModelRef("catalog", "chain"), Dataset("arrays", samples=SAMPLES), Plan(**given))


def predicted(asked, graph, machine):
    return Estimator(graph).predict(asked, machine, known(Rates(HOST_RATES), asked.plan.batch_size), brief=True)


def whole(asked=None, machine=None, cached=None, traced=True):
    asked, machine = asked or workload(), machine or desktop()
    validation = evaluation_of(asked)
    evaluation = predicted(validation, EVALUATED, machine) if validation and traced else None
    training = predicted(asked, TRAINED, machine)
    times = WholeTimes(asked, training, evaluation, Work(300, 50, 100), cached)
    return predict_whole(Pieces(asked, TRAINED, training, evaluation, 2, times)), training, evaluation


def phases(found):
    return {one.kind: one for one in found.phases}


def test_every_phase_comes_as_often_as_the_plan_says():
    found = phases(whole(workload(validate_every=2))[0])
    assert {kind: one.times for kind, one in found.items()} == {
        "prepare": 1, "first_step": 1, "training": 1, "validation": 2, "saving": 5, "later": 4
    }  # fmt: skip


def test_a_validation_has_slots_both_arrays_and_the_batches_ahead_beside_its_step():
    found, training, evaluation = whole()
    beside = training.memory.parts.optimizer_state + (SAMPLES + VALIDATED) * SAMPLE_BYTES
    ahead = batches_ahead(2) * 256 * SAMPLE_BYTES
    step = evaluation.memory.allocator_peak_bytes
    assert phases(found)["validation"].device.value == step + beside + ahead
    assert found.wall.kind == "validation"


def test_later_epochs_hold_the_validations_arrays_too():
    found = phases(whole()[0])
    assert found["later"].device.value - found["training"].device.value == VALIDATED * SAMPLE_BYTES


def test_on_a_card_batches_ahead_lie_on_the_host():
    machine = desktop(card(simulated=True))
    found, training, evaluation = whole(machine=machine)
    beside = training.memory.parts.optimizer_state + (SAMPLES + VALIDATED) * SAMPLE_BYTES
    assert phases(found)["validation"].device.value == evaluation.memory.allocator_peak_bytes + beside


def test_the_process_is_never_smaller_than_before():
    hosts = [one.host.value for one in whole(workload(restore_best=True, checkpoint_every=1))[0].phases]
    assert hosts == sorted(hosts)


def test_best_weights_and_a_checkpoint_take_ram_from_the_first_epochs_end():
    plain, kept = (phases(whole(workload(**plan))[0]) for plan in ({}, {"restore_best": True, "checkpoint_every": 1}))
    parts = whole()[1].memory.parts
    assert kept["training"].host == plain["training"].host
    grown = kept["saving"].host.value - plain["saving"].host.value
    assert grown == 2 * parts.weights + parts.optimizer_state


def test_what_a_scripts_dataset_keeps_ready_lies_in_ram():
    found, training, _ = whole()
    queue = Captured((("queued_batches", 10), ("worker_processes", 4)))
    model = replace(training.model, captured=queue)
    times = WholeTimes(workload(), training, None, Work(1, 1))
    queued = predict_whole(Pieces(workload(), TRAINED, replace(training, model=model), None, 2, times))
    grown = phases(queued)["prepare"].host.value - phases(found)["prepare"].host.value
    assert grown == 10 * 32 * SAMPLE_BYTES
    assert any("4 processes" in text for text in queued.told)


def test_loading_the_framework_takes_what_it_took_when_the_device_was_measured():
    training = whole()[1]
    measured, unmeasured = (
        WholeTimes(workload(), training, None, Work(14, 1, import_s=seconds)).prepare_s for seconds in (1.5, None)
    )
    assert measured.value == 1.5
    assert measured.low < 1.5 < 4 < measured.high
    assert unmeasured == IMPORT_S


def test_a_card_is_made_ready_in_its_first_step():
    """Libraries are loaded and kernels made and tried: an H100 took 7 s for a dozen operations."""
    training = whole()[1]
    here, there = (
        WholeTimes(workload(), training, None, Work(14, 1, on_card=card)).first_step_s for card in (False, True)
    )
    assert there.value == pytest.approx(here.value + CARD_FIRST_S.value)
    assert there.high > here.high + CARD_FIRST_S.high


def test_the_whole_time_is_the_sum_of_all_phases_with_its_ends():
    found = whole()[0]
    assert found.total_s.value == pytest.approx(sum(one.times * one.each_s.value for one in found.phases))
    assert found.total_s.low < found.total_s.value < found.total_s.high


def test_a_validation_that_nobody_has_traced_is_missing_and_told():
    found = whole(traced=False)[0]
    assert phases(found)["validation"].device is None
    assert found.total_s is None
    assert any("nobody has traced" in text for text in found.told)


def test_a_share_kept_back_is_trained_on_less_and_validated_on_the_rest():
    asked = workload(validation=0.25)
    assert (asked.training_samples, asked.validation_samples, asked.steps_per_epoch) == (2400, 800, 75)
    held = whole(asked)[1].memory.dataset_bytes
    assert held == 2400 * SAMPLE_BYTES


def test_a_validation_of_few_samples_is_one_batch_of_them():
    assert evaluation_of(workload(validation=40)).plan.batch_size == 40
    assert evaluation_of(workload(validation=400)).plan.batch_size == 256


def test_an_inference_validates_nothing():
    assert evaluation_of(workload(mode="inference")) is None


def test_the_cache_that_has_no_room_says_when_the_memory_ends():
    asked = workload(cache="ram")
    found = whole(asked, cached=100 * GIB / SAMPLES)[0]
    assert found.cache_bytes == pytest.approx(100 * GIB, rel=1e-6)
    assert 0 < found.cache_ends_epoch < 1
    assert whole(asked, cached=10.0)[0].cache_ends_epoch is None


def test_saving_is_worth_it_by_youngs_rule():
    saving = whole(workload(checkpoint_every=1))[0].saving
    assert saving.worth_every_s**2 == pytest.approx(2 * saving.each_s.value * FAILURE_S)


def test_a_step_that_fits_does_not_save_a_validation_that_does_not():
    found, training, _ = whole()
    wall = found.wall.device
    allowed = int(wall.value) - 1
    fit = replace(training.fit, allowed_bytes=allowed, verdict="fits")
    assert judge_whole(fit, found).verdict == "does_not_fit"
    assert "the validation needs" in judge_whole(fit, found).reasons[0]
    roomy = replace(fit, allowed_bytes=int(wall.high) + 1)
    assert judge_whole(roomy, found) == roomy
    between = replace(fit, allowed_bytes=int(wall.value) + 1)
    assert judge_whole(between, found).verdict == "tight"


@given(st.floats(1, 1e6), st.floats(1.05, 5), st.floats(1.05, 5), st.floats(0.01, 100))
def test_a_later_deadline_is_never_less_likely(value, below, above, factor):
    total = Range(value, value / below, value * above)
    assert 0 <= chance_by(total, value * factor) <= chance_by(total, value * factor * 1.1) <= 1


def test_the_intervals_ends_are_one_in_twenty_and_its_middle_one_in_two():
    total = Range(100, 50, 150)
    assert chance_by(total, 100) == pytest.approx(0.5)
    assert chance_by(total, 150) == pytest.approx(0.95)
    assert chance_by(total, 50) == pytest.approx(0.05)


def test_several_trainings_take_so_many_times_as_long():
    once = PredictedWhole((PredictedPhase("training", each_s=Range(10, 8, 12), times=3),))
    assert replace(once, trainings=5).total_s == Range(150, 120, 180)


@pytest.mark.parametrize("scale", [0.7, 1.0, 1.5])
@pytest.mark.parametrize("runs", [8, 16])
def test_nine_in_ten_trainings_end_by_the_deadline_that_is_told_as_so_likely(scale, runs):
    """Each user has some recorded runs, whose errors are of the same kind as the next training's."""
    chance, deviation, kept = random.Random(7), math.log(1.5) / 1.645, 0
    for _ in range(USERS):
        scores = [chance.gauss(0, scale * deviation) / math.log(1.5) for _ in range(runs)]
        told = Range(*sharpen(scores).applied(100.0, 100 / 1.5, 150.0))
        deadline = next(d for d in range(50, 2000) if chance_by(told, d) >= 0.9)
        kept += 100 * math.exp(chance.gauss(0, scale * deviation)) <= deadline
    assert 0.85 <= kept / USERS <= 0.95
