"""A fake NVML driver, compiled here, and recorded Linux machines, written as small trees."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

FAKE_NVML = Path(__file__).parents[1] / "fakes" / "fake_nvml.c"
PROJECT = Path(__file__).parents[2]

RTX_2060 = {
    "name": "NVIDIA GeForce RTX 2060",
    "uuid": "GPU-fake-2060",
    "mem_total": 6 * 1024**3,
    "mem_used": 300 * 1024**2,
    "cc_major": 7,
    "cc_minor": 5,
    "cores": 1920,
    "bus_width": 192,
    "sm_max": 2100,
    "sm_cur": 300,
    "mem_max": 7001,
    "tdp_mw": 160000,
    "power_mw": 9000,
    "temp": 41,
    "util_gpu": 4,
    "pcie_gen": 1,
    "pcie_width": 16,
    "pcie_gen_max": 3,
    "pcie_width_max": 16,
}
H100 = {
    "name": "NVIDIA H100 80GB HBM3",
    "uuid": "GPU-fake-100",
    "mem_total": 85520809984,
    "mem_used": 0,
    "cc_major": 9,
    "cc_minor": 0,
    "cores": 16896,
    "bus_width": 5120,
    "sm_max": 1980,
    "sm_cur": 345,
    "mem_max": 2619,
    "tdp_mw": 700000,
    "power_mw": 70000,
    "temp": 30,
    "pcie_gen": 5,
    "pcie_width": 16,
    "pcie_gen_max": 5,
    "pcie_width_max": 16,
}


@dataclass(frozen=True)
class FakeNvml:
    """Runs code in a process in which NVIDIA's library is ours."""

    library: Path
    old_library: Path
    config: Path

    def write(self, *cards: Mapping[str, Any], **driver: Any) -> None:
        """Say what the driver answers."""
        lines = [f"{key}={value}" for key, value in driver.items()]
        for card in cards:
            lines.append("[gpu]")
            for key, value in card.items():
                lines += [f"{key}={item}" for item in (value if isinstance(value, list) else [value])]
        self.config.write_text("\n".join(lines) + "\n")

    def run(self, code: str, *, old: bool = False, library: bool = True) -> Any:
        """The JSON that ``code`` prints.  Loaded first, our library answers for ``libnvidia-ml.so.1`` by its soname."""
        loaded = self.old_library if old else self.library
        load = f"import ctypes; ctypes.CDLL({str(loaded)!r}, mode=ctypes.RTLD_GLOBAL)\n" if library else ""
        environment = {**os.environ, "FAKE_NVML_CONFIG": str(self.config), "PYTHONPATH": str(PROJECT)}
        command = [sys.executable, "-W", "error", "-c", load + code]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


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
        subprocess.run([*command, "-o", str(library), str(FAKE_NVML)], check=True, timeout=60)
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
