"""What a program does to files and asks of the network is told; each in a Python of its own, for a hook stays."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
RUNS = """
import json, os, sys, tempfile
from app.core.types.text import to_plain
from app.worker.script.file_events import FileEvents
folder, inside, source = sys.argv[1:]
tempfile.tempdir = folder + "-tmp"
events = FileEvents(folder, json.loads(inside))
os.chdir(folder)
try:
    exec(source)
except PermissionError as error:
    print(json.dumps(["refused", error.filename]))
else:
    print(json.dumps([str(one) for one in events.told()]))
"""


def told(folder: Path, source: str, inside: list[str] | None = None, runs: str = RUNS) -> list[str]:
    """What is said of a program."""
    for place in (folder, folder.with_name(folder.name + "-tmp")):
        place.mkdir(exist_ok=True)
    command = [sys.executable, "-c", runs, str(folder), json.dumps(inside), source]
    done = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True
    )
    found: list[str] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_files_that_are_left_and_that_are_gone_are_named(tmp_path):
    folder = tmp_path / "proj"
    folder.mkdir()
    for name in ("old.csv", "table.csv"):
        (folder / name).write_text("1")
    source = (
        "import shutil, subprocess, pathlib\n"
        "open('short', 'w').close(); os.remove('short')\n"
        "os.mkdir('logs'); pathlib.Path('logs/a.txt').write_text('a')\n"
        "shutil.copyfile('table.csv', 'b.txt'); os.rename('b.txt', 'c.txt')\n"
        "open('table.csv').read(); os.remove('old.csv')\n"
        "subprocess.run([sys.executable, '-c', 'open(\"below.txt\", \"w\")'])\n"
        f"open({str(tmp_path / 'away.txt')!r}, 'w')\n"
        "open(tempfile.mkdtemp() + '/quiet', 'w'); open(os.devnull, 'w')\n"
    )
    assert told(folder, source) == [
        f"before it trained it wrote {tmp_path / 'away.txt'}, below.txt, c.txt and 1 more",
        "before it trained it deleted old.csv",
    ]


def test_a_folder_for_our_own_files_below_the_programs_is_not_told(tmp_path):
    folder, ours = tmp_path / "proj", tmp_path / "proj" / "ours"
    ours.mkdir(parents=True)
    source = "open('ours/journal', 'w').close(); open('mine.txt', 'w').close()"
    below = RUNS.replace('folder + "-tmp"', 'os.path.join(folder, "ours")')
    assert told(folder, source, runs=below) == ["before it trained it wrote mine.txt"]


def test_hosts_that_are_asked_are_named_and_nothing_is_said_of_a_quiet_program(tmp_path):
    source = (
        "import urllib.request\ntry:\n    urllib.request.urlopen('http://data.invalid/x')\nexcept OSError:\n    pass"
    )
    assert told(tmp_path / "a", source) == ["it asked the network: data.invalid"]
    assert told(tmp_path / "a", "open(sys.argv[0]) if os.path.exists(sys.argv[0]) else None") == []


@pytest.mark.parametrize(
    "source",
    [
        "open('../x', 'w')",
        "os.mkdir('../x')",
        "os.rename('a', '../x')",
        "os.remove('../x')",
        "os.open('../x', os.O_CREAT)",
        "os.chmod('../x', 0o777)",
        "os.utime('../x')",
        "os.chown('../x', -1, -1)",
    ],
)
def test_where_the_kernel_cannot_pythons_own_calls_outside_are_refused(tmp_path, source):
    folder = tmp_path / "in"
    assert told(folder, f"open('a', 'w').close()\n{source}", [str(folder)]) == ["refused", str(tmp_path / "x")]
    assert not (tmp_path / "x").exists()


def test_a_file_outside_that_is_open_to_be_read_keeps_its_mode(tmp_path):
    (tmp_path / "mine").write_text("1")
    (tmp_path / "mine").chmod(0o600)
    found = told(tmp_path / "in", "os.fchmod(os.open('../mine', os.O_RDONLY), 0o666)", [str(tmp_path / "in")])
    assert found == ["refused", str(tmp_path / "mine")]
    assert (tmp_path / "mine").stat().st_mode & 0o777 == 0o600
