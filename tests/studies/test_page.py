"""``docs/accuracy.md`` says what is stored, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from app.catalog.accuracy import load_accuracy
from app.core.types.accuracy import Figures, StoredTable
from studies.accuracy import page

FOLDER = Path(page.__file__).parent


def test_the_page_is_what_the_command_makes_of_the_stored_results():
    assert page.PAGE.read_text("utf-8") == page.page(), "run `python -m studies.accuracy.page`"


def test_every_table_of_the_page_is_a_command():
    assert [name for name in page.TITLES if not (FOLDER / f"{name}.py").is_file()] == []


def test_every_figure_comes_from_a_run_that_says_when_where_and_of_what():
    known = load_accuracy().tables
    assert {one.name for one in known} == page.TITLES.keys()
    for one in known:
        assert re.fullmatch(r"20\d\d-\d\d-\d\d", one.date)
        assert re.fullmatch("[0-9a-f]{10}", one.commit)
        assert "threads" in one.machine
        assert one.figures.n > 0


def test_a_new_answer_takes_the_place_of_the_older_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(page, "STORED", tmp_path / "results.json")
    for error in (0.5, 0.25):
        page.store(StoredTable("memory", "2026-11-24", "0123456789", "a machine", Figures(3, error)))
    page.store(StoredTable("fit_profet", "2026-11-24", "0123456789", "a machine", Figures(7, wrongly_fits=0.0)))
    assert [(one.name, one.figures.median_error) for one in page.stored()] == [("memory", 0.25), ("fit_profet", None)]
