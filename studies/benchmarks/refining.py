"""How long `estimate --refine` takes, with XLA on and off: for the graph, and for the refinement.

::

    python -m studies.benchmarks.refining [--runs 3] [--only NAME] [--json]

Every run begins with an empty cache in which only the machine's rates are known, which are measured once before the
first.  The first network's graph ships with the program; the others are traced first: one of the catalog at a size
that does not ship, and a saved file.  ``processor`` is the children's own time, which other programs disturb less than
the clock.  An older version is measured by running this very file in its folder::

    cd OLD; PYTHONPATH=. python NEW/studies/benchmarks/refining.py
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from app.core.types.machine import Machine
from app.core.types.workload import ModelRef, Plan, Workload
from app.services.advisor import Advisor
from app.services.settings import Settings
from app.services.store.history import History

NETWORKS = {
    "small": ("fashion_mnist_cnn", None, 64),
    "large": ("resnet50", (64, 64, 3), 16),
    "file": ("mobilenetv2", (64, 64, 3), 16),
}
"""Name in the catalog, shape of an image and batch."""
MEASURED_ONCE = ("rates.json", "probes.json")

SAVE = """
import sys
from app.core.types.workload import ModelRef
from app.worker.models.build import build
built = build(ModelRef("catalog", sys.argv[1]), input_shape=tuple(map(int, sys.argv[2].split("x"))))
built.model.compile("adam", built.loss)
built.model.save(sys.argv[3])
"""


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--runs", type=int, default=3)
    options.add_argument("--only", choices=NETWORKS)
    options.add_argument("--json", action="store_true")
    given = options.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        measured = Path(folder) / "measured"
        advisor_in(measured).machine.rates("cpu")
        for name in [given.only] if given.only else NETWORKS:
            for jit in (True, False):
                runs = [asked(name, jit, Path(folder), measured) for _ in range(given.runs)]
                medians = {part: round(statistics.median(run[part] for run in runs), 2) for part in runs[0]}
                rows.append({"network": name, "xla": "on" if jit else "off", **medians})
                print(rows[-1], file=sys.stderr if given.json else sys.stdout, flush=True)
    if given.json:
        print(json.dumps(rows))


def asked(name: str, jit: bool, folder: Path, measured: Path) -> dict[str, float]:
    """Seconds of one question to a program that knows nothing of the model."""
    network, shape, batch = NETWORKS[name]
    model = saved(network, shape or (), folder) if name == "file" else ModelRef("catalog", network)
    workload = Workload(
        model, None, Plan(batch_size=batch, jit=jit, device="cpu"), input_shape=None if name == "file" else shape
    )
    with tempfile.TemporaryDirectory(dir=folder) as data:
        advisor = advisor_in(Path(data))
        for known in MEASURED_ONCE:
            (found,) = measured.rglob(known)
            place = Path(data) / found.relative_to(measured)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(found, place)
        return times(advisor, workload, advisor.machine.read())


def times(advisor: Advisor, workload: Workload, machine: Machine) -> dict[str, float]:
    """Seconds until the graph is known, and until the refinement is."""
    begun, used = time.perf_counter(), processor_s()
    advisor.predictor.graph(workload)
    traced = time.perf_counter()
    advisor.predictor.refine(workload, machine)
    done = time.perf_counter()
    return {
        "graph_s": traced - begun,
        "refine_s": done - traced,
        "s": done - begun,
        "processor_s": processor_s() - used,
    }


def saved(network: str, shape: tuple[int, ...], folder: Path) -> ModelRef:
    """A network as a file of the user's own."""
    path = folder / f"{network}.keras"
    if not path.exists():
        arguments: list[Any] = [sys.executable, "-c", SAVE, network, "x".join(map(str, shape)), path]
        subprocess.run(arguments, check=True, capture_output=True)
    return advisor_in(folder / "measured").catalog.find_model(str(path))


def advisor_in(folder: Path) -> Advisor:
    """The program with a data folder of its own."""
    os.environ["WILLITTRAIN_DATA_DIR"] = str(folder)
    settings = Settings.load()
    return Advisor(settings, History(settings.history_path))


def processor_s() -> float:
    """Processor seconds of all children that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
