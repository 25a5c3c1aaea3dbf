"""The same workload through the program's benchmark and through a plain ``model.fit`` script, both in own processes."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

from app.core.types.measurement import Measurement
from app.core.types.workload import Plan, Workload
from app.services.benchmarks.bench import BenchOptions, bench
from app.services.child.child_options import ChildOptions
from app.services.datasets.code import code_dataset
from tests.fakes.own_code import own_model

SCRIPT = Path(__file__).with_name("workloads.py")
BATCH = {"cnn": 64, "resnet50": 32, "lstm": 64, "jpeg": 32, "tabular": 256}
_DISTINCT = 400


@dataclass(frozen=True)
class Fitted:
    """What a plain script measured of itself."""

    epoch_s: float
    steps: int
    samples_per_s: float
    windows_s: tuple[float, ...]
    """Time of a step in each successive piece of the epoch that takes about as long as a benchmark measures."""


def benched(name: str, seconds: float, environment: dict[str, str]) -> Measurement:
    """What the program's benchmark says of a workload.

    Raises:
        RuntimeError: The run did not succeed.
    """
    model = own_model(SCRIPT, name)
    data = code_dataset(f"{SCRIPT}:{name}_data", trust=True)
    plan = Plan(batch_size=BATCH[name], device="auto")
    result = bench(
        Workload(model, data, plan), options=BenchOptions(seconds=seconds), child=ChildOptions(environment=environment)
    )
    if result.measurement is None or result.problem is not None:
        raise RuntimeError(f"{name}: {result.problem}")
    return result.measurement


def fitted(name: str, environment: dict[str, str], steps: int | None = None) -> Fitted:
    """What ``model.fit`` takes in a plain script, for an epoch or so many steps."""
    command = [sys.executable, str(SCRIPT), name, str(BATCH[name]), *(["--steps", str(steps)] if steps else [])]
    variables = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", **environment}
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{name}: {done.stderr[-2000:]}")
    return Fitted(**json.loads(done.stdout.splitlines()[-1]))


@contextlib.contextmanager
def data_for(name: str, samples: int, folder: Path) -> Iterator[dict[str, str]]:
    """Variables under which the workload has so many samples; files are made for the one that reads files."""
    variables = {"WORKLOAD_SAMPLES": str(samples)}
    if name != "jpeg":
        yield variables
        return
    root = folder / f"jpeg{samples}"
    make_photographs(root, samples)
    yield {**variables, "WORKLOAD_FOLDER": str(root)}


def make_photographs(root: Path, count: int) -> None:
    """JPEG files of 256 x 256 pixels in ten class folders; beyond some hundred they are links to the first."""
    chance = np.random.default_rng(0)
    for number in range(count):
        path = root / f"class{number % 10}" / f"{number:06}.jpg"
        path.parent.mkdir(parents=True, exist_ok=True)
        if number < _DISTINCT:
            coarse = chance.integers(0, 255, (32, 32, 3), dtype=np.uint8)
            Image.fromarray(coarse).resize((256, 256), Image.Resampling.BICUBIC).save(path, quality=90)
        else:
            same = number % _DISTINCT
            os.link(root / f"class{same % 10}" / f"{same:06}.jpg", path)
