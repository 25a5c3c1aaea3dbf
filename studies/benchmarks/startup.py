"""How long until the first paint, and memory at rest: a bare PySide6 + pyqtgraph window against ours.

::

    python -m studies.benchmarks.startup [--runs 5] [--rest 10]

Both are timed in fresh processes, from the start of the process to the end of the first paint of the window.  Memory
is that of a window that has stood still for ``--rest`` seconds: resident, its own, and what it shares with others
(Qt's libraries, if another program has them), which counts in proportion.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

TARGET = 1.2
TARGET_MIB = 150
MIB = 2**20

PAINTED = """
import os, sys, time
from PySide6.QtCore import QEvent, QObject, QTimer
class Watch(QObject):
    def __init__(self, app, watched, also):
        super().__init__()
        self.app, self.also = app, also
        watched.installEventFilter(self)
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint:
            watched.removeEventFilter(self)
            QTimer.singleShot(0, self.tell)
        return False
    def tell(self):
        print(time.time(), flush=True)
        self.also(self.app)
def rest(leave):
    def tell():
        import psutil
        found = psutil.Process().memory_full_info()
        if hasattr(found, "pss"):
            print(found.rss, found.pss, found.uss, flush=True)
        leave()
    seconds = float(os.environ["REST_S"])
    QTimer.singleShot(int(1000 * seconds), tell if seconds else leave)
"""

BARE = (
    PAINTED
    + """
from PySide6.QtWidgets import QApplication, QMainWindow
import pyqtgraph as pg
app = QApplication(sys.argv)
window = QMainWindow()
plot = pg.PlotWidget()
plot.plot([1, 2, 3], [1, 4, 9])
window.setCentralWidget(plot)
watch = Watch(app, plot.viewport(), lambda app: rest(app.quit))
window.resize(1280, 800)
window.show()
app.exec()
"""
)

OURS = (
    PAINTED
    + """
from app.ui.shell import application, main_window
made = []
old = main_window.MainWindow.__init__
def init(self, settings):
    old(self, settings)
    made.append(Watch(None, self, lambda _app: watch_machine(self)))
main_window.MainWindow.__init__ = init
def watch_machine(window):
    if window.machine.state.loaded:
        print(time.time(), flush=True)
        rest(window.close)
    else:
        QTimer.singleShot(5, lambda: watch_machine(window))
sys.exit(application.run([]))
"""
)


def run(script: str, folder: str, rest_s: float = 0.0) -> list[str]:
    """What a window prints in a process of its own."""
    environment = {**os.environ, "WILLITTRAIN_DATA_DIR": folder, "REST_S": str(rest_s)}
    environment.setdefault("QT_QPA_PLATFORM", "offscreen")
    command = [sys.executable, "-c", script]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.splitlines()


def measure(script: str, folder: str) -> list[float]:
    """Seconds from the start of a process to each line it prints."""
    start = time.time()
    return [float(line) - start for line in run(script, folder)]


def memory_mib(script: str, folder: str, rest_s: float) -> dict[str, float]:
    """Memory of a window at rest: what is its own, and its part of what is shared; empty where nobody can tell."""
    told = run(script, folder, rest_s)[-1].split()
    if len(told) != 3:
        return {}
    resident, proportional, own = (float(bytes_) / MIB for bytes_ in told)
    figures = {"resident": resident, "own": own, "shared": resident - own, "proportional": proportional}
    return {name: round(mib, 1) for name, mib in figures.items()}


def main() -> int:
    """Print the medians as JSON; 1 if ours is slower or larger than the targets allow."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--rest", type=float, default=10.0, help="seconds that a window stands before it is weighed")
    chosen = parser.parse_args()
    runs = chosen.runs
    with tempfile.TemporaryDirectory() as folder:
        pairs = [(measure(BARE, folder), measure(OURS, folder)) for _ in range(runs + 1)][1:]
        weighed = {name: memory_mib(script, folder, chosen.rest) for name, script in (("bare", BARE), ("ours", OURS))}
    bare = statistics.median(times[0] for times, _ in pairs)
    ours = statistics.median(times[0] for _, times in pairs)
    machine = statistics.median(times[1] - times[0] for _, times in pairs)
    answer = {
        "bare_first_paint_s": round(bare, 3),
        "first_paint_s": round(ours, 3),
        "ratio": round(ours / bare, 2),
        "machine_panel_after_paint_s": round(machine, 3),
        "runs": runs,
        "memory_at_rest_mib": weighed,
    }
    print(json.dumps(answer))
    light = weighed["ours"].get("resident", 0.0) <= TARGET_MIB
    return 0 if ours <= TARGET * bare and light else 1


if __name__ == "__main__":
    sys.exit(main())
