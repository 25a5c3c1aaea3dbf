"""Every optimizer of Keras in a real child: its slots, its update and its peaks beside the product's."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from app.core.types.plan_values import OPTIMIZERS

CHECKOUT = Path(__file__).resolve().parents[3]
ENVIRONMENT = {"TF_CPU_ALLOCATOR_USE_BFC": "true", "TF_CPP_MIN_LOG_LEVEL": "2", "CUDA_VISIBLE_DEVICES": "-1"}
MEDIAN_ERROR = 0.2
FAR_OFF = 0.4
FEW = 3
"""The steps of one process race on two threads: whether a weight is copied because a product still reads it
is a third of this network's memory.  Over three runs of 23 cases the median error was 7 to 8 %,
and 15 % in one while the machine's host took a third of its processor."""


@pytest.fixture(scope="module")
def answers() -> list[dict[str, Any]]:
    """What the child found, one case after the other."""
    ended = subprocess.run(
        [sys.executable, "-m", "tests.worker.tracing.optimizers_child"],
        env={**os.environ, **ENVIRONMENT},
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr[-2000:]
    return json.loads(ended.stdout.splitlines()[-1])


def test_every_optimizer_was_tried(answers):
    assert {answer["optimizer"] for answer in answers} == set(OPTIMIZERS)


def test_slots_take_what_the_real_variables_take(answers):
    for answer in answers:
        assert answer["predicted_state_bytes"] == answer["state_bytes"], answer["optimizer"]


def test_recipes_are_what_keras_traces(answers):
    for answer in answers:
        for path, lines in answer["expected_updates"].items():
            assert lines == answer["updates"][path], (answer["optimizer"], path)


def test_the_peak_of_every_optimizer_is_predicted(answers):
    errors = {_name(a): a["predicted_bytes"] / a["peak_bytes"] - 1 for a in answers}
    assert sum(abs(error) > FAR_OFF for error in errors.values()) <= FEW, errors
    assert median(map(abs, errors.values())) < MEDIAN_ERROR, errors


def test_the_first_steps_peak_is_predicted(answers):
    errors = {_name(a): a["predicted_first_step_bytes"] / a["first_step_bytes"] - 1 for a in answers}
    assert median(map(abs, errors.values())) < FAR_OFF, errors


def _name(answer: dict[str, Any]) -> str:
    """The case in one word."""
    options = [
        f"{key}={answer[key]}"
        for key in (
            "momentum",
            "nesterov",
            "centered",
            "amsgrad",
            "ema",
            "clipnorm",
            "global_clipnorm",
            "clipvalue",
            "weight_decay",
        )
        if key in answer
    ]
    return " ".join((answer["optimizer"], *options))
