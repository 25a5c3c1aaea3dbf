"""A fake NVML driver, compiled here, and recorded Linux machines, written as small trees."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.fakes.nvml import SOURCE, FakeNvml


@pytest.fixture(scope="session")
def compiled_nvml(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The fake driver and its old version."""
    compiler = next((c for c in (shutil.which(n) for n in ("cc", "gcc", "clang")) if c is not None), None)
    if sys.platform != "linux" or compiler is None:
        pytest.skip("no C compiler here to build the fake NVIDIA driver")
    made = []
    for name, options in (("new", []), ("old", ["-DOLD_DRIVER"])):
        library = tmp_path_factory.mktemp(name) / "libnvidia-ml.so.1"
        command = [compiler, "-O1", "-shared", "-fPIC", "-Wl,-soname,libnvidia-ml.so.1", *options]
        subprocess.run([*command, "-o", str(library), str(SOURCE)], check=True, timeout=60)
        made.append(library)
    return made[0], made[1]


@pytest.fixture
def fake_nvml(compiled_nvml: tuple[Path, Path], tmp_path: Path) -> FakeNvml:
    """A fake driver with its own configuration."""
    return FakeNvml(*compiled_nvml, tmp_path / "nvml.cfg")


Tree = Callable[[Mapping[str, str | bytes]], Path]


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    """Writes a recorded machine: path to content; ``-> target`` makes a link."""

    def write(files: Mapping[str, str | bytes]) -> Path:
        root = tmp_path / "machine"
        for name, content in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, bytes):
                path.write_bytes(content)
            elif content.startswith("-> "):
                path.symlink_to(content[3:])
            else:
                path.write_text(content)
        return root

    return write
