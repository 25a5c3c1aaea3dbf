"""Disks, files and folders that fail for real (`studies.benchmarks.fault_stores`)."""

from __future__ import annotations

import pytest

from studies.benchmarks.fault_stores import STORE_FAULTS, StoreFault, can_mount, see


@pytest.mark.parametrize("fault", STORE_FAULTS, ids=lambda fault: fault.name)
def test_nothing_is_lost_and_it_is_told(fault: StoreFault):
    if fault.disk and not can_mount():
        pytest.skip("this user may not mount a file system in a namespace of their own")
    assert see(fault) == fault.expected
