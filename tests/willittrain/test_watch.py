"""When a training has to stop, from readings alone."""

from __future__ import annotations

import json
import os

import pytest

from willittrain.watch import MOST_SAMPLES, RECENT, Seen, write_whole

MIB = 1024**2


def seen(*held_mib: int, limit_mib: int = 1000, headroom_mib: int = 100, leaks_only: bool = False) -> Seen:
    """A memory after these readings."""
    made = Seen("host", headroom_mib * MIB, leaks_only)
    for step, held in enumerate(held_mib, 1):
        made.add(step, held * MIB, (limit_mib - held) * MIB)
    return made


def test_enough_room_is_no_wall_however_much_has_grown():
    made = seen(100, 200, 300)
    assert made.wall(700 * MIB, epoch_ends=False) == ""
    assert made.next_step_bytes == 100 * MIB


def test_the_wall_is_where_the_next_step_would_take_the_headroom():
    made = seen(700, 750, 800, 850)
    why = made.wall(149 * MIB, epoch_ends=False)
    assert why.endswith("100 MiB shall stay free, and a step has added up to 50 MiB")
    assert made.wall(150 * MIB, epoch_ends=False) == ""


def test_what_others_take_of_the_same_room_counts():
    made = Seen("host", 100 * MIB)
    made.add(1, 50 * MIB, 400 * MIB)
    made.add(2, 50 * MIB, 250 * MIB)
    assert made.next_step_bytes == 150 * MIB
    assert made.wall(249 * MIB, epoch_ends=False)


def test_an_epoch_counts_only_if_the_last_two_have_grown():
    made = Seen("host", 100 * MIB)
    for held in (200, 400, 600):
        made.add(held, held * MIB, (1000 - held) * MIB)
        made.end_epoch()
    assert made.grown_bytes == [200 * MIB, 200 * MIB]
    made._steps.clear()
    assert made.wall(299 * MIB, epoch_ends=True).endswith("each epoch adds 200 MiB")
    assert made.wall(299 * MIB, epoch_ends=False) == ""
    assert made.wall(300 * MIB, epoch_ends=True) == ""
    made.grown_bytes.append(0)
    assert made.wall(299 * MIB, epoch_ends=True) == ""


def test_a_full_card_is_no_leak_and_one_that_fills_up_is():
    full = seen(*[990, 991] * RECENT, leaks_only=True)
    assert full.wall(9 * MIB, epoch_ends=False) == ""
    assert not seen(*range(900, 900 + RECENT), leaks_only=True).leaking
    filling = seen(*range(900, 901 + RECENT), leaks_only=True)
    assert filling.wall(84 * MIB, epoch_ends=False)


def test_old_growth_is_forgotten():
    made = seen(100, 600, *[600] * RECENT)
    assert made.next_step_bytes == 0


def test_a_week_of_training_fits_a_small_file():
    made = seen(*[100] * 20_000)
    assert MOST_SAMPLES / 4 < len(made.samples) <= MOST_SAMPLES
    assert made.samples[0][0] < 100 < 19_000 < made.samples[-1][0]
    assert "_steps" not in made.told()


def test_a_report_is_whole_or_the_one_before(tmp_path):
    path = tmp_path / "guard.json"
    write_whole(path, {"schema": 1})
    with pytest.raises(TypeError):
        write_whole(path, {"schema": object()})
    assert json.loads(path.read_text()) == {"schema": 1}
    assert [one.name for one in tmp_path.iterdir()] == ["guard.json"]


def test_a_link_that_somebody_put_beside_the_report_is_not_written_through(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    for name in (f".guard.json.{os.getpid()}", "guard.json"):
        (tmp_path / name).symlink_to(tmp_path / "mine.txt")
    write_whole(tmp_path / "guard.json", {"schema": 1})
    assert (tmp_path / "mine.txt").read_text() == "mine"
    assert json.loads((tmp_path / "guard.json").read_text()) == {"schema": 1}


def test_a_report_that_cannot_get_its_name_leaves_nothing(tmp_path):
    (tmp_path / "guard.json").mkdir()
    with pytest.raises(OSError, match=r"guard\.json"):
        write_whole(tmp_path / "guard.json", {"schema": 1})
    assert [one.name for one in tmp_path.iterdir()] == ["guard.json"]
