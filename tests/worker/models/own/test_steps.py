"""A training step of the author's own is called with what ``fit`` would hand to it."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from app.core.types.workload import Dataset, Plan
from tests.fakes.own_code import allowed_data
from tests.worker.models.own.tracing import traced

pytestmark = pytest.mark.worker

PROGRAMS = Path(__file__).with_name("step_programs.py")


TAKEN = {
    "pair": [[32], []],
    "pair_not_compiled": [[32], []],
    "three_parts": [[32], [], []],
    "handed_to_keras": [[32], [1]],
    "single_tensor": [[32]],
    "within_a_graph": [[32]],
    "no_call": [[16, 16, 1]],
    "adversaries": [[16, 16, 1]],
    "diffusion": [[16, 16, 3]],
    "by_name_with_a_batch": [[12], [], [12]],
    "called_on_a_dict": [[16], [16], []],
    "by_name on named_batches": [[12], [], [12]],
    "conditional on rows_and_labels": [[16], [10]],
    "no_call on images_alone": [[16, 16, 1]],
    "never_built on dictionaries_and_labels": [[5], [7], []],
    "two_sizes on many_and_few": [[16], [], [16], []],
}
"""Shapes of all parts of the batch that a step is given."""
REFUSED = {
    "by_name": ("does not say what its input looks like", "--dataset"),
    "adversaries_nobody_compiled": ("compile of its own", "compile the model"),
    "needs_labels": ("nothing but the data knows", "--dataset"),
}
TRAINED = (
    "three_parts",
    "single_tensor",
    "adversaries",
    "by_name_with_a_batch",
    "by_name on named_pipeline",
    "conditional on rows_and_labels",
    "no_call on images_alone",
    "two_sizes on many_and_few",
)


def asked(name, more=None):
    """The arguments of a job: a function of the file, alone or on the data of another."""
    function, _, data = name.partition(" on ")
    dataset = Dataset(data, "code", str(PROGRAMS), function=data, real=True)
    described = {"dataset": dataclasses.asdict(allowed_data(dataset))} if data else {}
    return {"function": function, **described, **(more or {})}


@pytest.fixture(scope="module")
def answers():
    short = dataclasses.asdict(Plan(8, jit=False, device="cpu")) | {"seconds": 0.3, "job": "bench"}
    cases = {name: asked(name) for name in (*TAKEN, *REFUSED)}
    return traced(PROGRAMS, cases | {f"train {name}": asked(name, short) for name in TRAINED})


@pytest.mark.parametrize("name", TAKEN)
def test_a_step_is_given_what_its_author_takes(answers, name):
    answer = answers[name]
    assert answer.get("gradients"), answer
    assert answer["input_shapes"] + answer["output_shapes"] == TAKEN[name]


def test_every_optimizer_of_a_model_updates_its_own_weights(answers):
    assert answers["adversaries"]["gradients"] == 8
    captured = answers["adversaries"]["captured"]
    assert dict(captured["settings"])["optimizer"] == "rmsprop"
    assert "several optimizers" in str(captured["told"])


@pytest.mark.parametrize("name", TRAINED)
def test_a_benchmark_trains_it_on_the_same_batches(answers, name):
    answer = answers[f"train {name}"]
    assert answer.get("measurement"), answer
    assert answer["measurement"]["first_step_s"] > 0
    assert answer["environment"]["data"] == ("read" if " on " in name else "made up")


@pytest.mark.parametrize("name", REFUSED)
def test_what_nobody_can_know_is_asked_for(answers, name):
    told, hint = REFUSED[name]
    assert told in str(answers[name]["message"])
    assert hint in str(answers[name]["hint"])
