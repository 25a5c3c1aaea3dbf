"""Live plots over an hour at ten readings a second: time of a frame, and memory from the first minute to the last.

::

    python -m studies.benchmarks.frames [--minutes 60] [--frames 600] [--json]

All eight plots of the Benchmark page are on screen.  A frame is the longest turn of the event loop in one refresh: each
plot is set and painted in a turn of its own, so that the window answers in between.  The hour itself is not waited for:
readings come as fast as they are drawn, and frames are drawn evenly over it.  ``cpu`` is time that the main thread
computed, ``wall`` what passed meanwhile.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

LIMIT_MS = 16.0
READINGS_PER_S = 10
REFRESH_S = 0.15
"""As often as the window draws a run that goes on."""
SIZE = (900, 1500)


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--frames", type=int, default=600)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    found = drive(chosen.minutes, chosen.frames)
    if chosen.json:
        print(json.dumps(found))
    else:
        print("\n".join(f"{name:24} {value}" for name, value in found.items()))
    return 0


def drive(minutes: float, frames: int) -> dict[str, float | int]:
    """Feed the plots and time what they do."""
    import psutil

    from app.core.types.measurement import PhaseSpan
    from app.ui.benchmark.live_plots import LivePlots
    from app.ui.benchmark.state_live import LiveSeries
    from app.ui.kit import style
    from app.ui.shell import application
    from app.ui.shell.screenshots import Camera
    from studies.benchmarks.watchdog import Watchdog, longest

    app = application.make_application([])
    style.apply(app, "light")
    plots = LivePlots("While it runs")
    plots.resize(*SIZE)
    plots.show()
    series, phases = LiveSeries(), (PhaseSpan("import", 0.0, 4.0), PhaseSpan("measure", 4.0))
    readings = int(minutes * 60 * READINGS_PER_S)
    every = max(1, readings // frames)
    walls: list[float] = []
    cpus: list[float] = []
    camera, dog = Camera(plots), Watchdog()
    process, early_bytes = psutil.Process(), 0
    for number in range(readings):
        series.take(_reading(number))
        if number % every:
            continue
        curves = series.frozen()
        dog.start()
        plots.set_curves(curves, phases, 5.3)
        camera.pause(REFRESH_S)
        stall = longest(dog.stop())
        walls.append(1e3 * stall.wall_s)
        cpus.append(1e3 * stall.cpu_s)
        if number == every * (frames // 10):
            early_bytes = process.memory_info().rss
    grown_mib = (process.memory_info().rss - early_bytes) / 1024**2
    plots.close()
    walls, cpus = sorted(walls[5:]), sorted(cpus[5:])  # the first frames load and lay out the plots
    return {
        "minutes": minutes,
        "readings": readings,
        "frames": len(walls),
        "points_per_curve": max(len(times) for times, _ in series.frozen().values()),
        "cpu_median_ms": round(cpus[len(cpus) // 2], 2),
        "cpu_p99_ms": round(cpus[int(0.99 * (len(cpus) - 1))], 2),
        "cpu_longest_ms": round(cpus[-1], 2),
        "wall_median_ms": round(walls[len(walls) // 2], 2),
        "wall_p99_ms": round(walls[int(0.99 * (len(walls) - 1))], 2),
        "wall_longest_ms": round(walls[-1], 2),
        "over_16_ms_cpu": sum(cpu > LIMIT_MS for cpu in cpus),
        "grown_mib": round(grown_mib, 1),
    }


def _reading(number: int) -> object:
    """All that a machine with a card could tell at one moment."""
    from app.core.types.measurement import Sample

    t_s = number / READINGS_PER_S
    wave = math.sin(number / 37)
    gib = 1024**3
    return Sample(
        t_s,
        "measure",
        number,
        0.02 * (1 + 0.05 * wave),
        int(3.1e9),
        int(3.4e9),
        55 + 20 * wave,
        int(2.2 * gib),
        81.0,
        int(4.4 * gib),
        3e6,
        1e6,
        4.0,
        9 * gib,
        0,
        4050.0 + 50 * wave,
        61 + 4 * wave,
        70 + 9 * wave,
        int(4.6 * gib),
        6 * gib,
        140 + 12 * wave,
        66 + 3 * wave,
        1680,
    )


if __name__ == "__main__":
    sys.exit(main())
