"""Every run ever made here, in one SQLite file.

A run is stored with everything that is needed to understand it later: workload, machine, the prediction made before
it, and the result (`app.services.store.runs`).  Each call opens a connection of its own, so that a `History` may be
used from any thread; write-ahead logging lets the window read while a run is being stored.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from app.catalog import typed_json
from app.core.predict.track_record import track_record
from app.core.types.errors import StoreError, UsageError
from app.core.types.run import Run, RunSummary
from app.core.types.text import phrase
from app.core.types.track_record import PastRun, TrackRecord
from app.core.types.visible import visible_json
from app.core.types.workload import Workload
from app.services.store import forecasts
from app.services.store.forecasts import Outlook
from app.services.store.history_schema import COLUMNS, UNUSABLE, open_store, open_to_read
from app.services.store.runs import as_row, model_key, plan_key, readable_runs, run_from, searchable, summary_from
from app.services.store.traces import TraceStore

EXPORT_SCHEMA = 1
_TRIED_RUNS = 5
"""The newest may have been stored by another version and not be readable."""
TRACKED_RUNS = 50
"""The newest runs that the product's own error is taken over."""


class History:
    """The runs in one file.  What can be read is read, also from a disk that nobody may write to.

    Args:
        path: The file; made with its folder when the first run is stored or read.
        on_notice: Hears of a file that was set aside or cannot be written, once.

    Attributes:
        traces: The raw traces of profiled steps, beside the file.
        notice: What was wrong with the file when it was opened, if anything: a damaged one is set aside, one that
            cannot be written is read.
        changes: How often this object has changed the file; whoever keeps runs can see that they are old.
    """

    def __init__(self, path: Path, on_notice: Callable[[str], None] | None = None) -> None:
        self.path = path
        self._on_notice = on_notice
        self.traces = TraceStore(path.parent / "traces")
        self.notice: str | None = None
        self.changes = 0
        self._ready = False

    def add(self, run: Run, trace: Path | None = None) -> Run:
        """Store a run and return it with its number and time.

        Args:
            run: The run.
            trace: The folder of `TraceStore.place` with what the child wrote of its profiled step.

        Raises:
            StoreError: The file cannot be written.
        """
        self.changes += 1
        created_at = run.created_at or _now()
        values = as_row(run, created_at)
        names, marks = ", ".join(values), ", ".join("?" for _ in values)
        with self._connection() as store:
            cursor = store.execute(f"INSERT INTO run ({names}) VALUES ({marks})", tuple(values.values()))
            run_id = cursor.lastrowid
            forecasts.insert(store, run_id or 0, run.machine, run.prediction, run.result)
        self.traces.keep(run_id or 0, trace, self._living)
        return replace(run, run_id=run_id or 0, created_at=created_at)

    def keep(self, run: Run, trace: Path | None = None) -> Run:
        """As `add`, but a run that cannot be stored comes back with a warning and without a number.

        What was measured is worth telling whether or not there is room to store it.
        """
        try:
            return self.add(run, trace)
        except StoreError as error:
            warnings = (*run.result.warnings, phrase("this run was not stored: {error}", error=error))
            return replace(run, run_id=0, created_at=_now(), result=replace(run.result, warnings=warnings))

    def get(self, run_id: int) -> Run:
        """One run, deleted or not.

        Raises:
            UsageError: There is no such run.
            StoreError: The file cannot be read, or the run was stored by a version that we do not know.
        """
        with self._connection(to_read=True) as store:
            row = store.execute("SELECT * FROM run WHERE run_id = ?", (run_id,)).fetchone()
        if row is None:
            raise UsageError(phrase("no such run"), received=str(run_id), hint=phrase("see `willittrain runs`"))
        return run_from(row)

    def list(self, filter_text: str = "", limit: int = 200, *, deleted: bool = False) -> tuple[RunSummary, ...]:
        """Runs, newest first, whose model, dataset, device, outcome or note holds every word of the text."""
        words = filter_text.split()
        where = " AND ".join(["deleted = ?", *["search LIKE ? ESCAPE '\\'" for _ in words]])
        patterns = [f"%{_escaped(word.lower())}%" for word in words]
        query = f"SELECT {', '.join(COLUMNS)} FROM run WHERE {where} ORDER BY run_id DESC LIMIT ?"
        with self._connection(to_read=True) as store:
            rows = store.execute(query, (deleted, *patterns, limit)).fetchall()
        return tuple(summary_from(row) for row in rows)

    def newest_matching(self, workload: Workload) -> Run | None:
        """The newest successful run of this very workload; the number of epochs does not matter."""
        return self._newest("plan_key = ? AND outcome = 'succeeded'", plan_key(workload))

    def runs_of_model(self, workload: Workload, limit: int = 20) -> tuple[Run, ...]:
        """Successful runs of the same model under any plan, newest first."""
        query = (
            "SELECT * FROM run WHERE model_key = ? AND outcome = 'succeeded' AND NOT deleted"
            " ORDER BY run_id DESC LIMIT ?"
        )
        with self._connection(to_read=True) as store:
            rows = store.execute(query, (model_key(workload), limit)).fetchall()
        return tuple(readable_runs(rows))

    def track_record(self, limit: int = TRACKED_RUNS) -> TrackRecord | None:
        """The product's own error over the newest runs that can be compared with what was said before them.

        Where the number said was itself measured by an earlier run of the same plan, what would have been
        said without that run is compared.  Simulated machines and runs without a measurement do not count.
        """
        return track_record(self.past_runs(limit))

    def past_runs(self, limit: int = TRACKED_RUNS) -> tuple[PastRun, ...]:
        """Predicted against measured, newest first."""
        with self._connection(to_read=True) as store:
            return forecasts.past_runs(store, limit)

    def witnesses(self, workload: Workload, content: str | None, outlook: Outlook) -> forecasts.Witnesses:
        """How predictions for other models, and for other contents of the model's file, came out on a device."""
        with self._connection(to_read=True) as store:
            return forecasts.witnesses(store, model_key(workload), content, outlook)

    def set_note(self, run_id: int, note: str) -> None:
        """Replace a run's note; what is no text in it (a terminal passes any bytes on) becomes a question mark."""
        text = note.encode("utf-8", "replace").decode().replace("\x1f", "")
        run = replace(self.get(run_id), note=text)
        self._update(run_id, note=text, search=searchable(run)["search"])

    def delete(self, run_id: int) -> None:
        """Hide a run; `restore` brings it back."""
        self._update(run_id, deleted=True)

    def restore(self, run_id: int) -> None:
        """Bring a deleted run back."""
        self._update(run_id, deleted=False)

    def export(self, run_ids: Sequence[int] | None = None, told: Callable[[Run], Run] | None = None) -> str:
        """Runs in full as JSON text, all that are not deleted by default; ``told`` makes of each what is written."""
        chosen = run_ids if run_ids is not None else [s.run_id for s in reversed(self.list(limit=-1))]
        document = {"schema": EXPORT_SCHEMA, "runs": [told(run) if told else run for run in map(self.get, chosen)]}
        return visible_json(msgspec.json.format(typed_json.encode_english(document), indent=2).decode())

    def _living(self) -> frozenset[int]:
        """Numbers of the runs that are not deleted."""
        with self._connection(to_read=True) as store:
            return frozenset(row["run_id"] for row in store.execute("SELECT run_id FROM run WHERE NOT deleted"))

    def _newest(self, where: str, value: str) -> Run | None:
        """The newest run that is not deleted and fulfils a condition on one value."""
        query = f"SELECT * FROM run WHERE {where} AND NOT deleted ORDER BY run_id DESC LIMIT {_TRIED_RUNS}"
        with self._connection(to_read=True) as store:
            rows = store.execute(query, (value,)).fetchall()
        return next(readable_runs(rows), None)

    def _update(self, run_id: int, **values: Any) -> None:
        """Change columns of one run."""
        self.changes += 1
        assignments = ", ".join(f"{name} = ?" for name in values)
        with self._connection() as store:
            found = store.execute(f"UPDATE run SET {assignments} WHERE run_id = ?", (*values.values(), run_id))
            if not found.rowcount:
                raise UsageError(phrase("no such run"), received=str(run_id), hint=phrase("see `willittrain runs`"))

    @contextmanager
    def _connection(self, *, to_read: bool = False) -> Iterator[sqlite3.Connection]:
        """A connection in a transaction; the file is made, checked and migrated at the first."""
        try:
            store = self._open(to_read=to_read)
            try:
                with store:
                    yield store
            finally:
                store.close()
        except (*UNUSABLE, OSError) as error:
            self._ready = self._ready and isinstance(error, sqlite3.OperationalError)  # damage is looked for next time
            hint = phrase("close other programs that use it, or move the file away")
            raise StoreError(
                phrase("cannot use the history {path}", path=self.path), received=str(error), hint=hint
            ) from error

    def _open(self, *, to_read: bool) -> sqlite3.Connection:
        """The file as usual, or as far as it can be read."""
        try:
            store, notice = open_store(self.path, check=not self._ready)
            self._ready = True
        except (*UNUSABLE, OSError, StoreError) as error:
            if not to_read:
                raise
            store, notice = open_to_read(self.path, error)
        if notice is not None and notice != self.notice and self._on_notice is not None:
            self._on_notice(notice)
        self.notice = notice or self.notice
        return store


def _now() -> str:
    """The time, ISO 8601 in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _escaped(word: str) -> str:
    """A word for LIKE, taken literally."""
    return word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
