"""What is stored of cards whose autotuners are on, and how it is put together."""

from __future__ import annotations

from studies.accuracy import card_truth
from studies.accuracy.card_judging import figures_of_largest
from studies.accuracy.card_largest import AUTOTUNED, SMALL, small_rows
from studies.accuracy.card_shown import ROWS, Compared, groups, largest_by_group
from studies.accuracy.figures import Pair


def test_forty_rows_on_small_cards_were_measured_within_a_memory():
    truths = AUTOTUNED.load()
    rows = small_rows(ROWS)
    assert len(truths) == len(rows) == ROWS
    assert {row.key for row in rows} == set(truths)
    assert {row.card for row in rows} == set(SMALL)
    assert all(int(truth["largest_within_mib"]) > 4000 for truth in truths.values())


def test_autotuners_show_no_less_than_the_same_row_without_them():
    plain = card_truth.TRUTHS.load()
    for key, truth in AUTOTUNED.load().items():
        assert int(truth["first_step_peak_bytes"]) > 0.9 * int(plain[key]["first_step_peak_bytes"])


def test_figures_say_how_often_at_least_as_much_is_told_as_is_shown():
    off = next(row for row in small_rows(ROWS) if (row.xla, row.group) == ("off", "open"))
    found = groups(
        [Compared(off, Pair(told, 100), Pair(100, 100, 90, 110), Pair(told, 100)) for told in (90, 100, 120)]
    )
    assert set(found) == {"shown, XLA off, open", "a step, XLA off, open"}
    assert found["shown, XLA off, open"]["not_less"] == 2 / 3
    assert found["a step, XLA off, open"]["coverage"] == 1


def test_a_largest_batch_is_counted_where_one_was_searched():
    row = next(row for row in small_rows(ROWS) if (row.xla, row.group) == ("auto", "held"))
    one = Pair(100, 100, 90, 110)
    found = largest_by_group([Compared(row, one, one, largest) for largest in (None, Pair(96, 100), Pair(101, 100))])
    assert found == {"XLA auto, held": figures_of_largest([Pair(96, 100), Pair(101, 100)])}
    assert found["XLA auto, held"]["trains"] == 0.5
    assert largest_by_group([Compared(row, one, one, None)]) == {}
