"""The arithmetic of the capped reruns; no TensorFlow."""

from __future__ import annotations

from dataclasses import replace

from app.core.types.units import MIB
from studies.accuracy import cap, memory_rows, truth

ROW = next(row for row in memory_rows.rows() if row.group == "open")
ALIVE, DEAD = cap.Ending(100, True), cap.Ending(90, False, "died")


def test_a_cap_never_allows_more_than_was_promised():
    assert cap.cap_mib(100 * MIB) == 100
    assert cap.cap_mib(100 * MIB - 1) == 99
    assert cap.cap_mib(10) == 1


def test_the_share_that_survives_is_counted_by_kind_and_by_xla():
    compiled = replace(ROW, xla="on")
    found = [
        cap.Capped(ROW, 90 * MIB, {"predicted": ALIVE, "refined": DEAD}),
        cap.Capped(compiled, 90 * MIB, {"predicted": ALIVE, "refined": ALIVE}),
        cap.Capped(ROW, 90 * MIB, {"predicted": ALIVE}),
    ]
    answer = cap.answer_of(found)
    assert (answer["predicted_survive"], answer["refined_survive"]) == (1.0, 0.5)
    assert answer["groups"]["refined, XLA off"] == 0.0
    assert answer["groups"]["refined, XLA on"] == 1.0
    assert "111.1 %" in cap.rows_table(found)
    assert cap.survival([], "predicted") is None


def test_rows_are_drawn_from_every_kind_and_always_the_same():
    rows = list(memory_rows.rows())
    known = {row.key: truth.Truth(row, 1, 1, 1, 1, 1, "", "", "", "") for row in rows[1:]}
    drawn = cap.chosen(rows, known)
    assert len(drawn) == min(cap.COUNT, len(known))
    assert rows[0] not in drawn
    assert {row.kind for row in drawn} == {row.kind for row in rows}
    assert drawn == cap.chosen(rows, known)
    assert cap.chosen(rows, {}) == []


def test_a_death_is_told_in_the_allocators_words():
    told = "W Allocator (mklcpu) ran out of memory trying to allocate 64.00MiB (rounded to 67108864)\nSegmentation"
    assert cap.why(-11, told) == "died (-11): ran out of memory trying to allocate 64.00MiB"
    assert cap.why(1, "") == "died (1): "
    assert cap.why(1, "a\nb\n") == "died (1): b"
