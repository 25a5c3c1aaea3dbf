"""``willittrain trust``: what was allowed is listed with what it imports, and withdrawn."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.cli.main import run
from app.services.models.consent import TrustStore
from app.services.models.own_code import read_own
from app.services.settings import Folders


@pytest.fixture
def net(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that was allowed, with a module of its folder."""
    monkeypatch.setenv("WILLITTRAIN_DATA_DIR", str(tmp_path / "data"))
    (tmp_path / "helper.py").write_text("")
    (tmp_path / "net [red].py").write_text("import helper\ndef build(): ...\n")
    TrustStore(Folders.default().config_dir / "trusted.json").remember(read_own(str(tmp_path / "net [red].py")))
    return tmp_path / "net [red].py"


def test_an_empty_list_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setenv("WILLITTRAIN_DATA_DIR", str(tmp_path))
    assert run(["trust", "list"]) == 0
    assert "No file was allowed" in capsys.readouterr().out


def test_files_are_listed_with_what_they_import(net: Path, capsys: pytest.CaptureFixture[str]):
    assert run(["trust", "list"]) == 0
    told = "".join(capsys.readouterr().out.split())
    assert "[red].py" in told  # no markup; a long path may be broken before it
    assert "helper.py" in told
    assert run(["trust", "list", "--json"]) == 0
    (allowed,) = json.loads(capsys.readouterr().out)["allowed"]
    assert (allowed["path"], list(allowed["files"])) == (str(net), [net.name, "helper.py"])


def test_a_withdrawn_file_is_not_allowed_any_more(net: Path, capsys: pytest.CaptureFixture[str]):
    assert run(["estimate", f"{net}:nothing", "--json"]) == 3  # it may run, and has no such function
    assert "--trust" not in capsys.readouterr().err
    assert run(["trust", "withdraw", str(net)]) == 0
    assert "may not run any more" in capsys.readouterr().out
    assert run(["estimate", f"{net}:nothing", "--json"]) == 3
    assert "only with your consent" in capsys.readouterr().err
    assert run(["trust", "withdraw", str(net), "--json"]) == 2
    assert "was not allowed to run" in capsys.readouterr().err


def test_help_names_both(capsys: pytest.CaptureFixture[str]):
    assert run(["trust", "--help"]) == 0
    told = capsys.readouterr().out
    assert "list" in told
    assert "withdraw" in told
    assert run(["--help"]) == 0
    assert "trust" in capsys.readouterr().out
