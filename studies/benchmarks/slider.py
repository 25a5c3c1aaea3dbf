"""Slider latency and blocking: how soon an answer follows a move, and the longest stop of the main thread.

::

    python -m studies.benchmarks.slider [--moves 150] [--model fashion_mnist_cnn] [--recorded]

The real façade with a really traced model by default; ``--recorded`` takes the hand-made one.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

LIMIT_S = 0.016


def main() -> int:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=150)
    parser.add_argument("--model", default="")
    parser.add_argument("--recorded", action="store_true")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["WILLITTRAIN_DATA_DIR"] = folder
        answer = drive(chosen.moves, chosen.model, Path(folder), recorded=chosen.recorded)
    print(json.dumps(answer))
    return 0


def drive(moves: int, model: str, folder: Path, *, recorded: bool) -> dict[str, object]:
    """Move the slider as a hand does, 60 times a second, and watch."""
    from PySide6.QtCore import QEventLoop, QTimer

    from app.ui.kit import style
    from app.ui.kit.bridge import Runner
    from app.ui.session.ui_settings import WindowSettings
    from app.ui.shell import application
    from app.ui.shell.main_window import MainWindow
    from app.ui.shell.wiring import Wiring
    from tests.fakes.advisor import make

    app = application.make_application([])
    style.apply(app, "light")
    window = MainWindow(WindowSettings())
    window.show()
    wiring = Wiring(window, make(folder) if recorded else application.make_advisor(), Runner(window), None)
    wiring.start()

    def pause(seconds: float) -> None:
        loop = QEventLoop()
        QTimer.singleShot(int(1000 * seconds), loop.quit)
        loop.exec()

    while wiring.session.textbook or wiring.machine.busy or window.verdict.state.stage != "predicted":
        pause(0.1)
        if model and wiring.session.workload and wiring.session.workload.model.name != model:
            wiring.pick.choose_model(model)
    pause(1.0)

    moved: dict[int, float] = {}
    latencies: list[float] = []

    def answered(state: object) -> None:
        asked = moved.pop(getattr(state, "batch_size", 0), None)
        if asked is not None:
            latencies.append(time.perf_counter() - asked)

    wiring.estimates.verdict_changed.connect(answered)
    stops = Stops()
    stops.start()
    slider = window.form.batch.slider
    for move in range(moves):
        slider.setValue(20 + (move * 7) % 90)
        moved[window.form.batch.value()] = time.perf_counter()
        pause(LIMIT_S)
    pause(0.5)
    longest = stops.stop()
    window.close()
    ordered = sorted(latencies)
    return {
        "moves": moves,
        "answers": len(latencies),
        "median_ms": round(1e3 * statistics.median(latencies), 1),
        "p95_ms": round(1e3 * ordered[int(0.95 * (len(ordered) - 1))], 1),
        "main_thread_p99_gap_ms": round(1e3 * longest[int(0.99 * (len(longest) - 1))], 1),
        "main_thread_longest_gap_ms": round(1e3 * longest[-1], 1),
        "gaps_over_16_ms": sum(gap > LIMIT_S for gap in longest),
        "tensorflow_loaded": "tensorflow" in sys.modules,
    }


class Stops:
    """Times between the turns of the main thread's event loop, asked for every millisecond."""

    def __init__(self) -> None:
        from PySide6.QtCore import Qt, QTimer

        self._gaps: list[float] = []
        self._last = time.perf_counter()
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)

    def start(self) -> None:
        """Begin."""
        self._last = time.perf_counter()
        self._timer.start(1)

    def stop(self) -> list[float]:
        """End; all gaps, shortest first."""
        self._timer.stop()
        return sorted(self._gaps)

    def _tick(self) -> None:
        now = time.perf_counter()
        self._gaps.append(now - self._last)
        self._last = now


if __name__ == "__main__":
    sys.exit(main())
