from dataclasses import replace

import pytest

from app.core.pipeline.input_cost import SampleCost
from app.core.pipeline.measured_stages import measured_stages
from app.core.types.measurement import MeasuredData, MeasuredMemory, MeasuredShares, MeasuredStep, Measurement
from app.core.types.predicted_time import Stages
from app.core.types.workload import Plan

PLAN = Plan(batch_size=64)
PREDICTED = Stages(device_s=0.1, copy_s=0.01, decode_s=0.2, workers=8.0, disk_rate=450e6)
ASSUMED = SampleCost(read_bytes=1e5, decode_core_s=1e-3, assemble_s=1e-5, cached_bytes=2e5, copied_bytes=8e5)


def run(step_s=0.5, **known):
    return Measurement(MeasuredStep(step_s, step_s, step_s, 10), step_s, 64 / step_s, None, MeasuredMemory(), **known)


def test_what_was_measured_alone_counts_first():
    found = measured_stages(run(compute_only_step_s=0.05, data_only_step_s=0.48), PLAN, PREDICTED)
    assert found.stages.device_side_s == pytest.approx(0.05)
    assert found.stages.input_s == pytest.approx(0.48)
    assert found.overhead == pytest.approx(0.5 / 0.48)
    assert found.device_factor == pytest.approx(found.stages.device_s / 0.1)


def test_a_card_that_idles_beside_a_busy_processor_waits_for_its_data():
    found = measured_stages(run(0.487, gpu_percent=11, cpu_percent=60), PLAN, PREDICTED)
    assert found.stages.waiting_share == pytest.approx(0.89)
    assert not found.stages.overlap


@pytest.mark.parametrize("known", [{}, {"gpu_percent": 95, "cpu_percent": 60}, {"gpu_percent": 11, "cpu_percent": 5}])
def test_what_says_nothing_of_the_stages_teaches_nothing(known):
    assert measured_stages(run(**known), PLAN, PREDICTED) is None


def test_the_disk_has_its_share_of_the_wait():
    shares = MeasuredShares(0.9, 0.0, 0.1, disk=0.6, decode=0.3)
    found = measured_stages(run(1.0, shares=shares), PLAN, PREDICTED)
    assert found.stages.disk_s == pytest.approx(0.6)
    assert found.stages.decode_s == pytest.approx(0.3)


def test_a_sample_costs_what_the_run_showed():
    found = measured_stages(run(compute_only_step_s=0.05, data_only_step_s=0.48), PLAN, PREDICTED)
    cost = found.cost(ASSUMED)
    assert cost.measured
    assert cost.from_files
    assert cost.decode_core_s / 8 + cost.assemble_s == pytest.approx(0.48 / 64)


def test_a_run_from_a_full_cache_says_nothing_of_decoding():
    cached = Plan(batch_size=64, cache="ram")
    found = measured_stages(run(compute_only_step_s=0.05, data_only_step_s=0.01), cached, PREDICTED)
    assert found.cost(ASSUMED).decode_core_s == ASSUMED.decode_core_s


def test_half_of_the_work_is_augmentation_where_samples_are_augmented():
    known = {"compute_only_step_s": 0.05, "data_only_step_s": 0.48}
    plain = measured_stages(run(**known), PLAN, PREDICTED).cost(ASSUMED)
    both = measured_stages(run(**known, data=MeasuredData(augments=True)), PLAN, PREDICTED).cost(ASSUMED)
    assert both.augment_core_s == both.decode_core_s == plain.decode_core_s / 2


def test_data_made_up_says_how_fast_the_device_is_and_no_more():
    found = measured_stages(run(0.05, shares=MeasuredShares(0.0, 0.0, 1.0)), PLAN, PREDICTED)
    assert found.stages.input_s == 0
    assert found.cost(ASSUMED) == replace(ASSUMED, disk_rate=450e6)
