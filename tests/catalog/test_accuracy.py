"""What ships of the accuracy of this version can be read, and a damaged file says so."""

import pytest

from app.catalog import accuracy
from app.core.types.errors import StoreError


def test_stored_results_and_published_figures_are_read():
    known = accuracy.load_accuracy()
    assert known.table("fit_profet").figures.wrongly_fits is not None
    assert known.table("nothing") is None
    assert {one.name for one in known.published} >= {"Habitat", "NeuSight"}
    for one in known.published:
        assert 0 < one.error < 1
        assert any(word in one.source for word in ("abstract", "Table", "evaluation"))


def test_a_damaged_file_is_named(tmp_path, monkeypatch):
    (tmp_path / "results.json").write_text('[{"name": "memory"}]')
    monkeypatch.setattr(accuracy, "resource_path", lambda name: tmp_path / "results.json")
    with pytest.raises(StoreError, match=r"results\.json cannot be read"):
        accuracy.load_accuracy()
