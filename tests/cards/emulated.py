"""The program on cards that an emulated CUDA driver shows; skipped where there is none.

`DRIVER_VARIABLE` names the folder with the built libraries, `PYTHON_VARIABLE` a Python with TensorFlow's CUDA wheels.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from studies.accuracy.card_truth import DRIVER_VARIABLE, PYTHON_VARIABLE, wheels_of
from studies.accuracy.product import homes

ROOT = Path(__file__).resolve().parents[2]
DRIVER, PYTHON = (os.environ.get(name, "") for name in (DRIVER_VARIABLE, PYTHON_VARIABLE))
LONGEST_S = 900

needs_card = pytest.mark.skipif(
    not (DRIVER and PYTHON and Path(DRIVER, "libcuda.so.1").exists()),
    reason=f"{DRIVER_VARIABLE} and {PYTHON_VARIABLE} do not name an emulated CUDA driver and a Python for it",
)


def ask(folder: Path, *words: str, cards: str = "RTX 2060") -> dict[str, Any]:
    """What a command of the program answers in JSON on a machine with these cards.

    Args:
        folder: Where it keeps its files.
        words: The command and its options, without ``--json``.
        cards: Names that the driver knows, with commas between.
    """
    wheels = wheels_of(Path(PYTHON))
    libraries = [DRIVER, *sorted(str(path) for path in wheels.glob("*/lib"))]
    environment = {
        **os.environ,
        **homes(folder),
        "LD_LIBRARY_PATH": ":".join(libraries),
        "PATH": f"{wheels / 'cuda_nvcc' / 'bin'}:{os.environ.get('PATH', '')}",
        "CUDA_FAKECUDA_CARD": cards,
    }
    command = [sys.executable, "-m", "app", *words, "--python", PYTHON, "--json"]
    ended = subprocess.run(
        command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=LONGEST_S, check=False
    )
    assert ended.stdout, ended.stderr[-2000:]
    answer: dict[str, Any] = json.loads(ended.stdout)
    return answer
