"""The table of whole programs: what counts as answered, and which programs it has."""

from __future__ import annotations

from studies.accuracy.program_rows import OWN_FOLDER, others, own
from studies.accuracy.programs import TOLD, TRUTH, Outcome, figures, told_of

TRAINS = {"peak_bytes": "100", "highest_bytes": "101", "reached_s": "2.0"}
ANSWERED = {"told_bytes": "102", "low_bytes": "95", "high_bytes": "110", "seconds": "7.0"}


def outcome(**cells: str) -> Outcome:
    """A stored program with these cells."""
    return Outcome("program.py", dict.fromkeys((*TOLD, *TRUTH), "") | cells)


def test_a_program_counts_as_what_came_of_it():
    fine = outcome(**TRAINS, **ANSWERED)
    wrong = outcome(**TRAINS, **{**ANSWERED, "low_bytes": "101"})
    refused = outcome(**TRAINS, why_refused="no fit", seconds="3.0")
    broken = outcome(why_not_bare="ImportError", seconds="3.0")
    assert [one.word for one in (fine, wrong, refused, broken)] == ["answered", "wrong", "refused", "does not train"]
    told = figures([fine, wrong, refused, broken])
    assert (told["n"], told["programs"], told["do_not_train"], told["answered"]) == (2, 4, 1, 2 / 3)
    assert (told["coverage"], told["median_seconds_behind_fit"]) == (0.5, 5.0)


def test_an_answer_is_stored_as_it_was_told():
    memory = {"allocator_peak_bytes": 7, "low_bytes": 6, "high_bytes": 8}
    assert told_of({"answer": {"memory": memory}, "seconds": 1.5})["told_bytes"] == "7"
    assert told_of({"why": "refused", "seconds": 1.5})["told_bytes"] == ""


def test_the_programs_are_there_and_of_every_author_is_said_which_version():
    assert all((OWN_FOLDER / row.path).is_file() for row in own())
    assert all(len(row.commit) == 40 for row in others())
    assert len({row.repository for row in others()} - {"keras-team/keras"}) >= 5
    assert len(own()) + len(others()) >= 40
    assert len({row.name for row in (*own(), *others())}) == len(own()) + len(others())
