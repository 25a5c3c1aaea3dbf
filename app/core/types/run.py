"""A run that was kept: what was trained where, what was estimated before, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass

from app.core.types.machine import Machine
from app.core.types.measurement import Outcome, RunResult
from app.core.types.prediction import Prediction
from app.core.types.workload import Workload


@dataclass(frozen=True)
class Run:
    """One stored run.  `History.add` gives the number and the time; until then 0 and empty.

    ``created_at`` is ISO 8601 in UTC.  ``content`` is the digest of the model's file and of what it imports as they
    were trained (`app.services.store.model_contents`); None for a network of the catalog, for a file that was
    written to meanwhile, and for runs stored before it was noted.
    """

    run_id: int
    created_at: str
    workload: Workload
    machine: Machine
    prediction: Prediction | None
    result: RunResult
    note: str = ""
    deleted: bool = False
    content: str | None = None


@dataclass(frozen=True)
class RunSummary:
    """One line of the list of runs."""

    run_id: int
    created_at: str
    model: str
    dataset: str
    batch_size: int
    optimizer: str
    precision: str
    mode: str
    device: str
    outcome: Outcome
    step_s: float | None
    samples_per_s: float | None
    allocator_peak_bytes: int | None
    note: str = ""
    deleted: bool = False
