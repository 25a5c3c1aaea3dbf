import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from app.core.types.errors import StoreError
from app.services.settings import FOLDER_VARIABLE, Folders, Settings
from app.services.whole_write import write_whole


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folders:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    return Folders.default()


def test_one_variable_moves_every_folder(folders: Folders, tmp_path: Path):
    assert folders == Folders(tmp_path / "data", tmp_path / "cache", tmp_path / "config")
    assert Settings.load().history_path == tmp_path / "data" / "history.sqlite3"


def test_without_the_variable_folders_are_the_users_own(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv(FOLDER_VARIABLE, raising=False)
    assert "willittrain" in str(Folders.default().data_dir)


def test_loading_creates_nothing(folders: Folders, tmp_path: Path):
    settings = Settings.load()
    assert settings.theme == "system"
    assert settings.notice is None
    assert list(tmp_path.iterdir()) == []


def test_saved_settings_come_back(folders: Folders):
    changed = replace(Settings.load(), theme="dark", interpreter="/opt/python", bench_seconds=5.0, reserve_ram_bytes=7)
    changed.save()
    assert Settings.load() == changed


def test_a_key_of_a_newer_version_is_ignored(folders: Folders):
    write_whole(folders.config_dir / "settings.json", b'{"theme": "light", "colour_of_the_sky": "blue"}')
    assert Settings.load().theme == "light"


def test_the_file_cannot_redirect_the_folders(folders: Folders):
    write_whole(folders.config_dir / "settings.json", b'{"folders": {"data_dir": "/"}, "notice": "x"}')
    assert Settings.load() == Settings(folders=folders)


@pytest.mark.parametrize("content", [b"{", b'{"theme": "purple"}', b"[]", b"\xff\xfe", b""])
def test_a_broken_file_is_set_aside(folders: Folders, content: bytes):
    path = folders.config_dir / "settings.json"
    write_whole(path, content)
    settings = Settings.load()
    assert settings.theme == "system"
    assert settings.notice is not None
    assert "settings.json.broken" in settings.notice
    assert path.with_name("settings.json.broken").read_bytes() == content
    assert not path.exists()


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path):
    (tmp_path / "file").write_text("")
    blocked = Folders(tmp_path, tmp_path, tmp_path / "file" / "config")
    with pytest.raises(StoreError, match="cannot write"):
        Settings(folders=blocked).save()


_WINDOW = """
import sys
from dataclasses import replace
from app.services.settings import Settings
name, last = sys.argv[1], int(sys.argv[2])
for value in range(1, last + 1):
    settings = Settings.load()
    replace(settings, **{name: value}).save(settings)
"""


def test_two_windows_change_different_settings_and_both_survive(folders: Folders):
    commands = [[sys.executable, "-c", _WINDOW, name, "40"] for name in ("bench_seconds", "cache_limit_bytes")]
    both = [subprocess.Popen(command) for command in commands]
    assert [window.wait() for window in both] == [0, 0]
    settings = Settings.load()
    assert (settings.bench_seconds, settings.cache_limit_bytes) == (40, 40)


def test_what_another_window_changed_meanwhile_stays_and_is_known_after_saving(folders: Folders):
    before = Settings.load()
    replace(before, theme="dark").save(before)
    saved = replace(before, bench_seconds=5.0).save(before)
    assert (saved.theme, saved.bench_seconds) == ("dark", 5.0)
    assert Settings.load() == saved


def test_what_a_newer_version_keeps_there_stays(folders: Folders):
    write_whole(folders.config_dir / "settings.json", b'{"colour_of_the_sky": "blue"}')
    before = Settings.load()
    replace(before, theme="light").save(before)
    stored = json.loads((folders.config_dir / "settings.json").read_text())
    assert stored == {"colour_of_the_sky": "blue", "theme": "light"}
