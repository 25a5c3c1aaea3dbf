"""A fake NVML driver: two cards, and processes in which NVIDIA's library is the one made from ``fake_nvml.c``."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SOURCE = Path(__file__).with_name("fake_nvml.c")
_PROJECT = Path(__file__).parents[2]

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
        environment = {**os.environ, "FAKE_NVML_CONFIG": str(self.config), "PYTHONPATH": str(_PROJECT)}
        command = [sys.executable, "-W", "error", "-c", load + code]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)
