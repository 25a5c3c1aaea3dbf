"""Which of a script's trainings an answer is about, in words."""

from __future__ import annotations

from app.core.types.captured import Captured, Training
from app.presentation.trainings import training_lines

FIRST = Training(1, "/x/train.py", 8, None, "adam", 16, 5, 100)
FOLDS = tuple(Training(n, "/x/train.py", 20, None, "sgd", 25, 4, 100) for n in range(2, 12))


def lines(**known: object) -> list[str]:
    """What is said."""
    return [str(line) for line in training_lines(Captured(prepared_s=2.0, **known))]  # type: ignore[arg-type]


def test_trainings_of_the_source_are_named_with_how_to_ask_for_them():
    said = lines(file="/x/train.py", line=8, fit=1, of=3, other_lines=("14", "20"), trainings=(FIRST,), in_loop=True)
    assert said == [
        "training 1 of 3 in the source (train.py:8), reached 2 s after the script began",
        "other trainings stand at lines 14, 20: --fit 2 answers for the next one",
        "the line stands in a loop: --count-fits counts how often it trains, and adds it up",
    ]


def test_trainings_that_were_seen_are_listed_and_a_loops_added_up():
    said = lines(file="/x/train.py", line=20, fit=2, of=11, of_is="seen", in_loop=True, trainings=(FIRST, *FOLDS))
    assert said[0] == "training 2 of 11 (train.py:20), reached 2 s after the script began"
    assert said[1] == "training 1 (train.py:8): adam, batch 16, 5 epochs"
    assert said[-2:] == [
        "and 2 more trainings",
        "10 trainings at this line, together 10 × this one: the total is their sum",
    ]


def test_a_notebooks_place_is_cell_and_line_and_a_threads_is_none():
    assert "(a.ipynb, cell 3, line 4)" in lines(file="/x/a.ipynb", cell=3, line=4, fit=1)[0]
    assert lines(fit=1) == ["training 1 of 1, reached 2 s after the script began"]
