from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from app.core.pipeline.waiting import first_epoch_words, measured_wait, predicted_wait, stage_shares, waiting_words
from app.core.types.measurement import MeasuredMemory, MeasuredShares, MeasuredStep, Measurement
from app.core.types.predicted_time import PredictedTime, Schedule, Stages


def words(stages, bound="compute"):
    time = PredictedTime(stages.step_s, None, None, None, bound, "predicted", stages=stages)
    return waiting_words(time, "RTX 2080")


def test_a_starved_card_waits_and_the_share_is_told():
    found = words(Stages(0.054, decode_s=0.433, overlap=False))
    assert found.startswith("It waits for the input pipeline (89 % of a step): a step of 487 ms takes decoding")
    assert "RTX 2080 is idle 89 %" in found


def test_a_card_that_computes_most_of_the_step_and_idles_for_the_rest_is_told_both():
    found = words(Stages(0.7, decode_s=0.3, overlap=False), "compute")
    assert found.startswith("It waits for computing (70 % of a step)")
    assert "idle 30 %" in found


def test_a_busy_card_is_told_by_what_holds_it():
    found = words(Stages(1.0, decode_s=0.2), "overhead")
    assert found.startswith("It waits for starting operations (100 % of a step)")
    assert "idle" not in found


@given(device_s=st.floats(1e-6, 10), decode_s=st.floats(0, 10), disk_s=st.floats(0, 10), overlap=st.booleans())
def test_header_and_advice_name_the_same_thing_and_figure(device_s, decode_s, disk_s, overlap):
    stages = Stages(device_s, decode_s=decode_s, disk_s=disk_s, overlap=overlap)
    time = PredictedTime(stages.step_s, None, None, None, "memory", "predicted", stages=stages)
    assert waiting_words(time, "GPU").startswith(predicted_wait(time).sentence)


def test_a_run_and_an_estimate_that_divide_alike_say_the_same():
    stages = Stages(1.0, disk_s=4.0)
    time = PredictedTime(4.0, None, None, None, None, "predicted", stages=stages)
    step = MeasuredStep(4.0, 4.0, 4.0, 10)
    shares = MeasuredShares(input=0.75, copy=0.0, compute=0.25)
    run = Measurement(step, 5.0, 1.0, None, MeasuredMemory(), shares, "disk")
    assert measured_wait(run) == predicted_wait(time)
    assert measured_wait(replace(run, bound_by=None)) is None


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
