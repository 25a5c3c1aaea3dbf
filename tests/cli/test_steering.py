"""Names that steer a terminal reach none: every verb on a terminal of its own, with such names in whatever it shows."""

from __future__ import annotations

import ast
import csv
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import typer

from app.catalog import typed_json
from app.cli.main import command_line
from app.core.types.workload import Dataset, ModelRef, Workload
from app.services.store.history import History
from tests.cli import answers
from tests.steering import NAMED, ROOT, STEERING, hostile, on_a_terminal, steering

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals")

SHOWN = "\\x1b]52;c;eA==\\x07"
"""How the beginning of such a name is shown."""
FILE = f"net{NAMED}.keras"
VERBS: dict[str, list[list[str]]] = {
    "accuracy": [["accuracy"]],
    "doctor": [["doctor"]],
    "models": [["models", STEERING]],
    "datasets": [["datasets"]],
    "gpus": [["gpus", "--json"]],
    "clouds": [["clouds", "--refresh", FILE]],
    "estimate": [
        ["estimate", FILE],
        ["estimate", "mlp", "--dataset", f"./data{NAMED}"],
        ["estimate", "mlp", f"--batch-size={NAMED}"],
        ["estimate", "mlp", f"--{NAMED}"],
        ["estimate", "mlp", "--machine", "@MACHINE@"],
        ["estimate", "mlp", "--machine", "@MACHINE@", "--json"],
    ],
    "bench": [["bench", FILE], ["bench", "mlp", "--compare", NAMED]],
    "advise": [["advise", FILE], ["advise", "mlp", "--machine", "@MACHINE@"]],
    "report": [["report", "1", "-o", f"@FOLDER@/{STEERING}.md"], ["report", "1", "-o", f"x.{NAMED}"]],
    "share": [["share", "1"], ["share", "1", "--json"], ["share", "1", "--svg", "--to", f"@FOLDER@/of{STEERING}"]],
    "cache": [["cache"]],
    "runs": [["runs"], ["runs", "--json"], ["runs", NAMED]],
    "runs show": [["runs", "show", "1"], ["runs", "show", "1", "--json"], ["runs", "show", NAMED]],
    "runs compare": [["runs", "compare", "1", "2"]],
    "runs note": [["runs", "note", "2", NAMED], ["runs", "show", "2"]],
    "runs export": [["runs", "export"], ["runs", "export", "1", "-o", f"@FOLDER@/{STEERING}/x.json"]],
    "runs delete": [["runs", "delete", NAMED]],
    "runs restore": [["runs", "restore", NAMED]],
    "runtime": [["runtime"]],
    "runtime list": [["runtime", "list"]],
    "runtime use": [["runtime", "use", f"/no/{NAMED}"]],
    "trust list": [["trust", "list"]],
    "trust withdraw": [["trust", "withdraw", FILE]],
}
CREATES = {"runtime create"}
"""Downloads, and shows names of this program's own."""
SILENT = {"accuracy", "doctor", "datasets", "gpus", "cache", "runtime", "runtime list", "trust list", "models"}
"""Show nothing of a stranger's here."""


def verbs(command: Any, name: str = "") -> Iterator[str]:
    """Every verb of the command line."""
    for word, inner in getattr(command, "commands", {}).items():
        yield from verbs(inner, f"{name} {word}".strip())
    if not hasattr(command, "commands") or (name and command.invoke_without_command):
        yield name


def test_every_verb_is_walked():
    assert set(verbs(typer.main.get_command(command_line()))) == set(VERBS) | CREATES


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A history of strangers' runs, a stranger's machine, and the environment that leads there."""
    folder = tmp_path_factory.mktemp("data")
    history = History(folder / "data" / "history.sqlite3")
    model = ModelRef("file", FILE, f"/home/{NAMED}/{FILE}")
    data = Dataset(f"cats{NAMED}", "images", f"/home/{NAMED}", 60, (8, 8, 3), real=True)
    for _ in range(2):
        run = hostile(answers.run(note=f"my note{NAMED}"))
        history.add(replace(run, workload=Workload(model, data, answers.PLAN)))
    machine = typed_json.plain(hostile(answers.MACHINE))
    (folder / "machine.json").write_text(json.dumps({"machine": {**machine, f"unknown{NAMED}": 1}}))
    return folder, {**os.environ, "WILLITTRAIN_DATA_DIR": str(folder), "COLUMNS": "200", "TERM": "xterm"}


@pytest.mark.parametrize("verb", VERBS)
def test_no_control_character_of_a_name_arrives_on_the_terminal(verb, place):
    folder, environment = place
    told = ""
    for arguments in VERBS[verb]:
        words = [
            w.replace("@MACHINE@", str(folder / "machine.json")).replace("@FOLDER@", str(folder)) for w in arguments
        ]
        text = on_a_terminal(words, environment)
        assert steering(text) == [], text
        assert "Traceback" not in text
        told += text
    assert told.strip()
    assert verb in SILENT or SHOWN in told.replace("\n", "")


def test_neither_an_error_of_ours_nor_a_log_steers(place):
    text = on_a_terminal(["estimate", FILE, "--debug"], place[1])
    assert "Traceback" in text
    assert SHOWN in text
    assert steering(text) == []


@pytest.mark.parametrize("suffix", [".md", ".html", ".json"])
def test_no_report_holds_any(place, suffix):
    folder, environment = place
    on_a_terminal(["report", "1", "-o", str(folder / f"report{suffix}")], environment)
    text = (folder / f"report{suffix}").read_text("utf-8")
    assert "x1b" in text or "\\u001b" in text
    assert steering(text) == []


@pytest.mark.worker
def test_names_inside_of_real_files_do_not_arrive_either(place, tmp_path):
    """Layers of a model and columns of a table, seen by a child that traces."""
    layers = [
        {"class_name": "InputLayer", "config": {"batch_shape": [None, 2], "dtype": "float32", "name": f"in{STEERING}"}},
        {"class_name": "Dense", "config": {"units": 3, "activation": "softmax", "name": f"dense{STEERING}"}},
    ]
    nodes = [{"module": "keras.layers", "registered_name": None, **layer} for layer in layers]
    config = {"name": f"net{STEERING}", "layers": nodes}
    model = tmp_path / f"net{STEERING}.json"
    model.write_text(
        json.dumps({"module": "keras", "class_name": "Sequential", "registered_name": None, "config": config})
    )
    with (tmp_path / f"data{STEERING}.csv").open("w", newline="", encoding="utf-8") as file:
        write = csv.writer(file).writerow
        write((f"a{NAMED}", "b", f"label{NAMED}"))
        for number in range(600):
            write((number, number / 7, f"class{number % 3}{STEERING}"))
    data = str(tmp_path / f"data{STEERING}.csv")
    for verb in (["estimate"], ["bench", "--seconds", "1"], ["advise"]):
        text = on_a_terminal([verb[0], str(model), "--dataset", data, "--device", "cpu", *verb[1:]], place[1])
        assert SHOWN in text.replace("\n", ""), text
        assert steering(text) == []


PRINTERS = {"presentation/streams.py", "cli/text.py", "cli/output.py", "cli/session.py"}
"""What writes to a terminal, and makes visible what it writes; JSON that is written elsewhere is visible already."""
PRINTS = {"print", "typer.echo", "typer.secho", "click.echo", "sys.stderr.write", "sys.stderr.writelines", "Console"}


def printing(source: str) -> list[str]:
    """Calls that print."""
    return [
        name
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        if (name := ast.unparse(node.func)) in PRINTS
    ]


def test_nothing_else_writes_to_a_terminal():
    app = ROOT / "app"
    rooms = [
        path
        for room in ("cli", "ui", "services", "presentation", "catalog", "probes")
        for path in (app / room).rglob("*.py")
    ]
    found = {str(path.relative_to(app)): printing(path.read_text("utf-8")) for path in (*rooms, app / "__main__.py")}
    assert {name for name, calls in found.items() if calls} <= PRINTERS
    assert printing("print(x)\ntyper.echo(x)\nsys.stderr.write(x)\nrich.console.Console()") == [
        "print",
        "typer.echo",
        "sys.stderr.write",
    ]
