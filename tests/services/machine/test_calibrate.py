"""The parent's side of a device's probe: the driver is asked while the child holds still."""

from __future__ import annotations

import textwrap

import pytest

from app.core.types.errors import Cancelled, WorkerFailed
from app.core.types.machine import Gpu, Machine, TimedOperation
from app.core.types.messages import Done, Failed, Phase
from app.core.types.units import GIB, MIB
from app.services.child import child_jobs
from app.services.machine import calibrate as calibrating
from app.services.machine.calibrate import Calibrated, ContextWatch, calibrate_device
from tests.fakes.nvml import RTX_2060, FakeNvml
from tests.probes.conftest import compiled_nvml, fake_nvml  # noqa: F401 - fixtures

PROBE = {"device": "gpu:0", "framework": "tensorflow 2.21", "slack_low": 1.0, "slack_high": 1.01}
ANSWER = {"probe": PROBE, "rates": None, "reserved_bytes": GIB}
MACHINE = Machine(gpus=(Gpu(0, "NVIDIA", "RTX 2060", memory_free_bytes=3 * GIB),))


@pytest.fixture
def child(monkeypatch: pytest.MonkeyPatch):
    """A child that says what it is told to say; the driver says that it holds 1400 MiB."""
    seen = {}

    def says(answer):
        def run_worker(request, options, *, on_message, on_started, **heard):
            seen.update(request=request, environment=options.environment)
            on_started(4711)
            on_message(Phase("hold", 0.0))
            return answer

        monkeypatch.setattr(child_jobs, "run_worker", run_worker)
        monkeypatch.setattr(ContextWatch, "_read", lambda _self, pid: 1400 * MIB if pid == 4711 else None)
        return seen

    return says


def test_the_context_is_what_the_driver_counts_above_the_allocators_piece(child):
    seen = child(Done(ANSWER))
    heard = []
    found = calibrate_device(MACHINE, "gpu:0", interpreter=None, rates=False, on_event=heard.append)
    assert isinstance(found, Calibrated)
    assert found.probe.context_bytes == 376 * MIB
    assert found.rates is None
    assert heard == [Phase("hold", 0.0)]
    assert seen["request"].arguments == {"device": "gpu:0", "rates": False, "reserve_bytes": 3 * GIB // 2}


def test_a_driver_that_counts_less_than_the_allocator_took_is_not_believed(child):
    child(Done({**ANSWER, "reserved_bytes": 2 * GIB}))
    assert calibrate_device(MACHINE, "gpu:0", interpreter=None, rates=False).probe.context_bytes is None


@pytest.mark.parametrize("answer", [{}, {**ANSWER, "probe": {"device": 7}}, {**ANSWER, "reserved_bytes": "much"}])
def test_an_answer_that_is_not_understood_is_a_failure_of_the_child(child, answer):
    child(Done(answer))
    with pytest.raises(WorkerFailed, match="not understood"):
        calibrate_device(MACHINE, "gpu:0", interpreter=None, rates=False)


def test_what_an_interrupted_measurement_found_is_kept(child):
    rates = {"device": "cpu", "framework": "tensorflow 2.21", "matmul_flops_per_s": 1e9, "complete": False}
    child(Failed("cancelled", "cancelled", partial={**ANSWER, "rates": rates}))
    kept = []
    with pytest.raises(Cancelled):
        calibrate_device(MACHINE, "cpu", interpreter=None, rates=True, keep=kept.append)
    (found,) = kept
    assert found.rates.matmul_flops_per_s == 1e9
    assert not found.rates.complete


def test_a_child_is_told_what_was_timed_before(child):
    seen = child(Done(ANSWER))
    timed = TimedOperation("Mul", (1.0, 2.0), 1e6, 1e-3)
    calibrate_device(MACHINE, "cpu", interpreter=None, rates=True, timed=[timed])
    assert seen["request"].arguments["timed"][0]["family"] == "Mul"


def test_a_child_that_fails_says_so(child):
    child(Failed("crashed", "ended by signal 11"))
    with pytest.raises(WorkerFailed, match="signal 11"):
        calibrate_device(MACHINE, "gpu:0", interpreter=None, rates=False)


def test_on_a_processor_the_driver_is_not_asked():
    watch = ContextWatch("cpu")
    watch.on_started(1)
    watch.on_event(Phase(calibrating.HOLD_PHASE, 0.0))
    assert watch.held_bytes is None
    assert watch.context_bytes(None) is None


@pytest.mark.parametrize(("held", "context"), [(1400 * MIB, 376 * MIB), ("na", None), (None, None)])
def test_the_real_reading_goes_through_nvidias_library(fake_nvml: FakeNvml, held, context):  # noqa: F811
    """Our stand-in for NVIDIA's library in a process of its own, which is the one that holds memory."""
    code = textwrap.dedent("""
        import json, os, sys, pathlib
        from app.core.types.messages import Phase
        from app.services.machine.calibrate import ContextWatch
        config = pathlib.Path(os.environ["FAKE_NVML_CONFIG"])
        config.write_text(config.read_text().replace("PID", str(os.getpid())))
        watch = ContextWatch("gpu:0")
        watch.on_started(os.getpid())
        watch.on_event(Phase("probe", 0.0))
        assert watch.held_bytes is None
        watch.on_event(Phase("hold", 0.0))
        print(json.dumps(watch.context_bytes(1 << 30)))
    """)
    process = {} if held is None else {"process": [f"PID,{held}", f"1,{GIB}"]}
    fake_nvml.write({**RTX_2060, **process})
    assert fake_nvml.run(code) == context
