"""Pictures of every state of the window that a user can meet, on the recorded façade.

::

    python -m tests.ui.gallery OUT [--only NAME …] [--scale 1.5]

``app.ui.shell.screenshots`` takes the pictures of this machine and a real training; here are the states that a healthy
machine does not show: out of memory, a card that cannot be used, names far too long.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QDialog, QWidget

from app.core.types.machine import Gpu, GpuSupport
from app.core.types.measurement import Doubt
from app.core.types.units import GIB
from app.services.models.own_code import OwnCode
from app.ui.kit import language, style
from app.ui.kit.bridge import Runner
from app.ui.machine.live import sampler_source
from app.ui.session.session import Simulation
from app.ui.session.ui_settings import WindowSettings
from app.ui.shell import application
from app.ui.shell.main_window import ADVICE, BENCHMARK, FIT, RUNS, UPGRADES, MainWindow
from app.ui.shell.screenshots import Camera
from app.ui.shell.wiring import Wiring
from app.ui.workload.code_presenter import CodeChoice, CodeFile
from tests.fakes.advisor import FakeAdvisor, make
from tests.fakes.figures import MACHINE

WIDE, SMALL = (1280, 800), (1000, 700)
CARD = Gpu(
    0,
    "nvidia",
    "NVIDIA GeForce RTX 2060",
    memory_total_bytes=6 * GIB,
    memory_free_bytes=int(5.6 * GIB),
    memory_used_bytes=int(0.4 * GIB),
    compute_capability=(7, 5),
)
WITH_CARD = replace(MACHINE, gpus=(CARD,))
LONG_MODEL = "a_network_with_quite_a_long_name_that_nobody_would_choose_but_somebody_did_v2_large"
CODE = '"""My network."""\n\nimport keras\n\n\ndef build():\n    return keras.Sequential([keras.layers.Dense(10)])\n'


class Scene:
    """One window on a recorded façade."""

    def __init__(self, folder: Path, fields: dict[str, Any]) -> None:
        self.advisor: FakeAdvisor = make(folder)
        for name, value in fields.items():
            setattr(self.advisor.script, name, value)
        self.window = MainWindow(WindowSettings())
        self.wiring = Wiring(self.window, self.advisor, Runner(self.window), sampler_source, self._chosen)
        self.folder = folder
        self.code = CodeChoice("build", "model")
        self.camera = Camera(self.window)
        self.shown: QWidget = self.window

    def _chosen(self, _file: CodeFile) -> CodeChoice:
        """What the user lets run of a file."""
        return self.code

    def open(self, name: str, code: CodeChoice) -> None:
        """Take a file of the user's, as if it was dropped onto the window."""
        self.code = code
        path = self.folder / name
        path.write_text(CODE)
        self.window.form.take_path(str(path))

    def answered(self) -> None:
        """Wait for the traced answer."""
        header = self.window.verdict
        self.camera.wait(lambda: header.state.stage in ("predicted", "failed") and not self.wiring.machine.busy)

    def page(self, index: int) -> Any:
        """Show a page."""
        self.window.pages.show_page(index)
        self.camera.pause(0.4)
        return self.window.pages.page(index)

    def measure(self, wanted: str = "plan") -> None:
        """Run a benchmark to its end."""
        self.wiring.bench.set_measure(wanted)
        self.wiring.measure()
        self.camera.wait(lambda: not self.wiring.bench.running)

    def dialog(self, open_it: Callable[[], object]) -> None:
        """Open a dialog and photograph that."""
        open_it()
        self.camera.wait(lambda: bool(self._dialogs()))
        self.shown = self._dialogs()[-1]

    def _dialogs(self) -> list[QDialog]:
        return [one for one in self.window.findChildren(QDialog) if one.isVisible()]


def first_start(scene: Scene) -> None:
    scene.camera.wait(lambda: scene.window.verdict.state.stage == "textbook")


def predicted(scene: Scene) -> None:
    scene.answered()


def measured(scene: Scene) -> None:
    scene.answered()
    scene.measure()


def running(scene: Scene) -> None:
    scene.answered()
    scene.wiring.measure()
    scene.camera.wait(lambda: len(scene.wiring.bench.state.curves.get("step_ms", ((), ()))[0]) > 14)


def compared(scene: Scene) -> None:
    scene.answered()
    scene.measure("xla")


def found_batch(scene: Scene) -> None:
    scene.answered()
    scene.measure("batch")


def whole_measured(scene: Scene) -> None:
    scene.answered()
    scene.measure("whole")


def does_not_fit(scene: Scene) -> None:
    scene.answered()
    scene.wiring.session.set_batch_size(32768)
    scene.answered()
    scene.camera.pause(0.5)


def simulated(scene: Scene) -> None:
    scene.answered()
    scene.wiring.session.simulate(Simulation("RTX 2060 6GB"))
    scene.camera.wait(lambda: bool(scene.window.verdict.state.simulated))


def unusable_card(scene: Scene) -> None:
    scene.answered()
    fix = "Install driver 525.60 or newer."
    reason = "the driver is older than CUDA 12 needs (470.82)"
    scene.wiring.machine._support = (GpuSupport(0, "RTX 2060", "tensorflow", False, reason, fix),)
    scene.wiring.machine._show()


def bad_model(scene: Scene) -> None:
    scene.answered()
    scene.wiring.pick.choose_model("broken_net")
    scene.camera.wait(lambda: scene.window.verdict.state.stage == "failed")


def bad_data(scene: Scene) -> None:
    scene.answered()
    scene.wiring.pick.open_data("/home/somebody/pictures")
    scene.camera.wait(scene.window.error.isVisible)


def missing_import(scene: Scene) -> None:
    scene.answered()
    scene.open("needs_pandas.py", CodeChoice("build", "model"))
    scene.camera.wait(scene.window.error.isVisible)


def script_measured(scene: Scene) -> None:
    scene.answered()
    scene.open("train.py", CodeChoice("", "model"))
    scene.camera.wait(lambda: scene.wiring.session.workload.model.kind == "script")
    scene.answered()
    scene.measure()


def long_names(scene: Scene) -> None:
    scene.answered()
    scene.wiring.pick.choose_model(LONG_MODEL)
    scene.answered()
    scene.measure()


def advice(scene: Scene) -> None:
    scene.answered()
    page = scene.page(ADVICE)
    scene.camera.wait(lambda: bool(page.cards))


def upgrades(scene: Scene) -> None:
    scene.answered()
    page = scene.page(UPGRADES)
    scene.camera.wait(lambda: page.table.rowCount() == 3)
    page.table.select_row(0, add=False)


def own_price(scene: Scene) -> None:
    upgrades(scene)
    scene.dialog(scene.window.pages.page(UPGRADES).own_price.click)


def no_runs(scene: Scene) -> None:
    scene.answered()


def runs(scene: Scene) -> None:
    for batch in (256, 512):
        scene.answered()
        scene.wiring.session.set_batch_size(batch)
        scene.answered()
        scene.measure()
    page = scene.page(RUNS)
    scene.camera.wait(lambda: page.table.rowCount() == 2)
    page.table.select_row(0, add=False)


def runs_compared(scene: Scene) -> None:
    runs(scene)
    page = scene.window.pages.page(RUNS)
    page.table.selectAll()
    page.compare.click()
    scene.camera.wait(lambda: page.details.comparison is not None)


def more_options(scene: Scene) -> None:
    scene.answered()
    scene.window.form.more.toggle.click()
    scene.camera.pause(0.3)
    scene.window.side.verticalScrollBar().setValue(10_000)


def settings(scene: Scene) -> None:
    scene.answered()
    scene.dialog(scene.wiring.dialogs.open_settings)


def accuracy(scene: Scene) -> None:
    scene.answered()
    scene.dialog(scene.wiring.dialogs.open_accuracy)


def simulate(scene: Scene) -> None:
    scene.answered()
    scene.dialog(scene.wiring.dialogs.open_simulate)


def palette(scene: Scene) -> None:
    scene.answered()
    scene.dialog(scene.wiring.dialogs.open_palette)


def machine(scene: Scene) -> None:
    scene.answered()
    scene.dialog(scene.window.machine.show_details)


def diagnostics(scene: Scene) -> None:
    bad_data(scene)
    scene.dialog(scene.window.error.diagnostics.click)


def trust(scene: Scene) -> None:
    from app.ui.workload.code_dialog import CodeDialog

    scene.answered()
    own = OwnCode("/home/somebody/networks/net.py", "", {"layers.py": CODE.encode()}, CODE.encode())
    file = CodeFile(own, ("build",), "model", known=False)
    scene.dialog(CodeDialog(file, scene.window).open)


@dataclass(frozen=True)
class Shot:
    """One picture."""

    drive: Callable[[Scene], None]
    page: int = FIT
    theme: str = "light"
    size: tuple[int, int] = WIDE
    scroll: int = 0
    fields: dict[str, Any] = field(default_factory=dict)


SPILL = (Doubt("spill", "the card's memory was full and steps became 2.1 times slower: it spills into the host"),)
SHOTS: dict[str, Shot] = {
    "first_start": Shot(first_start, fields={"trace_s": 30.0}),
    "predicted": Shot(predicted),
    "predicted_lower": Shot(predicted, scroll=520),
    "predicted_dark": Shot(predicted, theme="dark", fields={"real_machine": WITH_CARD}),
    "predicted_contrast": Shot(predicted, theme="contrast"),
    "predicted_small": Shot(predicted, size=SMALL),
    "no_card": Shot(predicted, BENCHMARK),
    "card": Shot(predicted, fields={"real_machine": WITH_CARD}),
    "unusable_card": Shot(unusable_card, fields={"real_machine": WITH_CARD}),
    "does_not_fit": Shot(does_not_fit, fields={"real_machine": WITH_CARD}),
    "simulated": Shot(simulated),
    "simulated_small_dark": Shot(simulated, theme="dark", size=SMALL),
    "bad_model": Shot(bad_model),
    "bad_data": Shot(bad_data),
    "missing_import": Shot(missing_import),
    "script_measured": Shot(script_measured, BENCHMARK),
    "long_names": Shot(long_names, BENCHMARK, size=SMALL),
    "running": Shot(running, BENCHMARK, fields={"bench_s": 30.0}),
    "running_lower": Shot(running, BENCHMARK, scroll=900, fields={"bench_s": 30.0}),
    "running_dark": Shot(running, BENCHMARK, theme="dark", fields={"bench_s": 30.0}),
    "measured": Shot(measured, BENCHMARK),
    "measured_lower": Shot(measured, BENCHMARK, scroll=620),
    "measured_contrast": Shot(measured, BENCHMARK, theme="contrast"),
    "spill": Shot(measured, BENCHMARK, fields={"doubts": SPILL}),
    "out_of_memory": Shot(measured, BENCHMARK, fields={"bench_outcome": "out_of_memory"}),
    "crashed": Shot(measured, BENCHMARK, fields={"bench_outcome": "crashed"}),
    "compared": Shot(compared, BENCHMARK),
    "found_batch": Shot(found_batch, BENCHMARK),
    "whole_measured": Shot(whole_measured, BENCHMARK),
    "advice": Shot(advice, ADVICE),
    "advice_small": Shot(advice, ADVICE, size=SMALL),
    "upgrades": Shot(upgrades, UPGRADES),
    "upgrades_dark": Shot(upgrades, UPGRADES, theme="dark", scroll=300),
    "upgrades_small": Shot(upgrades, UPGRADES, size=SMALL),
    "own_price": Shot(own_price, UPGRADES),
    "no_runs": Shot(no_runs, RUNS),
    "runs": Shot(runs, RUNS),
    "runs_small": Shot(runs, RUNS, size=SMALL),
    "runs_compared": Shot(runs_compared, RUNS),
    "more_options": Shot(more_options),
    "settings": Shot(settings),
    "accuracy": Shot(accuracy),
    "accuracy_dark": Shot(accuracy, theme="dark"),
    "simulate": Shot(simulate),
    "palette": Shot(palette),
    "machine": Shot(machine, fields={"real_machine": WITH_CARD}),
    "diagnostics": Shot(diagnostics),
    "trust": Shot(trust),
}


def take(name: str, shot: Shot, out: Path, app: Any) -> None:
    """One picture."""
    style.apply(app, shot.theme)  # type: ignore[arg-type]
    with tempfile.TemporaryDirectory() as folder:
        os.environ["WILLITTRAIN_DATA_DIR"] = folder
        scene = Scene(Path(folder), shot.fields)
        scene.window.resize(*shot.size)
        scene.window.show()
        scene.wiring.start()
        try:
            shot.drive(scene)
            if scene.shown is scene.window:
                page = scene.page(shot.page)
                scene.camera.pause(0.3)
                if shot.scroll:
                    page.verticalScrollBar().setValue(shot.scroll)
            scene.camera.save(out / f"{name}.png", scene.shown)
        finally:
            scene.window.close()
            scene.window.deleteLater()
            scene.camera.pause(0.05)


def main() -> int:
    """Take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--only", nargs="*", choices=sorted(SHOTS), default=[])
    parser.add_argument("--language", default="en", choices=("en", "de"))
    parser.add_argument("--scale", type=float, default=1.0, help="of the screen, such as 1.5")
    chosen = parser.parse_args()
    os.environ["QT_SCALE_FACTOR"] = str(chosen.scale)
    chosen.out.mkdir(parents=True, exist_ok=True)
    app = application.make_application([])
    language.install(app, chosen.language)
    for name in chosen.only or SHOTS:
        take(name, SHOTS[name], chosen.out, app)
        print(name, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
