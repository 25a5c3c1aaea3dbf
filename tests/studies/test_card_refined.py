"""The table of refined answers on a card, without a card."""

from __future__ import annotations

import pytest

from studies.accuracy.card_refined import Refined, answer_of, compiled_rows, groups, rows_table, words_of
from studies.accuracy.card_rows import NETWORKS, CardRow
from studies.accuracy.command import figures_table
from studies.accuracy.figures import Pair

OPEN = CardRow("mlp", "T4", 16, "adam", "mixed_float16", "auto")
HELD = CardRow("mobilenet", "T4", 8, "sgd", "float32", "auto")


def refined(row, told):
    return Refined(row, Pair(150, 100, 50, 200), Pair(told, 100, 90, 110), 20.0)


def test_only_rows_that_xla_compiles_are_asked():
    rows = compiled_rows(50)
    assert len(rows) == 50
    assert {row.xla for row in rows} == {"auto"}
    assert "recurrent" not in {NETWORKS[row.network].family for row in rows}


def test_a_row_is_asked_as_a_user_would():
    assert words_of(HELD) == (
        "estimate mobilenet --batch-size 8 --optimizer sgd --precision float32 --input-shape 128x128x3".split()
    )
    own = words_of(OPEN)
    assert own[1].endswith(".py:mlp")
    assert own[-1] == "--trust"


def test_each_half_has_its_figures_before_and_after_and_no_held_row_is_shown():
    found = [refined(OPEN, 101), refined(HELD, 98)]
    answer = answer_of(found)
    assert answer["groups"]["open, from the graph"]["median_error"] == 0.5
    assert answer["groups"]["held, refined"]["median_error"] == pytest.approx(0.02)
    assert "mobilenet" not in rows_table(found)
    assert "mobilenet" not in str(answer["rows"])
    assert "held, refined" in figures_table("steady peak", groups(found))
