"""What CONTRIBUTING.md sends people to is there."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def places(text):
    """The paths of the table "To change X, go to Y"."""
    table = text.partition("## To change X, go to Y")[2].partition("\n## ")[0]
    found = (place for line in table.splitlines() if line.startswith("| ") for place in re.findall("`([^`]+)`", line))
    return [ROOT / place if place.startswith(("resources", "packaging")) else ROOT / "app" / place for place in found]


def test_every_place_of_the_map_exists():
    there = places((ROOT / "CONTRIBUTING.md").read_text("utf-8"))
    assert len(there) > 40
    assert [str(place) for place in there if not place.exists()] == []


def test_a_place_that_moved_would_be_found():
    (lost,) = places("## To change X, go to Y\n| X | `core/nowhere.py` |\n")
    assert not lost.exists()
