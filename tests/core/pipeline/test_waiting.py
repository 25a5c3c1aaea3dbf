from dataclasses import replace

from app.core.pipeline.waiting import first_epoch_words, stage_shares, waiting_words
from app.core.types.prediction import PredictedTime, Schedule, Stages


def words(stages, bound="compute"):
    time = PredictedTime(stages.step_s, None, None, None, bound, "predicted", stages=stages)
    return waiting_words(time, "RTX 2080")


def test_a_starved_card_mostly_waits_and_the_share_is_told():
    found = words(Stages(0.054, decode_s=0.433, overlap=False), "input")
    assert "mostly waits for its input" in found
    assert "idle 89 %" in found


def test_between_a_tenth_and_a_half_it_waits_partly():
    assert "partly waits for the disk" in words(Stages(0.7, disk_s=1.0), "disk")


def test_a_busy_card_is_told_by_what_holds_it():
    assert "busy 100 % of each step, limited by launching operations" in words(Stages(1.0, decode_s=0.2), "overhead")


def test_nobody_knows_without_stages():
    time = PredictedTime(None, None, None, None, None, "predicted")
    assert waiting_words(time, "CPU") == ""
    assert stage_shares(None, measured=False) == ()


def test_stages_are_shares_of_the_step_in_the_order_of_the_pipeline():
    found = stage_shares(Stages(0.5, 0.1, 0.2, 0.2, overlap=False), measured=True)
    assert [one.name for one in found] == ["disk", "decode", "copy", "compute"]
    assert sum(one.share for one in found) == 1.0


def test_scaling_keeps_the_two_sides_apart():
    assert Stages(1.0, 1.0, 1.0, 1.0).times(2.0, 3.0) == Stages(2.0, 2.0, 3.0, 3.0)


def test_a_first_epoch_that_takes_longer_is_told():
    time = PredictedTime(1.0, None, None, Schedule(32, 10, 2), "compute", "predicted", first_step_s=3.0)
    assert "first epoch takes 30 s" in first_epoch_words(time)
    assert first_epoch_words(replace(time, first_step_s=1.05)) == ""
