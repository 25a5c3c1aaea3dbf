"""The accuracy commands' tables of configurations, and the verdict arithmetic; no TensorFlow."""

from __future__ import annotations

import ast
from dataclasses import replace

import pytest

from app.core.timing.card_steptime import CardStep
from app.core.timing.card_transfer import CardCase
from studies.accuracy import fit_profet, memory_rows, published, step_times, truth
from studies.accuracy.figures import Pair
from tests.core.machines import card

DEVELOPED_WITH = set(
    "fashion_mnist_cnn cnn_58m resnet50 vgg16 mobilenetv2 unet transformer_small lstm_2 efficientnetb0 "
    "densenet121 mlp".split()
)


def test_no_row_uses_a_network_of_the_development():
    assert not {row.network for row in memory_rows.rows()} & DEVELOPED_WITH


def test_rows_are_unique_and_no_network_is_both_open_and_held():
    rows = memory_rows.rows()
    assert len({row.key for row in rows}) == len(rows)
    groups = {}
    for row in rows:
        groups.setdefault(row.network, set()).add(row.group)
    assert {network for network, found in groups.items() if len(found) > 1} == set()


def test_every_row_is_a_workload():
    for row in memory_rows.rows():
        workload = row.workload()
        assert workload.plan.batch_size == row.batch
        assert workload.plan.jit is (row.xla == "on")
        assert (workload.model.kind == "code") == (workload.model.path is not None)


def test_published_networks_exist():
    tree = ast.parse(published.NETWORKS_FILE.read_text(encoding="utf-8"))
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert set(published.PROFET_NETWORKS.values()) <= functions
    assert set(published.LAMBDA_NETWORKS.values()) <= functions


def test_truth_survives_its_file(tmp_path, monkeypatch):
    monkeypatch.setattr(truth, "TRUTH_FILE", tmp_path / "truth.csv")
    row = memory_rows.rows()[0]
    taken = truth.Truth(row, 100, 90, 110, 120, 2, "a processor, 2 threads", "2.21.0", "3.15.1", "2026-01-02")
    truth.store([taken])
    assert truth.load() == {row.key: taken}


def test_stored_truths_belong_to_rows():
    rows = {row.key: row for row in memory_rows.rows()}
    for key, taken in truth.load().items():
        assert key in rows
        assert taken.lowest_bytes <= taken.peak_bytes <= taken.highest_bytes


def verdicted(*, ran, verdict):
    return fit_profet.Verdicted("card", "net", 32, 16, ran, verdict, 10, 12, 11, 20, 3)


def test_wrong_verdicts_are_counted_over_the_runs_they_belong_to():
    found = [verdicted(ran=True, verdict=v) for v in ("fits", "fits", "tight", "does_not_fit")]
    found += [verdicted(ran=False, verdict=v) for v in ("fits", "tight")]
    answer = fit_profet.answer_of(found)
    assert answer["wrongly_refused"] == pytest.approx(1 / 4)
    assert answer["wrongly_fits"] == pytest.approx(1 / 2)
    assert answer["wrong"] == pytest.approx(2 / 6)
    assert answer["tight_of_ran"] == pytest.approx(1 / 4)


def test_scaling_from_one_card_uses_every_ordered_pair():
    step = CardStep(compute_s=2.0, memory_s=0, latency_s=0, copy_s=0, launching_s=0.1, between_s=0.0)
    slow_card = card("slow", tensor_fp16_flops_per_s=None)
    slow = step_times.Timed(
        "slow", slow_card, "net", 32, ("fp32",), Pair(2.0, 4.0), 1.0, "compute", CardCase(step, slow_card, "float32")
    )
    half = replace(step, compute_s=1.0)
    fast = replace(slow, card="fast", pair=Pair(1.0, 2.0), case=replace(slow.case, step=half))
    waiting = replace(fast, card="waiting", case=replace(slow.case, step=replace(half, launching_s=3.0)))
    alone = replace(slow, network="other")
    figures = step_times.answer_of("t", [slow, fast, alone], 3)["one_card"]
    assert (figures["n"], figures["out_of_range"]) == (2, 0)
    assert figures["median_error"] == pytest.approx(0.0)
    assert figures["coverage"] == 1
    assert step_times.answer_of("t", [slow, waiting], 2)["one_card"]["out_of_range"] == 1
