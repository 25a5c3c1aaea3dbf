"""Losses by name meet their outputs, functions get what their arguments are called after, a file's model is taken."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.worker.models.own.tracing import traced

pytestmark = pytest.mark.worker

PROGRAMS = Path(__file__).with_name("named_programs.py")
IMAGES = {"name": "data", "kind": "images", "sample_shape": [48, 48, 3], "dtype": "uint8", "classes": 7}
TEXTS = {"name": "data", "kind": "described", "sample_shape": [33], "dtype": "int32", "classes": 2}
CASES = {
    "losses_by_name_of_a_list": {},
    "losses_by_name_of_a_dictionary": {},
    "losses_by_name_of_a_subclass": {},
    "one_value_each": {},
    "one_word": {},
    "images": {"function": "usual_names", "dataset": IMAGES},
    "given": {"function": "usual_names", "arguments": ["num_classes=9", "depth=2", "image_size=32"]},
    "over data": {"function": "usual_names", "arguments": ["num_classes=9"], "dataset": IMAGES},
    "asked size": {"function": "usual_names", "arguments": ["num_classes=9"], "image_size": [40, 40]},
    "missing": {"function": "usual_names"},
    "unknown": {"function": "usual_names", "arguments": ["num_classes=9", "width=3"]},
    "texts": {"function": "words_of", "arguments": ["vocab_size=50"], "dataset": TEXTS},
    "class": {"function": "Network", "input_shape": [11]},
    "class with values": {"function": "Network", "input_shape": [11], "arguments": ["units=5", "name='own'"]},
    "model": {"function": "model"},
}


@pytest.fixture(scope="module")
def answers():
    return traced(PROGRAMS, {name: {"function": name, **case} for name, case in CASES.items()})


@pytest.mark.parametrize(
    ("name", "targets"),
    [
        ("losses_by_name_of_a_list", [[], [2]]),
        ("losses_by_name_of_a_dictionary", [[2], []]),
        ("losses_by_name_of_a_subclass", [[2], []]),
    ],
)
def test_a_loss_by_name_is_that_of_its_output(answers, name, targets):
    assert answers[name].get("output_shapes") == targets, answers[name]
    assert answers[name]["gradients"] == (4 if "subclass" in name else 6)


@pytest.mark.parametrize(("name", "inputs"), [("one_value_each", [[], []]), ("one_word", [[]])])
def test_inputs_of_one_value_are_answered(answers, name, inputs):
    assert answers[name].get("input_shapes") == inputs, answers[name]


@pytest.mark.parametrize(
    ("name", "inputs", "params"),
    [
        ("images", [[48, 48, 3]], 224 + 9 * 7),
        ("given", [[32, 32, 3]], 224 + 584 + 9 * 9),
        ("over data", [[48, 48, 3]], 224 + 9 * 9),
        ("asked size", [[40, 40, 3]], 224 + 9 * 9),
        ("texts", [[33]], 50 * 4 + 33 * 4 + 1),
        ("class", [[11]], 48),
        ("class with values", [[11]], 60),
        ("model", [[6]], 21),
    ],
)
def test_what_data_and_user_say_reaches_the_function(answers, name, inputs, params):
    assert (answers[name].get("input_shapes"), answers[name].get("params")) == (inputs, params), answers[name]


def test_an_argument_without_value_is_asked_for_by_name(answers):
    assert "num_classes" in str(answers["missing"]["expected"])
    assert "--arg" in str(answers["missing"]["hint"])
    assert "width" in str(answers["unknown"]["received"])


def test_a_model_at_the_top_of_a_file_keeps_what_its_author_compiled(answers):
    assert dict(answers["model"]["captured"]["settings"])["optimizer"] == "adam"
