"""Asks `building_child` in a process of its own and returns its answers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
TIMEOUT_S = 240


def ask(cases: dict[str, Any], make: Path | None = None, on_path: Path | None = None) -> dict[str, Any]:
    """Build all cases in one child (TensorFlow takes seconds to load), with a folder of modules on its path."""
    path = os.pathsep.join(map(str, (ROOT, on_path) if on_path else (ROOT,)))
    environment = os.environ | {"TF_CPP_MIN_LOG_LEVEL": "2", "CUDA_VISIBLE_DEVICES": "", "PYTHONPATH": path}
    done = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("building_child.py"))],
        input=json.dumps({"make": str(make) if make else None, "cases": cases}),
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=environment,
        timeout=TIMEOUT_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def catalog(name: str, **case: Any) -> dict[str, Any]:
    """A case for a network of the catalog."""
    return {"model": {"kind": "catalog", "name": name}, **case}


def file(path: Path, *, trusted: bool = False, **case: Any) -> dict[str, Any]:
    """A case for a saved file."""
    return {"model": {"kind": "file", "name": path.name, "path": str(path), "trusted": trusted}, **case}


def code(path: Path, function: str, *, trusted: bool = True, **case: Any) -> dict[str, Any]:
    """A case for a function."""
    model = {"kind": "code", "name": function, "path": str(path), "function": function, "trusted": trusted}
    return {"model": model, **case}


def images(**facts: Any) -> dict[str, Any]:
    """A dataset of images."""
    return {"name": "data", "kind": "images", "sample_shape": [None, None, 3], "dtype": "uint8", **facts}
