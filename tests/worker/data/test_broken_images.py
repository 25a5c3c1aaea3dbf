"""Images with a sound header that cannot be decoded: left out, counted, named."""

from __future__ import annotations

import re

import pytest

from app.services.benchmarks.bench import BenchOptions, bench
from studies.benchmarks.fault_table import DAMAGED, FAULTS, LONGER, circumstances, workload_of

pytestmark = pytest.mark.worker


def run(name: str):
    fault = next(fault for fault in FAULTS if fault.name == name)
    with circumstances(fault) as folder:
        return bench(workload_of(fault, folder), options=BenchOptions(seconds=1, patience=LONGER, profile=False))


def test_a_few_are_left_out_and_told():
    found = run("data: 3 of 64 images damaged inside")
    assert found.outcome == "succeeded"
    told = [re.match(r"(\d+) of (\d+) images.*\.png", text) for text in found.warnings]
    assert [(int(match[1]), int(match[2])) for match in told if match] == [(DAMAGED, 64)], found.warnings


def test_too_few_that_are_left_say_why():
    found = run("data: the same, in one batch of 64")
    assert found.problem is not None
    assert found.problem.kind == "bad_dataset"
    assert f"{DAMAGED} of 64 images" in found.problem.message
