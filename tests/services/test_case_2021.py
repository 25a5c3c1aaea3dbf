"""Case S1: one card of 6 GB of which 3961 MB were free for TensorFlow, one small network, three batch sizes."""

import io
import json
from contextlib import redirect_stdout
from dataclasses import replace

import pytest

from app.catalog.datasets import find_dataset, load_catalog_datasets
from app.catalog.paths import resource_path
from app.cli.output import estimate_json
from app.cli.text import show
from app.core.predict.batch_sizes import ROOM_LEFT
from app.core.predict.estimate import Estimator
from app.core.predict.knowledge import Knowledge
from app.core.predict.time import Rates
from app.core.simulate.device import allowed_memory, choose_device
from app.core.types.units import GIB, MIB
from app.core.types.workload import ModelRef, Plan, Workload
from app.presentation.estimate import estimate_blocks
from app.presentation.fit import fit_state
from app.presentation.verdict import verdict_state
from app.services.store.shipped_graphs import read_graph
from tests.core.machines import HOST_RATES, card, desktop

ALLOWED_BYTES = 3961 * MIB
DISK_BYTES = 37_500_000
"""Fashion-MNIST on disk, as the author counted it."""


@pytest.fixture(scope="module")
def ask():
    estimator = Estimator(read_graph(resource_path("graphs") / "fashion_mnist_cnn.json.gz"))
    data = replace(find_dataset("fashion_mnist", load_catalog_datasets()), bytes_on_disk=DISK_BYTES)

    def answer(batch, jit=None):
        plan = Plan(batch_size=batch, epochs=15, jit=jit)
        workload = Workload(ModelRef("catalog", "fashion_mnist_cnn"), data, plan)
        return estimator.predict(workload, _machine(), Knowledge(Rates(HOST_RATES)))

    return answer


def _machine():
    """The author's computer: 64 GB, and a card that leaves TensorFlow 3961 MB."""
    roomy = desktop(card(gib=64, held_gib=0))
    kept = 64 * GIB - allowed_memory(roomy, choose_device(roomy, "auto")).bytes
    free = (ALLOWED_BYTES + kept) / GIB
    return desktop(card(gib=6, held_gib=6 - free), ram_gib=64)


def printed(prediction):
    out = io.StringIO()
    with redirect_stdout(out):
        show(*estimate_blocks(prediction))
    return " ".join(out.getvalue().split())


def test_tensorflow_may_use_what_its_own_report_said(ask):
    assert ask(256).fit.allowed_bytes == pytest.approx(ALLOWED_BYTES, abs=MIB)


@pytest.mark.parametrize("jit", [None, False])
@pytest.mark.parametrize(("batch", "verdict"), [(256, "fits"), (32768, "does_not_fit")])
def test_what_fits_and_what_does_not(ask, batch, verdict, jit):
    assert ask(batch, jit).fit.verdict == verdict


def test_what_is_tight_as_the_author_trained_finds_no_place_when_it_is_compiled(ask):
    """An emulated card dies of 4,096 samples with XLA, though its peak, 3,848 MiB in a larger one, would fit."""
    assert ask(4096, False).fit.verdict == "tight"
    compiled = ask(4096)
    assert compiled.fit.verdict == "does_not_fit"
    assert compiled.memory.allocator_peak_bytes == pytest.approx(3848 * MIB, rel=0.01)
    assert compiled.fit.reasons[0].startswith("finds no place in one piece")


def test_tight_means_that_workspace_may_be_refused_and_says_so_everywhere(ask):
    found = ask(4096, False)
    assert "workspace" in found.fit.reasons[0]
    assert "not a failure" in found.fit.reasons[0]
    assert found.memory.allocator_peak_bytes < ALLOWED_BYTES
    assert found.memory.wanted_workspace_bytes > 2 * GIB
    assert "not a failure" in printed(found)
    assert any("not a failure" in reason for reason in verdict_state(found).reasons)


def test_sixteen_times_the_batch_is_not_the_best_one(ask):
    fit = ask(256, False).fit
    assert fit.best_batch_size < 4096 < fit.max_batch_size < 32768
    assert ask(fit.max_batch_size, False).fit.verdict == "tight"
    assert ask(fit.max_batch_size + 1, False).fit.verdict == "tight"
    assert ask(int(fit.max_batch_size * (1 + 2 * ROOM_LEFT)), False).fit.verdict == "does_not_fit"


def test_the_rule_of_thumb_stands_beside_the_answer_in_text_json_and_window(ask):
    found = ask(256)
    assert found.rule_of_thumb_bytes == 35 * DISK_BYTES
    assert "35 × the dataset says 1.2 GiB" in printed(found)
    assert "ignores the network and the batch" in printed(found)
    assert estimate_json(found)["textbook"]["rule_of_thumb_bytes"] == 35 * DISK_BYTES
    assert fit_state(found).rule_of_thumb_bytes == 35 * DISK_BYTES


def test_the_rule_of_thumb_says_the_same_for_every_batch_and_the_answer_does_not(ask):
    small, large = ask(256), ask(4096)
    assert small.rule_of_thumb_bytes == large.rule_of_thumb_bytes
    assert large.memory.allocator_peak_bytes > 8 * small.memory.allocator_peak_bytes
    assert large.rule_of_thumb_bytes < large.memory.low_bytes


@pytest.mark.parametrize("batch", [16, 256, 4096])
def test_a_textbook_that_is_off_by_more_than_a_third_has_its_reason_in_text_json_and_window(ask, batch):
    found = ask(batch)
    off = abs(found.textbook_bytes / found.memory.allocator_peak_bytes - 1) > 1 / 3
    assert bool(found.textbook_reason) == off
    document = json.loads(json.dumps(estimate_json(found)))["textbook"]
    assert document["bytes"] == found.textbook_bytes
    assert document["why_it_differs"] == (found.textbook_reason or None)
    assert found.textbook_reason in printed(found)
    assert fit_state(found).textbook_reason == found.textbook_reason
