"""Every kind of interaction, and how long the window's thread stood still in it.

::

    python -m studies.benchmarks.stalls [--json]

The recorded façade answers, so that only the window itself is measured.  Each action is done several times; "first"
is the first time, which builds the page or loads the plots, "longest" the longest of the later ones.  ``cpu`` is what
the thread computed between two turns of its event loop, ``wall`` what passed meanwhile, other programs included.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

TIMES = 4
LIMIT_MS = 16.0


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["WILLITTRAIN_DATA_DIR"] = folder
        rows = drive(Path(folder))
    if chosen.json:
        print(json.dumps(rows))
        return 0
    print(f"{'action':34}{'first cpu':>11}{'first wall':>12}{'longest cpu':>13}{'longest wall':>14}  ms")
    for name, row in rows.items():
        cells = zip(row.values(), (11, 12, 13, 14), strict=True)
        print(f"{name:34}" + "".join(f"{value:{width}.1f}" for value, width in cells))
    late = [name for name, row in rows.items() if row["longest_cpu_ms"] > LIMIT_MS]
    print(f"over {LIMIT_MS:.0f} ms after the first time: {', '.join(late) or 'none'}")
    return 0


def drive(folder: Path) -> dict[str, dict[str, float]]:
    """Do everything that a user does, and watch."""
    from app.ui.kit import style
    from app.ui.kit.bridge import Runner
    from app.ui.session.ui_settings import WindowSettings
    from app.ui.shell import application
    from app.ui.shell.garbage import MainThreadGarbage
    from app.ui.shell.main_window import MainWindow
    from app.ui.shell.screenshots import Camera
    from app.ui.shell.wiring import Wiring
    from studies.benchmarks.watchdog import Stall, Watchdog, longest
    from tests.fakes.advisor import make

    app = application.make_application([])
    style.apply(app, "light")
    advisor = make(folder)
    advisor.script.bench_s = 1.5
    window = MainWindow(WindowSettings())
    wiring = Wiring(window, advisor, Runner(window), None)
    camera, dog = Camera(window), Watchdog()
    application.warm_up()
    MainThreadGarbage.keep_what_is_there()
    window.show()
    wiring.start()
    camera.wait(lambda: window.verdict.state.stage == "predicted" and not wiring.machine.busy)
    rows: dict[str, dict[str, float]] = {}
    for name, do in _actions(window, wiring, camera, style, app).items():
        found: list[Stall] = []
        for turn in range(TIMES):
            dog.start()
            do(turn)
            camera.pause(0.35)
            found.append(longest(dog.stop()))
        later = longest(found[1:])
        rows[name] = {
            "first_cpu_ms": round(1e3 * found[0].cpu_s, 1),
            "first_wall_ms": round(1e3 * found[0].wall_s, 1),
            "longest_cpu_ms": round(1e3 * later.cpu_s, 1),
            "longest_wall_ms": round(1e3 * later.wall_s, 1),
        }
    window.close()
    return rows


def _actions(window: Any, wiring: Any, camera: Any, style: Any, app: Any) -> dict[str, Callable[[int], object]]:
    """What is done, by name; each takes the number of the turn."""
    pages = window.pages

    def page(index: int) -> Callable[[int], object]:
        def do(_turn: int) -> None:
            pages.show_page((index + 1) % 5 if pages.built((index + 1) % 5) else 0)
            camera.pause(0.1)
            pages.show_page(index)

        return do

    def drag(turn: int) -> None:
        for move in range(12):
            window.form.batch.slider.setValue(20 + (turn * 31 + move * 7) % 90)
            camera.pause(0.016)

    def measure(_turn: int) -> None:
        pages.show_page(1)
        wiring.measure()
        camera.wait(lambda: not wiring.bench.running)

    def select(turn: int) -> None:
        pages.show_page(4)
        camera.wait(lambda: pages.page(4).table.rowCount() > 0)
        pages.page(4).table.selectRow(turn % pages.page(4).table.rowCount())

    def compare(_turn: int) -> None:
        pages.page(4).table.selectAll()
        pages.page(4).compare.click()

    def palette(_turn: int) -> None:
        wiring.dialogs.open_palette()
        camera.pause(0.1)
        top = app.activeModalWidget()
        if top is not None:
            top.close()

    def settings(_turn: int) -> None:
        wiring.dialogs.open_settings()
        camera.pause(0.1)
        top = app.activeModalWidget()
        if top is not None:
            top.close()

    def model(turn: int) -> None:
        wiring.pick.choose_model(("resnet50", "fashion_mnist_cnn")[turn % 2])

    def optimizer(turn: int) -> None:
        window.form.fields["optimizer"].widget.setCurrentIndex(turn % window.form.fields["optimizer"].widget.count())

    def theme(turn: int) -> None:
        wiring.set_theme(("dark", "light")[turn % 2])

    def filter_upgrades(turn: int) -> None:
        pages.show_page(3)
        pages.page(3).filter.setText(("RTX", "", "h100", "")[turn])

    return {
        "show Fit": page(0),
        "show Benchmark": page(1),
        "show Advice": page(2),
        "show Upgrades": page(3),
        "show Runs": page(4),
        "drag the batch slider": drag,
        "choose a model": model,
        "choose an optimizer": optimizer,
        "benchmark with live plots": measure,
        "select a run": select,
        "compare runs": compare,
        "filter upgrades": filter_upgrades,
        "open Ctrl+K": palette,
        "open settings": settings,
        "switch the theme": theme,
    }


if __name__ == "__main__":
    sys.exit(main())
