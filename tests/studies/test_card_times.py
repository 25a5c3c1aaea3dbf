"""Steps timed on a real card: which ones, and that nothing else is at work meanwhile."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter

import psutil
import pytest

from studies.accuracy import card_measured, card_times

ASLEEP = "import time; print('ready', flush=True); time.sleep(60)"


def test_every_network_is_timed_with_both_batches_and_with_xla_and_without():
    rows = card_times.rows()
    assert len({row.key for row in rows}) == len(rows) == 40
    for of_network in ({row for row in rows if row.network == name} for name in {row.network for row in rows}):
        assert len({row.batch for row in of_network}) == 2
        assert {row.xla for row in of_network} == {"off", "auto"}
    assert Counter(row.precision for row in rows)["float32"] == 20


def test_what_is_stored_is_of_these_rows_and_of_a_card_that_was_measured():
    stored = card_times.TRUTHS.load()
    assert set(stored) <= {row.key for row in card_times.rows()}
    assert {truth["card"].split(",")[0] for truth in stored.values()} == {card_measured.measured().machine.gpus[0].name}
    assert all(float(t["least_s"]) <= float(t["step_s"]) <= float(t["most_s"]) for t in stored.values())


@pytest.mark.skipif(sys.platform == "win32", reason="a process group cannot be stopped on Windows")
def test_a_stopped_group_of_programs_does_nothing_until_it_is_let_go_on():
    child = subprocess.Popen([sys.executable, "-c", ASLEEP], stdout=subprocess.PIPE, text=True, start_new_session=True)
    assert child.stdout is not None
    try:
        assert child.stdout.readline().strip() == "ready"
        card_times.signal_all({child.pid}, signal.SIGSTOP)
        os.waitpid(child.pid, os.WUNTRACED)
        assert psutil.Process(child.pid).status() == psutil.STATUS_STOPPED
        card_times.signal_all({child.pid}, signal.SIGCONT)
        os.waitpid(child.pid, os.WCONTINUED)
        assert psutil.Process(child.pid).status() != psutil.STATUS_STOPPED
    finally:
        card_times.signal_all({child.pid}, signal.SIGKILL)
        child.wait()
        child.stdout.close()
