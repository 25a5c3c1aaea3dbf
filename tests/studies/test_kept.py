"""What slow tables keep between two runs; no TensorFlow."""

from __future__ import annotations

from pathlib import Path

from studies.accuracy.kept import Kept, program_digest


def test_what_was_kept_is_found_by_another_process_and_the_last_answer_counts(tmp_path: Path):
    Kept("table", tmp_path).put(("vit", 8), {"peak": 1})
    Kept("table", tmp_path).put(("vit", 8), {"peak": 2})
    assert Kept("table", tmp_path).get(("vit", 8)) == {"peak": 2}


def test_another_key_or_another_table_knows_nothing(tmp_path: Path):
    Kept("table", tmp_path).put(("vit", 8), 1)
    assert Kept("table", tmp_path).get(("vit", 16)) is None
    assert Kept("other", tmp_path).get(("vit", 8)) is None


def test_the_programs_digest_is_the_same_twice():
    assert program_digest() == program_digest()
