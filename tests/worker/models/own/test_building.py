"""Code that looks at its weights while it builds a model runs as in bare Keras, and a huge model takes no memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.worker.models.own.tracing import functions_of, traced

pytestmark = pytest.mark.worker

PROGRAMS = Path(__file__).with_name("building_programs.py")
FUNCTIONS = functions_of(PROGRAMS, "network")


@pytest.fixture(scope="module")
def answers():
    return traced(PROGRAMS, {name: {"function": name} for name in FUNCTIONS})


@pytest.mark.parametrize("name", FUNCTIONS)
def test_code_that_looks_at_weights_is_answered(answers, name):
    assert answers[name].get("gradients"), answers[name]


def test_models_larger_than_the_memory_that_they_are_built_in_are_answered(answers):
    assert answers["huge_called_once"]["params"] > 700e6
    assert answers["larger_than_any_memory"]["params"] > 2**36
    assert max(answer["held_bytes"] for answer in answers.values()) < 1.5e9


def test_a_model_that_was_called_once_is_asked_for_what_it_was_called_with(answers):
    assert answers["called_once"]["input_shapes"] == answers["built_by_shape"]["input_shapes"] == [[32]]
    assert (answers["tied_in_a_subclass"]["input_shapes"], answers["tied_in_a_subclass"]["input_dtypes"]) == (
        [[16]],
        ["int32"],
    )
