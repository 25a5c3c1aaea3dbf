"""A mistake in a command ends with the command to copy."""

import re

import pytest

from app.cli.main import run


@pytest.fixture(autouse=True)
def _own_folders(tmp_path, monkeypatch):
    monkeypatch.setenv("WILLITTRAIN_DATA_DIR", str(tmp_path))


def last_words(arguments, capsys):
    """What stands between the last backticks of the error, which is its end."""
    assert run(arguments) in (2, 3)
    return re.search(r"`([^`]+)`\n$", capsys.readouterr().err)[1]


@pytest.mark.parametrize(
    ("arguments", "command"),
    [
        (["estimate", "resnet50", "--batch-sise", "4"], "willittrain estimate resnet50 --batch-size 4"),
        (["estimate", "resnet50", "--optimizer", "adm"], "willittrain estimate resnet50 --optimizer adam"),
        (["estimate", "resnet50", "--optimizer=adm"], "willittrain estimate resnet50 --optimizer=adam"),
        (["estimate", "resnet50", "--details"], "willittrain estimate --help"),
        (["estimate", "resnet50", "--jsn"], "willittrain estimate resnet50 --json"),
        (["estimate", "resnet50", "--jsn", "--refine"], "willittrain estimate resnet50 --json --refine"),
        (["estimate", "nofile.keras"], "willittrain models"),
        (["estimate", "nofile.py:build"], "willittrain models"),
        (["estimat", "resnet50"], "willittrain estimate resnet50"),
        (["runs", "shw", "1"], "willittrain runs show 1"),
        (["estimate", "resnet5"], "willittrain estimate resnet50"),
        (["estimate", "mlp", "--dataset", "cifar11"], "willittrain estimate mlp --dataset cifar10"),
        (["estimate", "mlp", "--on", "RTX 99999"], None),
        (["estimate", "mlp", "--on", "GeForce RTX 4091"], "willittrain estimate mlp --on"),
        (["estimate"], "willittrain estimate --help"),
        (["frobnicate"], "willittrain --help"),
        (["estimate", "resnet50", "--batch-size", "many"], "willittrain estimate --help"),
        (["estimate", "zzz"], "willittrain models"),
        (["estimate", "mlp", "--python", "/no/python"], "willittrain runtime"),
        (["runs", "show", "7"], "willittrain runs"),
    ],
)
def test_the_command_to_copy_comes_last(arguments, command, capsys):
    told = last_words(arguments, capsys)
    assert told.startswith(command or "willittrain")


def test_a_python_on_path_is_suggested_for_a_mistyped_one(capsys, tmp_path, monkeypatch):
    for name in ("python3.12", "pythonw.txt"):
        (tmp_path / name).touch()
    (tmp_path / "python3.12").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert last_words(["estimate", "mlp", "--python", "pyhton3.12"], capsys).endswith("mlp --python python3.12")


def test_a_file_of_that_folder_is_suggested_for_a_mistyped_one(capsys, tmp_path, monkeypatch):
    (tmp_path / "network.py").touch()
    monkeypatch.chdir(tmp_path)
    assert last_words(["estimate", "netwrok.py:build"], capsys) == "willittrain estimate network.py:build"
    assert last_words(["estimate", "netwrok.py"], capsys) == "willittrain estimate network.py"


def test_what_is_copied_survives_a_shell(capsys):
    told = last_words(["estimate", "my net", "--batch-sise", "4"], capsys)
    assert told == "willittrain estimate 'my net' --batch-size 4"
