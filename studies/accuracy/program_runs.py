"""One program, run bare for its peak and asked about: each time unmodified, in a copy of its folder."""

from __future__ import annotations

import datetime
import json
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from app.services.settings import FOLDER_VARIABLE
from studies.accuracy.product import own_folder
from studies.accuracy.program_made_up import beside, downloads
from studies.accuracy.program_rows import ProgramRow
from studies.accuracy.truth_table import CHECKOUT

HOOK = Path(__file__).with_name("program_hook")
TIMEOUT_S = 420
_ASK = "import sys; sys.path.insert(0, sys.argv.pop(1)); from app.__main__ import main; sys.exit(main())"


def bare(row: ProgramRow, others: Path, python: str, repeats: int) -> dict[str, Any]:
    """What the bare program takes, over several fresh processes.

    Returns:
        ``peak_bytes`` (the median), ``highest_bytes``, ``reached_s`` (the shortest), ``repeats``, versions, machine and
        date; or ``why`` it does not train.
    """
    told = []
    for _ in range(repeats):
        answer = _bare_once(row, others, python)
        if "why" in answer:
            return answer
        told.append(answer)
    peaks = [one["peak_bytes"] for one in told]
    return {
        **told[0],
        "peak_bytes": round(statistics.median(peaks)),
        "highest_bytes": max(peaks),
        "reached_s": round(min(one["reached_s"] for one in told), 1),
        "repeats": repeats,
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "date": datetime.date.today().isoformat(),
    }


def _bare_once(row: ProgramRow, others: Path, python: str) -> dict[str, Any]:
    """One process of it."""
    with _copied(row, others) as (folder, file), tempfile.TemporaryDirectory() as scratch:
        answer = Path(scratch) / "peak.json"
        words = [python, "-m", row.module] if row.module else [python, _as_program(file, Path(scratch))]
        more = {"WILLITTRAIN_PEAK": str(answer), "TF_CPU_ALLOCATOR_USE_BFC": "true", "CUDA_VISIBLE_DEVICES": "-1"}
        code, said = _run([*words, *row.arguments], folder, more)
        if not answer.exists():
            return {"why": _error_among(said, folder, python) or f"exit code {code}, no training"}
        told: dict[str, Any] = json.loads(answer.read_text())
        return told if told["peak_bytes"] else {"why": "one step only"}


def _as_program(file: str, scratch: Path) -> str:
    """A notebook's code as a program, without what only a notebook knows."""
    if not file.endswith(".ipynb"):
        return file
    cells = json.loads(Path(file).read_text("utf-8"))["cells"]
    lines = [line for cell in cells if cell["cell_type"] == "code" for line in [*cell["source"], "\n"]]
    path = scratch / "notebook.py"
    path.write_text("".join("\n" if line.lstrip()[:1] in ("%", "!") else line for line in lines), "utf-8")
    return str(path)


def asked(row: ProgramRow, others: Path, python: str) -> dict[str, Any]:
    """What our ``estimate`` says of it.

    Returns:
        ``answer``, the JSON, or ``why`` there is none; and ``seconds`` that it took.
    """
    with _copied(row, others) as (folder, file):
        words = [sys.executable, "-c", _ASK, str(CHECKOUT), "estimate"]
        words += ["-m", row.module] if row.module else [file]
        words += ["--trust", "--json"]
        words += ["--python", python] if python != sys.executable else []
        begun = time.perf_counter()
        code, said = _run([*words, "--", *row.arguments], folder, {FOLDER_VARIABLE: str(own_folder())}, out=True)
        seconds = round(time.perf_counter() - begun, 1)
    if code:
        return {"why": _error_among(said, folder, python) or f"exit code {code}", "seconds": seconds}
    return {"answer": json.loads("\n".join(said)), "seconds": seconds}


def _error_among(said: list[str], folder: Path, python: str) -> str:
    """The last line that names an error, without where the copy, our own files and the Python lie."""
    errors = [line for line in said if re.match(r"error: |[\w.]*(Error|Exception|Exit)\b", line)]
    told = (errors or said or [""])[-1].replace(python, "python")
    for place in (folder, own_folder()):
        told = told.replace(f"{place}/", "")
    return told[:600]


def _run(words: list[str], folder: Path, more: Mapping[str, str], *, out: bool = False) -> tuple[int, list[str]]:
    """A process's exit code, and the lines of its stdout or, where it failed, of its stderr."""
    home = own_folder() / "programs"
    variables = {
        **os.environ,
        "PYTHONPATH": str(HOOK),
        "WILLITTRAIN_MADE_UP": str(downloads(home / "made_up")),
        "KERAS_HOME": str(home / "keras"),
        "MPLBACKEND": "Agg",
        "TF_CPP_MIN_LOG_LEVEL": "2",
        **more,
    }
    try:
        done = subprocess.run(
            words, cwd=folder, env=variables, text=True, capture_output=True, stdin=subprocess.DEVNULL,
            timeout=TIMEOUT_S, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return 124, [f"not done within {TIMEOUT_S} s"]
    said = done.stdout if out and not done.returncode else done.stderr
    return done.returncode, said.strip().splitlines()


@contextmanager
def _copied(row: ProgramRow, others: Path) -> Iterator[tuple[Path, str]]:
    """A copy of the program's folder with what it expects there, and its file; both go afterwards."""
    with tempfile.TemporaryDirectory(prefix="program-") as scratch:
        folder = Path(scratch) / "work"
        shutil.copytree(row.source(others), folder, ignore=shutil.ignore_patterns("*.git", "__pycache__"))
        beside(row.made_up, folder)
        yield folder, str(folder / Path(row.path).relative_to(row.root))
