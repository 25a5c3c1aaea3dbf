"""Measured truth: taken in fresh processes, kept in ``memory_truth.csv`` with machine, versions and date."""

from __future__ import annotations

import csv
import datetime
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from studies.accuracy.memory_networks import network
from studies.accuracy.memory_rows import Row

TRUTH_FILE = Path(__file__).with_name("memory_truth.csv")
CHECKOUT = Path(__file__).resolve().parents[2]
ENVIRONMENT = {"TF_CPU_ALLOCATOR_USE_BFC": "true", "TF_CPP_MIN_LOG_LEVEL": "2", "CUDA_VISIBLE_DEVICES": "-1"}
TIMEOUT_S = 600
ROW_COLUMNS = tuple(f.name for f in fields(Row) if f.name != "group")
"""The half that a network belongs to is no property of a measurement."""


@dataclass(frozen=True)
class Truth:
    """What one configuration took, over several fresh processes."""

    row: Row
    peak_bytes: int
    """Median over the processes of the highest peak of steps 2 and 3."""
    lowest_bytes: int
    highest_bytes: int
    first_step_bytes: int
    repeats: int
    machine: str
    tensorflow: str
    keras: str
    date: str


class MeasureFailed(Exception):
    """A measuring process did not answer."""


def measure(row: Row, repeats: int) -> Truth:
    """Measure one row, with XLA in one process only.

    XLA's program has one order and one temporary buffer: its peak comes out the same in every process, but for
    the few megabytes of a batch that is copied or taken over as its address happens to be aligned.

    Raises:
        MeasureFailed: A process died or took too long.
    """
    answers = [_measure_once(row) for _ in range(wanted_repeats(row, repeats))]
    peaks = sorted(a["peak_bytes"] for a in answers)
    return Truth(
        row=row,
        peak_bytes=int(statistics.median(peaks)),
        lowest_bytes=peaks[0],
        highest_bytes=peaks[-1],
        first_step_bytes=int(statistics.median(a["first_step_bytes"] for a in answers)),
        repeats=len(answers),
        machine=f"{_processor()}, {len(os.sched_getaffinity(0))} threads",
        tensorflow=answers[0]["tensorflow"],
        keras=answers[0]["keras"],
        date=datetime.date.today().isoformat(),
    )


def wanted_repeats(row: Row, repeats: int) -> int:
    """How many processes make a truth of this row."""
    return 1 if row.xla == "on" else repeats


def missing(wanted: Iterable[Row], repeats: int) -> list[Row]:
    """The rows without a truth of that many processes."""
    known = load()
    return [r for r in wanted if r.key not in known or known[r.key].repeats < wanted_repeats(r, repeats)]


def measure_all(wanted: Iterable[Row], repeats: int, say: Callable[[str], None]) -> None:
    """Measure rows one after the other; each is stored as soon as it is known."""
    for row in wanted:
        started = time.perf_counter()
        try:
            truth = measure(row, repeats)
        except MeasureFailed as error:
            say(f"{row.label} {row.precision} xla {row.xla} {row.extra}: {error}")
            continue
        known = load()
        known[row.key] = truth
        store(known.values())
        say(f"{row.label} xla {row.xla} {row.extra}: {truth.peak_bytes:,} in {time.perf_counter() - started:.0f} s")


def load() -> dict[tuple[str, ...], Truth]:
    """The stored truths by the key of their row."""
    if not TRUTH_FILE.exists():
        return {}
    with TRUTH_FILE.open(newline="", encoding="utf-8") as file:
        found = [_truth(record) for record in csv.DictReader(file)]
    return {truth.row.key: truth for truth in found}


def store(truths: Iterable[Truth]) -> None:
    """Write all truths; whoever reads meanwhile sees the old file or the new one."""
    names = [*ROW_COLUMNS, *(f.name for f in fields(Truth) if f.name != "row")]
    written = TRUTH_FILE.with_suffix(".new")
    with written.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, names, lineterminator="\n")
        writer.writeheader()
        for truth in truths:
            values = {f.name: getattr(truth, f.name) for f in fields(Truth) if f.name != "row"}
            writer.writerow({**{name: getattr(truth.row, name) for name in ROW_COLUMNS}, **values})
    written.replace(TRUTH_FILE)


def _truth(record: dict[str, str]) -> Truth:
    """One line of the file."""
    values: dict[str, Any] = {name: record[name] for name in ROW_COLUMNS}
    row = Row(network(record["network"]).group, **{**values, "batch": int(record["batch"])})
    numbers = ("peak_bytes", "lowest_bytes", "highest_bytes", "first_step_bytes", "repeats")
    words = ("machine", "tensorflow", "keras", "date")
    known: dict[str, Any] = {n: int(record[n]) for n in numbers} | {n: record[n] for n in words}
    return Truth(row, **known)


def _measure_once(row: Row) -> dict[str, Any]:
    """One fresh process."""
    command = [sys.executable, "-m", "studies.accuracy.truth_child", json.dumps(asdict(row))]
    try:
        ended = subprocess.run(
            command,
            env={**os.environ, **ENVIRONMENT},
            cwd=CHECKOUT,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise MeasureFailed(f"no answer within {TIMEOUT_S} s") from error
    if ended.returncode:
        raise MeasureFailed(f"exit code {ended.returncode}: {ended.stderr[-500:]}")
    answer: dict[str, Any] = json.loads(ended.stdout.splitlines()[-1])
    return answer


def _processor() -> str:
    """The processor's name."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown")
