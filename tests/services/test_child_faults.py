"""Children that are killed in each phase, flood, lie and sleep (`studies.benchmarks.faults` has many more)."""

from __future__ import annotations

import psutil
import pytest

from app.core.types.units import MIB
from studies.benchmarks.fault_table import FAULTS
from studies.benchmarks.faults import inject, suspended

CHOSEN = (
    "SIGKILL in ",
    "SIGKILL before",
    "1 GB on",
    "1 GB of garbage",
    "a step of",
    "a peak of",
    "a line of 100 MB",
    "of another version",
)
MOST_GROWTH = 200 * MIB


@pytest.mark.parametrize("fault", [f for f in FAULTS if any(word in f.name for word in CHOSEN)], ids=lambda f: f.name)
def test_a_fault_has_its_word_leaves_nothing_and_costs_little_memory(fault):
    before = psutil.Process().memory_info().rss
    seen = inject(fault)
    assert seen.right, seen
    assert psutil.Process().memory_info().rss - before < MOST_GROWTH


def test_a_computer_that_sleeps_in_the_middle_ends_no_run_and_is_told():
    seen = suspended()
    assert (seen.outcome, seen.seen, seen.expected, seen.left) == ("succeeded", "-", "-", 0), seen
