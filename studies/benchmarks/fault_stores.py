"""Faults of the disk, of the files that this program keeps, and of a user's folders: how, and what must come of each.

Each fault is a function that gets a folder, breaks something for real and says in a word what came of it.  Those of
the disk run in a mount namespace of their own, where a file system of half a megabyte, or a read-only one, is the
user's home.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from app.core.types.errors import StoreError
from app.services.datasets.scan import scan_dataset
from app.services.reports.report import write_report
from app.services.settings import Folders, Settings
from app.services.store.graph_store import GraphStore
from app.services.store.history import History
from app.services.store.history_schema import MIGRATIONS
from app.services.store.json_store import JsonStore
from studies.benchmarks.fault_table import ROOT
from tests.cli import answers

SMALL_DISK = "size=512k"
KILLS = 12
TEARS = 40
_STORES = """
import sys
from pathlib import Path
from app.services.store.history import History
from tests.cli import answers
history = History(Path(sys.argv[1]))
"""


@dataclass(frozen=True)
class StoreFault:
    """One injection: what to run, on which disk, and the word that is expected."""

    name: str
    expected: str
    inject: Callable[[Path], str]
    disk: str = ""
    """``full`` or ``read-only``: a file system of its own; empty for a plain folder."""
    needs_tensorflow: bool = False
    """Does TensorFlow run in a child?"""


def see(fault: StoreFault) -> str:
    """Run one fault; the word that came, or what was raised."""
    with tempfile.TemporaryDirectory(prefix="fault-") as folder:
        if fault.disk:
            return _on_a_disk(fault, Path(folder))
        return _said(fault.inject, Path(folder))


def can_mount() -> bool:
    """May this user have a mount namespace of their own?"""
    command = ["unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt"]
    return shutil.which("unshare") is not None and subprocess.run(command, capture_output=True).returncode == 0


def _said(inject: Callable[[Path], str], folder: Path) -> str:
    """What a fault says of itself."""
    try:
        return inject(folder)
    except Exception as error:  # noqa: BLE001 - whatever comes out is what was seen
        return f"{type(error).__name__}: {error}"[:160]


def _on_a_disk(fault: StoreFault, folder: Path) -> str:
    """Run a fault where ``folder`` is a file system of its own."""
    code = (
        "import sys\nfrom pathlib import Path\nfrom studies.benchmarks import fault_stores as f\n"
        "print(f._said(getattr(f, sys.argv[1]), Path(sys.argv[2])))"
    )
    script = f'mount -t tmpfs -o {SMALL_DISK} none "$1" && shift && exec "$@"'
    command = [
        "unshare",
        "-rm",
        "sh",
        "-c",
        script,
        "sh",
        str(folder),
        sys.executable,
        "-c",
        code,
        fault.inject.__name__,
        str(folder),
    ]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=_environment())
    return done.stdout.strip() or done.stderr.strip()[-160:]


def _fill(folder: Path) -> None:
    """Leave no byte free."""
    with contextlib.suppress(OSError), open(folder / "ballast", "wb", buffering=0) as file:
        while file.write(b"x" * 4096):
            pass


def _read_only(folder: Path) -> None:
    """Let nobody write any more."""
    subprocess.run(["mount", "-o", "remount,bind,ro", str(folder)], check=True)


# A full disk


def full_history(folder: Path) -> str:
    """A benchmark ends on a full disk: its figures are told, the old run stays."""
    history = History(folder / "history.sqlite3")
    history.add(answers.run())
    _fill(folder)
    kept = [history.keep(answers.run()) for _ in range(20)][-1]
    (folder / "ballast").unlink()
    rows = len(History(history.path).list())
    sound = _integrity(history.path)
    told = kept.run_id == 0 and kept.result.measurement is not None and "not stored" in kept.result.warnings[-1]
    return "told, not stored, old run intact" if told and rows >= 1 and sound else f"{told} {rows} {sound}"


def full_cache(folder: Path) -> str:
    """A graph that cannot be cached is an answer all the same, and no half file stays."""
    _fill(folder)
    GraphStore(folder / "graphs").keep("key", {"text": "x" * 100_000})
    JsonStore(folder / "rates.json", float).save("key", 1.0)
    left = [p.name for p in folder.rglob("*") if p.is_file() and p.name != "ballast" and p.stat().st_size]
    return "no cache, nothing left" if not left else f"left {left}"


def full_report(folder: Path) -> str:
    """A report that does not fit leaves the old one whole."""
    target = folder / "report.html"
    write_report(answers.run(), target)
    before = target.read_bytes()
    _fill(folder)
    try:
        write_report(answers.run(note="x" * 300_000), target)
    except StoreError as error:
        whole = target.read_bytes() == before and len(list(folder.iterdir())) == 2
        return "refused, old one whole" if whole and "space" in str(error) else f"{whole} {error}"
    return "written"


def full_settings(folder: Path) -> str:
    """Settings that do not fit leave the old ones whole."""
    folders = Folders(folder, folder, folder)
    Settings(theme="dark", folders=folders).save()
    _fill(folder)
    try:
        Settings(theme="light", interpreter="x" * 8192, folders=folders).save()
    except StoreError:
        return f"refused, still {Settings.load(folders).theme}"
    return "written"


# A read-only home


def read_only_history(folder: Path) -> str:
    """Old runs are listed and shown; a new one is told and not stored."""
    History(folder / "history.sqlite3").add(answers.run())
    _read_only(folder)
    history = History(folder / "history.sqlite3")
    kept = history.keep(answers.run())
    listed, shown = len(history.list()), history.get(1).run_id
    said = bool(history.notice) and "not be kept" in (history.notice or "")
    return "read, told, not stored" if (listed, shown, kept.run_id, said) == (1, 1, 0, True) else f"{listed} {said}"


def read_only_old_history(folder: Path) -> str:
    """A file of an older version is read through a copy."""
    _old_history(folder / "history.sqlite3")
    _read_only(folder)
    return f"{len(History(folder / 'history.sqlite3').list())} run read"


def read_only_home(folder: Path) -> str:
    """A first start where nothing may be written."""
    _read_only(folder)
    folders = Folders(folder / "data", folder / "cache", folder / "config")
    settings, history = Settings.load(folders), History(folder / "data" / "history.sqlite3")
    GraphStore(folder / "graphs").keep("key", {})
    measured = history.keep(answers.run()).result.measurement
    try:
        write_report(answers.run(), folder / "report.html")
    except StoreError:
        return "works without" if settings.notice is None and history.list() == () and measured else "does not"
    return "wrote"


# Power and processes that end in the middle


def killed_while_storing(folder: Path) -> str:
    """A process that stores runs is killed at any moment: what it said was stored is there, and the file is sound."""
    path = folder / "history.sqlite3"
    code = _STORES + "while True: print(history.add(answers.run()).run_id, flush=True)"
    History(path).add(answers.run())
    said = 1
    for number in range(KILLS):
        command = [sys.executable, "-c", code, str(path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT, env=_environment()) as p:
            assert p.stdout is not None
            said = max(said, int(p.stdout.readline()))
            time.sleep(0.003 * number)
            os.kill(p.pid, signal.SIGKILL)
            said = max([said, *(int(line) for line in p.stdout.read().split(b"\n")[:-1])])
        if not _integrity(path):
            return "damaged"
    stored = [row.run_id for row in History(path).list(limit=-1)]
    there = set(range(1, said + 1)) <= set(stored)
    return "all that was said is there" if there else f"{said} said, {len(stored)} there"


def torn_log(folder: Path) -> str:
    """Power fails in the middle of a write: the log ends anywhere, or holds garbage; committed runs are there."""
    path = folder / "history.sqlite3"
    history = History(path)
    history.add(answers.run())
    open_one = sqlite3.connect(path)  # keeps the log from being folded into the file
    open_one.execute("SELECT count(*) FROM run").fetchone()
    before, sizes = path.read_bytes(), []
    for _ in range(3):
        history.add(answers.run())
        sizes.append((path.with_name(path.name + "-wal")).stat().st_size)
    log = path.with_name(path.name + "-wal").read_bytes()
    open_one.close()
    for number in range(TEARS):
        cut = len(log) * number // (TEARS - 1)
        place = folder / f"torn{number}"
        place.mkdir()
        torn = place / path.name
        torn.write_bytes(before)
        garbage = os.urandom(64) if number % 2 else b""
        torn.with_name(torn.name + "-wal").write_bytes(log[:cut] + garbage)
        whole = 1 + sum(size <= cut for size in sizes)
        found = History(torn)
        rows = len(found.list())
        if rows < whole or found.notice or not _integrity(torn):
            return f"cut at {cut} of {len(log)}: {rows} rows of {whole}, {found.notice}"
    return "every committed run is there"


# Files that are not what they should be


def damaged_history(folder: Path) -> str:
    """Pages in the middle are overwritten: the file is set aside with a message, and a new one begins."""
    path = folder / "history.sqlite3"
    history = History(path)
    for _ in range(30):
        history.add(answers.run())
    content = bytearray(path.read_bytes())
    content[8192:40960] = os.urandom(32768)
    path.write_bytes(content)
    again = History(path)
    stored = again.add(answers.run())
    aside = [p for p in folder.glob("*.damaged-*") if p.read_bytes() == content]
    return "set aside, begun anew" if stored.run_id and aside and again.notice else f"{again.notice}"


def damaged_while_open(folder: Path) -> str:
    """The same, while the program has it open: the next question but one sets it aside."""
    path = folder / "history.sqlite3"
    history = History(path)
    for _ in range(30):
        history.add(answers.run())
    content = bytearray(path.read_bytes())
    content[4096:] = os.urandom(len(content) - 4096)
    path.write_bytes(content)
    kept = [history.keep(answers.run()) for _ in range(2)]
    return "set aside, begun anew" if kept[-1].run_id and list(folder.glob("*.damaged-*")) else f"{history.notice}"


def older_history(folder: Path) -> str:
    """The first version's file is brought up to date with its run."""
    path = folder / "history.sqlite3"
    _old_history(path)
    history = History(path)
    history.add(answers.run())
    return f"migrated, {len(history.list())} runs"


def newer_history(folder: Path) -> str:
    """A newer version's file is left alone, and the program works without."""
    path = folder / "history.sqlite3"
    History(path).add(answers.run())
    with contextlib.closing(sqlite3.connect(path)) as store:
        store.execute("PRAGMA user_version = 99")
    before = path.read_bytes()
    history = History(path)
    kept = history.keep(answers.run())
    told = "newer version" in (history.notice or "") + kept.result.warnings[-1]
    return "left alone, told" if told and history.list() == () and path.read_bytes() == before else "changed"


def two_writers(folder: Path) -> str:
    """Two programs store runs at once."""
    code = _STORES + "for _ in range(25): history.add(answers.run())"
    command = [sys.executable, "-c", code, str(folder / "history.sqlite3")]
    both = [subprocess.Popen(command, cwd=ROOT, env=_environment()) for _ in range(2)]
    codes = [process.wait() for process in both]
    return f"{len(History(folder / 'history.sqlite3').list())} runs of 50, codes {codes}"


# Folders of users


def links_in_a_circle(folder: Path) -> str:
    """A folder links to itself and to its parent."""
    place = folder / "cats" / "more"
    place.mkdir(parents=True)
    for name in ("a.png", "b.png"):
        (place / name).write_bytes(_PNG)
    (place / "again").symlink_to(folder, target_is_directory=True)
    (folder / "self").symlink_to("self")
    return f"{scan_dataset(folder).samples} images"


def broken_images(folder: Path) -> str:
    """Among good images: empty, cut off, garbage, a pipe, a link to nowhere, and one that nobody may read."""
    place = folder / "cats"
    place.mkdir()
    for number in range(5):
        (place / f"{number}.png").write_bytes(_PNG)
    (place / "empty.png").write_bytes(b"")
    (place / "cut.png").write_bytes(_PNG[:20])
    (place / "garbage.jpg").write_bytes(b"no picture")
    os.mkfifo(place / "pipe.png")
    (place / "nowhere.png").symlink_to(folder / "nothing")
    found = scan_dataset(folder)
    return f"{found.samples} images, {found.broken_files} broken"


def _environment() -> dict[str, str]:
    """That of a program that finds ours."""
    return {**os.environ, "PYTHONPATH": str(ROOT)}


def _integrity(path: Path) -> bool:
    """Does SQLite find the file sound?"""
    with contextlib.closing(sqlite3.connect(path)) as store:
        return bool(store.execute("PRAGMA integrity_check").fetchone()[0] == "ok")


def _old_history(path: Path) -> None:
    """A file as the first version wrote it, with one run."""
    new = path.with_name("new.sqlite3")
    History(new).add(replace(answers.run(), note="kept"))
    with contextlib.closing(sqlite3.connect(path)) as old, contextlib.closing(sqlite3.connect(new)) as store:
        for statement in MIGRATIONS[0]:
            old.execute(statement)
        names = [row[1] for row in old.execute("PRAGMA table_info(run)")]
        rows = store.execute(f"SELECT {', '.join(names)} FROM run").fetchall()
        old.executemany(f"INSERT INTO run VALUES ({', '.join('?' * len(names))})", rows)
        old.execute("PRAGMA user_version = 1")
        old.commit()
    new.unlink()


_PNG = (
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x08\x00\x00\x00\x08\x08\x02\x00\x00\x00Km)\xdc"
    b"\x00\x00\x00\x00IEND\xaeB`\x82"
)

STORE_FAULTS = (
    StoreFault("disk full: a run is stored", "told, not stored, old run intact", full_history, "full"),
    StoreFault("disk full: a graph and rates are cached", "no cache, nothing left", full_cache, "full"),
    StoreFault("disk full: a report is written over another", "refused, old one whole", full_report, "full"),
    StoreFault("disk full: settings are saved", "refused, still dark", full_settings, "full"),
    StoreFault("read-only home: history", "read, told, not stored", read_only_history, "read-only"),
    StoreFault("read-only home: an older history", "1 run read", read_only_old_history, "read-only"),
    StoreFault("read-only home: the first start", "works without", read_only_home, "read-only"),
    StoreFault(f"kill -9 while storing, {KILLS} times", "all that was said is there", killed_while_storing),
    StoreFault(f"power loss: the log torn at {TEARS} places", "every committed run is there", torn_log),
    StoreFault("history damaged in the middle", "set aside, begun anew", damaged_history),
    StoreFault("history damaged while it is open", "set aside, begun anew", damaged_while_open),
    StoreFault("history of the first version", "migrated, 2 runs", older_history),
    StoreFault("history of a newer version", "left alone, told", newer_history),
    StoreFault("two programs store at once", "50 runs of 50, codes [0, 0]", two_writers),
    StoreFault("data: links in a circle", "2 images", links_in_a_circle),
    StoreFault("data: broken and unreadable images", "5 images, 3 broken", broken_images),
)
"""A test of the same name runs each (`tests.services.test_store_faults`)."""
