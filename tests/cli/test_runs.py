"""The history and reports through the command line."""

import json
from dataclasses import replace

import pytest

from app.cli.main import run
from app.core.types.workload import ModelRef
from app.services.settings import Settings
from app.services.store.history import History
from tests.cli import answers


@pytest.fixture
def history(tmp_path, monkeypatch):
    monkeypatch.setenv("WILLITTRAIN_DATA_DIR", str(tmp_path))
    store = History(Settings.load().history_path)
    store.add(answers.run())
    store.add(replace(answers.run(answers.NO_MEMORY), note="too large"))
    return store


def test_list_show_and_filter(history, capsys):
    assert run(["runs"]) == 0
    assert "Out of memory" in capsys.readouterr().out
    assert run(["runs", "--filter", "large", "--json"]) == 0
    assert [row["run_id"] for row in json.loads(capsys.readouterr().out)["runs"]] == [2]
    assert run(["runs", "show", "last", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["outcome"] == "out_of_memory"
    assert run(["runs", "show", "1"]) == 0
    assert "RTX 2060" in capsys.readouterr().out


def test_the_list_begins_with_the_products_own_error(history, capsys):
    assert run(["runs"]) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert first == "Your last run lay inside its interval."
    assert run(["runs", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)["track_record"]
    assert record["memory"]["median_error"] == pytest.approx(76 / 1100)
    assert record["time"]["worst_run_id"] == 1
    history.delete(1)
    assert run(["runs", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["track_record"] is None


def test_compare_note_delete_restore(history, capsys):
    assert run(["runs", "compare", "1", "2"]) == 0
    assert "Run 2" in capsys.readouterr().out
    assert run(["runs", "note", "1", "the good one"]) == 0
    assert history.get(1).note == "the good one"
    assert run(["runs", "delete", "1"]) == 0
    assert "restore 1" in capsys.readouterr().out
    assert [row.run_id for row in history.list()] == [2]
    assert run(["runs", "restore", "1"]) == 0
    assert len(history.list()) == 2


def test_export_to_stdout_and_to_a_file(history, tmp_path, capsys):
    assert run(["runs", "export", "2"]) == 0
    assert len(json.loads(capsys.readouterr().out)["runs"]) == 1
    target = tmp_path / "runs.json"
    assert run(["runs", "export", "-o", str(target)]) == 0
    assert len(json.loads(target.read_text())["runs"]) == 2
    assert run(["runs", "export", "-o", str(tmp_path / "no" / "folder.json")]) == 4
    assert capsys.readouterr().err.startswith("error: cannot write")


@pytest.mark.parametrize(
    ("name", "begin"), [("r.html", b"<!doctype html>"), ("r.md", b"# Will it"), ("r.json", b"{"), ("r.PDF", b"%PDF-")]
)
def test_a_report_in_every_format(history, tmp_path, name, begin):
    target = tmp_path / name
    assert run(["report", "last", "-o", str(target)]) == 0
    assert target.read_bytes().startswith(begin)


@pytest.mark.parametrize("name", ["r.html", "r.pdf"])
def test_a_report_that_cannot_be_written(history, tmp_path, name, capsys):
    assert run(["report", "1", "-o", str(tmp_path / "no" / name)]) == 4
    assert capsys.readouterr().err.startswith("error: ")


@pytest.mark.parametrize(
    ("flag", "said", "kept"), [([], "Left out: folders of paths", False), (["--no-redact"], "Nothing was", True)]
)
def test_a_report_leaves_out_who_and_where_unless_it_shall_not(history, tmp_path, capsys, flag, said, kept):
    model = ModelRef("code", "net.py:build", "/home/jane/secret/net.py", "build")
    found = answers.run(note="of jane@workhorse")
    history.add(replace(found, workload=replace(found.workload, model=model)))
    assert run(["report", "last", "-o", str(tmp_path / "r.json"), *flag]) == 0
    text = (tmp_path / "r.json").read_text()
    assert "net.py" in text
    assert ("secret" in text, "jane" in text) == (kept, kept)
    assert said in capsys.readouterr().err
