import os
import time
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from app.core.types.errors import StoreError
from app.services.held_folder import held_folder
from app.services.settings import Folders, Settings
from app.services.store.cache import cache_parts, clear_cache, trim_cache
from app.services.store.compressed_store import CompressedStore


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(folders=Folders(tmp_path / "data", tmp_path / "cache", tmp_path / "config"), cache_limit_bytes=1000)


def put(path: Path, size: int, age_s: float = 0.0) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(bytes(size))
    then = path.stat().st_mtime - age_s
    os.utime(path, (then, then))
    return path


def fill(settings: Settings) -> None:
    put(settings.cache_dir / "graphs" / "a.json.gz", 400)
    put(settings.cache_dir / "refined" / "b.json.gz", 30)
    put(settings.cache_dir / "rates.json", 20)
    put(settings.data_dir / "traces" / "run-7" / "step.xplane.pb", 500)
    put(settings.data_dir / "history.sqlite3", 9000)
    put(settings.cache_dir / "window" / "window.ini", 8)


def sizes(settings: Settings) -> dict[str, int]:
    return {part.name: part.bytes for part in cache_parts(settings)}


def test_sizes_of_what_is_kept(settings: Settings):
    fill(settings)
    assert sizes(settings) == {"graphs": 400, "refined": 30, "rates": 20, "samples": 0, "traces": 500}


def test_nothing_there_is_nothing_kept(settings: Settings):
    assert set(sizes(settings).values()) == {0}
    assert clear_cache(settings) == 0
    assert trim_cache(settings) == 0


def test_clearing_leaves_runs_their_traces_and_the_windows_place(settings: Settings):
    fill(settings)
    assert clear_cache(settings) == 450
    assert sizes(settings) == {"graphs": 0, "refined": 0, "rates": 0, "samples": 0, "traces": 500}
    assert settings.history_path.stat().st_size == 9000
    assert (settings.cache_dir / "window" / "window.ini").exists()


def test_traces_go_when_they_are_named(settings: Settings):
    fill(settings)
    assert clear_cache(settings, frozenset({"traces"})) == 500
    assert sizes(settings)["graphs"] == 400


def test_samples_of_a_running_benchmark_stay(settings: Settings):
    old = put(settings.cache_dir / "samples-old" / "cache.data", 70).parent
    with held_folder(settings.cache_dir, "samples-of-a-killed-") as folder:
        running = folder.rename(settings.cache_dir / "samples-running")
        put(running / "cache.data", 10)
        for place in (old, running):
            os.utime(place, (time.time() - 2 * 86400,) * 2)
        assert clear_cache(settings) == 70
        assert running.exists()
        assert not old.exists()


def test_what_was_not_used_for_longest_goes_first(settings: Settings):
    oldest = put(settings.cache_dir / "graphs" / "oldest.json.gz", 600, age_s=300)
    older = put(settings.cache_dir / "refined" / "older.json.gz", 300, age_s=200)
    newest = put(settings.cache_dir / "graphs" / "newest.json.gz", 500, age_s=100)
    assert trim_cache(settings) == 600
    assert [path.exists() for path in (oldest, older, newest)] == [False, True, True]
    assert trim_cache(settings) == 0


def test_the_newest_stays_even_if_it_alone_is_too_large(settings: Settings):
    put(settings.cache_dir / "graphs" / "old.json.gz", 10, age_s=100)
    newest = put(settings.cache_dir / "graphs" / "large.json.gz", 5000)
    assert trim_cache(settings) == 10
    assert newest.exists()


def test_what_is_read_counts_as_used(settings: Settings):
    store = CompressedStore[dict[str, int]](settings.cache_dir / "graphs", msgspec.json.decode)
    for name in ("read", "forgotten"):
        store.save(name, {"value": 1})
        path = settings.cache_dir / "graphs" / f"{name}.json.gz"
        os.utime(path, (1_000_000_000, 1_000_000_000))
    assert store.load("read") == {"value": 1}
    assert [p.stem for p in settings.cache_dir.glob("graphs/*") if p.stat().st_mtime > 1_000_000_000] == ["read.json"]
    trim_cache(replace(settings, cache_limit_bytes=1))
    assert [p.name for p in settings.cache_dir.glob("graphs/*")] == ["read.json.gz"]


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="the superuser may remove anything")
def test_what_cannot_be_removed_is_told(settings: Settings):
    fill(settings)
    folder = settings.cache_dir / "graphs"
    folder.chmod(0o500)
    try:
        with pytest.raises(StoreError, match="cannot remove"):
            clear_cache(settings)
    finally:
        folder.chmod(0o700)
