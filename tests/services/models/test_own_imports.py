"""Which modules of its folder a file may import, read from the text."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.core.types.errors import BadModel
from app.core.types.source_text import MAX_CODE_BYTES
from app.services.models.own_imports import MAX_COMPILED_BYTES, MAX_MODULES, modules_beside


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("helper.py", "deep/__init__.py", "deep/one.py", "deep/two.py", "deep/inner/three.py", "other.py"):
        place = tmp_path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("")
    (tmp_path / "native.cpython-311-x86_64-linux-gnu.so").write_bytes(b"\x7fELF")
    return tmp_path


DEEP = "deep/__init__.py"
ALL = [DEEP, "deep/inner/three.py", "deep/one.py", "deep/two.py", "helper.py"]
ALL += ["native.cpython-311-x86_64-linux-gnu.so", "other.py"]


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("import json, keras", []),
        ("import helper", ["helper.py"]),
        ("def build():\n    from helper import x", ["helper.py"]),
        ("import deep.one as one", [DEEP, "deep/one.py"]),
        ("from deep import two", [DEEP, "deep/two.py"]),
        ("from deep.inner import three", [DEEP, "deep/inner/three.py"]),
        ("from deep import *", [DEEP, "deep/one.py", "deep/two.py"]),
        ("import native", ["native.cpython-311-x86_64-linux-gnu.so"]),
        ("import importlib\nimportlib.import_module('deep.one')", [DEEP, "deep/one.py"]),
        ("__import__('helper')", ["helper.py"]),
        ("import importlib\nimportlib.import_module('etc/passwd')", []),
        ("import importlib\ndef f(name):\n    return importlib.import_module(f'deep.{name}')", ALL),
        ("def (", []),
        ("import net", []),
    ],
)
def test_what_a_file_may_import_is_found_without_running_it(folder: Path, source: str, names: list[str]):
    assert list(modules_beside(folder / "net.py", source.encode())) == names


def test_what_modules_import_is_found_too_and_circles_end(folder: Path):
    (folder / "helper.py").write_text("from deep import one\nimport net")
    (folder / "deep" / "one.py").write_text("from . import two")
    (folder / "deep" / "two.py").write_text("from .inner.three import x\nimport helper")
    (folder / "deep" / "inner" / "three.py").write_text("from ..one import y")
    found = list(modules_beside(folder / "net.py", b"import helper"))
    assert found == [DEEP, "deep/inner/three.py", "deep/one.py", "deep/two.py", "helper.py"]


def test_environments_and_hidden_folders_are_not_the_models(folder: Path):
    for name in ("venv/lib/x.py", ".git/hook.py", "site-packages/y.py", "__pycache__/z.py"):
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_text("")
    (folder / "venv" / "pyvenv.cfg").write_text("")
    assert list(modules_beside(folder / "net.py", b"import importlib as i; i.import_module(name)")) == ALL


def test_a_name_of_any_length_and_depth_is_no_module_of_the_folder(folder: Path):
    source = f"import {'a' * 300}, {'.'.join('a' * 50)}, deep.{'.'.join('a' * 50)}, helper.x.y"
    assert list(modules_beside(folder / "net.py", source.encode())) == [DEEP, "helper.py"]
    assert list(modules_beside(folder / "net.py", f"import deep.{'.'.join('a' * 100_000)}".encode())) == []


def test_a_folder_full_of_modules_is_no_models_folder(folder: Path):
    for number in range(MAX_MODULES + 1):
        (folder / f"m{number}.py").write_text("")
    made_up = b"import importlib as i; i.import_module(name); import helper"
    assert list(modules_beside(folder / "net.py", made_up)) == ["helper.py"]
    everything = "".join(f"import m{number}\n" for number in range(MAX_MODULES + 1))
    with pytest.raises(BadModel, match="too much"):
        modules_beside(folder / "net.py", everything.encode())


@pytest.mark.parametrize(("suffix", "size_bytes"), [(".py", MAX_CODE_BYTES), (".so", MAX_COMPILED_BYTES // 4)])
def test_modules_that_are_short_alone_may_be_too_much_together(folder: Path, suffix: str, size_bytes: int):
    for number in range(5):
        with (folder / f"m{number}{suffix}").open("wb") as file:
            file.truncate(size_bytes)
    few = b"import m0, m1, m2"
    assert len(modules_beside(folder / "net.py", few)) == 3
    with pytest.raises(BadModel, match="too much"):
        modules_beside(folder / "net.py", few + b", m3, m4")
