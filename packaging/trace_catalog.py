"""Trace every network of the catalog anew and put the graphs into ``resources/graphs``.

    python packaging/trace_catalog.py [NAME ...]

Run it after a change in `app.worker.models` or `app.worker.tracing`; a test says when it is due.  It takes
about five minutes and needs TensorFlow and keras-hub.  With names, only these are traced, which makes
sense only while the tracer is unchanged.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import msgspec

from app.core.types.workload import Plan, Workload
from app.services.advisor import Advisor
from app.services.settings import Folders, Settings
from app.services.store.graph_key import tracer_digest
from app.services.store.history import History
from app.services.store.shipped_graphs import MANIFEST, Manifest, read_manifest

TARGET = Path(__file__).resolve().parent.parent / "resources" / "graphs"


def main(names: list[str]) -> None:
    """Trace the networks called ``names``, or all."""
    TARGET.mkdir(parents=True, exist_ok=True)
    if not names:
        for old in TARGET.glob("*.json.gz"):
            old.unlink()
    outputs = dict(read_manifest(TARGET).outputs)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        settings = replace(Settings(), folders=Folders(root / "data", root / "cache", root / "config"))
        advisor = Advisor(settings, History(settings.history_path))
        for entry in advisor.catalog.models():
            if names and entry.name not in names:
                continue
            workload = Workload(advisor.catalog.find_model(entry.name), None, Plan())
            graph = advisor.predictor.graph(workload)
            key = advisor.predictor.graphs.key(workload).name
            shutil.copyfile(settings.cache_dir / "graphs" / f"{key}.json.gz", TARGET / f"{entry.name}.json.gz")
            outputs[entry.name] = sum(layer.output_elements for layer in graph.layers)
            print(f"{entry.name}: {len(graph.operations):,} operations in {graph.trace_s:.1f} s", flush=True)
        manifest = Manifest(tracer_digest(), graph.framework, outputs)
        (TARGET / MANIFEST).write_bytes(msgspec.json.encode(manifest) + b"\n")


if __name__ == "__main__":
    main(sys.argv[1:])
