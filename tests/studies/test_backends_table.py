"""The table of other backends: which rows it has and what it shows of them; no framework."""

from __future__ import annotations

from dataclasses import replace

from app.core.types.predicted_memory import MemoryParts, PredictedMemory
from app.core.types.units import MIB
from studies.accuracy import backends
from studies.accuracy.backends import Judged

MEMORY = PredictedMemory(100 * MIB, 80 * MIB, 120 * MIB, 100 * MIB, 0, None, MemoryParts(), "traced", "")


def test_ten_open_rows_and_every_held_network_once():
    chosen = backends.chosen_rows()
    assert len([row for row in chosen if row.group == "open"]) == len(backends.OPEN) == 10
    held = [row.network for row in chosen if row.group == "held"]
    assert len(held) == len(set(held)) >= 10


def test_held_rows_are_counted_and_never_listed():
    judged = [Judged(row, MEMORY, 100 * MIB, "somebody") for row in backends.chosen_rows()]
    judged[0] = replace(judged[0], memory=replace(MEMORY, basis="formula"))
    answer = backends.answer_of(judged, "jax", "cpu")
    printed = backends.rows_table(judged) + backends.groups_table(judged) + str(answer["rows"])
    assert answer["n"] == len(judged)
    assert set(answer["groups"]) == {"open, range", "open, followed", "held, followed"}  # type: ignore[call-overload]
    assert all(row.label in printed for row in backends.chosen_rows() if row.group == "open")
    assert not any(row.network in printed for row in backends.chosen_rows() if row.group == "held")
