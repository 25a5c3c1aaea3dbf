"""The command line as a whole: exit codes, one-line errors, what --help loads."""

import json
import os
import subprocess
import sys

import pytest

from app.cli.bench import exit_code, refuse_other_machines
from app.cli.main import run
from app.cli.options import MachineOptions
from app.core.predict import estimate
from app.core.types.errors import UsageError
from tests.cli import answers

LOADED = """
import sys
from app.cli.main import run
run({arguments!r})
heavy = {{"PySide6", "tensorflow", "keras", "numpy", "psutil", "rich", "jinja2"}} & set(sys.modules)
sys.stderr.write(",".join(sorted(heavy)))
"""


@pytest.fixture(autouse=True)
def _own_folders(tmp_path, monkeypatch):
    monkeypatch.setenv("WILLITTRAIN_DATA_DIR", str(tmp_path))


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["estimat"], 2, "estimat"),
        (["estimate"], 2, "MODEL"),
        (["estimate", "resnet50", "--batch-size", "0"], 2, "batch-size"),
        (["estimate", "resnet50", "--batch-size", "many"], 2, "batch-size"),
        (["estimate", "resnet50", "--precision", "float8"], 2, "float8"),
        (["estimate", "resnet50", "--optimizer", "adamm"], 2, "adamm"),
        (["estimate", "resnet50", "--device", "tpu"], 2, "tpu"),
        (["estimate", "resnet50", "--input-shape", "big"], 2, "big"),
        (["estimate", "resnet50", "--backend", "mxnet"], 2, "mxnet"),
        (["estimate", "resnet50", "--backend", "torch", "--data", "array"], 2, "PyTorch"),
        (["estimate", "resnet50", "--backend", "jax", "--refine"], 2, "--backend jax"),
        (["estimate", "resnet50", "--refine", "--on", "RTX 3060 12GB"], 2, "--refine --on"),
        (["bench", "resnet50", "--refine"], 2, "--refine"),
        (["estimate", "resnet50", "--ram", "much"], 2, "much"),
        (["estimate", "resnet50", "--on", "RTX 99999"], 2, "RTX 99999"),
        (["estimate", "resnet50", "--machine", "/none.json"], 2, "/none.json"),
        (["estimate", "resnet50", "--python", "/no/python"], 2, "/no/python"),
        (["estimate", "no_such_network"], 3, "no_such_network"),
        (["estimate", "missing.keras"], 3, "missing.keras"),
        (["estimate", "resnet50", "--dataset", "/no/folder"], 3, "/no/folder"),
        (["bench", "resnet50", "--on", "RTX 3060"], 2, "--on"),
        (["bench", "resnet50", "--seconds", "0"], 2, "seconds"),
        (["bench", "mlp", "--compare", "colour"], 2, "colour"),
        (["bench", "mlp", "--compare", "threads=two"], 2, "two"),
        (["bench", "mlp", "--compare", "xla", "--find-batch"], 2, "--find-batch"),
        (["bench", "mlp", "--compare", "xla", "--on", "RTX 3060"], 2, "--on"),
        (["bench", "mlp", "--find-batch", "--machine", "/none.json"], 2, "--machine"),
        (["bench", "mlp", "--effective-batch", "64"], 2, "--effective-batch"),
        (["bench", "mlp", "--memory-limit", "2GB"], 2, "--memory-limit"),
        (["bench", "mlp", "--find-batch", "--memory-limit", "much"], 2, "much"),
        (["bench", "mlp", "--find-batch", "--accumulate", "2"], 2, "--accumulate"),
        (["estimate", "mlp", "--threads", "0"], 2, "threads"),
        (["advise", "resnet50", "--bench", "5", "--ram", "32GB"], 2, "--ram"),
        (["runs", "show", "1"], 2, "1"),
        (["runs", "show", "x"], 2, "x"),
        (["runs", "compare", "1"], 2, "1"),
        (["report", "1", "-o", "x.docx"], 2, "x.docx"),
        (["report", "last", "-o", "x.html"], 2, "no runs"),
    ],
)
def test_a_mistake_is_one_line_with_its_exit_code(arguments, code, words, capsys):
    assert run(arguments) == code
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("error: ")
    assert printed.err.count("\n") == 1
    assert words in printed.err


def test_debug_shows_where_it_comes_from():
    with pytest.raises(UsageError):
        run(["estimate", "resnet50", "--backend", "jax", "--refine", "--debug"])


@pytest.mark.parametrize("verb", ["models", "datasets", "gpus", "clouds"])
def test_catalogs_as_json_and_as_text(verb, capsys):
    assert run([verb, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert list(document) == ["schema", verb]
    assert document[verb]
    assert run([verb]) == 0
    assert f"{len(document[verb])} rows" in capsys.readouterr().out


def test_how_good_it_is_as_json_and_as_text(capsys):
    assert run(["accuracy", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert list(document) == ["schema", "tables", "published"]
    assert run(["accuracy"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("How good is it?")
    assert all(one["commit"] in printed for one in document["tables"])


def test_catalogs_can_be_filtered(capsys):
    assert run(["gpus", "--json", "rtx 2060"]) == 0
    names = [row["name"] for row in json.loads(capsys.readouterr().out)["gpus"]]
    assert names
    assert all("2060" in name for name in names)


def test_no_runs_yet(capsys):
    assert run(["runs"]) == 0
    assert "No runs yet" in capsys.readouterr().out
    assert run(["runs", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"schema": 1, "runs": [], "track_record": None}


@pytest.mark.parametrize("arguments", [["--help"], ["estimate", "--help"], ["--version"]])
def test_help_loads_nothing_heavy(arguments):
    code = LOADED.format(arguments=arguments)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout
    assert done.stderr == ""


def test_a_reader_that_leaves_is_no_error(tmp_path):
    command = f'"{sys.executable}" -m app models --json | head -c 10'
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True, env=dict(os.environ))
    assert done.stderr == ""


def test_text_on_a_console_without_our_signs():
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "app", "models", "resnet50"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert "224 ? 224 ? 3" in done.stdout


@pytest.mark.parametrize(
    ("result", "code", "checked"),
    [
        (answers.SUCCEEDED, 0, 0),
        (answers.NO_MEMORY, 0, 1),
        (answers.BROKEN_MODEL, 3, 3),
        (answers.CRASHED, 4, 4),
        (answers.CANCELLED, 130, 130),
    ],
)
def test_exit_code_of_a_run(result, code, checked):
    assert exit_code(result, check=False) == code
    assert exit_code(result, check=True) == checked


def test_a_benchmark_runs_here_only():
    refuse_other_machines(MachineOptions())
    with pytest.raises(UsageError, match="estimate"):
        refuse_other_machines(MachineOptions(ram="32GB"))


def test_an_estimate_draws_no_chart(monkeypatch, capsys):
    monkeypatch.setattr(estimate, "charted", lambda *asked: pytest.fail(f"a chart of {asked}"))
    assert run(["estimate", "mlp", "--on", "RTX 2060 6GB"]) == 0
    assert "largest batch" in capsys.readouterr().out


def test_ctrl_c_is_told_wherever_it_falls(monkeypatch, capsys):
    def interrupted(settings):
        raise KeyboardInterrupt

    monkeypatch.setattr("app.services.store.cache.cache_parts", interrupted)
    assert run(["cache", "--json"]) == 130
    assert capsys.readouterr().err == "error: stopped\n"
