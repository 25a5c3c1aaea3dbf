"""A notebook's cells become a program: what only Jupyter understands is left out, and lines keep their numbers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.core.types.errors import BadModel
from app.core.types.notebook import cells_of, place_of, program_of
from app.core.types.source_text import MAX_CODE_BYTES


def notebook(*sources: str, **other: Any) -> str:
    """A notebook with cells of code, between texts."""
    cells: list[dict[str, Any]] = []
    for source in sources:
        cells.append({"cell_type": "markdown", "source": ["# text"]})
        cells.append({"cell_type": "code", "source": source.splitlines(keepends=True)})
    return json.dumps({"cells": cells, "nbformat": 4, **other})


@pytest.mark.parametrize(
    ("source", "runs", "skipped"),
    [
        ("%matplotlib inline\nx = 1", "pass\nx = 1", ("%matplotlib inline",)),
        ("x = (7\n  % 3)", "x = (7\n  % 3)", ()),
        ("if x:\n    !ls -l\nfit()", "if x:\n    pass\nfit()", ("!ls -l",)),
        ("!pip install \\\n  keras\nx = 1", "pass\n\nx = 1", ("!pip install \\",)),
        ("%%time\nfit()", "\nfit()", ("%%time",)),
        ("%%bash\nrm x\nls", "\n\n", ("%%bash",)),
        ("files = !ls\nmodel.fit?", "pass\npass", ("files = !ls", "model.fit?")),
        ('text = """\n%no magic\n!no command\n"""', 'text = """\n%no magic\n!no command\n"""', ()),
        ("def f(:\n  pass", "def f(:\n  pass", ()),
    ],
)
def test_lines_that_only_jupyter_runs_are_skipped_and_no_others(source, runs, skipped):
    (cell,) = cells_of(notebook(source), "a.ipynb")
    assert (cell.source, cell.skipped) == (runs, skipped)


def test_cells_of_code_are_counted_and_older_formats_read():
    first, second = cells_of(notebook("a = 1", "b = 2"), "a.ipynb")
    assert (first.number, second.number) == (1, 2)
    assert "a = 1\n\n# cell 2\nb = 2" in program_of((first, second))
    old = {"worksheets": [{"cells": [{"cell_type": "code", "input": "c = 3", "language": "python"}]}]}
    assert [cell.source for cell in cells_of(json.dumps(old), "a.ipynb")] == ["c = 3"]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"cells": 3}', '{"cells": [{}]}', notebook("\ud800")])
def test_what_is_no_notebook_is_an_error(text):
    with pytest.raises(BadModel, match="no notebook"):
        cells_of(text, "a.ipynb")


@pytest.mark.parametrize(
    "sources", [["!ls\n" * 10_000], ["!ls\n" * 100_000], ["x = 1\n%time\n" * 90] * 800, ["#" * (MAX_CODE_BYTES + 1)]]
)
def test_a_notebook_that_nobody_wrote_is_refused_before_it_takes_long(sources):
    with pytest.raises(BadModel, match="too much code"):
        cells_of(notebook(*sources), "a.ipynb")


def test_a_notebook_in_another_language_is_refused():
    with pytest.raises(BadModel, match="not in Python"):
        cells_of(notebook("x", metadata={"kernelspec": {"language": "julia"}}), "a.ipynb")


def test_a_piece_of_code_is_known_by_its_cell():
    (cell,) = cells_of(notebook("a = 1"), "a.ipynb")
    assert place_of(cell.name("/x/a.ipynb")) == ("/x/a.ipynb", 1)
    assert place_of("/x/train.py") == ("/x/train.py", None)
    assert place_of(None) == (None, None)
