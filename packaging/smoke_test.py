"""Run the built program the way its users do, and say what came of it.

    python packaging/smoke_test.py dist/willittrain/willittrain [--python PATH] [--json]

Starts the window without a screen, the child, and every kind of command; with ``--python`` (a Python that has
TensorFlow) it trains as well.  Everything it writes goes to a temporary folder.  Exit code 1 if anything was not as
it should be.  Standard library only: the program under test is the only thing that is needed.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

TIMEOUT_S = 180
WINDOW_S = 15.0
"""How long the window may take to be there and quiet on a slow machine."""


@dataclass(frozen=True)
class Result:
    """One thing that was tried."""

    name: str
    ok: bool
    seconds: float
    seen: str


class Program:
    """The built program, with folders of its own."""

    def __init__(self, path: Path, folder: Path) -> None:
        self.path = path
        self.folder = folder
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "WILLITTRAIN_"))},
            "WILLITTRAIN_DATA_DIR": str(folder),
            "QT_QPA_PLATFORM": "offscreen",
        }

    def run(self, *arguments: str, code: int = 0) -> str:
        """Standard output of a command.

        Raises:
            AssertionError: Another exit code, or a traceback.
        """
        done = subprocess.run(
            [self.path, *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=TIMEOUT_S,
            env=self.environment,
            check=False,
        )
        assert "Traceback" not in done.stderr, done.stderr[-500:]
        assert done.returncode == code, f"exit code {done.returncode}, expected {code}: {done.stderr[-300:]}"
        return done.stdout

    def json(self, *arguments: str) -> dict:
        """The JSON that a command prints, and nothing else."""
        return json.loads(self.run(*arguments, "--json"))

    def left_alive(self) -> list[int]:
        """Processes that still hold our folder's name in their environment (Linux)."""
        mark = str(self.folder).encode()
        found = []
        for entry in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if mark in (entry / "environ").read_bytes():
                    found.append(int(entry.name))
        return [pid for pid in found if pid != os.getpid()]


def checks(program: Program, python: str | None) -> Iterator[tuple[str, Callable[[], str]]]:
    """Every check: its name, and what does it and says in words what was seen."""
    yield "version", lambda: program.run("--version").strip()
    yield "help", lambda: f"{len(program.run('--help').splitlines())} lines"
    yield "an unknown model is refused", lambda: program.run("estimate", "nothing_of_the_kind", code=3) or "exit code 3"
    yield "catalog", lambda: _catalog(program)
    yield "doctor", lambda: _doctor(program)
    yield "estimate without a framework", lambda: _estimate(program)
    yield "advice without a framework", lambda: _advice(program)
    yield "the child says what it lacks", lambda: _child(program)
    yield "pythons that could train", lambda: f"{len(program.json('runtime')['runtimes'])} found"
    yield "cache", lambda: f"limit {program.json('cache')['limit_bytes'] >> 20} MiB"
    yield "window opens, paints and closes", lambda: _window(program)
    if sys.platform == "linux":
        yield "without a screen one line says so", lambda: _no_screen(program)
    if python is not None:
        yield "doctor asks a Python by name", lambda: _doctor(program, "--python", python)
        yield "a Python is chosen", lambda: program.run("runtime", "use", python).strip()
        yield "a model that is not of the catalog's shape is traced", lambda: _traced(program)
        yield "benchmark", lambda: _bench(program)
        yield "report as HTML and PDF", lambda: _report(program)
    if sys.platform == "linux":
        yield "nothing is left behind", lambda: _alone(program)


def _catalog(program: Program) -> str:
    """The tables that ship with the program."""
    return ", ".join(f"{len(program.json(name)[name])} {name}" for name in ("models", "datasets", "gpus", "clouds"))


def _doctor(program: Program, *options: str) -> str:
    """The machine and what there is to train with."""
    found = program.json("doctor", *options)
    frameworks = [f"{f['name']} {f['version']}" for i in found["interpreters"] for f in i["frameworks"]]
    assert found["machine"]["cpu"]["name"], "the processor has no name"
    assert bool(frameworks) == bool(options), f"frameworks: {frameworks}"
    return ", ".join(frameworks) or "no framework, and it says so"


def _estimate(program: Program) -> str:
    """Memory of a network of the catalog from its shipped graph."""
    memory = program.json("estimate", "resnet50", "--batch-size", "32")["memory"]
    assert memory["basis"] in ("traced", "calibrated"), memory["basis"]
    return f"resnet50 at 32: {memory['allocator_peak_bytes'] / 2**30:.2f} GiB"


def _advice(program: Program) -> str:
    """What to change and to buy."""
    found = program.json("advise", "resnet50", "--batch-size", "64", "--ram", "8GB")
    return f"{len(found['recommendations'])} recommendations, {len(found['upgrades'])} upgrades"


def _child(program: Program) -> str:
    """The built program as its own child: it speaks the protocol and has no framework."""
    request = {"v": 1, "kind": "request", "body": {"job": "frameworks", "arguments": {}}}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([program.path, "--worker"], env=program.environment, text=True, **pipes) as child:
        child.stdin.write(json.dumps(request) + "\n")
        child.stdin.flush()
        lines = child.stdout.readlines()  # an end of its input would tell the child that its parent is gone
        code = child.wait(TIMEOUT_S)
    assert code == 0, f"exit code {code}"
    last = json.loads(lines[-1])
    assert last["kind"] == "done", last
    assert last["body"]["result"]["frameworks"] == [], last
    return f"{len(lines)} messages, the last says that it is done"


def _window(program: Program) -> str:
    """Open the window, let it answer its first question, and close it as Ctrl+C does."""
    began = time.monotonic()
    process = subprocess.Popen(
        [program.path], env=program.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    kept = program.folder / "window" / "window.ini"
    try:
        while time.monotonic() - began < WINDOW_S and process.poll() is None and not _remembers(kept):
            time.sleep(0.05)
        seconds = time.monotonic() - began
        assert process.poll() is None, f"it ended by itself with {process.returncode}: {process.stderr.read()[-500:]}"
        process.send_signal(signal.SIGINT if os.name != "nt" else signal.SIGTERM)
        _, told = process.communicate(timeout=20)
    finally:
        process.kill()
        process.wait()
    assert "Traceback" not in told, told[-500:]
    assert process.returncode == 0 or os.name == "nt", f"exit code {process.returncode}: {told[-300:]}"
    assert kept.exists(), "the window remembered nothing when it closed"
    return f"closed after {seconds:.1f} s, exit code {process.returncode}"


def _no_screen(program: Program) -> str:
    """Neither X nor Wayland: Qt would abort."""
    screens = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    environment = {name: value for name, value in program.environment.items() if name not in screens}
    done = subprocess.run([program.path], env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 4, f"exit code {done.returncode}: {done.stderr[-300:]}"
    assert done.stderr.startswith("error: no window can open"), done.stderr[-300:]
    return "exit code 4"


def _remembers(kept: Path) -> bool:
    """Has the window noted its workload, which it does when the first question was asked?"""
    with contextlib.suppress(OSError):
        return "workload" in kept.read_text("utf-8", "replace")
    return False


def _traced(program: Program) -> str:
    """A question for which a child of the chosen Python must trace."""
    answer = program.json("estimate", "fashion_mnist_cnn", "--classes", "7")
    return f"{answer['memory']['allocator_peak_bytes'] / 2**20:.0f} MiB"


def _bench(program: Program) -> str:
    """A short real training in the chosen Python."""
    found = program.json("bench", "fashion_mnist_cnn", "--batch-size", "64", "--seconds", "3")
    assert found["outcome"] == "succeeded", found["message"]
    return f"{1000 * found['measured']['step_s']['median']:.1f} ms a step"


def _report(program: Program) -> str:
    """The run on paper; the PDF is printed by another copy of the program."""
    page, paper = program.folder / "run.html", program.folder / "run.pdf"
    program.run("report", "last", "-o", str(page))
    program.run("report", "last", "-o", str(paper))
    assert paper.read_bytes().startswith(b"%PDF"), "no PDF"
    return f"{page.stat().st_size >> 10} KiB and {paper.stat().st_size >> 10} KiB"


def _alone(program: Program) -> str:
    """No process of the program is left."""
    deadline = time.monotonic() + 5
    while (alive := program.left_alive()) and time.monotonic() < deadline:
        time.sleep(0.2)
    assert not alive, f"processes {alive}"
    return "no process"


def main() -> int:
    """Try everything and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("program", type=Path)
    parser.add_argument("--python", help="a Python that has TensorFlow")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    results = []
    with tempfile.TemporaryDirectory() as folder:
        program = Program(options.program.resolve(), Path(folder).resolve())
        for name, check in checks(program, options.python):
            began = time.monotonic()
            try:
                ok, seen = True, check()
            except (AssertionError, OSError, ValueError, LookupError, subprocess.TimeoutExpired) as problem:
                ok, seen = False, f"{type(problem).__name__}: {problem}"
            results.append(Result(name, ok, round(time.monotonic() - began, 2), seen))
            if not options.json:
                print(f"{'ok  ' if ok else 'FAIL'} {name:<52} {results[-1].seconds:6.2f} s  {seen}", flush=True)
    if options.json:
        print(json.dumps({"program": str(options.program), "results": [asdict(one) for one in results]}))
    return 0 if all(one.ok for one in results) else 1


if __name__ == "__main__":
    sys.exit(main())
