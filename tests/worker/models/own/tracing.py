"""Asks `tracing_child` for what becomes of the functions of a file, all in one process."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from app.services.child.variables import child_variables
from tests.worker.building import ROOT, TIMEOUT_S


def functions_of(path: Path, *helpers: str) -> list[str]:
    """The functions of a file, but for those that only help the others."""
    found = ast.parse(path.read_text()).body
    return [node.name for node in found if isinstance(node, ast.FunctionDef) and node.name not in helpers]


def traced(path: Path, cases: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """What the child says of each case, which has the job's arguments and the ``function``."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.worker.models.own.tracing_child"],
        input=json.dumps({"path": str(path), "cases": cases}),
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | child_variables("tensorflow", "cpu") | {"TF_CPP_MIN_LOG_LEVEL": "2"},
        timeout=TIMEOUT_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found
