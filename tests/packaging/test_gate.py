"""What other people's repositories and programs are told to write works as it is written."""

import ast
import json
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

from app.cli.main import run

ROOT = Path(__file__).resolve().parents[2]
HOOK = (ROOT / ".pre-commit-hooks.yaml").read_text("utf-8")
README = (ROOT / "README.md").read_text("utf-8")


def value(name):
    """What the hook says of something."""
    return re.search(rf"^(?:- |  ){name}: (.+)$", HOOK, re.MULTILINE)[1]


def test_the_hook_brings_what_traces_a_model():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    assert json.loads(value("additional_dependencies")) == extras["tensorflow"]


def test_the_hook_is_a_command_that_fails_where_a_training_does_not_fit(capsys):
    program, *entry = value("entry").split()
    assert program == "willittrain"
    card = ["fashion_mnist_cnn", "--on", "RTX 2060", "--precision", "float32", "--batch-size"]
    assert run([*entry, *card, "64"]) == 0
    assert run([*entry, *card, "65536"]) == 1
    assert "Does not fit" in capsys.readouterr().out


def test_the_readme_names_the_hook_and_commands_that_are_there():
    (hook,) = re.findall(r"hooks: \[\{id: (\w+), args: \[(.+)\]\}\]", README)
    (step,) = re.findall(r"- run: willittrain (estimate .+)$", README, re.MULTILINE)
    assert hook[0] == value("id")
    typed = shlex.split(step)
    assert [*value("entry").split()[1:2], *hook[1].split(", "), "--check"] == typed


def test_the_readmes_callback_can_be_written_so():
    (code,) = re.findall(r"```python\n(from willittrain.+?)```", README, re.DOTALL)
    imported, fitted = ast.parse(code).body
    call = next(node for node in ast.walk(fitted) if isinstance(node, ast.Call) and ast.unparse(node.func) == "Guard")
    program = f"{ast.unparse(imported)}; {ast.unparse(call)}"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
