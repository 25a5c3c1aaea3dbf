"""What being measured costs: samples per second inside the program against a bare ``model.fit`` script.

::

    python -m studies.benchmarks.overhead [--only cnn] [--pairs 5] [--seconds 20] [--json]

Benchmark (with its monitor) and script run in turns, the first of each pair changing, so that a machine that drifts
cannot choose.  Target: a ratio of at least 0.98.  Exit code 1 if it is missed beyond doubt.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from app.core.types.measurement import Measurement
from studies.benchmarks.plain_fit import BATCH, benched, data_for, fitted

TARGET = 0.98
USUAL = ("cnn", "tabular")
"""A step of some ten milliseconds and one of about one: what is added to each step shows in the second."""
PILOT_SAMPLES = 16_384
MEASURED_SHARE = 0.5
"""The script runs as many steps as the benchmark counts in this share of its time."""
T_95 = {2: 12.71, 3: 4.30, 4: 3.18, 5: 2.78, 6: 2.57, 7: 2.45, 8: 2.36, 9: 2.31, 10: 2.26}
"""Two-sided 95 % quantiles of Student's t for so many values (Student 1908)."""


@dataclass(frozen=True)
class Overhead:
    """Speed inside over speed of the bare script: geometric mean of the pairs and its 95 % interval."""

    name: str
    ratio: float
    low: float
    high: float
    pairs: tuple[float, ...]


def compare(name: str, pairs: int, seconds: float, folder: Path) -> Overhead:
    """Run both in turns."""
    with data_for(name, PILOT_SAMPLES, folder) as environment:
        speed = _steady(benched(name, 5.0, environment))
    steps = max(10, round(MEASURED_SHARE * seconds * speed / BATCH[name]))
    with data_for(name, 2 * steps * BATCH[name], folder) as environment:
        ratios = []
        for number in range(pairs):
            before = fitted(name, environment, steps).samples_per_s if number % 2 else None
            inside = _steady(benched(name, seconds, environment))
            ratios.append(inside / (before or fitted(name, environment, steps).samples_per_s))
    logs = [math.log(ratio) for ratio in ratios]
    mean = statistics.fmean(logs)
    width = T_95[len(logs)] * statistics.stdev(logs) / math.sqrt(len(logs))
    return Overhead(name, math.exp(mean), math.exp(mean - width), math.exp(mean + width), tuple(ratios))


def _steady(found: Measurement) -> float:
    """Samples per second without the start of the epoch, which the script does not count either."""
    assert found.epoch_s is not None
    assert found.data.pass_start_s is not None
    return found.samples_per_s * found.epoch_s / (found.epoch_s - found.data.pass_start_s)


def main() -> int:
    """Print the table; 1 if the whole interval of a workload lies below the target."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=BATCH, action="append")
    parser.add_argument("--pairs", type=int, default=5, choices=sorted(T_95))
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = [compare(name, options.pairs, options.seconds, Path(folder)) for name in options.only or USUAL]
    if options.json:
        print(json.dumps({"target": TARGET, "workloads": [asdict(one) for one in found]}))
    else:
        for one in found:
            print(f"{one.name:10} {one.ratio:.3f} of a bare script's speed (95 %: {one.low:.3f} to {one.high:.3f})")
    return int(any(one.high < TARGET for one in found))


if __name__ == "__main__":
    sys.exit(main())
