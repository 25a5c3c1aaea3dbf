"""The batch finder on real networks with real TensorFlow children under a memory limit: how many trials it takes.

::

    python -m studies.benchmarks.finder [--limit 2GB] [--models NAME,NAME] [--effective 1024] [--json]

Five networks on the CPU.  The first trial stands where the prediction comes up to the limit less the headroom;
``error`` says how far the prediction was off there (predicted over measured memory of the whole process), and
``limit used`` which share of the limit the largest batch took.  Runs go to a history of their own, so that every
search starts from an uncorrected prediction.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from app.cli.session import Live, prepare
from app.core.types.units import format_bytes, parse_bytes
from app.core.types.workload import Plan, Workload
from app.services.advisor import Advisor
from app.services.benchmarks.batch_finder import BatchFinding
from app.services.settings import Folders, Settings
from app.services.store.history import History

MODELS = ("fashion_mnist_cnn", "mlp", "lstm_2", "unet", "mobilenetv2")


def search(advisor: Advisor, name: str, limit_bytes: int, effective: int) -> dict[str, Any]:
    """One search, as a row."""
    workload = Workload(advisor.catalog.find_model(name), None, Plan(batch_size=32, device="cpu"))
    machine = advisor.machine.read()
    prepare(advisor, workload, machine, Live(threading.Event()))
    started = time.monotonic()
    found = advisor.benchmarks.find_batch(workload, machine, effective=effective, memory_limit_bytes=limit_bytes)
    return {
        "model": name,
        "trials": [(one.batch_size, one.run.result.outcome, one.peak_bytes, one.samples_per_s) for one in found.trials],
        "count": len(found.trials),
        "largest": found.largest_batch_size,
        "best": found.best_batch_size,
        "stopped_by": found.stopped_by,
        "error": first_error(found),
        "used": used(found),
        "pair": [found.accumulation.batch_size, found.accumulation.accumulate] if found.accumulation else None,
        "seconds": time.monotonic() - started,
    }


def first_error(found: BatchFinding) -> float | None:
    """Predicted over measured memory of the first trial, less one; None if it did not run."""
    first = found.trials[0]
    told = first.run.prediction
    if told is None or told.memory.host_bytes is None or first.peak_bytes is None:
        return None
    return told.memory.host_bytes / first.peak_bytes - 1


def used(found: BatchFinding) -> float | None:
    """Share of the limit that the largest batch took."""
    largest = next((one for one in found.trials if one.batch_size == found.largest_batch_size), None)
    if largest is None or largest.peak_bytes is None or not found.limit_bytes:
        return None
    return largest.peak_bytes / found.limit_bytes


def main() -> None:
    """Answer the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", default="2GB")
    parser.add_argument("--models", default=",".join(MODELS))
    parser.add_argument("--effective", type=int, default=1024)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    limit = parse_bytes(chosen.limit)
    rows = []
    for name in chosen.models.split(","):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            settings = replace(Settings(), folders=Folders(root / "data", Folders.default().cache_dir, root / "config"))
            rows.append(search(Advisor(settings, History(settings.history_path)), name, limit, chosen.effective))
        if not chosen.json:
            show(rows[-1])
    if chosen.json:
        print(json.dumps(rows))


def show(row: dict[str, Any]) -> None:
    """Print a row."""
    error = "" if row["error"] is None else f"{row['error']:+.1%}"
    share = "" if row["used"] is None else f"{row['used']:.0%}"
    print(
        f"{row['model']:<20} {row['count']} trials  largest {row['largest']}  best {row['best']}  {row['stopped_by']}"
        f"  error {error}  limit used {share}  pair {row['pair']}  {row['seconds']:.0f} s",
        flush=True,
    )
    for batch, outcome, peak, speed in row["trials"]:
        rate = "" if speed is None else f"{speed:,.0f} samples/s"
        print(f"    batch {batch:>7,}  {outcome:<14} {format_bytes(peak):>14}  {rate}", flush=True)


if __name__ == "__main__":
    main()
