"""How long an answer about a model in a large file takes, for each position of the batch slider.

::

    python -m studies.benchmarks.large_file [--bytes 500000000] [--positions 60] [--json]

The file is a saved network to which a member of so many bytes is added, as weights would be.  It is traced once; then
each batch is asked as the window asks it: the graph from the cache, and the prediction from the graph.  ``first`` are
batches that nobody has asked yet, after the window's own preparation (`Predictor.anticipate`); ``again`` the same
batches once more.  ``none`` is the same network from the catalog, which has no file.
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
import zipfile
from pathlib import Path

from app.core.types.machine import Machine
from app.core.types.workload import ModelRef, Plan, Workload
from app.services.advisor import Advisor
from app.services.settings import Settings
from app.services.store.file_digests import RACY_S
from app.services.store.history import History

NETWORK = "fashion_mnist_cnn"
BLOCK = 1 << 20

SAVE = """
import sys
from app.core.types.workload import ModelRef
from app.worker.models.build import build
built = build(ModelRef("catalog", sys.argv[1]))
built.model.compile("adam", built.loss)
built.model.save(sys.argv[2])
"""


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--bytes", type=int, default=500_000_000)
    options.add_argument("--positions", type=int, default=60)
    options.add_argument("--json", action="store_true")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        os.environ["WILLITTRAIN_DATA_DIR"] = name
        settings = Settings.load()
        advisor = Advisor(settings, History(settings.history_path))
        path = Path(name) / "large.keras"
        save(path, given.bytes)
        time.sleep(RACY_S + 0.5)  # a file that was just written is read again until its clock can tell a change
        found = {
            "none": measure(advisor, ModelRef("catalog", NETWORK), given.positions),
            "file": measure(advisor, advisor.catalog.find_model(str(path)), given.positions),
        }
        size = path.stat().st_size
    if given.json:
        print(json.dumps({"file_bytes": size, **found}))
        return
    print(f"one answer per slider position, milliseconds; a file of {size / 1e6:.0f} MB against none")
    for name, times in found.items():
        for order, figures in times.items():
            print(f"{name:>5} {order:>6}  median {figures['median_ms']:6.2f}  slowest {figures['max_ms']:6.2f}")


def save(path: Path, size_bytes: int) -> None:
    """A saved network with a member of so many bytes more."""
    subprocess.run([sys.executable, "-c", SAVE, NETWORK, str(path)], check=True, capture_output=True)
    block = os.urandom(BLOCK)
    with zipfile.ZipFile(path, "a") as archive, archive.open("more_weights.bin", "w", force_zip64=True) as member:
        for _ in range(size_bytes // BLOCK):
            member.write(block)


def measure(advisor: Advisor, model: ModelRef, positions: int) -> dict[str, dict[str, float]]:
    """Times of the answers about a model, each batch asked twice."""
    workload, machine = Workload(model, None, Plan(batch_size=64)), advisor.machine.read()
    graph = advisor.predictor.graph(workload)
    advisor.predictor.predict(workload, machine, graph)
    advisor.predictor.anticipate(workload, machine, graph)
    batches = [8 + 15 * n for n in range(positions)]
    return {order: of([answer_s(advisor, model, machine, batch) for batch in batches]) for order in ("first", "again")}


def answer_s(advisor: Advisor, model: ModelRef, machine: Machine, batch_size: int) -> float:
    """Seconds for one position of the slider."""
    began = time.perf_counter()
    workload = Workload(model, None, Plan(batch_size=batch_size))
    graph = advisor.predictor.graphs.get(workload)
    assert graph is not None
    advisor.predictor.predict(workload, machine, graph)
    return time.perf_counter() - began


def of(times_s: list[float]) -> dict[str, float]:
    """The figures of some answers."""
    return {"median_ms": 1e3 * statistics.median(times_s), "max_ms": 1e3 * max(times_s)}


if __name__ == "__main__":
    main()
