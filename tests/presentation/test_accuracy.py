"""The page of accuracy: what was not run is left out, what is not told is a dash, and a fitted way is no simple one."""

from __future__ import annotations

from app.core.types.accuracy import Accuracy, Figures, Published, SameRows, Scaled, StoredTable
from app.core.types.text import verbatim
from app.presentation.accuracy import FITTED, NONE, accuracy_blocks
from app.presentation.layout import Table


def tables(*figures: tuple[str, Figures], published: tuple[Published, ...] = ()) -> dict[str, Table]:
    """The tables of a page by their titles, in English."""
    stored = tuple(StoredTable(name, "2026-11-24", "0123456789", "a machine", told) for name, told in figures)
    blocks = accuracy_blocks(Accuracy(stored, published))
    return {str(block.title): block for block in blocks if isinstance(block, Table)}


def cells(table: Table) -> list[list[str]]:
    return [[str(cell) for cell in row] for row in table.rows]


def test_tables_that_were_not_run_have_no_place():
    assert tables() == {}
    assert list(tables(("memory", Figures(3, 0.02)))) == ["Memory of a training step", "Where these figures come from"]


def test_what_a_table_does_not_tell_is_a_dash_and_never_zero():
    shown = tables(("memory", Figures(145, 0.0197, 0.1414, coverage=0.9724, baselines={"textbook formula": 0.4778})))
    assert cells(shown["Memory of a training step"])[0][1:] == ["145", "2.0 %", "14.1 %", "97.2 %", NONE, "47.8 %"]


def test_the_simple_way_is_the_best_that_was_not_fitted_to_the_answer():
    ways = {"work / FP32 peak": 0.3, FITTED[0]: 0.01, "one card, FP32 ratio": 0.2, FITTED[1]: 0.02}
    told = Figures(10, 0.1, truth_spread=0.04, baselines=ways, one_card=Scaled(90, 0.05, 0.3, 0.9))
    direct, scaled = cells(tables(("time_profet", told))["Time of a step on cards that are not here"])
    assert direct[-2:] == ["4.0 %", "30.0 %"]
    assert scaled[1:] == ["90", "5.0 %", "30.0 %", "90.0 %", "4.0 %", "20.0 %"]


def test_verdicts_are_shares_of_runs():
    told = Figures(760, wrongly_fits=0.0, wrongly_refused=0.02, tight_of_ran=0.036, wrong=0.018)
    assert cells(tables(("fit_profet", told))["Does it fit?"])[0][1:] == [
        "760",
        "0.0 %",
        "2.0 %",
        "3.6 %",
        "1.8 %",
        NONE,
    ]


def test_others_stand_beside_ours_on_the_same_rows_and_papers_apart():
    peers = (SameRows("NeuSight", "time", 113, 0.074, 0.28, 0.086), SameRows("xMem", "memory", 25, 0.042, 0.14, None))
    paper = Published("Habitat", "time", "average", 0.118, verbatim("five networks"), "a paper")
    shown = tables(("peers", Figures(138, peers=peers)), published=(paper,))
    assert [row[-1] for row in cells(shown["Others, on the same measured rows"])] == ["8.6 %", NONE]
    stated = cells(shown["What others state of themselves, on data of their own"])
    assert stated == [["Habitat", "average 11.8 %", "time: five networks", "a paper"]]
