"""No shell, no network."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

APP = Path(__file__).resolve().parents[1] / "app"
SHELLS = {("os", "system"), ("os", "popen"), ("subprocess", "getoutput"), ("subprocess", "getstatusoutput")}
LISTENER = """
import os, sys
NETWORK = ("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto")
def refuse(event, arguments):
    if event == "socket.bind" and arguments[1][:2] == ("::1", 0):
        return
    if event in NETWORK and not (event != "socket.getaddrinfo" and isinstance(arguments[1], (str, bytes))):
        with open(os.environ["WILLITTRAIN_ASKED"], "a") as file:
            file.write(f"{event} {arguments[1:]}\\n")
        raise OSError("no network in this test")
sys.addaudithook(refuse)
"""
"""Loaded by every Python that is started (``sitecustomize``); sockets of the file system have a text as address.
urllib3, which Keras imports, binds a port of this machine to see whether there is IPv6, and closes it again."""


def test_no_shell_is_ever_involved():
    found = []
    for path in APP.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.keyword) and node.arg == "shell":
                found.append(f"{path.name}:{node.value.lineno}")
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                found += [f"{path.name}:{node.lineno}"] * ((node.value.id, node.attr) in SHELLS)
    assert found == []


@pytest.mark.worker
def test_a_command_with_its_child_opens_no_network(tmp_path: Path):
    (tmp_path / "sitecustomize.py").write_text(LISTENER)
    asked = tmp_path / "asked"
    asked.touch()
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join((str(tmp_path), str(APP.parent))),
        "WILLITTRAIN_DATA_DIR": str(tmp_path),
        "WILLITTRAIN_ASKED": str(asked),
    }

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, *arguments]
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=200, check=False)

    proof = run("-c", "import socket; socket.create_connection(('127.0.0.1', 9))")
    assert proof.returncode == 1, "the listener itself works"
    assert "no network" in proof.stderr
    asked.write_text("")
    done = run("-m", "app", "bench", "mlp", "--dataset", "mnist", "--seconds", "1", "--json")
    assert json.loads(done.stdout)["outcome"] == "succeeded", done.stderr
    assert asked.read_text() == ""
