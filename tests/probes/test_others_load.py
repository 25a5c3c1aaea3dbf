"""What other programs use of the processor meanwhile."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.probes.host_counters import HostTotals
from app.probes.others_load import SHORTEST_S, OthersLoad, others_percent

SPINS = "import time; end = time.monotonic() + 20\nwhile time.monotonic() < end: pass"


def totals(busy_s, all_s):
    return HostTotals(busy_s, all_s)


def test_what_was_ours_is_not_that_of_others():
    assert others_percent(totals(100, 1000), totals(103, 1010), 1.0) == pytest.approx(20)
    assert others_percent(totals(100, 1000), totals(101, 1010), 3.0) == 0


def test_too_short_or_unknown_is_not_told():
    assert others_percent(totals(1, 10), totals(1, 10 + SHORTEST_S / 2), 0) is None
    assert others_percent(HostTotals(), totals(1, 10), 0) is None
    assert others_percent(totals(1, 10), HostTotals(), 0) is None


@given(*[st.floats(0, 1e6)] * 3)
def test_it_is_a_share(busy_s, all_s, own_s):
    found = others_percent(totals(0, 0), totals(busy_s, all_s), own_s)
    assert found is None or 0 <= found <= 100


def test_a_program_beside_is_seen_and_our_own_work_is_not():
    load = OthersLoad()
    end = time.process_time() + 0.5
    while time.process_time() < end:
        pass
    quiet = load.percent()
    with subprocess.Popen([sys.executable, "-c", SPINS]) as beside:
        load = OthersLoad()
        time.sleep(1)
        busy = load.percent()
        beside.kill()
    assert quiet is not None
    assert busy is not None
    assert busy > 5
