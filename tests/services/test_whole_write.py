import errno
import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from app.core.types.errors import StoreError
from app.services.file_lock import file_lock
from app.services.reports.report import FORMATS, write_report
from app.services.settings import Folders, Settings
from app.services.store.graph_store import GraphStore
from app.services.store.history import History
from app.services.store.json_store import JsonStore
from app.services.store.traces import CHROME_FILE, XPLANE_FILE
from app.services.whole_write import cannot_write, whole_file, write_export, write_whole
from tests.cli import answers

posix = pytest.mark.skipif(os.name == "nt", reason="rights and limits of POSIX")
LARGEST = 512
NO_ROOM = r"cannot write .*expected room on the disk; received File too large; free some space, or "


@contextmanager
def no_room() -> Iterator[None]:
    """Files end at half a KiB, as they do on a disk that fills up in the middle of a write."""
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_failed_write_leaves_the_old_content(tmp_path: Path):
    path = tmp_path / "a"
    write_whole(path, b"old")
    path.with_name("b").mkdir()
    with pytest.raises(OSError, match=r"."):
        write_whole(tmp_path / "b", b"new")
    assert path.read_bytes() == b"old"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a", "b"]


def test_an_interrupted_write_leaves_the_old_content_and_nothing_else(tmp_path: Path):
    path = tmp_path / "a"
    write_whole(path, b"old")
    with pytest.raises(KeyboardInterrupt):
        _interrupted(path)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def _interrupted(path: Path) -> None:
    with whole_file(path) as file:
        file.write(b"new")
        raise KeyboardInterrupt


@posix
def test_a_disk_that_fills_up_leaves_the_old_export_and_says_what_to_do(tmp_path: Path):
    path = tmp_path / "runs.json"
    write_export(path, b"old")
    with no_room(), pytest.raises(StoreError, match=NO_ROOM + "choose another place"):
        write_export(path, b"x" * (LARGEST + 1))
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@posix
@pytest.mark.parametrize("ending", sorted(FORMATS))
def test_a_report_that_does_not_fit_is_refused(tmp_path: Path, ending: str):
    with no_room(), pytest.raises(StoreError, match=NO_ROOM):
        write_report(answers.run(note="x" * LARGEST), tmp_path / f"report{ending}")
    assert list(tmp_path.iterdir()) == []


@posix
def test_a_trace_that_does_not_fit_is_refused(tmp_path: Path):
    traces = History(tmp_path / "data" / "history.sqlite3").traces
    kept = traces.folder / "run-1"
    kept.mkdir(parents=True)
    (kept / CHROME_FILE).write_bytes(b"")
    (kept / XPLANE_FILE).write_bytes(bytes(2 * LARGEST))
    with no_room(), pytest.raises(StoreError, match=NO_ROOM):
        traces.export(1, tmp_path / "out")
    assert [path for path in (tmp_path / "out").rglob("*") if path.is_file()] == []


@posix
@pytest.mark.parametrize("verb", ["models", "gpus", "--help"])
def test_output_that_finds_no_room_is_one_line_on_stderr(verb: str):
    if not Path("/dev/full").exists():
        pytest.skip("no device that is always full")
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "app", verb], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 4
    assert done.stderr.splitlines() == [
        "error: cannot write standard output; expected room on the disk; "
        "received No space left on device; free some space, or choose another place"
    ]


@posix
def test_a_link_is_followed_only_where_the_user_named_the_file(tmp_path: Path):
    mine, export = tmp_path / "mine.txt", tmp_path / "downloads" / "mlp-batch-8-run-1.md"
    mine.write_text("mine")
    export.parent.mkdir()
    export.symlink_to(mine)
    write_export(export, b"named")
    assert mine.read_text() == "named"
    write_export(export, b"shared", named_by_us=True)
    assert (mine.read_text(), export.read_text(), export.is_symlink()) == ("named", "shared", False)
    assert len(list(export.parent.iterdir())) == 1


@posix
def test_a_device_is_written_and_not_replaced(tmp_path: Path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE) as reader:
        write_export(pipe, b"told")
        assert reader.communicate()[0] == b"told"
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@posix
def test_what_is_ours_nobody_else_may_read_and_what_is_the_users_goes_by_their_umask(tmp_path: Path):
    write_whole(tmp_path / "data" / "deep" / "own", b"")
    export = tmp_path / "report.html"
    before = os.umask(0o027)
    try:
        write_export(export, b"")
    finally:
        os.umask(before)
    assert [_mode(tmp_path / name) for name in ("data", "data/deep", "data/deep/own")] == [0o700, 0o700, 0o600]
    assert _mode(export) == 0o640


@posix
def test_a_file_that_the_user_has_closed_to_others_stays_closed_when_it_is_written_again(tmp_path: Path):
    export = tmp_path / "report.html"
    write_export(export, b"old")
    export.chmod(0o600)
    write_export(export, b"new")
    assert (export.read_bytes(), _mode(export)) == (b"new", 0o600)


@pytest.mark.parametrize(
    ("number", "own", "words"),
    [
        (errno.ENOSPC, True, "free some space, or set WILLITTRAIN_DATA_DIR"),
        (errno.EDQUOT, False, "free some space, or choose another place"),
        (errno.EACCES, True, "set WILLITTRAIN_DATA_DIR"),
        (errno.ENOENT, False, "choose another place"),
    ],
)
def test_what_to_do_follows_from_what_is_wrong(tmp_path: Path, number: int, own: bool, words: str):
    error = cannot_write(tmp_path, OSError(number, os.strerror(number)), own=own)
    assert words in str(error)
    assert error.expected
    assert os.strerror(number) in error.received


@posix
def test_nothing_that_is_kept_can_be_read_by_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("WILLITTRAIN_DATA_DIR", str(tmp_path / "ours"))
    before = os.umask(0)
    try:
        settings = Settings.load()
        settings.save()
        JsonStore(settings.cache_dir / "rates.json", int).save("a", 1)
        GraphStore(settings.cache_dir / "graphs").keep("key", {})
        history = History(settings.history_path)
        with history.traces.place() as folder:
            assert folder is not None
            (folder / XPLANE_FILE).write_bytes(b"x")
            history.add(answers.run(), folder)
        reader = sqlite3.connect(settings.history_path)  # keeps the log and its index beside the file
        reader.execute("SELECT count(*) FROM run").fetchone()
        history.add(answers.run())
        code = "from app.ui.session.ui_settings import WindowSettings as W; w = W(); w.theme = 'dark'; w.flush()"
        subprocess.run([sys.executable, "-c", code], check=True)
        found = {path.relative_to(tmp_path / "ours").as_posix(): _mode(path) for path in (tmp_path / "ours").rglob("*")}
        reader.close()
    finally:
        os.umask(before)
    assert {"data/history.sqlite3-wal", "data/history.sqlite3-shm", "data/traces/run-1/step.xplane.pb"} <= found.keys()
    assert {"cache/rates.json", "config/settings.json", "window/window.ini"} <= found.keys()
    assert {name: oct(mode) for name, mode in found.items() if mode & 0o077} == {}


@posix
def test_what_an_older_version_left_open_is_closed_at_the_next_start(tmp_path: Path):
    folders = Folders(tmp_path / "data", tmp_path / "cache", tmp_path / "config")
    foreign = tmp_path / "foreign"
    foreign.touch(mode=0o644)
    python = folders.data_dir / "runtime" / "bin" / "python"
    (folders.data_dir / "traces" / "run-1").mkdir(parents=True)
    python.parent.mkdir(parents=True)
    for path in ((folders.data_dir / "history.sqlite3"), python, folders.data_dir / "runtime" / "pyvenv.cfg"):
        path.touch(mode=0o755)
    (folders.data_dir / "link").symlink_to(foreign)
    Settings.load(folders)
    closed = [folders.data_dir, folders.data_dir / "traces" / "run-1", (folders.data_dir / "history.sqlite3")]
    assert [_mode(path) & 0o077 for path in closed] == [0, 0, 0]
    assert (_mode(python), _mode(foreign)) == (0o755, 0o644)


_HOLDER = """
import sys
from pathlib import Path
from app.services.file_lock import file_lock
with file_lock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def _hold(path: Path) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", _HOLDER, str(path)]
    holder = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    return holder


def test_a_lock_is_waited_for_and_free_when_its_holder_is_killed(tmp_path: Path):
    waits: list[int] = []
    with _hold(tmp_path / "settings.json") as holder:

        def wait() -> None:
            waits.append(1)
            if len(waits) == 3:
                holder.kill()

        with file_lock(tmp_path / "settings.json", wait):
            assert len(waits) >= 3


def test_a_lock_that_somebody_keeps_is_an_error_and_no_hang(tmp_path: Path):
    with _hold(tmp_path / "settings.json") as holder:
        with pytest.raises(TimeoutError), file_lock(tmp_path / "settings.json", timeout_s=0.1):
            pass
        holder.kill()


_KEEPER = """
import sys
from pathlib import Path
from app.services.store.json_store import JsonStore
store = JsonStore(Path(sys.argv[1]), int)
for number in range(40):
    store.save(f"{sys.argv[2]}{number}", number)
"""


def test_what_two_processes_keep_in_one_file_is_all_there(tmp_path: Path):
    path = tmp_path / "rates.json"
    both = [subprocess.Popen([sys.executable, "-c", _KEEPER, str(path), name]) for name in "ab"]
    assert [keeper.wait() for keeper in both] == [0, 0]
    store = JsonStore(path, int)
    assert [store.load(f"{name}{number}") for name in "ab" for number in range(40)] == [*range(40)] * 2
