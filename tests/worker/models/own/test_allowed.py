"""Strangers' model files in real children: nothing that they name runs, is imported, opened or fetched."""

from __future__ import annotations

import json
import os
import socketserver
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from app.core.types.errors import BadModel
from app.worker.models.own.allowed import check_floor
from tests.worker.building import ROOT, ask, file
from tests.worker.models.own import hostile

pytestmark = pytest.mark.worker

NAMES = sorted(hostile.attempts(Path("mark"), "http://127.0.0.1"))
REFUSALS = ("holds code", "no part of Keras", "would read another file", "cannot be built by this Keras")


@dataclass
class Place:
    """A folder of hostile files, and what came of building them."""

    folder: Path
    answers: dict[str, Any] = field(default_factory=dict)
    calls: list[bytes] = field(default_factory=list)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """All attempts, as each kind of file, built by a child whose every way to the net leads to a server of ours."""
    found = Place(tmp_path_factory.mktemp("hostile"))

    class Notes(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            found.calls.append(self.request.recv(200))

    (found.folder / f"{hostile.IMPORTED}.py").write_text(f"open({str(found.folder / 'imported')!r}, 'w')")
    (found.folder / "cases").mkdir()
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Notes) as server, pytest.MonkeyPatch.context() as patch:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_address[1]}"
        for variable in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
            patch.setenv(variable, address)
        patch.delenv("no_proxy", raising=False)
        patch.delenv("NO_PROXY", raising=False)
        patch.setenv("KERAS_HOME", str(found.folder / "keras"))
        attempts = hostile.attempts(found.folder / "mark", address)
        cases = {}
        for name, config in attempts.items():
            for suffix in (".keras", ".h5", ".json"):
                path = hostile.write(found.folder / "cases" / f"{name}{suffix}", config)
                cases[f"{name}{suffix}"] = file(path, weightless=False)
        found.answers = ask(cases, on_path=found.folder)
        yield found
        server.shutdown()


@pytest.mark.parametrize("suffix", [".keras", ".h5", ".json"])
@pytest.mark.parametrize("name", NAMES)
def test_a_hostile_file_is_refused_in_words(place: Place, name: str, suffix: str):
    answer = place.answers[name + suffix]
    assert answer.get("error") in ("BadModel", "NeedsConsent"), answer
    assert any(words in answer["text"] for words in REFUSALS), answer["text"]


def test_nothing_of_it_left_a_mark(place: Place):
    assert sorted(os.listdir(place.folder)) == sorted(
        {"cases", "keras", f"{hostile.IMPORTED}.py"} & set(os.listdir(place.folder))
    )


def test_nothing_of_it_was_fetched(place: Place):
    assert place.calls == []
    assert not list((place.folder / "keras").rglob("*.npz")) + list((place.folder / "keras").rglob("*.h5"))


@pytest.fixture(scope="module")
def honest() -> dict[str, str | None]:
    """What went wrong with each thing that an honest file may hold."""
    done = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("honest_child.py"))],
        capture_output=True,
        text=True,
        env=os.environ | {"CUDA_VISIBLE_DEVICES": "", "PYTHONPATH": str(ROOT)},
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, str | None] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_every_layer_that_keras_has_is_read_without_consent(honest: dict[str, str | None]):
    assert len(honest) > 200
    assert {name: wrong for name, wrong in honest.items() if wrong} == {}


def version(number: str) -> str:
    """What a Keras of this version is refused with; empty if it is not."""
    try:
        check_floor(number)
    except BadModel as error:
        return str(error)
    return ""


def test_an_old_keras_opens_no_strangers_file():
    assert "3.8.0" in version("3.8.0")
    assert [version(number) != "" for number in ("3.13.1", "3.13.2", "3.13.2.dev0", "3.15.1", "4.0", "", "2.15.0")] == [
        True,
        False,
        False,
        False,
        False,
        True,
        True,
    ]
