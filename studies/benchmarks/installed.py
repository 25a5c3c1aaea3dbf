"""How large an installed program is, and how soon it answers.

::

    python -m studies.benchmarks.installed dist/willittrain/willittrain [--folder dist/willittrain] [--runs 5] [--json]

For a wheel: the ``willittrain`` of an environment without a framework, with ``--folder`` the environment.  Times are
medians over fresh processes, files in the page cache; the programs write to a temporary folder.  The first start is
that of the first command and says something right after an installation only: at most 2.5 times the next is wanted.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

COMMANDS = {
    "version": ("--version",),
    "list of networks": ("models",),
    "estimate of resnet50": ("estimate", "resnet50", "--json"),
    "list of Pythons": ("runtime", "--json"),
}


def size(folder: Path) -> tuple[int, int]:
    """Bytes and number of the files below a folder; a file with two names counts once."""
    found = {}
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            status = path.stat()
            found[status.st_dev, status.st_ino] = status.st_size
    return sum(found.values()), len(found)


def seconds(program: Path, arguments: tuple[str, ...], runs: int, data: str) -> tuple[float, float]:
    """Time of a command's first run, which fills the page cache, and the median of those after it, each a process."""
    environment = {**os.environ, "WILLITTRAIN_DATA_DIR": data}
    taken = []
    for _ in range(runs + 1):
        began = time.perf_counter()
        subprocess.run([program, *arguments], env=environment, check=True, capture_output=True)
        taken.append(time.perf_counter() - began)
    return taken[0], statistics.median(taken[1:])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("program", type=Path)
    parser.add_argument("--folder", type=Path, help="what to weigh; the program's own folder if left out")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    program = options.program.resolve()
    total_bytes, files = size(options.folder or program.parent)
    with tempfile.TemporaryDirectory() as data:
        taken = {name: seconds(program, words, options.runs, data) for name, words in COMMANDS.items()}
    later = {name: median_s for name, (_, median_s) in taken.items()}
    first_s, next_s = taken["version"]
    if options.json:
        told = {"bytes": total_bytes, "files": files, "runs": options.runs, "seconds": later, "first_start_s": first_s}
        print(json.dumps(told))
        return
    print(f"{total_bytes / 2**20:.0f} MiB in {files} files")
    for name, value in later.items():
        print(f"{name:<24} {value:6.2f} s")
    print(f"{'first start':<24} {first_s:6.2f} s, {first_s / next_s:.2f} times the next")


if __name__ == "__main__":
    main()
