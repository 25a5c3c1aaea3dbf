"""What is added up of a script's trainings."""

from __future__ import annotations

import pytest

from app.core.types.captured import Captured, Training
from app.core.types.plan import Plan
from app.core.types.predicted_time import PredictedTime, Schedule

WITH_MOMENTUM = Captured((("optimizer", "sgd"), ("momentum", 0.9), ("clipnorm", 1.0)))
FOLDS = tuple(Training(n, "t.py", 20, batch_size=25, epochs=4, samples=100 * n) for n in (1, 2, 3))
OTHER = Training(4, "t.py", 30, batch_size=25, epochs=4, samples=100)


def test_a_loops_trainings_are_added_up_by_their_steps():
    seen = Captured(file="t.py", line=20, fit=1, of=4, of_is="seen", trainings=(*FOLDS, OTHER))
    assert seen.same_line == FOLDS
    assert seen.trainings_like_this == pytest.approx(1 + 2 + 3)
    assert Captured(file="t.py", line=20, fit=3, of_is="seen", trainings=FOLDS).trainings_like_this == pytest.approx(2)


def test_where_nobody_knows_the_samples_epochs_are_added_up():
    some = (Training(1, "t.py", 20, epochs=4), Training(2, "t.py", 20, epochs=2, samples=7))
    assert Captured(file="t.py", line=20, fit=1, of_is="seen", trainings=some).trainings_like_this == pytest.approx(1.5)


def test_a_training_of_no_epoch_has_no_others_like_it():
    none = (Training(1, "t.py", 20, epochs=0), Training(2, "t.py", 20, epochs=2, samples=7))
    assert Captured(file="t.py", line=20, fit=1, of_is="seen", trainings=none).trainings_like_this == 1.0


def test_trainings_that_were_not_all_seen_are_not_added_up():
    passed = Captured(file="t.py", line=20, fit=3, of=3, trainings=FOLDS)
    assert (passed.same_line, passed.trainings_like_this) == ((), 1.0)
    assert Captured().trainings_like_this == 1.0


def test_the_total_is_that_of_all_trainings():
    one, three = (
        PredictedTime(1.0, None, None, Schedule(32, 10, 2, trainings), "compute", "predicted") for trainings in (1, 3)
    )
    assert (one.total_s, three.total_s) == (20, 60)


def test_another_optimizer_has_none_of_the_authors_momentum():
    asked = Plan(optimizer="rmsprop")
    assert WITH_MOMENTUM.plan(asked, ()) == Plan(optimizer="sgd", momentum=0.9, clipnorm=1.0)
    assert WITH_MOMENTUM.plan(asked, ["optimizer"]) == Plan(optimizer="rmsprop", clipnorm=1.0)
    same = WITH_MOMENTUM.plan(Plan(optimizer="sgd"), ["optimizer"])
    assert same == Plan(optimizer="sgd", momentum=0.9, clipnorm=1.0)
