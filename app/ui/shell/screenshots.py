"""Pictures of the window in its main states: ``python -m app.ui.shell.screenshots OUT``.

By default everything is real: this machine, a traced network, a benchmark of some seconds.  With
``--advisor MODULE:FUNCTION`` a recorded façade stands in, made by ``FUNCTION(folder)``.
"""

from __future__ import annotations

import argparse
import importlib
import io
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QWidget

from app.services.whole_write import write_export
from app.ui.kit import language, style
from app.ui.kit.bridge import Runner
from app.ui.kit.pictures import png_of
from app.ui.machine.live import sampler_source
from app.ui.session.session import Simulation
from app.ui.session.ui_settings import WindowSettings
from app.ui.shell import application
from app.ui.shell.main_window import ADVICE, BENCHMARK, FIT, RUNS, UPGRADES, MainWindow
from app.ui.shell.wiring import Wiring

if TYPE_CHECKING:
    from app.services.advisor import Advisor

SIZES = ((1280, 800), (1000, 700))
TIMEOUT_S = 180.0
COLOURS = 256
"""The window has few colours: with a palette the files are a third as large, and look the same."""


class Camera:
    """Lets a window work and takes pictures of it."""

    def __init__(self, window: QWidget) -> None:
        self._window = window

    def pause(self, seconds: float) -> None:
        """Let the window work."""
        loop = QEventLoop()
        QTimer.singleShot(int(1000 * seconds), loop.quit)
        loop.exec()

    def wait(self, condition: Callable[[], bool]) -> None:
        """Let the window work until something is true.

        Raises:
            TimeoutError: It does not become true.
        """
        end = time.monotonic() + TIMEOUT_S
        while not condition():
            if time.monotonic() > end:
                raise TimeoutError("the window does not reach a state that was to be photographed")
            self.pause(0.1)
        self.pause(0.2)

    def save(self, path: Path, widget: QWidget | None = None) -> None:
        """One picture, small; of the whole window by default."""
        self.pause(0.3)
        picture = (widget or self._window).grab().toImage().convertToFormat(QImage.Format.Format_RGB888)
        write_export(path, shrink(png_of(picture)))


class Photographer:
    """Drives one window through its states and saves pictures of them."""

    def __init__(self, out: Path, advisor: Advisor, seconds: int) -> None:
        self._out = out
        self._window = MainWindow(WindowSettings())
        self._camera = Camera(self._window)
        self._wiring = Wiring(self._window, advisor, Runner(self._window), sampler_source)
        self._wiring.bench.set_seconds(seconds)

    def run(self, app: QApplication) -> None:
        """All states, light and dark, in both sizes."""
        self._window.resize(*SIZES[0])
        self._window.show()
        self._wiring.start()
        self._camera.wait(lambda: self._window.verdict.state.stage != "loading")
        self._save("first_answer", "light")
        self._camera.wait(lambda: self._window.verdict.state.stage == "predicted" and not self._wiring.machine.busy)
        self._camera.pause(6.0)
        self._wiring.measure()
        self._camera.wait(lambda: len(self._wiring.bench.state.curves.get("step_ms", ((), ()))[0]) >= 6)
        self._save("benchmark_running", "light")
        self._camera.wait(lambda: not self._wiring.bench.running)
        self._wiring.bench.start(seconds=4)
        self._camera.wait(lambda: not self._wiring.bench.running)
        for theme in ("light", "dark"):
            style.apply(app, theme)
            self._pages(theme)
        style.apply(app, "light")
        self._window.resize(*SIZES[1])
        self._pages("light_small")
        self._window.resize(*SIZES[0])
        style.apply(app, "contrast")
        self._show(FIT)
        self._save("fit", "contrast")
        self._window.close()

    def _pages(self, suffix: str) -> None:
        """Every page, then simulated hardware."""
        for index, name in ((FIT, "fit"), (BENCHMARK, "result"), (ADVICE, "advice"), (UPGRADES, "upgrades")):
            self._show(index)
            if index == ADVICE:
                self._camera.wait(lambda: not any(task.name == "advice" for task in self._wiring.runner.tasks))
            self._save(name, suffix)
        self._show(RUNS)
        self._camera.wait(lambda: self._wiring.runs.state.loaded)
        if self._wiring.runs.state.rows:
            page: Any = self._window.pages.page(RUNS)
            page.table.selectRow(0)
        self._camera.pause(0.5)
        self._save("runs", suffix)
        self._simulate(suffix)

    def _simulate(self, suffix: str) -> None:
        """The founding case on a card of 6 GB: fits, and does not with a huge batch."""
        session = self._wiring.session
        before = session.workload
        card = next((g.name for g in session.catalog.gpus if "2060" in g.name and "6" in g.name), None)
        if card is None or before is None:
            return
        self._show(FIT)
        self._wiring.session.simulate(Simulation(card))
        self._camera.wait(lambda: bool(self._window.verdict.state.simulated))
        self._save("simulated", suffix)
        session.set_batch_size(32768)
        self._camera.wait(lambda: self._window.verdict.state.batch_size == 32768)
        self._save("does_not_fit", suffix)
        session.set_workload(before)
        self._wiring.machine.reset()
        self._camera.wait(lambda: not self._window.verdict.state.simulated)

    def _show(self, index: int) -> None:
        """A page, drawn."""
        self._window.pages.show_page(index)
        self._camera.pause(0.5)

    def _save(self, name: str, suffix: str) -> None:
        """One picture, and that of the Fit page under a name of its own."""
        path = self._out / f"{name}_{suffix}.png"
        self._camera.save(path)
        if name == "fit" and suffix in ("light", "dark"):
            write_export(self._out / f"window_{suffix}.png", path.read_bytes())


def shrink(content: bytes) -> bytes:
    """Reduce a picture to a palette where Pillow is installed (a development tool)."""
    try:
        from PIL import Image
    except ImportError:
        return content
    with Image.open(io.BytesIO(content)) as picture:
        plain = picture.convert("RGB")
    # The largest difference of any pixel is 7 of 255; without the refinement the background gets a tint.
    small = plain.quantize(COLOURS, method=Image.Quantize.MAXCOVERAGE, kmeans=3, dither=Image.Dither.NONE)
    written = io.BytesIO()
    small.save(written, "PNG", optimize=True)
    return written.getvalue()


def main(arguments: list[str] | None = None) -> int:
    """Take all pictures; the exit code is 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--advisor", help="MODULE:FUNCTION that makes a recorded façade from a folder")
    parser.add_argument("--seconds", type=int, default=12, help="length of the benchmark")
    parser.add_argument("--language", default="en", choices=language.LANGUAGES)
    chosen = parser.parse_args(arguments)
    chosen.out.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["WILLITTRAIN_DATA_DIR"] = folder
        app = application.make_application([])
        language.install(app, chosen.language)
        style.apply(app, "light")
        Photographer(chosen.out, _advisor(chosen.advisor, Path(folder)), chosen.seconds).run(app)
    return 0


def _advisor(factory: str | None, folder: Path) -> Advisor:
    """The real façade, or a recorded one."""
    if factory is None:
        return application.make_advisor()
    module, _, function = factory.partition(":")
    made: Advisor = getattr(importlib.import_module(module), function)(folder)
    return made


if __name__ == "__main__":
    sys.exit(main())
