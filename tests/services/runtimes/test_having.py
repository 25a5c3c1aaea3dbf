"""A Python that has what the author imports is found by looking, in real environments."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from app.core.types.errors import MissingModule
from app.core.types.text import verbatim
from app.core.types.workload import ModelRef
from app.services.runtimes import having

pytestmark = pytest.mark.skipif(os.name == "nt", reason="makes shell scripts that stand for a Python")
SOURCE = "import json, keras, rare_package.part\nfrom tensorflow import data\nimport helper\nfrom . import sibling\n"


def python_with(folder: Path, *packages: str) -> str:
    """This Python, with empty packages of these names and none of its own."""
    for name in packages:
        (folder / "lib" / name).mkdir(parents=True)
        (folder / "lib" / name / "__init__.py").touch()
    path = folder / "python"
    path.write_text(f'#!/bin/sh\nPYTHONPATH={folder}/lib exec {sys.executable} -S "$@"\n')
    path.chmod(0o755)
    return str(path)


def test_the_first_python_that_has_all_that_a_file_imports_is_named(tmp_path, monkeypatch):
    half = python_with(tmp_path / "half", "rare_package", "keras")
    whole = python_with(tmp_path / "whole", "rare_package", "keras", "tensorflow")
    file = tmp_path / "code" / "train.py"
    file.parent.mkdir()
    file.write_text(SOURCE)
    (file.parent / "helper.py").touch()
    monkeypatch.setattr(having, "elsewhere", lambda: iter([("PATH", half), ("PATH", "/no/such"), ("PATH", whole)]))
    error = MissingModule(verbatim("No module named 'rare_package'"), hint=verbatim("install it"))
    error.module = "rare_package"
    model = ModelRef("script", "train.py", path=str(file))
    assert f"--python {whole}" in having.named_elsewhere(error, model).hint
    monkeypatch.setattr(having, "elsewhere", lambda: iter([("PATH", half)]))
    error.hint = verbatim("install it")
    assert having.named_elsewhere(error, model).hint == "install it"
