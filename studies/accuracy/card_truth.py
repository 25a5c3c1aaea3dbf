"""Truth for cards without the cards: the real TensorFlow GPU build on an emulated CUDA driver.

The driver is an instrument of its own and no part of this project: a folder with the built ``libcuda.so.1`` that
answers every launch at once and accounts for memory; the environment variable `DRIVER_VARIABLE` names it, and
`PYTHON_VARIABLE` the Python that has TensorFlow with its CUDA wheels and the program's own requirements.  What was
patched in the driver for these measurements lies in ``cards/fake_cuda_patches``.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

from studies.accuracy.card_rows import CARDS, CardRow
from studies.accuracy.product import say
from studies.accuracy.truth_table import ChildFailed, TruthTable, ask_child

DRIVER_VARIABLE = "WILLITTRAIN_FAKE_CUDA"
PYTHON_VARIABLE = "WILLITTRAIN_FAKE_CUDA_PYTHON"
FOLDER = Path(__file__).with_name("cards")
VERSIONS = ("tensorflow", "keras", "cudnn", "cublas", "nvcc", "driver", "date")
TRUTHS = TruthTable(
    FOLDER / "truth.csv",
    key=tuple(f.name for f in fields(CardRow)),
    answer=("steady_peak_bytes", "first_step_peak_bytes", "largest_batch", "largest_within_mib", *VERSIONS),
)
"""A largest batch (`card_largest`) belongs to the memory within which it was looked for."""
AGAIN = replace(
    TRUTHS, file=FOLDER.parent / "card_again.csv", answer=("steady_peak_bytes", "first_step_peak_bytes", *VERSIONS)
)
"""The same rows measured a second time: no two trainings do everything in the same order."""
NO_LARGEST = {"largest_batch": "", "largest_within_mib": ""}
"""Of a row in which nobody has searched."""
NO_AUTOTUNING = {"TF_CUDNN_USE_AUTOTUNE": "0", "XLA_FLAGS": "--xla_gpu_autotune_level=0"}
"""A choice by time would be arbitrary on a card whose kernels all end at once."""


def environment(driver: Path, wheels: Path, card: str, *, autotuned: bool = False) -> dict[str, str]:
    """The variables under which TensorFlow takes the emulated driver for a card.

    Args:
        driver: The folder with the built libraries.
        wheels: The folder ``nvidia`` of the CUDA wheels.
        card: A name of `CARDS`.
        autotuned: Kernels are tried before one is chosen.
    """
    libraries = [str(driver), *sorted(str(path) for path in wheels.glob("*/lib"))]
    return {
        **os.environ,
        **({} if autotuned else NO_AUTOTUNING),
        "LD_LIBRARY_PATH": ":".join(libraries),
        "PATH": f"{wheels / 'cuda_nvcc' / 'bin'}:{os.environ.get('PATH', '')}",
        "FAKECUDA_CARD": CARDS[card].emulated,
        "TF_CPP_MIN_LOG_LEVEL": "2",
    }


def measure_all(wanted: Iterable[CardRow], until_s: float, table: TruthTable = TRUTHS) -> None:
    """Measure row by row, one process each; each truth is stored as soon as it is known.

    Args:
        wanted: Rows, in the order in which to measure them.
        until_s: No row is begun later, by ``time.monotonic``.
        table: Where the truths are kept.
    """
    driver, python = instrument()
    wheels = wheels_of(python)
    version = digest(driver)
    for row in wanted:
        if time.monotonic() > until_s:
            return
        found = measured(row, str(python), environment(driver, wheels, row.card), version)
        if found is not None:
            truths = table.load()
            table.store({**truths, row.key: {**NO_LARGEST, **truths.get(row.key, {}), **found}})


def measured(
    row: CardRow, python: str, variables: Mapping[str, str], driver: str, *words: str
) -> dict[str, Any] | None:
    """What one process finds of a row, with the driver and the day; None where it fails, which is told.

    Args:
        row: What is trained.
        python: Has TensorFlow for CUDA.
        variables: Of the process.
        driver: As what the driver is known in the tables.
        words: For the child, behind the row.
    """
    started = time.perf_counter()
    command = [python, "-m", "studies.accuracy.card_truth_child", json.dumps(asdict(row)), *words]
    try:
        found = ask_child(command, variables)
    except (ChildFailed, subprocess.TimeoutExpired) as error:
        say(f"{row.shown}: {error if row.group == 'open' else type(error).__name__}")
        return None
    say(f"{row.shown}: measured in {time.perf_counter() - started:.0f} s")
    return {**found, "driver": driver, "date": datetime.date.today().isoformat()}


def digest(driver: Path) -> str:
    """By what the emulated driver of this folder is known in the tables."""
    return hashlib.sha256((driver / "libcuda.so.1").read_bytes()).hexdigest()[:12]


def wheels_of(python: Path) -> Path:
    """The folder ``nvidia`` of a Python's CUDA wheels.

    Raises:
        SystemExit: It has none.
    """
    asked = "import importlib.util as u; print(u.find_spec('nvidia.cudnn').submodule_search_locations[0])"
    found = subprocess.run([str(python), "-c", asked], capture_output=True, text=True, check=False)
    if found.returncode:
        sys.exit(f"error: {python} has no CUDA wheels; expected one with tensorflow[and-cuda] ({PYTHON_VARIABLE})")
    return Path(found.stdout.strip()).parent


def instrument() -> tuple[Path, Path]:
    """The driver's folder and the Python that trains on it."""
    named = {name: os.environ.get(name, "") for name in (DRIVER_VARIABLE, PYTHON_VARIABLE)}
    driver, python = Path(named[DRIVER_VARIABLE]), Path(named[PYTHON_VARIABLE])
    if not named[DRIVER_VARIABLE] or not (driver / "libcuda.so.1").is_file():
        sys.exit(f"error: no libcuda.so.1 in {driver}; expected the emulated driver's folder in {DRIVER_VARIABLE}")
    if not named[PYTHON_VARIABLE] or not python.is_file():
        sys.exit(f"error: there is no {python}; expected a Python with TensorFlow for CUDA in {PYTHON_VARIABLE}")
    return driver, python
