"""The program itself, with a window, in a process of its own."""

import os
import signal
import subprocess
import sys
import time

import psutil
import pytest


@pytest.mark.skipif(os.name == "nt", reason="sends signals of POSIX")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_ctrl_c_and_a_request_to_end_close_an_idle_window(name):
    variables = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    with subprocess.Popen([sys.executable, "-m", "app"], env=variables, stderr=subprocess.PIPE, text=True) as program:
        own = psutil.Process(program.pid)
        wait_until_idle(own)
        program.send_signal(signal.Signals[name])
        try:
            assert program.wait(60) == 0
        finally:
            program.kill()
        assert "Traceback" not in program.stderr.read()


def wait_until_idle(process, timeout_s=60.0):
    """Until it has started and takes next to no processor time any more."""
    end = time.monotonic() + timeout_s
    while time.monotonic() < end:
        before = sum(process.cpu_times()[:2])
        time.sleep(1)
        now = sum(process.cpu_times()[:2])
        if now > 0.5 and now - before < 0.1:
            return
    raise AssertionError("still busy")
