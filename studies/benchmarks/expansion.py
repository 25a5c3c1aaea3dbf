"""K, the memory that data takes when decoded and cached, per byte on disk: as told, and as a process really grows.

::

    python -m studies.benchmarks.expansion [--samples 3000] [--json]

Folders of JPEG and PNG files, an ``.npz`` file and a CSV table are generated.  For each, one process asks the
worker's own measurement, which caches a part of the data for some tenths of a second, and another, with the
allocator that a user's training has, caches all of it and looks at its resident size.  Exit code 1 if a told K is
off by more than a quarter.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from PIL import Image

TARGET = 0.25
SIDE = 128
KINDS = ("jpeg", "png", "npz", "csv")


def make(kind: str, folder: Path, samples: int) -> Path:
    """Data of a kind on the disk."""
    chance = np.random.default_rng(0)
    root = folder / kind
    root.mkdir()
    if kind == "npz":
        images = chance.integers(0, 255, (samples, SIDE, SIDE, 3), dtype=np.uint8) // 64 * 64
        np.savez_compressed(root / "data.npz", x=images, y=np.arange(samples) % 10)
        return root / "data.npz"
    if kind == "csv":
        rows = np.column_stack([chance.normal(size=(samples * 20, 30)), np.arange(samples * 20) % 10])
        head = ",".join([*(f"f{i}" for i in range(30)), "label"])
        np.savetxt(root / "data.csv", rows, "%.5g", ",", header=head, comments="")
        return root / "data.csv"
    for number in range(samples):
        path = root / f"class{number % 10}" / f"{number}.{kind}"
        path.parent.mkdir(exist_ok=True)
        coarse = chance.integers(0, 255, (16, 16, 3), dtype=np.uint8)
        Image.fromarray(coarse).resize((SIDE, SIDE), Image.Resampling.BICUBIC).save(path)
    return root


def child(what: str, path: str) -> None:
    """Print K, as the worker tells it or as this process grows."""
    import psutil
    import tensorflow as tf

    from app.core.pipeline.input_cost import held_in_ram_bytes
    from app.services.datasets.scan import scan_dataset
    from app.worker.data.batches import compact_samples
    from app.worker.data.cached_size import cached_sample_bytes
    from app.worker.models.built import BuiltModel, InputSpec

    dataset = scan_dataset(path)
    shape = (30,) if dataset.kind == "csv" else (SIDE, SIDE, 3)
    built = BuiltModel(None, None, (InputSpec(shape),), (InputSpec((), "int32", high=10),))
    assert dataset.bytes_on_disk is not None
    assert dataset.samples is not None
    if what == "told":
        samples = compact_samples(built, dataset)
        for count, _ in enumerate(samples.take(dataset.samples // 4), 1):
            if count == 1:
                begun = time.perf_counter()
        speed = count / (time.perf_counter() - begun)
        each = cached_sample_bytes(samples, speed, 1.0, lambda: None)
        held = None if each is None else held_in_ram_bytes(each, decoded=dataset.kind == "images")
        print(None if held is None else held * dataset.samples / dataset.bytes_on_disk)
        return
    process = psutil.Process()
    samples = compact_samples(built, dataset)
    for _ in samples.take(64):  # threads and buffers of the pipeline are no cache
        pass
    before = process.memory_info().rss
    cached = samples.cache()
    with tf.device("CPU:0"):
        iterator = iter(cached)
        for _ in iterator:
            pass
    print((process.memory_info().rss - before) / dataset.bytes_on_disk)


def ask(what: str, path: Path) -> float:
    """K from a process of its own."""
    counting = "true" if what == "told" else "false"
    environment = {**os.environ, "TF_CPU_ALLOCATOR_USE_BFC": counting, "TF_CPP_MIN_LOG_LEVEL": "3"}
    command = [sys.executable, "-m", "studies.benchmarks.expansion", "--child", what, str(path)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return float(done.stdout.splitlines()[-1])


def main() -> int:
    """Print the table; 1 if a K is off."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=3000)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--child", nargs=2, metavar=("told|grown", "PATH"), help="Used by this program itself.")
    options = parser.parse_args()
    if options.child:
        child(*options.child)
        return 0
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for kind in KINDS:
            path = make(kind, Path(folder), options.samples)
            found[kind] = {"told": ask("told", path), "grown": ask("grown", path)}
            if not options.json:
                print(f"{kind:5} K told {found[kind]['told']:6.2f}   grown {found[kind]['grown']:6.2f}", flush=True)
    if options.json:
        print(json.dumps(found))
    return int(any(abs(k["told"] / k["grown"] - 1) > TARGET for k in found.values()))


if __name__ == "__main__":
    sys.exit(main())
