"""Fuzzed: programs of other people as far as they are read, what a child says of one, folders of shared runs."""

from __future__ import annotations

import json
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from hypothesis import strategies as st

from app.catalog import typed_json
from app.core.types.errors import BadModel, InvalidWorkload
from app.core.types.notebook import cells_of, place_of, program_of
from app.core.types.source_text import MAX_CODE_BYTES
from app.presentation.trainings import training_lines
from app.services.models.own_code import read_own
from app.services.models.scripts import runs_something
from app.services.predictor.captured import with_captured
from app.services.sharing.community import MOST_BYTES, read_community
from app.services.sharing.shared_run import ENDING
from app.services.store.graph_store import graph_from_json
from app.worker.script.fits_in_source import fits_in
from app.worker.script.own_loops import unreached_loop
from tests.cli import answers
from tests.fuzz.mutation import as_json, mutated, wild_json
from tests.fuzz.target import Target, given_file, of_bytes

SCRIPT = (
    b"import helper, deep.one\nfrom . import two\nimport importlib\nname = 'x'\nimportlib.import_module(name)\n"
    b"for k in range(3):\n    model.fit(x, y, epochs=k)\nmodel.train_on_batch(x)\nif x:\n  print(f'{name!r:>{k}}')\n"
)
NOTEBOOK = {
    "cells": [
        {"cell_type": "markdown", "source": ["# text"]},
        {"cell_type": "code", "source": ["%matplotlib inline\n", "!pip install \\\n", "  x\n", "files = !ls\n", "x?"]},
        {"cell_type": "code", "source": "%%time\nmodel.fit(x,\n  epochs=2 % 3)"},
    ],
    "metadata": {"kernelspec": {"language": "python"}, "language_info": {"name": "python"}},
    "nbformat": 4,
}
TRAINING = {"fit": 2, "file": "a.py", "line": 3, "optimizer": "adam", "batch_size": 8, "epochs": 2, "samples": 100}
CAPTURED = {
    "settings": [["batch_size", 16], ["optimizer", "adam"], ["precision", "float32"], ["epochs", 3], ["xla", False]],
    "file": "a.py",
    "line": 3,
    "fit": 2,
    "of": 2,
    "of_is": "seen",
    "trainings": [TRAINING, {**TRAINING, "fit": 1, "cell": None}],
    "other_lines": ["7", "cell 4:13"],
    "samples": 100,
    "prepared_s": 0.5,
}


def script(content: bytes) -> None:
    """A program is read for what it imports and where it trains."""
    with given_file(content, "train.py") as path:
        for name in ("helper.py", "deep/one.py", "two.py", "x.so"):
            (path.parent / name).parent.mkdir(exist_ok=True)
            (path.parent / name).write_bytes(b"import train")
        with suppress(BadModel):
            read_own(str(path))
    text = content.decode("utf-8", "replace")
    runs_something(text)
    fits_in(text)
    unreached_loop(text)


def notebook(content: bytes) -> None:
    """A notebook's cells, with as many lines as before."""
    with given_file(content, "train.ipynb") as path, suppress(BadModel):
        read_own(str(path))
    with suppress(BadModel):
        cells = cells_of(content.decode("utf-8", "replace"), "train.ipynb")
        program_of(cells).encode("utf-8", "replace")
        for cell in cells:
            if place_of(cell.name("train.ipynb")) != ("train.ipynb", cell.number):
                raise AssertionError(f"cell {cell.number} is not found by its name")


@st.composite
def long_source(draw: st.DrawFn) -> bytes:
    """The text of a program, some piece of it very often."""
    data = draw(mutated([SCRIPT]))
    at = draw(st.integers(0, len(data)))
    pieces = (b"(", b"-", b"a\n", b"1,", b"a.", b"1+", b"lambda:", b"!ls\n", b"if 1:\n ", b"f'{", b"import a\n", b"%\n")
    pieces += (b".a", b"b'a' ", b"'a' ", b"a,", b"f(", b"{a:", b"a[", b"with (", b"not ", b"a=", b"# coding: utf-7\n")
    again = draw(st.one_of(st.sampled_from(pieces), st.binary(min_size=1, max_size=6)))
    times = draw(st.sampled_from((10, 200, 3000, 50_000, MAX_CODE_BYTES // 4 // len(again))))
    return data[:at] + again * times + data[at:]


def long_script(content: bytes) -> None:
    """Such a program, and the same as a cell."""
    script(content)
    cell = {"cell_type": "code", "source": content.decode("utf-8", "replace")}
    notebook(json.dumps({"cells": [cell]}).encode())


def captured(document: Any) -> None:
    """What a child says of the author's own settings can be calculated with and told, or is refused."""
    from tests.fuzz.targets import GRAPH

    model = {**GRAPH["model"], "captured": document}  # type: ignore[dict-item]
    try:
        graph = graph_from_json(msgspec.json.decode(as_json({**GRAPH, "model": model})))
    except (KeyError, TypeError, ValueError, IndexError, RecursionError):
        return
    found = graph.model.captured
    if found is not None:
        with suppress(InvalidWorkload):
            workload = with_captured(answers.WORKLOAD, found, ())
            typed_json.decode(typed_json.encode(workload), type(workload))
        if not 0 <= found.trainings_like_this < float("inf"):
            raise AssertionError(f"{found.trainings_like_this} trainings")
        training_lines(found)


def community(files: list[tuple[str, bytes]]) -> None:
    """A folder of other people's runs is read, and each of its files counts once."""
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        for name, content in files:
            (Path(folder) / f"{name}{ENDING}").write_bytes(content)
        found = read_community(folder)
        str(found.words)
        if found.files != len({name for name, _ in files}) or not 0 <= found.left_out <= found.files:
            raise AssertionError(f"{found}")


def _shared() -> st.SearchStrategy[bytes]:
    """Files as somebody shared them, or nearly; some are too long."""
    from tests.fuzz.targets_kept import SHARED

    wild = wild_json([json.loads(SHARED)]).map(as_json)
    return st.one_of(mutated([SHARED]), wild, st.just(SHARED + b" " * MOST_BYTES))


CODE_TARGETS: tuple[Target, ...] = (
    of_bytes("script", [SCRIPT], script),
    of_bytes("notebook", [as_json(NOTEBOOK)], notebook),
    Target("notebook_values", wild_json([NOTEBOOK]).map(as_json), notebook),
    Target("long_script", long_source(), long_script),
    Target("captured", wild_json([CAPTURED]), captured),
    Target("community", st.lists(st.tuples(st.sampled_from("abc"), _shared()), max_size=3), community),
)
