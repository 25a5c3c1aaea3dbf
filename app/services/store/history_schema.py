"""The history's table, its version and how an older or damaged file is treated."""

from __future__ import annotations

import sqlite3
import time
from datetime import UTC, datetime
from pathlib import Path

from app.core.types.errors import StoreError
from app.core.types.text import phrase
from app.services.whole_write import private_file, private_folder

BUSY_TIMEOUT_S = 5.0
RETRY_S = 0.01

COLUMNS = tuple(
    "run_id created_at model dataset batch_size optimizer precision mode device outcome step_s "
    "samples_per_s allocator_peak_bytes note deleted".split()
)
"""What `app.services.store.history.RunSummary` holds."""

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """
        CREATE TABLE run (
          run_id INTEGER PRIMARY KEY AUTOINCREMENT,
          created_at TEXT NOT NULL,
          model TEXT NOT NULL, dataset TEXT NOT NULL, batch_size INTEGER NOT NULL, optimizer TEXT NOT NULL,
          precision TEXT NOT NULL, mode TEXT NOT NULL, device TEXT NOT NULL, outcome TEXT NOT NULL,
          step_s REAL, samples_per_s REAL, allocator_peak_bytes INTEGER,
          model_key TEXT NOT NULL, plan_key TEXT NOT NULL, search TEXT NOT NULL,
          note TEXT NOT NULL DEFAULT '', deleted INTEGER NOT NULL DEFAULT 0,
          workload_json TEXT NOT NULL, machine_json TEXT NOT NULL, prediction_json TEXT, result_json TEXT NOT NULL
        )
        """,
        "CREATE INDEX run_by_plan ON run (plan_key, outcome, deleted)",
        "CREATE INDEX run_by_model ON run (model_key, outcome, deleted)",
    ),
    (
        """
        CREATE TABLE forecast (
          run_id INTEGER PRIMARY KEY REFERENCES run (run_id),
          device TEXT NOT NULL, compiled INTEGER NOT NULL, program TEXT NOT NULL,
          told_peak_bytes INTEGER, told_peak_low_bytes INTEGER, told_peak_high_bytes INTEGER,
          told_step_s REAL, told_step_low_s REAL, told_step_high_s REAL,
          raw_peak_bytes INTEGER, raw_peak_low_bytes INTEGER, raw_peak_high_bytes INTEGER,
          raw_step_s REAL, raw_step_low_s REAL, raw_step_high_s REAL,
          measured_peak_bytes INTEGER, measured_step_s REAL, needed_at_least_bytes INTEGER
        )
        """,
        "CREATE INDEX forecast_by_device ON forecast (device, compiled, program)",
        # What older runs tell: a number that was itself measured was no forecast, and one that a run had
        # corrected does not say what it was before.
        """
        INSERT INTO forecast
        SELECT run_id, json_extract(prediction_json, '$.fit.device_name'),
          coalesce(json_extract(prediction_json, '$.xla'), 0), '',
          iif(memory != 'measured', json_extract(prediction_json, '$.memory.allocator_peak_bytes'), NULL),
          iif(memory != 'measured', json_extract(prediction_json, '$.memory.low_bytes'), NULL),
          iif(memory != 'measured', json_extract(prediction_json, '$.memory.high_bytes'), NULL),
          iif(time != 'measured', json_extract(prediction_json, '$.time.step_s'), NULL),
          iif(time != 'measured', json_extract(prediction_json, '$.time.low_s'), NULL),
          iif(time != 'measured', json_extract(prediction_json, '$.time.high_s'), NULL),
          iif(memory = 'traced', json_extract(prediction_json, '$.memory.allocator_peak_bytes'), NULL),
          iif(memory = 'traced', json_extract(prediction_json, '$.memory.low_bytes'), NULL),
          iif(memory = 'traced', json_extract(prediction_json, '$.memory.high_bytes'), NULL),
          iif(time = 'predicted', json_extract(prediction_json, '$.time.step_s'), NULL),
          iif(time = 'predicted', json_extract(prediction_json, '$.time.low_s'), NULL),
          iif(time = 'predicted', json_extract(prediction_json, '$.time.high_s'), NULL),
          allocator_peak_bytes, step_s, NULL
        FROM (
          SELECT *, json_extract(prediction_json, '$.memory.basis') AS memory,
            json_extract(prediction_json, '$.time.basis') AS time
          FROM run
          WHERE json_valid(prediction_json) AND json_valid(machine_json) AND step_s IS NOT NULL
            AND json_array_length(machine_json, '$.simulated') = 0
        )
        WHERE json_extract(prediction_json, '$.fit.device_name') IS NOT NULL
        """,
    ),
    # What the model's file held (app.services.store.model_contents); of older runs nobody knows it any more.
    ("ALTER TABLE run ADD COLUMN content TEXT",),
)
"""Entry ``n`` leads from version ``n`` to ``n + 1``; a file of version 0 is new."""


UNUSABLE = (sqlite3.Error, UnicodeDecodeError)
"""What a file raises that SQLite cannot use: its message repeats names of the file, which may be no text."""


def open_store(path: Path, *, check: bool) -> tuple[sqlite3.Connection, str | None]:
    """Open the file; with ``check`` also test, make or migrate it.

    Returns:
        The connection and, if a damaged file was set aside, a notice for the user.

    Raises:
        StoreError: The file was written by a newer version.
        sqlite3.Error, OSError: It cannot be opened or made.
    """
    if not check and path.exists():
        store = _connect(path)
        version_of(store)  # a disk that cannot be used any more is noticed here
        return store, None
    private_folder(path.parent)
    notice = None
    if path.exists() and not _is_sound(path):
        notice = f"the history was damaged and is kept as {_set_aside(path)}; a new one was begun"
    private_file(path)  # what SQLite puts beside it gets the same rights
    store = _connect(path)
    try:
        _write_ahead(store)
        migrate(store)
    except (*UNUSABLE, StoreError):
        store.close()
        raise
    return store, notice


def open_to_read(path: Path, reason: Exception) -> tuple[sqlite3.Connection, str]:
    """What can be read where the file cannot be opened as usual: a read-only or full disk, a newer version's file.

    A write-ahead log needs a file beside it even to read (https://www.sqlite.org/wal.html#readonly); "immutable"
    does without.  A file of an older version is read through a copy in memory that is brought up to date.

    Returns:
        The connection, to an empty history if nothing can be read, and a notice for the user.
    """
    told = f"the history cannot be used ({reason}); what is measured now will not be kept"
    for mode in ("mode=ro", "mode=ro&immutable=1") if path.is_file() else ():
        store = sqlite3.connect(f"{path.absolute().as_uri()}?{mode}", timeout=BUSY_TIMEOUT_S, uri=True)
        try:
            version = version_of(store)
            if version < len(MIGRATIONS):
                store = _copy_in_memory(store)
            elif version > len(MIGRATIONS):
                store.close()
                break
            store.row_factory = sqlite3.Row
            store.execute("SELECT run_id FROM run LIMIT 1").fetchone()
            return store, told
        except UNUSABLE:
            store.close()
    empty = sqlite3.connect(":memory:")
    empty.row_factory = sqlite3.Row
    migrate(empty)
    return empty, told


def migrate(store: sqlite3.Connection, migrations: tuple[tuple[str, ...], ...] = MIGRATIONS) -> None:
    """Bring a file to the newest version, whole or not at all, once even if two programs try.

    Raises:
        StoreError: The file's version is newer than ours.
    """
    if version_of(store) == len(migrations):
        return
    store.execute("BEGIN IMMEDIATE")
    with store:
        version = version_of(store)
        if version > len(migrations):
            raise StoreError(
                phrase("the history was written by a newer version of this program"),
                expected=f"version {len(migrations)} or older",
                received=f"version {version}",
                hint=phrase("update the program"),
            )
        for statements in migrations[version:]:
            for statement in statements:
                store.execute(statement)
        store.execute(f"PRAGMA user_version = {len(migrations)}")


def _write_ahead(store: sqlite3.Connection) -> None:
    """Switch to a write-ahead log, so that readers never wait for a writer.

    The switch needs the file alone, and SQLite answers "locked" at once where waiting could deadlock
    (https://www.sqlite.org/c3ref/busy_handler.html); two programs that make the file together meet that.
    """
    give_up_at_s = time.monotonic() + BUSY_TIMEOUT_S
    while True:
        try:
            store.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) or (
                time.monotonic() > give_up_at_s
            ):
                raise
            time.sleep(RETRY_S)


def version_of(store: sqlite3.Connection) -> int:
    """The file's version.

    Raises:
        sqlite3.Error: The file cannot be read.
    """
    return int(store.execute("PRAGMA user_version").fetchone()[0])


def _copy_in_memory(store: sqlite3.Connection) -> sqlite3.Connection:
    """The same content in memory, of the newest version; the original is closed."""
    copy = sqlite3.connect(":memory:")
    try:
        store.backup(copy)
        migrate(copy)
    except UNUSABLE:
        copy.close()
        raise
    finally:
        store.close()
    return copy


def _connect(path: Path) -> sqlite3.Connection:
    """A connection that waits for others and returns rows by name."""
    store = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S)
    store.row_factory = sqlite3.Row
    return store


def _is_sound(path: Path) -> bool:
    """Is the file a database whose pages fit together?  A busy or locked one counts as sound."""
    store = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S)
    try:
        found = store.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.OperationalError:
        return True
    except (sqlite3.DatabaseError, UnicodeDecodeError):
        return False
    finally:
        store.close()
    return bool(found) and found[0] == "ok"


def _set_aside(path: Path) -> Path:
    """Rename a damaged file and its journals; nothing is deleted."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
    for suffix in ("-wal", "-shm", ""):
        part = path.with_name(path.name + suffix)
        if part.exists():
            part.replace(path.with_name(f"{path.name}.damaged-{stamp}{suffix}"))
    return path.with_name(f"{path.name}.damaged-{stamp}")
