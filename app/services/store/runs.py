"""One stored run, and how it stands in a row: in full as JSON, beside a few columns to list and search by."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

import msgspec

from app.catalog import typed_json
from app.core.types.backends import TITLES
from app.core.types.errors import InvalidWorkload, StoreError
from app.core.types.machine import Machine
from app.core.types.measurement import RunResult
from app.core.types.plan import Plan
from app.core.types.run import Run, RunSummary
from app.core.types.text import Text, phrase
from app.core.types.workload import Workload
from app.services.store import stored_prediction
from app.services.store.history_schema import COLUMNS

_OURS = "\x1f"
"""Before a note of the program, which nobody types: a unit separator."""


def as_row(run: Run, created_at: str) -> dict[str, Any]:
    """A run's columns."""
    return {
        **searchable(run),
        "created_at": created_at,
        "note": _note_column(run.note),
        "deleted": run.deleted,
        "content": run.content,
        "workload_json": _encode(run.workload),
        "machine_json": _encode(run.machine),
        "prediction_json": stored_prediction.encode(run.prediction) if run.prediction is not None else None,
        "result_json": _encode(run.result),
    }


def run_from(row: sqlite3.Row) -> Run:
    """A row in full."""
    try:
        prediction = row["prediction_json"]
        return Run(
            workload=typed_json.decode(row["workload_json"], Workload),
            machine=typed_json.decode(row["machine_json"], Machine),
            result=typed_json.decode(row["result_json"], RunResult),
            prediction=None if prediction is None else stored_prediction.decode(prediction),
            note=_note(row["note"]),
            run_id=row["run_id"],
            created_at=row["created_at"],
            deleted=bool(row["deleted"]),
            content=row["content"],
        )
    except (msgspec.DecodeError, InvalidWorkload) as error:
        raise StoreError(
            phrase("run {row} cannot be read", row=row["run_id"]),
            received=str(error),
            hint=phrase("it was stored by another version"),
        ) from error


def readable_runs(rows: Sequence[sqlite3.Row]) -> Iterator[Run]:
    """The runs that can be decoded; one that another version stored hides no other."""
    for row in rows:
        with suppress(StoreError):
            yield run_from(row)


def summary_from(row: sqlite3.Row) -> RunSummary:
    """A row as a line of the list."""
    values = {name: row[name] for name in COLUMNS}
    return RunSummary(**{**values, "note": _note(values["note"]), "deleted": bool(values["deleted"])})


def searchable(run: Run) -> dict[str, Any]:
    """The columns to list and search by."""
    workload, plan, measured = run.workload, run.workload.plan, run.result.measurement
    dataset = workload.dataset.name if workload.dataset else ""
    words = (
        workload.model.name,
        dataset,
        plan.device,
        plan.precision,
        plan.optimizer,
        run.result.outcome,
        run.note,
        plan.backend,
    )
    return {
        "model": workload.model.name,
        "dataset": dataset,
        "batch_size": plan.batch_size,
        "optimizer": plan.optimizer,
        "precision": plan.precision,
        "mode": plan.mode,
        "device": plan.device if plan.backend == "tensorflow" else f"{plan.device} ({TITLES[plan.backend]})",
        "outcome": run.result.outcome,
        "step_s": measured.step.median_s if measured else None,
        "samples_per_s": measured.samples_per_s if measured else None,
        "allocator_peak_bytes": measured.memory.allocator_peak_bytes if measured else None,
        "model_key": model_key(workload),
        "plan_key": plan_key(workload),
        "search": " ".join(words).lower(),
    }


def same_content(run: Run, content: str | None) -> bool:
    """Was a run of a model's name or path one of the model as it is now.

    A network of the catalog has no file that somebody edits.  Of a file, a run that does not know what it held is
    never the same.

    Args:
        run: A run of the same name or path.
        content: The digest of the file now; None if it cannot be read.
    """
    return not run.workload.model.path or (run.content is not None and run.content == content)


def model_key(workload: Workload) -> str:
    """What makes two workloads the same model, whatever its file holds."""
    model = workload.model
    own = [list(model.arguments), model.fit] if model.kind == "script" else []
    return msgspec.json.encode([model.kind, model.path or model.name, model.function, *own]).decode()


_FIRST_SETTINGS = tuple("batch_size optimizer precision jit accumulate remat freeze mode cache device".split())
"""Always part of a key.  Later settings count only if they were chosen, so that runs stored before are still found."""


def plan_key(workload: Workload) -> str:
    """What makes two workloads the same, step for step."""
    dataset, plan = workload.dataset, workload.plan
    data = None if dataset is None else [str(dataset.name), dataset.path, dataset.sample_shape, dataset.classes]
    defaults = msgspec.to_builtins(Plan())
    settings = {
        name: value
        for name, value in msgspec.to_builtins(plan).items()
        if name in _FIRST_SETTINGS or (name != "epochs" and value != defaults[name])
    }
    key = [model_key(workload), data, workload.input_shape, workload.classes, settings]
    return msgspec.json.encode(key, order="deterministic").decode()


def _note_column(note: str) -> str:
    """A note as it is stored: a user's word as it is, a text of the program so that it is said in any language."""
    if not isinstance(note, Text) or note.template == "{text}":
        return note.replace(_OURS, "")
    return _OURS + typed_json.encode(note).decode()


def _note(stored: str) -> str:
    """A stored note."""
    return typed_json.decode(stored.removeprefix(_OURS), Text) if stored.startswith(_OURS) else stored


def _encode(value: object) -> str:
    """A value as JSON text that its type reads again.

    Texts keep their templates; a text in a field that takes any string would not be read again, and a run that cannot
    be read is lost: then all of them are written in English, which every field takes.
    """
    written = typed_json.encode(value)
    try:
        typed_json.decode(written, type(value))
    except msgspec.DecodeError:
        written = typed_json.encode_english(value)
    return written.decode()
