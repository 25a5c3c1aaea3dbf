"""Tiny steps in a real child: the bytes counted by hand, and the façade that keeps what was found."""

from __future__ import annotations

import threading
import time

import pytest

from app.core.simulate.device import MEASURED_ONCE
from app.core.types.errors import Cancelled
from app.core.types.messages import Progress
from app.core.types.units import MIB
from app.core.types.workload import ModelRef, Plan, Workload
from app.services.advisor import Advisor
from app.services.machine.calibrate import calibrate_device
from app.services.settings import Settings
from app.services.store.history import History

pytestmark = pytest.mark.worker


@pytest.fixture(scope="module")
def advisor(tmp_path_factory: pytest.TempPathFactory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WILLITTRAIN_DATA_DIR", str(tmp_path_factory.mktemp("data")))
        settings = Settings.load()
        yield Advisor(settings, History(settings.history_path))


def test_the_allocator_hands_out_what_was_counted(advisor: Advisor):
    found = calibrate_device(advisor.machine.read(), "cpu", interpreter=None, rates=False)
    assert found.rates is None
    probe = found.probe
    assert 0.99 < probe.slack_low < 1.02
    assert probe.slack_low <= probe.slack_high < 1.08
    assert 0 <= probe.workspace_bytes < 16 * MIB
    assert 300 * MIB < probe.host_process_bytes < 2000 * MIB
    assert probe.context_bytes is None
    assert probe.framework.startswith("tensorflow 2.")


def test_a_measurement_that_is_interrupted_goes_on_where_it_stopped(advisor: Advisor):
    assert advisor.machine.cached_probe("cpu") is None
    cancel, heard = threading.Event(), []

    def interrupt(event: object) -> None:
        heard.append(event)
        if isinstance(event, Progress) and event.text == "timing operations":
            cancel.set()

    with pytest.raises(Cancelled):
        advisor.machine.rates("cpu", interrupt, cancel)
    begun = advisor.machine.cached_rates("cpu")
    if begun is None:
        pytest.skip("so busy a machine that the child was ended before it could tell what it had found")
    assert begun.matmul_flops_per_s > 1e9
    assert begun.operations
    assert not begun.complete
    assert not advisor.machine.measured("cpu")
    whole = advisor.machine.rates("cpu")
    assert advisor.machine.measured("cpu")
    assert whole.operations[: len(begun.operations)] == begun.operations
    later = whole.operations[len(begun.operations) :]
    first, then = ({(o.family, o.dimensions, o.variant) for o in part} for part in (begun.operations, later))
    assert then
    assert not first & then
    assert whole.others_percent is not None


def test_rates_and_probe_are_kept(advisor: Advisor):
    assert advisor.machine.rates("cpu").matmul_flops_per_s > 1e9
    probe = advisor.machine.cached_probe("cpu")
    started = time.perf_counter()
    advisor.machine.rates("cpu")
    assert time.perf_counter() - started < 1  # a child takes several seconds
    again = Advisor(advisor.settings, advisor.history)
    assert again.machine.cached_probe("cpu") == probe
    workload = Workload(ModelRef("catalog", "mlp"), None, Plan(batch_size=8, device="cpu"))
    told = again.predictor.predict(workload, again.machine.read(), again.predictor.graph(workload))
    program_bytes = told.memory.host_bytes - probe.host_process_bytes - told.memory.allocator_peak_bytes
    assert 0 < program_bytes < 30 * MIB
    sources = [line.source for line in (*told.memory.explanation, *told.fit.explanation)]
    assert any(MEASURED_ONCE in source for source in sources)


def test_operations_of_every_sort_were_timed_and_a_refinement_adds_the_dear_ones_of_a_network(advisor: Advisor):
    rates = advisor.machine.rates("cpu")
    families = {one.family for one in rates.operations if not one.variant}
    assert {"product", "convolution", "convolution, filter gradient", "depthwise", "einsum", "update"} <= families
    assert {one.variant for one in rates.operations} == {"", "xla", "mixed_bfloat16", "mixed_float16"}
    assert rates.threads >= 1
    assert rates.train_overhead_s > rates.launch_s
    workload = Workload(ModelRef("catalog", "fashion_mnist_cnn"), None, Plan(batch_size=32, device="cpu", jit=False))
    advisor.predictor.refine(workload, advisor.machine.read())
    found = advisor.machine.cached_rates("cpu").operations[len(rates.operations) :]
    if not found:
        pytest.skip("other programs used the processor: what is timed beside them is not kept")
    assert any(one.family.startswith("convolution") and one.seconds > 0 for one in found)
    told = advisor.predictor.predict(workload, advisor.machine.read(), advisor.predictor.graph(workload))
    assert told.time.low_s < told.time.step_s < told.time.high_s
