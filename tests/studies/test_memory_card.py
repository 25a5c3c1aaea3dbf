"""The card table: what was drawn, what a folder holds, its arithmetic, and what it shows of held rows."""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from dataclasses import replace

import pytest

from app.core.types.workload import Plan
from studies.accuracy import card_folder, card_truth, memory_card
from studies.accuracy.card_folder import Asked, Failed
from studies.accuracy.card_judging import FEWEST, Answer, Judged, answer_of, by_xla, figures_by, largest_figures
from studies.accuracy.card_rows import CARDS, NETWORKS, CardRow, draw, in_order_of_measuring
from studies.accuracy.card_truth_child import as_elements
from studies.accuracy.product import OWN_FOLDER_VARIABLE
from studies.accuracy.truth_table import TruthTable

HEAD = "model,card,batch,optimizer,precision,xla,steady_peak_bytes,first_step_peak_bytes,largest_batch\n"


def asked(group="open", label="a", family="MLP, mixer", **truths):
    return Asked(label, group, family, "Tesla T4", Plan(8), **truths)


def answer(peak=100, *, high=120, first=None, largest=None, compiled=False):
    return Answer(peak, 80, high, first, largest, None, compiled, "other")


def folder_with(tmp_path, *lines):
    (tmp_path / "memory_card.csv").write_text(HEAD + "\n".join(lines), encoding="utf-8")
    return tmp_path


def test_the_draw_is_the_same_every_time_and_another_with_another_seed():
    assert draw() == draw()
    assert draw() != draw(seed=1)


def test_each_level_of_each_factor_is_in_at_least_thirty_of_three_hundred_rows():
    rows = draw()
    assert len(set(rows)) == len(rows) == 300
    for factor in ("card", "optimizer", "precision", "xla"):
        assert min(Counter(getattr(row, factor) for row in rows).values()) >= 30
    assert {row.precision for row in rows if not CARDS[row.card].bfloat16} == {"float32", "mixed_float16"}


def test_half_of_at_least_24_networks_are_held_and_all_are_drawn():
    assert len(NETWORKS) >= 24
    assert Counter(network.group for network in NETWORKS.values()) == {"open": 15, "held": 15}
    assert {row.network for row in draw()} == set(NETWORKS)


def test_rows_without_xla_come_first_in_each_block_and_none_is_lost():
    ordered = in_order_of_measuring(draw())
    assert sorted(ordered, key=lambda row: row.key) == sorted(draw(), key=lambda row: row.key)
    modes = [row.xla for row in ordered[:60]]
    assert modes == sorted(modes, reverse=True)


def test_stored_truths_are_of_the_draw_and_each_has_its_versions():
    drawn = {row.key for row in draw()}
    for key, truth in card_truth.TRUTHS.load().items():
        assert key in drawn
        assert all(truth[name] for name in card_truth.VERSIONS)
    stored, failed = card_folder.stored()
    assert (len(stored), failed) == (len(card_truth.TRUTHS.load()), [])


def test_a_truth_that_was_measured_twice_stands_beside_what_is_told_of_the_same_rows():
    twice = Judged(asked(steady_peak_bytes=100, steady_again_bytes=103), answer(peak=101))
    once = Judged(asked(steady_peak_bytes=100), answer(peak=150))
    figures = answer_of([twice, once], [])["again"]
    assert {name: round(found["worst_error"], 6) for name, found in figures.items()} == {
        "XLA off, open, again": 0.03,
        "XLA off, open, told": 0.01,
    }
    assert answer_of([once], [])["again"] == {}


def test_a_folder_is_read_with_its_empty_cells_and_files_beside_it(tmp_path):
    (tmp_path / "own.keras").touch()
    folder = folder_with(
        tmp_path,
        "own,RTX 2060,8,Adam,float32,auto,1000,,",
        "own.keras,T4,8,sgd,mixed_float16,on,,2000,",
        "resnet50,GeForce RTX 3080 10GB,16,adamw,float32,off,,,46",
    )
    rows, failed = card_folder.of_folder(folder)
    assert failed == []
    assert [row.model for row in rows] == [str(tmp_path / "own.keras")] * 2 + ["resnet50"]
    assert [row.card for row in rows] == ["GeForce RTX 2060 6GB", "Tesla T4", "GeForce RTX 3080 10GB"]
    assert [row.plan.jit for row in rows] == [None, True, False]
    assert [row.plan.optimizer for row in rows] == ["adam", "sgd", "adamw"]
    truths = [(row.steady_peak_bytes, row.first_step_peak_bytes, row.largest_batch) for row in rows]
    assert truths == [(1000, None, None), (None, 2000, None), (None, None, 46)]


@pytest.mark.parametrize(
    "line",
    [
        "resnet50,T4,many,adam,float32,off,1,,",
        "resnet50,T4,0,adam,float32,off,1,,",
        "resnet50,T4,8,adam,float8,off,1,,",
        "resnet50,T4,8,nobody,float32,off,1,,",
        "resnet50,T4,8,adam,float32,perhaps,1,,",
        "resnet50,T4,8,adam,float32,off,-1,,",
        "resnet50,T4,8,adam,float32,off,,,",
    ],
)
def test_a_line_that_cannot_be_read_is_named_and_counted(tmp_path, line):
    rows, failed = card_folder.of_folder(folder_with(tmp_path, line, "resnet50,T4,8,adam,float32,off,1,,"))
    assert len(rows) == len(failed) == 1
    assert failed[0].label.startswith("line 2: resnet50 T4")
    told = answer_of([], failed)
    assert told["rows_without_answer"] == 1
    assert told["without_answer"][0]["row"] == failed[0].label


def test_a_folder_without_the_table_ends_with_a_word(tmp_path):
    with pytest.raises(SystemExit, match=r"no memory_card\.csv"):
        card_folder.of_folder(tmp_path)


def test_a_folders_rows_are_predicted_and_what_nobody_knows_is_counted(tmp_path, monkeypatch):
    monkeypatch.setenv(OWN_FOLDER_VARIABLE, str(tmp_path / "own"))
    folder = folder_with(
        tmp_path,
        "fashion_mnist_cnn,RTX 2060,64,adam,float32,off,1,1,100000",
        "fashion_mnist_cnn,no such card,64,adam,float32,off,1,,",
        "no_such_network,T4,64,adam,float32,off,1,,",
    )
    rows, unread = card_folder.of_folder(folder)
    judged, failed = memory_card.judge(rows, trust=False)
    assert (len(judged), len(failed), unread) == (1, 2, [])
    told = judged[0].told
    assert 0 < told.low_bytes < told.peak_bytes < told.high_bytes
    assert told.first_step_peak_bytes
    assert told.largest_batch
    assert told.largest_batch > 64
    assert (told.compiled, told.family) == (False, "2-D CNN")
    assert "no such card" in failed[0].label


def test_a_largest_batch_in_another_memory_is_not_compared_and_said(monkeypatch):
    told = replace(answer(largest=90), allowed_mib=4000)
    monkeypatch.setattr(memory_card, "open_advisor", lambda: None)
    monkeypatch.setattr(memory_card, "predict", lambda *_, **__: told)
    rows = [asked(label=f"within {mib}", largest_batch=100, largest_within_mib=mib) for mib in (None, 4000, 5000)]
    judged, failed = memory_card.judge(rows, trust=False)
    assert largest_figures(judged)["n"] == 2
    assert [one.label for one in failed] == ["within 5000"]
    assert "5000 MiB, and 4000" in failed[0].why


def test_figures_stand_by_xla_and_half_and_count_what_is_above_and_inside():
    judged = [
        Judged(asked(steady_peak_bytes=100), answer(110)),
        Judged(asked(steady_peak_bytes=150), answer(120)),
        Judged(asked(steady_peak_bytes=50), answer(100, compiled=True)),
        Judged(asked(first_step_peak_bytes=50), answer(100, first=60)),
    ]
    found = answer_of(judged, [])
    assert set(found["xla"]) == {"XLA off, open", "XLA on, open"}
    off = found["xla"]["XLA off, open"]
    assert (off["n"], off["coverage"], off["truth_above_high"]) == (2, 0.5, 0.5)
    assert off["median_error"] == pytest.approx(0.15)
    assert off["high_over_truth"] == pytest.approx((120 / 100 + 120 / 150) / 2)
    assert found["first_step"]["XLA off, open"]["median_signed_error"] == pytest.approx(0.2)
    assert (found["n"], found["rows_judged"]) == (3, 4)


def test_a_largest_batch_must_train_and_be_near():
    judged = [Judged(asked(largest_batch=100), answer(largest=said)) for said in (100, 96, 90, 101, None)]
    found = largest_figures(judged)
    assert (found["n"], found["trains"], found["near"], found["trains_and_near"]) == (5, 0.8, 0.6, 0.4)


def test_held_rows_are_counted_and_never_shown():
    held = [Judged(asked("held", f"secret{n}", steady_peak_bytes=100 + n), answer()) for n in range(5)]
    found = answer_of([*held, Judged(asked(steady_peak_bytes=7), answer())], [Failed("secret9", "held", "secret why")])
    assert found["xla"]["XLA off, held"]["n"] == 5
    assert [row["row"] for row in found["rows"]] == ["a"]
    assert found["rows_without_answer"] == 1
    assert "secret" not in json.dumps(found)


def test_no_figure_stands_for_fewer_held_rows_than_may_be_shown():
    def steady(judged):
        return {"n": len(judged)}

    few = [Judged(asked("held", steady_peak_bytes=9), answer(compiled=n % 2 == 0)) for n in range(FEWEST)]
    assert figures_by(few, by_xla, steady) == {"others, held": {"n": FEWEST}}
    assert figures_by(few[1:], by_xla, steady) == {}


@pytest.mark.skipif(
    not (os.environ.get(card_truth.DRIVER_VARIABLE) and os.environ.get(card_truth.PYTHON_VARIABLE)),
    reason=f"{card_truth.DRIVER_VARIABLE} and {card_truth.PYTHON_VARIABLE} name no emulated card and no CUDA wheels",
)
def test_the_emulated_card_trains_a_row_and_its_truth_is_stored(tmp_path):
    table = TruthTable(tmp_path / "truth.csv", card_truth.TRUTHS.key, card_truth.TRUTHS.answer)
    row = CardRow("mlp", "T4", 16, "sgd", "float32", "off")
    card_truth.measure_all([row], time.monotonic() + 60, table)
    truth = table.load()[row.key]
    assert 0 < int(truth["steady_peak_bytes"]) < 1 << 30
    assert int(truth["first_step_peak_bytes"]) > 0


def test_a_batch_of_several_inputs_stays_several():
    assert as_elements(([1, 2], [3])) == ((1, 2), (3,))
    assert as_elements((1, 2)) == (1, 2)
