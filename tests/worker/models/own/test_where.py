"""An error says where in the author's code it happened, and why, without what frameworks put around it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.worker.building import ROOT, TIMEOUT_S
from tests.worker.models.own.tracing import traced

pytestmark = pytest.mark.worker

PROGRAMS = Path(__file__).with_name("failing_programs.py")
SAID = {
    "imported": "ValueError: ",
    "own_error": "OwnError: nothing of 3",
    "in_a_call": "AttributeError: 'Crashing' object has no attribute 'nothing'",
    "never_called": "the model does not say",
    "in_a_graph": "ValueError: not like this",
    "in_a_step": "AttributeError: 'Misspelt' object has no attribute 'conpute_loss'",
    "with_values": "ValueError: bad values <tf.Tensor: shape=(40, 40), dtype=float32>, <Variable path=",
}


@pytest.fixture(scope="module")
def answers():
    return traced(PROGRAMS, {name: {"function": name} for name in SAID})


def marked(name):
    """The file and line that ends in a comment."""
    for path in (PROGRAMS, PROGRAMS.with_name("failing_parts.py")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if line.endswith(f"# here: {name}"):
                return f"{path}:{number}"
    return None


@pytest.mark.parametrize("name", SAID)
def test_the_line_and_the_cause_are_told(answers, name):
    answer = answers[name]
    assert answer["kind"] == "bad_model"
    assert answer["where"] == marked(name)
    assert SAID[name] in str(answer["message"])


@pytest.mark.parametrize("name", SAID)
def test_no_colours_arguments_or_values_are_told(answers, name):
    message = str(answers[name]["message"])
    assert len(message) < 400
    assert "\x1b" not in message
    assert "Arguments received" not in message
    assert "Exception encountered" not in message


def test_debug_shows_what_the_child_said(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "app", "estimate", f"{PROGRAMS}:own_error", "--trust", "--debug"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | {"WILLITTRAIN_DATA_DIR": str(tmp_path)},
        timeout=TIMEOUT_S,
        check=False,
    )
    place, _, number = marked("own_error").rpartition(":")
    assert f'child:   File "{place}", line {number}, in refuse' in done.stderr
    assert "child: failing_parts.OwnError: nothing of 3" in done.stderr
