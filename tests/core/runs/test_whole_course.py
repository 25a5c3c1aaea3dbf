"""How much of a training is run, and what that says of the whole."""

import pytest

from app.core.runs.whole_course import EPOCHS, FEWEST_STEPS, length_within, peak_bytes, total_s
from app.core.types.whole import EpochEnd, MeasuredPhase, MeasuredWhole
from app.core.types.workload import Dataset, ModelRef, Plan, Workload

ASKED = Workload(
    ModelRef("catalog", "net"), Dataset("d", samples=1000), Plan(10, epochs=20, validation=400, validation_batch=40)
)
RAN = MeasuredWhole(
    (
        MeasuredPhase("prepare", 8.0, 1, 10, 100),
        MeasuredPhase("first_step", 3.0, 1, 50, 200),
        MeasuredPhase("training", 4.0, 1, 60, 200),
        MeasuredPhase("validation", 3.0, 6, 90, 300),
        MeasuredPhase("saving", 1.2, 6, 20, 300),
        MeasuredPhase("later", 25.0, 5, 70, 300),
    ),
    tuple(EpochEnd(float(n)) for n in range(6)),
    steps_per_epoch=5,
    validation_steps=2,
)


def test_the_whole_is_what_was_run_times_how_often_it_comes():
    steps = (100 * 20 - 1) * 29.0 / 29
    assert total_s(RAN, ASKED) == pytest.approx(8 + 3 + steps + 20 * 5 * 0.5 + 20 * 0.2)


def test_the_peak_is_the_highest_phases():
    assert peak_bytes(RAN) == 90


def test_without_a_prediction_a_few_steps_of_everything_are_run():
    assert length_within(ASKED, None, 20).steps == FEWEST_STEPS
    assert length_within(ASKED, None, 20).validation_steps == FEWEST_STEPS
    assert length_within(ASKED, None, 20).epochs == EPOCHS


def test_no_more_is_run_than_there_is():
    few = Workload(ASKED.model, Dataset("d", samples=10), Plan(10))
    found = length_within(few, None, 20)
    assert (found.steps, found.validation_steps) == (1, 0)
