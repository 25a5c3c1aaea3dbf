import json
import os
from pathlib import Path

import pytest

from app.cli.main import run
from app.services.runtimes import find
from app.services.runtimes.find import Runtime
from app.services.settings import FOLDER_VARIABLE, Settings

PACKAGES = (("tensorflow", "2.21.0"), ("keras", "3.15"), ("numpy", "2"))
ABLE = Runtime("/opt/train/bin/python", "conda", "3.12.1", PACKAGES)
BARE = Runtime("/usr/bin/python3", "PATH", "3.11.2", ())


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    return tmp_path


def test_the_pythons_are_listed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setattr(find, "find_runtimes", lambda settings: (ABLE, BARE))
    assert run(["runtime"]) == 0
    told = capsys.readouterr().out
    assert "tensorflow 2.21.0, keras 3.15" in told
    assert "no TensorFlow, JAX or PyTorch" in told
    assert "`willittrain runtime use PATH`" in told


def test_if_none_can_train_the_way_to_one_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setattr(find, "find_runtimes", lambda settings: (BARE,))
    assert run(["runtime", "list"]) == 0
    assert "`willittrain runtime create`" in capsys.readouterr().out


def test_the_list_as_json(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setattr(find, "find_runtimes", lambda settings: (ABLE,))
    assert run(["runtime", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["schema"] == 1
    assert answer["runtimes"][0]["backends"] == ["tensorflow"]


def test_a_choice_is_remembered_and_taken_back(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(find, "checked_runtime", lambda text: ABLE)
    assert run(["runtime", "use", "train"]) == 0
    assert Settings.load().interpreter == ABLE.path
    assert run(["runtime", "use", "own"]) == 0
    assert Settings.load().interpreter is None


def test_a_python_that_cannot_train_is_not_chosen(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert run(["runtime", "use", str(tmp_path / "nothing")]) == 2
    assert "no such interpreter" in capsys.readouterr().err
    assert not Settings.load().settings_path.exists()


def test_the_cache_tells_its_size_and_can_be_cleared(folders: Path, capsys: pytest.CaptureFixture[str]):
    graphs = folders / "cache" / "graphs"
    graphs.mkdir(parents=True)
    (graphs / "a.json.gz").write_bytes(bytes(2048))
    assert run(["cache"]) == 0
    assert "2.0 KiB" in capsys.readouterr().out
    assert run(["cache", "--clear", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["freed_bytes"] == 2048
    assert os.listdir(graphs) == []


def test_the_caches_limit_is_a_setting(capsys: pytest.CaptureFixture[str]):
    assert run(["cache", "--limit", "64MB"]) == 0
    assert Settings.load().cache_limit_bytes == 64 * 2**20
    assert run(["cache", "--limit", "none"]) == 2
    assert run(["cache", "--traces"]) == 2
