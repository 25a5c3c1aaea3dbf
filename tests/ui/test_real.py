"""The window on the real façade with real TensorFlow children; this process never loads TensorFlow itself."""

import sys
from dataclasses import replace

import pytest
from PySide6.QtCore import QEventLoop, QTimer

from app.core.types.units import MIB
from app.ui.kit.bridge import Runner
from app.ui.machine.live import sampler_source
from app.ui.session.session import Simulation
from app.ui.session.ui_settings import WindowSettings
from app.ui.shell import application
from app.ui.shell.main_window import ADVICE, BENCHMARK, RUNS, MainWindow
from app.ui.shell.wiring import Wiring
from tests.measured_once import known_in
from tests.patience import SOON_S
from tests.services.child.test_own_code import GREEDY

pytestmark = [pytest.mark.worker, pytest.mark.timeout(240)]
WAIT_MS = 120_000


@pytest.fixture
def frameworkless(monkeypatch):
    """A process in which loading a framework fails, whatever tests ran in it before."""
    for framework in ("tensorflow", "keras", "jax", "torch"):
        monkeypatch.setitem(sys.modules, framework, None)


@pytest.fixture
def known_machine(own_folder, tmp_path_factory):
    """A machine that was measured on an earlier day."""
    known_in(own_folder, tmp_path_factory)


@pytest.fixture
def real(frameworkless, qtbot):
    """A window on this machine, answered by a real trace."""
    window = MainWindow(WindowSettings())
    wiring = Wiring(window, application.make_advisor(), Runner(window), sampler_source)
    window.show()
    wiring.start()
    qtbot.waitUntil(lambda: window.verdict.state.stage == "predicted", timeout=WAIT_MS)
    yield wiring
    window.close()
    window.deleteLater()


def test_the_whole_way_through_as_a_new_user_goes(real, qtbot):
    window = real.window
    assert real.session.workload.model.name == "fashion_mnist_cnn"
    assert window.verdict.state.verdict == "fits"
    qtbot.waitUntil(lambda: not real.machine.busy, timeout=WAIT_MS)
    assert window.machine.state.framework.startswith("TensorFlow 2.")
    qtbot.waitUntil(lambda: window.verdict.state.epoch.known, timeout=WAIT_MS)

    real.bench.set_seconds(3)
    real.measure()
    qtbot.waitUntil(lambda: not real.bench.running, timeout=WAIT_MS)
    result = real.bench.state.result
    assert (result.outcome, result.error) == ("succeeded", None)
    compared = {row.quantity: row for row in result.comparisons}
    assert set(compared) == {"step", "epoch", "samples", "memory", "held", "seen", "process"}
    in_the_card = [compared[name] for name in ("step", "epoch", "samples", "memory")]
    assert all(row.estimated.known and row.measured.known for row in in_the_card)
    assert real.bench.state.curves["step_ms"][0]
    qtbot.waitUntil(window.pages.page(BENCHMARK).result.isVisible)
    qtbot.waitUntil(lambda: window.verdict.state.needed.mark == "measured", timeout=WAIT_MS)

    window.pages.show_page(ADVICE)
    qtbot.waitUntil(lambda: real.advice._advice is not None, timeout=WAIT_MS)
    window.pages.show_page(RUNS)
    qtbot.waitUntil(lambda: window.pages.page(RUNS).table.rowCount() == 1, timeout=WAIT_MS)


@pytest.mark.usefixtures("known_machine")
def test_the_founding_case_on_a_simulated_card(real, qtbot):
    real.session.simulate(Simulation("RTX 2060 6GB"))
    qtbot.waitUntil(lambda: bool(real.window.verdict.state.simulated), timeout=WAIT_MS)
    verdicts = {}
    for batch in (256, 4096, 32768):
        real.session.set_batch_size(batch)
        qtbot.waitUntil(lambda b=batch: real.window.verdict.state.batch_size == b, timeout=WAIT_MS)
        verdicts[batch] = real.window.verdict.state.verdict
    assert verdicts == {256: "fits", 4096: "tight", 32768: "does_not_fit"}


@pytest.mark.usefixtures("known_machine")
def test_a_model_that_takes_all_memory_while_it_is_built_is_told_and_the_window_goes_on(
    real, qtbot, tmp_path, monkeypatch
):
    allowed = "app.services.child.child_options.memory_limit_bytes"
    (tmp_path / "net.py").write_text(GREEDY)
    model = real.session.advisor.catalog.find_model(f"{tmp_path / 'net.py'}:grandchild", trust=True)
    with monkeypatch.context() as low:
        low.setattr(allowed, lambda reserve: 1500 * MIB)
        real.session.set_workload(replace(real.session.workload, model=model))
        qtbot.waitUntil(lambda: real.window.verdict.state.error is not None, timeout=WAIT_MS)
    error = real.window.verdict.state.error
    assert "1.5 GiB is all that can be spared" in error.message
    assert "close other programs" in error.hint
    real.session.set_workload(replace(real.session.workload, model=real.session.advisor.catalog.find_model("mlp")))
    qtbot.waitUntil(lambda: real.window.verdict.state.stage == "predicted", timeout=WAIT_MS)


@pytest.mark.usefixtures("known_machine")
def test_a_real_run_is_cancelled_soon(real, qtbot):
    qtbot.waitUntil(lambda: not real.machine.busy, timeout=WAIT_MS)
    real.measure()
    qtbot.waitUntil(lambda: real.bench.state.phase != "", timeout=WAIT_MS)
    loop = QEventLoop()
    real.bench.running_changed.connect(loop.quit)
    QTimer.singleShot(int(SOON_S * 1000), loop.quit)
    real.escape()
    loop.exec()
    assert not real.bench.running
