"""The log of what was predicted against what was measured: one row beside each run that can be compared.

Two predictions stand there: what was *told*, which judges the product, and the *raw* one, which no run had
corrected, from which later predictions learn.  Rows of another version of this program judge, but teach nothing:
its predictor may have been another.  The time of a run beside other programs is theirs as well: it does neither.
Columns only, no JSON, so that ten thousand runs cost nothing.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app import __version__
from app.core.predict.device_corrections import Witness
from app.core.predict.disturbed import speed_of
from app.core.predict.intervals import score
from app.core.types.faults import HOST_MEMORY
from app.core.types.machine import Machine
from app.core.types.measurement import Measurement, RunResult
from app.core.types.prediction import Prediction, Uncalibrated
from app.core.types.track_record import Judged, PastRun

TEACHING_RUNS = 200
"""The newest runs of other models on a device from which its interval follows."""


@dataclass(frozen=True)
class Outlook:
    """Whose forecasts teach: a device by name, and the kind of code of which framework on it."""

    device: str
    compiled: bool
    backend: str = "tensorflow"

    @property
    def place(self) -> str:
        """The device's name in the log; TensorFlow's stands there alone, as it did before there were others."""
        return self.device if self.backend == "tensorflow" else f"{self.device} [{self.backend}]"


@dataclass(frozen=True)
class Witnesses:
    """How raw predictions of memory and of time came out, newest first."""

    memory: tuple[Witness, ...] = ()
    time: tuple[Witness, ...] = ()


def insert(
    store: sqlite3.Connection, run_id: int, machine: Machine, prediction: Prediction | None, result: RunResult
) -> None:
    """Note what was said before a run and what came, if both are there and the machine was a real one."""
    if prediction is None or machine.simulated or not (result.measurement or result.outcome == "out_of_memory"):
        return
    values = {"run_id": run_id, **_columns(prediction, result)}
    names, marks = ", ".join(values), ", ".join("?" for _ in values)
    store.execute(f"INSERT INTO forecast ({names}) VALUES ({marks})", tuple(values.values()))


def past_runs(store: sqlite3.Connection, limit: int) -> tuple[PastRun, ...]:
    """The newest runs that can be compared, as they judge the product."""
    query = (
        "SELECT forecast.*, run.model FROM forecast JOIN run USING (run_id) WHERE NOT run.deleted"
        " AND (told_peak_bytes > 0 AND measured_peak_bytes > 0 OR told_step_s > 0 AND measured_step_s > 0)"
        " ORDER BY run_id DESC LIMIT ?"
    )
    return tuple(
        PastRun(row["run_id"], row["model"], _judged(row, "told", "peak", "bytes"), _judged(row, "told", "step", "s"))
        for row in store.execute(query, (limit,))
    )


def witnesses(store: sqlite3.Connection, model_key: str, content: str | None, outlook: Outlook) -> Witnesses:
    """What the newest runs of other models on a device teach; an earlier version of a file is another model.

    A run that died of too little memory had no peak to measure, but needed more than it got: it counts
    against a prediction that was lower, and for none.
    """
    query = (
        "SELECT forecast.*, run.model_key FROM forecast JOIN run USING (run_id)"
        " WHERE forecast.device = ? AND compiled = ? AND program = ? AND NOT (model_key = ? AND content IS ?)"
        " AND NOT run.deleted"
        " ORDER BY run_id DESC LIMIT ?"
    )
    asked = (outlook.place, outlook.compiled, __version__, model_key, content, TEACHING_RUNS)
    rows = store.execute(query, asked).fetchall()
    memory, time = [], []
    for row in rows:
        peak = _judged(row, "raw", "peak", "bytes") or _censored(row)
        step = _judged(row, "raw", "step", "s")
        memory += [Witness(row["model_key"], peak.predicted, score(peak))] if peak else []
        time += [Witness(row["model_key"], step.predicted, score(step))] if step else []
    return Witnesses(tuple(memory), tuple(time))


def _columns(prediction: Prediction, result: RunResult) -> dict[str, Any]:
    """One row."""
    raw = prediction.uncalibrated or Uncalibrated(0, 0, 0)
    memory, time, found = prediction.memory, prediction.time, result.measurement
    told_peak: tuple[int, int, int] = (memory.allocator_peak_bytes, memory.low_bytes, memory.high_bytes)
    raw_peak = (raw.allocator_peak_bytes, raw.low_bytes, raw.high_bytes)
    told_step = (time.step_s, time.low_s, time.high_s)
    raw_step = (raw.step_s, raw.low_s, raw.high_s)
    if memory.basis in ("measured", "formula"):
        told_peak = raw_peak
    if time.basis == "measured":
        told_step = raw_step
    return {
        "device": Outlook(prediction.fit.device_name, prediction.xla, prediction.plan.backend).place,
        "compiled": prediction.xla,
        "program": __version__,
        **_named("told_peak", "bytes", told_peak),
        **_named("told_step", "s", told_step),
        **_named("raw_peak", "bytes", raw_peak),
        **_named("raw_step", "s", raw_step),
        "measured_peak_bytes": found.memory.allocator_peak_bytes if found else None,
        "measured_step_s": found.step.median_s if found and not _beside_others(prediction, found) else None,
        "needed_at_least_bytes": _needed_at_least(prediction, result),
    }


def _beside_others(prediction: Prediction, found: Measurement) -> bool:
    """Did other programs take a notable part of the device meanwhile?"""
    return speed_of(found, on_card=not _on_host(prediction)).beside_others


def _on_host(prediction: Prediction) -> bool:
    """Is the device the processor?"""
    return prediction.memory.parts.framework == 0 and prediction.memory.host_bytes is not None


def _named(name: str, unit: str, values: tuple[float | None, ...]) -> dict[str, float | None]:
    """Value, low and high as columns; nothing is known of a prediction of 0."""
    columns = (f"{name}_{unit}", f"{name}_low_{unit}", f"{name}_high_{unit}")
    return dict(zip(columns, values if values[0] else (None, None, None), strict=True))


def _needed_at_least(prediction: Prediction, result: RunResult) -> int | None:
    """What the allocator would have needed at least, after a death by memory.

    On the host the figure may be that of the whole process, whose own share is taken off.
    """
    if result.outcome != "out_of_memory" or result.problem is None or result.problem.needed_bytes is None:
        return None
    memory, on_host = prediction.memory, _on_host(prediction)
    if result.problem.kind in HOST_MEMORY and not on_host:
        return None
    process = (memory.host_bytes or 0) - memory.allocator_peak_bytes if on_host else 0
    return max(0, result.problem.needed_bytes - process)


def _judged(row: Mapping[str, Any], which: str, name: str, unit: str) -> Judged | None:
    """A forecast beside what came, if both are known."""
    values = [row[f"{which}_{name}{part}_{unit}"] for part in ("", "_low", "_high")]
    values.append(row[f"measured_{name}_{unit}"])
    return Judged(*values) if all(value is not None and value > 0 for value in values) else None


def _censored(row: Mapping[str, Any]) -> Judged | None:
    """A run that died needing more than was predicted."""
    predicted, needed = row["raw_peak_bytes"], row["needed_at_least_bytes"]
    if not predicted or not needed or needed <= predicted:
        return None
    return Judged(predicted, row["raw_peak_low_bytes"], row["raw_peak_high_bytes"], needed)
