"""A taste of the fuzzing, and every finding of earlier rounds again."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from tests.fuzz.target import CORPUS, Target
from tests.fuzz.targets import TARGETS

EXAMPLES = 15


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
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
