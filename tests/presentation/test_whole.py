"""What is said of a whole training."""

from dataclasses import replace

from app.cli.output_whole import measured_whole_json, predicted_whole_json
from app.core.types.basis import Range
from app.core.types.measurement import RunResult
from app.core.types.run import Run
from app.core.types.units import GIB, MIB
from app.core.types.whole import Growth, MeasuredPhase, MeasuredWhole
from app.presentation.estimate import estimate_blocks
from app.presentation.fit import fit_state
from app.presentation.layout import Points, Table
from app.presentation.whole import TITLE, course, growth_words, measured_blocks, phase_rows, whole_blocks
from tests.core.predict.test_whole import whole, workload


def predicted(asked=None):
    found, training, _ = whole(asked)
    return replace(training, whole=found)


def tables(blocks):
    return [one for one in blocks if isinstance(one, Table) and one.title == TITLE]


def said(blocks):
    return " ".join(str(getattr(one, "text", "")) for one in blocks)


def test_a_training_with_a_validation_is_laid_out_phase_by_phase():
    (table,) = tables(estimate_blocks(predicted()))
    assert len(table.rows) == 6
    assert "◀" in table.rows[3][0]
    assert "5 ×" in table.rows[3][4]


def test_one_epoch_of_steps_alone_needs_no_table():
    prediction = predicted(workload(validation=0.0, epochs=1))
    assert tables(estimate_blocks(prediction)) == []
    assert fit_state(prediction).phases == ()


def test_a_deadline_is_answered_with_a_probability():
    prediction = predicted()
    total = prediction.whole.total_s
    assert "50 %" in said(whole_blocks(prediction, total.value))
    assert "99 %" in said(whole_blocks(prediction, 1000 * total.high))
    assert predicted_whole_json(prediction.whole, total.value)["chance_by_deadline"] == 0.5
    assert predicted_whole_json(prediction.whole)["chance_by_deadline"] is None


def test_the_course_begins_once_and_repeats_what_comes_again():
    kinds = [row.kind for row in course(phase_rows(predicted()))]
    assert kinds == ["prepare", "first_step", "training", "validation", "saving", "later", "validation", "saving"]


def test_a_checkpoint_and_its_worth_are_told():
    told = said(whole_blocks(predicted(workload(checkpoint_every=1))))
    assert "checkpoint" in told
    assert "loses least" in told


def test_growth_names_its_place_and_its_last_epoch():
    words = growth_words(Growth("device", Range(3 * MIB, 2 * MIB, 4 * MIB), 16))
    assert "3.0 MiB" in words
    assert "epoch 16 is the last" in words
    assert "last" not in growth_words(Growth("host", Range(3 * MIB, 2 * MIB, 4 * MIB)))


def test_what_was_measured_stands_beside_what_was_predicted():
    prediction = predicted()
    ran = MeasuredWhole((MeasuredPhase("validation", 3.0, 2, GIB, 2 * GIB),))
    run = Run(1, "", workload(), prediction.machine, prediction, RunResult("succeeded", whole=ran))
    table = next(one for one in measured_blocks(run) if isinstance(one, Table))
    assert table.rows[0][1] == "✓ 1.0 GiB"
    assert "%" in table.rows[0][3]
    assert any(isinstance(one, Points) for one in measured_blocks(run))
    assert measured_whole_json(ran)["phases"][0]["device_bytes"] == GIB
    assert measured_blocks(replace(run, result=RunResult("succeeded"))) == ()


def test_json_has_every_phase_with_its_intervals():
    found = predicted_whole_json(predicted().whole)
    assert [one["kind"] for one in found["phases"]] == [
        "prepare", "first_step", "training", "validation", "saving", "later"
    ]  # fmt: skip
    assert found["wall"] == "validation"
    assert found["peak_bytes"]["low"] < found["peak_bytes"]["value"] < found["peak_bytes"]["high"]
    assert predicted_whole_json(None) is None
