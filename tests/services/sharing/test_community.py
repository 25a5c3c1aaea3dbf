"""Files of strangers: what is read of them, what is left out and counted, and that nothing of them is trusted."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.types.errors import UsageError
from app.core.types.workload import ModelRef
from app.services.sharing import community
from app.services.sharing.community import MOST_BYTES, read_community
from app.services.sharing.share import share, write_share
from app.services.sharing.shared_reading import Impossible, NotShared, read_shared
from app.services.sharing.shared_run import ENDING, shared_document
from app.services.sharing.shown import shown_answer, shown_run
from tests.cli import answers

NAMED = replace(answers.WORKLOAD, model=ModelRef("catalog", "fashion_mnist_cnn"))
RUN = replace(answers.run(), workload=NAMED)
DOCUMENT = shared_document(shown_run(RUN))


def changed(*path: str, to: object) -> bytes:
    """The file of the run with another value."""
    document = json.loads(DOCUMENT)
    place = document
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = to
    return json.dumps(document).encode()


def test_a_shared_run_comes_back_with_what_it_measured():
    found = read_shared(DOCUMENT)
    assert found.workload.model == ModelRef("catalog", "fashion_mnist_cnn")
    assert found.workload.plan == replace(answers.PLAN, device="gpu:0")
    assert found.workload.dataset.samples == 60_000
    step, memory = found.result.measurement.step, found.result.measurement.memory
    assert (step, memory) == (answers.MEASURED.step, answers.MEASURED.memory)
    assert (found.machine.gpus[0].name, found.machine.cpu.usable_cores) == ("RTX 2060", 16.0)
    assert found.prediction is None, "what was estimated there does not count here"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("measured", "allocator_peak_bytes"), -1),
        (("measured", "allocator_peak_bytes"), 0),
        (("measured", "allocator_peak_bytes"), 2**70),
        (("measured", "step_s"), -0.02),
        (("measured", "step_s"), 1e300),
        (("measured", "step_low_s"), 0.5),
        (("measured", "steps"), 0),
        (("measured", "samples_per_s"), 1.0),
        (("machine", "usable_cores"), -3.0),
        (("plan", "threads"), 10**400),
    ],
)
def test_numbers_that_cannot_be_are_refused(path, value):
    with pytest.raises(Impossible):
        read_shared(changed(*path, to=value))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"{}",
        b"\xff\xfe",
        b"[" * 60_000,
        changed("format", to="something else"),
        changed("schema", to=0),
        changed("measured", "step_s", to="fast"),
        changed("measured", "step_s", to=True),
        changed("plan", "batch_size", to=0),
        changed("plan", "optimizer", to="__import__('os')"),
        changed("machine", "card", to="x" * 1000),
        DOCUMENT.replace(b"0.02", b"NaN", 1),
        DOCUMENT.replace(b"0.02", b"1e999", 1),
    ],
)
def test_what_is_no_shared_run_is_refused(content):
    with pytest.raises(NotShared):
        read_shared(content)


@given(st.binary(max_size=200), st.integers(0, len(DOCUMENT)), st.integers(0, 40))
def test_a_damaged_file_is_read_or_refused(inserted, at, removed):
    with suppress(NotShared):
        found = read_shared(DOCUMENT[:at] + inserted + DOCUMENT[at + removed :])
        assert found is None or found.result.measurement.step.median_s > 0


def test_fields_of_a_later_version_are_passed_over():
    assert read_shared(changed("mood", to="good")) == read_shared(DOCUMENT)


@pytest.mark.parametrize(
    "content",
    [
        shared_document(shown_answer(answers.PREDICTION, NAMED, "2026-01-02")),
        shared_document(shown_run(replace(RUN, result=answers.NO_MEMORY))),
        shared_document(shown_run(answers.run())),
        changed("machine", "simulated", to=True),
    ],
    ids=["an answer", "a run that failed", "a model of one's own", "a machine that nobody has"],
)
def test_what_cannot_be_compared_says_nothing(content):
    assert read_shared(content) is None


def test_a_folder_is_read_and_what_was_left_out_is_said_with_its_reason(tmp_path: Path):
    files = {
        "a": DOCUMENT,
        "b": changed("measured", "allocator_peak_bytes", to=12 * 2**20),
        "c": DOCUMENT,
        "d": b"not json",
        "e": changed("measured", "step_s", to=-1.0),
        "f": shared_document(shown_run(answers.run())),
        "g": b" " * (MOST_BYTES + 1),
    }
    for name, content in files.items():
        (tmp_path / f"{name}{ENDING}").write_bytes(content)
    (tmp_path / "notes.json").write_text("of somebody")
    found = read_community(str(tmp_path))
    assert len(found.runs) == 2
    assert len({run.run_id for run in found.runs}) == 2
    assert max(run.run_id for run in found.runs) < 0, "no number of one's own run"
    assert (found.files, found.left_out) == (7, 5)
    assert found.words == (
        "5 of 7 shared files were left out: 1 unreadable, 1 in another format, 1 with impossible numbers, 1 repeated,"
        " 1 without a measured run of the catalog"
    )


@pytest.mark.skipif(os.name == "nt", reason="links and pipes as POSIX has them")
def test_links_pipes_and_folders_are_not_opened(tmp_path: Path):
    outside = tmp_path / "outside.json"
    outside.write_bytes(DOCUMENT)
    folder = tmp_path / "shared"
    (folder / f"folder{ENDING}").mkdir(parents=True)
    (folder / f"link{ENDING}").symlink_to(outside)
    os.mkfifo(folder / f"pipe{ENDING}")
    found = read_community(str(folder))
    assert (found.runs, found.unread) == ((), 3)


def test_no_more_files_are_opened_than_the_most(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(community, "MOST_FILES", 2)
    for number in range(5):
        (tmp_path / f"{number}{ENDING}").write_bytes(changed("measured", "held_bytes", to=number))
    found = read_community(str(tmp_path))
    assert (len(found.runs), found.beyond) == (2, 3)


def test_a_folder_that_is_not_there_is_said(tmp_path: Path):
    with pytest.raises(UsageError, match="cannot read"):
        read_community(str(tmp_path / "nowhere"))


def test_what_is_written_is_what_is_read(tmp_path: Path):
    written = write_share(share(shown_run(RUN), ending=".svg"), tmp_path / "new", draw=lambda _drawing: b"")
    assert [path.name.removeprefix("fashion-mnist-cnn-batch-256-run-7") for path in written] == [
        "-light.svg",
        "-dark.svg",
        ".md",
        ".willittrain.json",
    ]
    found = read_community(str(tmp_path / "new"))
    assert [run.workload.model.name for run in found.runs] == ["fashion_mnist_cnn"]
    assert found.words == "1 shared file read"
