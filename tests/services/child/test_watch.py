import json
import sys
import threading
import time
from typing import Any

import pytest

from app.core.types.measurement import Sample
from app.core.types.messages import Phase
from app.core.types.units import GIB, MIB
from app.core.types.workload import ModelRef, Plan, Workload
from app.services.benchmarks.bench import bench
from app.services.child.child_jobs import bench_arguments
from app.services.child.child_options import ChildOptions
from app.services.child.variables import device_variables
from tests.patience import SOON_S

DONE = """
import json, sys, time
say = lambda _kind, **body: print(json.dumps({"v": 1, "kind": _kind, "body": body}), flush=True)
say("phase", name="import", t_s=0.1)
time.sleep(0.3)
say("phase", name="measure", t_s=0.4)
say("reading", t_s=0.5, step=4, step_s=0.25, peak_bytes=99)
time.sleep(0.6)
"""
MEASURED = {
    "step": {"median_s": 0.25, "low_s": 0.2, "high_s": 0.3, "n": 4},
    "first_step_s": 1.0,
    "samples_per_s": 128.0,
    "epoch_s": None,
    "memory": {"allocator_peak_bytes": 99},
}
WORKLOAD = Workload(ModelRef("catalog", "x"), plan=Plan(freeze=("conv*",)))


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def answer(**result: Any) -> list[str]:
    return python(DONE + f"say('done', result={result!r})")


def test_events_samples_and_phases_are_collected():
    events: list[object] = []
    result = bench(
        WORKLOAD, child=ChildOptions(command=answer(measurement=MEASURED, warnings=["w"])), on_event=events.append
    )
    assert result.outcome == "succeeded"
    assert result.warnings[0] == "w"
    assert [p.name for p in result.phases] == ["start", "import", "measure"]
    assert all(a.end_s == b.start_s for a, b in zip(result.phases, result.phases[1:], strict=False))
    measure = result.phases[2]
    assert measure.end_s is not None
    assert 0.5 <= measure.end_s - measure.start_s < SOON_S
    assert result.samples == tuple(e for e in events if isinstance(e, Sample))
    last = result.samples[-1]
    assert (last.phase, last.step, last.step_s, last.peak_bytes) == ("measure", 4, 0.25, 99)
    assert any(s.ram_bytes and s.ram_bytes > MIB for s in result.samples)
    assert result.measurement is not None
    assert result.measurement.cpu_percent is not None
    assert result.measurement.step.n == 4


def test_a_failure_keeps_its_partial_measurement():
    partial = {"measurement": MEASURED, "warnings": []}
    command = python(DONE + f"say('failed', kind='out_of_memory', message='OOM', hint='h', partial={partial!r})")
    result = bench(WORKLOAD, child=ChildOptions(command=command))
    assert result.outcome == "out_of_memory"
    assert result.measurement is not None
    assert result.problem is not None
    assert (result.problem.message, result.problem.hint, result.problem.phase) == ("OOM", "h", "measure")


@pytest.mark.parametrize(
    ("kind", "outcome"),
    [("bad_model", "failed"), ("missing", "failed"), ("error", "failed"), ("cancelled", "cancelled")],
)
def test_kinds_of_failure_become_outcomes(kind: str, outcome: str):
    command = python(DONE + f"say('failed', kind={kind!r}, message='m', expected='e', received='r')")
    result = bench(WORKLOAD, child=ChildOptions(command=command))
    assert result.outcome == outcome
    assert result.problem is not None
    assert result.problem.message == "m; expected e; received r"


def test_a_crash_is_an_outcome_with_its_last_lines():
    result = bench(
        WORKLOAD,
        child=ChildOptions(command=python("import os, sys; print('boom', file=sys.stderr, flush=True); os._exit(9)")),
    )
    assert result.outcome == "crashed"
    assert result.problem is not None
    assert result.problem.stderr == ("boom",)
    assert result.problem.phase == "start"


def test_an_error_in_a_sample_listener_comes_through():
    def listen(event: object) -> None:
        if isinstance(event, Sample):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        bench(WORKLOAD, child=ChildOptions(command=python("import time; time.sleep(300)")), on_event=listen)


def test_a_cancel_is_an_outcome():
    cancel = threading.Event()
    begun: list[float] = []

    def listen(event: object) -> None:
        if isinstance(event, Phase):
            begun.append(time.monotonic())
            cancel.set()

    result = bench(
        WORKLOAD, child=ChildOptions(command=python(DONE + "time.sleep(300)")), on_event=listen, cancel=cancel
    )
    assert result.outcome == "cancelled"
    assert time.monotonic() - begun[0] < 2


def test_a_cache_on_disk_is_removed_whatever_happens(monkeypatch: pytest.MonkeyPatch, tmp_path: Any):
    monkeypatch.setenv("WILLITTRAIN_DATA_DIR", str(tmp_path))
    code = """
import json, os, sys
folder = json.loads(sys.stdin.readline())["body"]["arguments"]["cache_dir"]
open(folder + "/samples", "w").close()
print(folder, file=sys.stderr, flush=True)
os.abort()
"""
    result = bench(
        Workload(ModelRef("catalog", "x"), plan=Plan(cache="disk")), child=ChildOptions(command=python(code))
    )
    assert result.problem is not None
    assert str(tmp_path) in result.problem.stderr[0]
    assert list((tmp_path / "cache").iterdir()) == []


def test_arguments_are_plain_json():
    arguments = bench_arguments(WORKLOAD, 5.0)
    assert arguments["seconds"] == 5.0
    assert json.loads(json.dumps(arguments))["freeze"] == ["conv*"]
    assert arguments["model"]["name"] == "x"
    assert arguments["dataset"] is None


def test_the_cpu_hides_the_cards():
    assert device_variables("cpu")["CUDA_VISIBLE_DEVICES"] == "-1"
    assert device_variables("gpu:0") == {}
    assert GIB == 1024 * MIB
