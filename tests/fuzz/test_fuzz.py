"""A taste of the fuzzing, and every finding of earlier rounds again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import nullcontext, suppress
from pathlib import Path
from threading import Timer

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.core.types.workload import ModelRef
from app.services.store.graph_store import graph_from_json
from tests.fuzz import child, targets_meaning
from tests.fuzz.tally import Tally
from tests.fuzz.target import CORPUS, Target
from tests.fuzz.targets import GRAPH, TARGETS
from tests.worker.models.own import hostile

EXAMPLES = 15
LOADING = ("model_meaning",)
"""Targets that load a framework."""


def test_the_graph_that_is_damaged_is_whole():
    """Otherwise every example is refused before anything is calculated."""
    assert graph_from_json(GRAPH).operations


@pytest.mark.parametrize("target", [t for t in TARGETS if t.name not in LOADING], ids=lambda target: target.name)
def test_what_is_almost_right_is_read_or_refused(target: Target):
    @settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(target.inputs)
    def examples(value: object) -> None:
        target.check(value)

    examples()


@pytest.mark.parametrize("found", sorted(CORPUS.glob("*/*")), ids=lambda path: path.name)
def test_a_finding_stays_mended(found: Path):
    target = next(one for one in TARGETS if one.name == found.parent.name)
    target.check(found.read_bytes())


@pytest.mark.skipif(sys.platform == "win32", reason="the limits are POSIX's")
class TestTheOracles:
    """What the fuzzing calls a finding."""

    def tally(self, check: Callable[[bytes], None], tmp_path: Path) -> Tally:
        """What comes of a target after a moment."""
        with (tmp_path / "busy").open("wb", buffering=0) as busy:
            return child.fuzz(Target("x", st.just(b"seed"), check), 2.0, 0, busy)

    def test_an_input_that_loops_is_one(self, tmp_path, monkeypatch):
        monkeypatch.setattr(child, "INPUT_CPU_S", 0.2)

        def loops(_value: bytes) -> None:
            while True:
                with suppress(Exception):
                    sum(range(1000))

        found = self.tally(loops, tmp_path).found
        assert [key.partition(" ")[0] for key in found] == ["TooSlow"]
        assert b"seed" in (tmp_path / "busy").read_bytes()

    def test_an_input_that_grows_is_one(self, tmp_path, monkeypatch):
        monkeypatch.setattr(child, "INPUT_BYTES", 2**20)
        held = child._most_bytes()

        def grows(_value: bytes) -> None:
            bytearray(held + 2**26)[:: 2**12] = b"x" * -(-(held + 2**26) // 2**12)

        assert [key.partition(" ")[0] for key in self.tally(grows, tmp_path).found] == ["MemoryError"]

    @pytest.mark.parametrize("loop", ["while True: pass", "import time; time.sleep(600)"])
    def test_a_process_that_does_not_come_back_is_one(self, loop, monkeypatch):
        monkeypatch.setattr(child, "GRACE_S", 0.5)
        with subprocess.Popen([sys.executable, "-c", loop], stdout=subprocess.PIPE) as process:
            assert child._outlived(process, 0.1) == (b"", "did not come back")

    def test_a_process_that_was_stopped_is_none(self, monkeypatch):
        monkeypatch.setattr(child, "GRACE_S", 0.5)
        monkeypatch.setattr(child, "_POLL_S", 0.3)
        stops = "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)"
        with subprocess.Popen([sys.executable, "-S", "-c", stops], stdout=subprocess.PIPE) as process:
            Timer(2.0, process.send_signal, [signal.SIGCONT]).start()
            assert child._outlived(process, 60) == (b"", "exit code 0")

    def test_a_process_that_dies_is_one(self):
        found = child.run_in_child("no such target", 0.1, 0).found
        assert list(found) == ["exit code 1"]

    @pytest.mark.parametrize("harm", ["read", "write", "call", "none"])
    def test_a_model_that_does_something_is_one(self, harm, monkeypatch):
        def build(model: ModelRef, _wishes: object) -> None:
            folder = Path(model.path or "").parent / "theirs"
            if harm == "read" and folder.exists():
                (folder / "words.txt").read_bytes()
            elif harm == "write" and folder.exists():
                (folder / "made.txt").touch()
            elif harm == "call":
                os.system("true")

        monkeypatch.setattr("app.worker.models.own.files.build", build)
        config = hostile.stack(hostile.layer("Dense", units=2, name="d"))
        with nullcontext() if harm == "none" else pytest.raises(AssertionError, match="a stranger's model did"):
            targets_meaning.model_meaning((config, ".keras"))
