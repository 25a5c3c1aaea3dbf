"""How long until the first paint: a bare PySide6 + pyqtgraph window against ours, each in fresh processes.

::

    python -m studies.benchmarks.startup [--runs 5]

Both are timed from the start of the process to the end of the first paint of the window.
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

TARGET = 2.5

PAINTED = """
import sys, time
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
watch = Watch(app, plot.viewport(), lambda app: app.quit())
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
        window.close()
    else:
        QTimer.singleShot(5, lambda: watch_machine(window))
sys.exit(application.run([]))
"""
)


def measure(script: str, folder: str) -> list[float]:
    """Seconds from the start of a process to each line it prints."""
    environment = {**os.environ, "WILLITTRAIN_DATA_DIR": folder}
    environment.setdefault("QT_QPA_PLATFORM", "offscreen")
    start = time.time()
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    return [float(line) - start for line in done.stdout.split()]


def main() -> int:
    """Print the medians as JSON; 1 if ours is slower than the target allows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as folder:
        pairs = [(measure(BARE, folder), measure(OURS, folder)) for _ in range(runs + 1)][1:]
    bare = statistics.median(times[0] for times, _ in pairs)
    ours = statistics.median(times[0] for _, times in pairs)
    machine = statistics.median(times[1] - times[0] for _, times in pairs)
    answer = {
        "bare_first_paint_s": round(bare, 3),
        "first_paint_s": round(ours, 3),
        "ratio": round(ours / bare, 2),
        "machine_panel_after_paint_s": round(machine, 3),
        "runs": runs,
    }
    print(json.dumps(answer))
    return 0 if ours <= TARGET * bare else 1


if __name__ == "__main__":
    sys.exit(main())
