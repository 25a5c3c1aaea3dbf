"""The memory table: what was drawn, what is measured, and what the command shows of it; no TensorFlow."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from studies.accuracy import memory, memory_draw, memory_networks, memory_rows, truth, truth_child
from studies.accuracy.figures import Pair

HELD = {n.name for n in memory_networks.NETWORKS.values() if n.group == "held"}


def test_the_draw_is_the_same_every_time_and_another_with_another_seed():
    assert memory_draw.draw() == memory_draw.draw()
    assert memory_draw.draw() != memory_draw.draw(memory_draw.SEED + 1)


def test_the_draw_covers_the_matrix():
    drawn = [row for row in memory_rows.rows() if row.drawn]
    assert {row.optimizer for row in drawn} == set(memory_draw.OPTIMIZERS)
    dealt = Counter(row.optimizer for row in drawn).values()
    assert max(dealt) - min(dealt) <= 2
    assert {row.batch for row in drawn} == {1, 2, 4, 8, 16, 32, 64}
    assert {row.precision for row in drawn} == {"float32", *memory_draw.PRECISIONS}
    assert {row.kind for row in drawn} == {"op by op", "mixed", "XLA", "freeze", "accumulate", "remat"}


def test_every_drawn_network_is_held_and_measured_op_by_op():
    plain = {row.network for row in memory_rows.rows() if row.drawn and row.kind == "op by op"}
    assert plain == {c.network for c in memory_draw.candidates()}
    assert plain <= HELD


def test_at_least_half_of_the_networks_are_held_in_every_family():
    networks = memory_networks.NETWORKS.values()
    assert len(networks) >= 24
    assert len(HELD) >= len(networks) / 2
    assert {n.family for n in networks} == {n.family for n in networks if n.group == "held"}


def test_every_row_belongs_to_a_network_with_a_family():
    assert {row.network for row in memory_rows.rows()} == set(memory_networks.NETWORKS)
    assert all(row.family != "other" for row in memory_rows.rows())


def test_xla_needs_one_process_and_the_rest_as_many_as_asked(tmp_path, monkeypatch):
    monkeypatch.setattr(truth, "TRUTH_FILE", tmp_path / "truth.csv")
    plain = next(row for row in memory_rows.rows() if row.xla == "off")
    compiled = next(row for row in memory_rows.rows() if row.xla == "on")
    assert truth.missing([plain, compiled], 3) == [plain, compiled]
    truth.store([taken(plain, repeats=2), taken(compiled, repeats=1)])
    assert truth.missing([plain, compiled], 3) == [plain]


def test_a_round_of_accumulation_ends_with_its_update():
    trained = []
    peaks = truth_child.round_peaks(lambda: trained.append(1), 4, lambda: len(trained))
    assert peaks == [4, 8, 12]


def test_held_rows_are_counted_and_never_shown():
    rows = [row for row in memory_rows.rows() if row.kind == "op by op"]
    judged = [one(row) for row in rows]
    answer = memory.answer_of(judged, missing=0)
    assert answer["n"] == len(rows)
    assert {r["group"] for r in answer["rows"]} == {"open"}
    assert answer["groups"]["op by op, held"]["n"] == sum(row.group == "held" for row in rows)
    assert not [row.label for row in rows if row.group == "held" and row.label in json.dumps(answer)]


def test_no_figure_stands_for_one_or_two_held_rows():
    rows = [row for row in memory_rows.rows() if row.group == "held"]
    figures = memory.figures_by([one(row) for row in rows], lambda j: j.row.family)
    assert sum(f["n"] for name, f in figures.items() if name.endswith(", held")) == len(rows)
    assert all(f["n"] >= memory.FEWEST for f in figures.values())
    assert memory.figures_by([one(row) for row in rows[:2]], lambda j: j.row.family) == {}


def test_open_rows_are_not_hidden():
    row = next(row for row in memory_rows.rows() if row.group == "open")
    assert set(memory.figures_by([one(row)], lambda j: j.row.kind)) == {f"{row.kind}, open"}


def taken(row, repeats=3):
    return truth.Truth(row, 100, 90, 110, 120, repeats, "a processor, 2 threads", "2.21.0", "3.15.1", "2026-01-02")


def one(row):
    return memory.Judged(row, taken(row), Pair(101, 100, 95, 112, 110), Pair(50, 100))


@pytest.mark.parametrize("name", ["groups", "families"])
def test_the_tables_hold_every_figure(name):
    answer = memory.answer_of([one(row) for row in memory_rows.rows()], missing=0)
    lines = memory.figures_table("title", answer[name]).splitlines()
    assert len(lines) == 3 + len(answer[name])
