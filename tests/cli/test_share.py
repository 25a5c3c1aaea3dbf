"""``share``, ``estimate --share`` and ``--community`` as they are typed."""

from __future__ import annotations

import json
import struct
from dataclasses import replace

import pytest

from app.cli.main import run
from app.core.types.workload import ModelRef
from app.services.settings import Settings
from app.services.store.history import History
from tests.cli import answers


@pytest.fixture
def history(tmp_path, monkeypatch):
    monkeypatch.setenv("WILLITTRAIN_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("LANG", "en_GB.UTF-8")
    store = History(Settings.load().history_path)
    named = replace(answers.WORKLOAD, model=ModelRef("catalog", "fashion_mnist_cnn"))
    store.add(replace(answers.run(note="of jane@workhorse"), workload=named))
    return store


def test_without_a_folder_the_words_are_shown_and_nothing_is_written(history, tmp_path, capsys):
    assert run(["share", "last"]) == 0
    shown = capsys.readouterr()
    assert shown.out.startswith("# Fashion-MNIST CNN\n")
    assert "| Memory needed | ✓ 1.1 GiB | ~ 1.0 GiB | 900.0 MiB to 1.2 GiB | −7 % |" in shown.out
    assert "Left out: folders and files" in shown.err
    assert "Nothing was written" in shown.err
    assert "jane" not in shown.out + shown.err
    assert {path.name for path in tmp_path.iterdir()} == {"data"}


def test_two_pictures_words_and_data_are_written(history, tmp_path, capsys):
    assert run(["share", "1", "--to", str(tmp_path / "out"), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [path.rpartition("run-1")[2] for path in document["files"]] == [
        "-light.png",
        "-dark.png",
        ".md",
        ".willittrain.json",
    ]
    light, dark, words, data = [(tmp_path / "out" / path).read_bytes() for path in document["files"]]
    assert light != dark
    for picture in (light, dark):
        assert picture.startswith(b"\x89PNG")
        assert struct.unpack(">II", picture[16:24]) == (1760, 880)
        assert len(picture) < 400_000, "small enough for an issue"
    assert words.decode() == document["markdown"]
    assert json.loads(data)["measured"]["step_s"] == 0.02


def test_svg_needs_no_qt_and_a_place_that_cannot_be_written_is_said(history, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("subprocess.run", lambda *_, **__: pytest.fail("a process was started"))
    assert run(["share", "1", "--to", str(tmp_path / "out"), "--svg"]) == 0
    written = capsys.readouterr().err
    assert "-light.svg" in written
    (tmp_path / "file").write_text("")
    assert run(["share", "1", "--to", str(tmp_path / "file"), "--svg"]) == 4
    assert capsys.readouterr().err.splitlines()[-1].startswith("error: cannot write")
    assert run(["share", "7"]) == 2


def test_an_answer_is_shared_and_files_of_others_are_heard_and_counted(history, tmp_path, capsys):
    folder = str(tmp_path / "out")
    assert run(["share", "1", "--to", folder, "--svg", "--json"]) == 0
    (tmp_path / "out" / "odd.willittrain.json").write_text("{}")
    capsys.readouterr()
    asked = ["fashion_mnist_cnn", "--batch-size", "64", "--on", "RTX 2060 6GB", "--json"]
    assert run(["estimate", *asked, "--community", folder, "--share", str(tmp_path / "answer")]) == 0
    printed = capsys.readouterr()
    document = json.loads(printed.out)
    assert document["community"]["files"] == 2
    assert (document["community"]["read"], document["community"]["foreign"]) == (1, 1)
    assert "1 of 2 shared files was left out: 1 in another format" in printed.err
    names = sorted(path.name for path in (tmp_path / "answer").iterdir())
    assert names[0] == "fashion-mnist-cnn-batch-64-estimate-dark.png"
    shared = json.loads((tmp_path / "answer" / names[-1]).read_text())
    assert (shared["kind"], shared["measured"]) == ("estimate", None)
    assert shared["estimate"]["peak_bytes"] == document["memory"]["allocator_peak_bytes"]
    assert run(["estimate", *asked]) == 0
    assert "community" not in json.loads(capsys.readouterr().out)


def test_advice_hears_them_too_and_a_folder_that_is_not_there_is_said(history, tmp_path, capsys):
    assert run(["advise", "mlp", "--on", "RTX 2060 6GB", "--community", str(tmp_path / "nowhere")]) == 2
    assert "error: cannot read" in capsys.readouterr().err
