"""A guard that nothing blinds: a driver that hangs, a terminal that nobody reads, a program that is stopped."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.core.types.units import MIB
from app.services.child.guarded import has_wardens
from tests.fakes.nvml import RTX_2060, FakeNvml
from tests.patience import SOON_S, gone
from tests.probes.conftest import compiled_nvml, fake_nvml  # noqa: F401 - fixtures
from tests.services.child.strays import GROW

ROOT = Path(__file__).parents[3]
pytestmark = pytest.mark.skipif(not has_wardens(), reason="the guard is a process of its own on Linux only")

READING = r"""{"v":1,"kind":"reading","body":{"t_s":1.0,"step":1,"step_s":0.1}}\n"""
GROWS_LATER = f"""
import sys, time
for _ in range(300):
    sys.stdout.write('{READING}')
    sys.stdout.flush()
time.sleep(1)
{GROW}
grow()
"""
BENCH = f"""
import json, sys, time
from app.core.types.workload import ModelRef, Workload
from app.services.benchmarks.bench import bench
from app.services.child.child_options import ChildOptions
child = ChildOptions(command=[sys.executable, "-c", {GROWS_LATER!r}], limit_bytes={200 * MIB})
begun = time.monotonic()
"""
HANGS = f"""{BENCH}
found = bench(Workload(ModelRef("catalog", "x")), child=child)
print(json.dumps([found.problem.kind, list(found.warnings), time.monotonic() - begun, len(found.samples)]), flush=True)
import os; os._exit(0)  # what hangs in the driver would hold Python's own end
"""
TALKS = f"""{BENCH}
from app.services.child import worker_process
start = worker_process.start_guarded
def started(*arguments, **more):
    guarded = start(*arguments, **more)
    sys.stderr.write(f"{{guarded.pid}}\\n")
    return guarded
worker_process.start_guarded = started
bench(Workload(ModelRef("catalog", "x")), child=child, on_event=lambda event: print(event, "." * 500, flush=True))
"""


def test_a_driver_that_hangs_does_not_blind_the_guard_nor_hold_the_answer(fake_nvml: FakeNvml):  # noqa: F811 - fixture
    fake_nvml.write({**RTX_2060, "hang_after": 12})
    kind, warnings, took_s, _ = fake_nvml.run(HANGS)
    assert kind == "memory_limit"
    assert took_s < SOON_S
    assert any("driver stopped answering" in warning for warning in warnings)
    assert not any("slept" in warning for warning in warnings)


def test_a_terminal_that_nobody_reads_does_not_blind_the_guard():
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", TALKS], env=environment, **pipes) as parent:
        assert parent.stderr is not None
        child = int(parent.stderr.readline())
        try:
            assert gone(child)
            assert parent.poll() is None  # it waits for its reader all the while
        finally:
            parent.kill()
