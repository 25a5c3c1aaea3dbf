"""Byte code that travels with sources is taken where nothing can be written, as long as they are the same."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "packaging"


@pytest.fixture(scope="module")
def byte_code():
    spec = importlib.util.spec_from_file_location("byte_code", FOLDER / "byte_code.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def laid_out(byte_code, tmp_path):
    """A module and its byte code as they lie in the program; the source looks newer."""
    source = tmp_path / "from" / "greeting.py"
    source.parent.mkdir()
    source.write_text("WORD = 'hello'\n")
    sources = [(str(source), "app/core")]
    for name, place in [*sources, *byte_code.compiled_files(sources, tmp_path / "scratch")]:
        folder = tmp_path / "program" / place
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(name, folder / Path(name).name)
    placed = tmp_path / "program" / "app" / "core"
    os.utime(placed / "greeting.py", (2**31, 2**31))
    return placed


def imported(folder):
    """The module's word, and whether its source was compiled."""
    command = [sys.executable, "-v", "-B", "-I", "-S", "-c"]
    program = f"import sys; sys.path.insert(0, {str(folder)!r}); import greeting; print(greeting.WORD)"
    done = subprocess.run([*command, program], capture_output=True, text=True, check=True)
    told = [line for line in done.stderr.splitlines() if "greeting" in line]
    return done.stdout.strip(), not any("code object from" in line and ".pyc" in line for line in told)


def test_byte_code_is_taken_although_the_source_looks_newer(byte_code, tmp_path):
    assert imported(laid_out(byte_code, tmp_path)) == ("hello", False)


def test_an_edited_source_counts(byte_code, tmp_path):
    folder = laid_out(byte_code, tmp_path)
    (folder / "greeting.py").write_text("WORD = 'bye'\n")
    assert imported(folder) == ("bye", True)
