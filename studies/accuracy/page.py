"""The page "How good is it?": run tables, store what they print, write ``docs/accuracy.md``.

    python -m studies.accuracy.page                          the page from what is stored
    python -m studies.accuracy.page --run fit_profet memory  run these tables first and store their answers
    python -m studies.accuracy.page --run all                likewise with all that stand on the page

What is stored, ``resources/accuracy/results.json``, ships with the program: the window ("How good is it?") and
``willittrain accuracy`` show it.  It notes the commit and the machine of each run; a table of changed sources is
refused, because nobody could print it again.
"""

from __future__ import annotations

import argparse
import datetime
import json
import platform
import subprocess
import sys
from pathlib import Path

import msgspec

from app.catalog import typed_json
from app.catalog.accuracy import RESULTS, load_accuracy
from app.core.types.accuracy import Figures, StoredTable
from app.presentation.accuracy import TITLES, accuracy_blocks
from app.presentation.layout import Block, Line, Points, Table
from studies.accuracy.command import DEFAULT_DATA
from studies.accuracy.product import open_advisor, say

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "accuracy.md"
STORED = ROOT / "resources" / RESULTS
NOTE = "<!-- Written by `python -m studies.accuracy.page` from resources/accuracy; a test holds both together. -->"


def main() -> None:
    """Run what is asked for, store it, write the page."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--run", nargs="+", default=[], metavar="NAME", choices=[*TITLES, "all"], help="tables to run")
    options.add_argument("--data", type=Path, default=DEFAULT_DATA, metavar="FOLDER", help="folder with the tables")
    given = options.parse_args()
    for name in TITLES if "all" in given.run else given.run:
        store(run(name, given.data))
    PAGE.write_text(page(), encoding="utf-8")


def run(name: str, data: Path) -> StoredTable:
    """What a table prints, from sources that are committed."""
    if changed := _git("status", "--porcelain", "--untracked-files=no", "app", "studies"):
        sys.exit(f"error: the sources differ from every commit; expected them committed, received\n{changed}")
    say(f"running {name}")
    command = [sys.executable, "-m", f"studies.accuracy.{name}", "--data", str(data), "--json"]
    ended = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True)
    figures = typed_json.convert(json.loads(ended.stdout), Figures)
    commit = _git("rev-parse", "--short=10", "HEAD")
    return StoredTable(name, datetime.date.today().isoformat(), commit, _machine(), figures)


def store(table: StoredTable) -> None:
    """Put an answer in the place of the older one."""
    known = {one.name: one for one in stored()} | {table.name: table}
    ordered = [known[name] for name in TITLES if name in known]
    text = msgspec.json.format(typed_json.encode(ordered), indent=1)
    STORED.write_bytes(text + b"\n")


def stored() -> tuple[StoredTable, ...]:
    """All answers so far."""
    return typed_json.decode(STORED.read_bytes(), tuple[StoredTable, ...]) if STORED.is_file() else ()


def page() -> str:
    """The page in English, as Markdown."""
    parts = [NOTE, *(_markdown(block) for block in accuracy_blocks(load_accuracy()))]
    return "\n\n".join(parts) + "\n"


def _markdown(block: Block) -> str:
    """One block."""
    if isinstance(block, Line):
        return f"# {block.text}" if block.weight == "title" else str(block.text)
    if isinstance(block, Points):
        return "\n".join([f"## {block.title}", "", *(f"- {line}" for line in block.lines)])
    return "\n".join([f"## {block.title}", "", *_rows(block)])


def _rows(table: Table) -> list[str]:
    """A table's lines; numbers stand at the right, and commands as code."""
    rule = ["---:" if column in table.numbers else "---" for column in range(len(table.columns))]
    cells = [[f"`{cell}`" if cell.startswith("python -m") else str(cell) for cell in row] for row in table.rows]
    return [f"| {' | '.join(row)} |" for row in ([str(name) for name in table.columns], rule, *cells)]


def _machine() -> str:
    """The processor and its threads."""
    cpu = open_advisor(forget_runs=False).machine.read().cpu
    return f"{cpu.name}, {cpu.logical_cores} threads, {platform.system()}"


def _git(*words: str) -> str:
    """What git says."""
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


if __name__ == "__main__":
    main()
