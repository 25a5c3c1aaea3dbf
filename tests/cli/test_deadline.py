"""Until when a training has to end."""

import pytest

from app.cli.deadline import DeadlineOptions, parse_duration
from app.core.types.errors import UsageError


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("12h", 43_200), ("90min", 5400), ("1d 6h", 108_000), ("1.5h", 5400), ("45 s", 45), ("12:00:00", 43_200),
     ("1-00:00:00", 86_400), ("0:30", 1800)],
)  # fmt: skip
def test_a_duration_is_read_as_people_and_batch_systems_write_it(text, seconds):
    assert parse_duration(text) == seconds


@pytest.mark.parametrize("text", ["", "12", "h", "soon", "-3h", "0h", "1h foo"])
def test_anything_else_is_refused(text):
    with pytest.raises(UsageError):
        parse_duration(text)


def test_a_budget_is_as_many_hours_as_it_pays():
    assert DeadlineOptions(budget=20, hourly=0.5).seconds() == 40 * 3600
    assert DeadlineOptions(deadline="12h", budget=20, hourly=0.5).seconds() == 12 * 3600
    assert DeadlineOptions().seconds() is None


def test_half_a_budget_is_refused():
    with pytest.raises(UsageError):
        DeadlineOptions(budget=20).seconds()
