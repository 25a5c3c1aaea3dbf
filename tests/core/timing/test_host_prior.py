"""The time on a processor that nobody has measured."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.predict.estimate import Estimator
from app.core.predict.knowledge import Knowledge
from app.core.predict.time import Rates
from app.core.timing.host_prior import USUAL_INTERVAL, usual_rates, vector_floats
from app.core.types.machine import Cpu, Glance, Machine, Ram
from app.core.types.prediction import Prediction
from app.core.types.workload import ModelRef, Plan, Workload
from tests.core.graphs import chain_graph
from tests.core.machines import HOST_RATES, desktop

CPU = Cpu("Test CPU", physical_cores=8, usable_cores=8, max_clock_mhz=4000, features=("avx", "fma", "avx2"))
MACHINE = replace(desktop(), cpu=CPU)
ESTIMATOR = Estimator(chain_graph())


def told(machine: Machine = MACHINE, known: Knowledge | None = None, **plan) -> Prediction:
    workload = Workload(ModelRef("catalog", "chain"), None, Plan(batch_size=64, device="cpu", **plan))
    return ESTIMATOR.predict(workload, machine, known or Knowledge())


def test_the_peak_is_cores_times_clock_times_instructions_and_half_of_it_is_reached():
    rates = usual_rates(MACHINE, "float32")
    assert rates is not None
    assert rates.matmul_flops_per_s == 0.5 * 8 * 4e9 * 32


@given(
    cores=st.integers(1, 64),
    more=st.integers(0, 64),
    clock=st.floats(500, 6000),
    speed=st.one_of(st.none(), st.integers(800, 9000)),
    features=st.sampled_from([(), ("avx",), ("avx", "fma"), ("avx", "fma", "avx512f"), ("asimd",)]),
)
def test_more_cores_are_never_slower_and_every_rate_is_a_speed(cores, more, clock, speed, features):
    def rates(count):
        cpu = Cpu(physical_cores=count, usable_cores=count, max_clock_mhz=clock, features=features)
        return usual_rates(Machine(cpu=cpu, ram=Ram(speed_mts=speed)), "float32")

    fewer, all_of_them = rates(cores), rates(cores + more)
    assert 0 < fewer.depthwise_flops_per_s < fewer.matmul_flops_per_s <= all_of_them.matmul_flops_per_s
    assert fewer.elementwise_bytes_per_s == all_of_them.elementwise_bytes_per_s > 0


@pytest.mark.parametrize(
    ("unknown", "told"),
    [
        ({"max_clock_mhz": None}, False),
        ({"max_clock_mhz": 0.0}, False),
        ({"physical_cores": None, "usable_cores": None}, False),
        ({"usable_cores": 4.0}, True),
    ],
)
def test_what_the_processor_does_not_tell_is_not_made_up(unknown, told):
    rates = usual_rates(replace(MACHINE, cpu=replace(CPU, **unknown)), "float32")
    assert (rates is not None) == told
    assert rates is None or rates.matmul_flops_per_s == 0.5 * 4 * 4e9 * 32


def test_a_memory_speed_of_nothing_is_none():
    told = (usual_rates(replace(MACHINE, ram=replace(MACHINE.ram, speed_mts=speed)), "float32") for speed in (None, 0))
    unknown, zero = (rates.elementwise_bytes_per_s for rates in told if rates is not None)
    assert unknown == zero


def test_such_a_time_says_where_it_is_from_and_may_be_off_by_a_factor_of_two():
    time = told().time
    assert (time.low_s / time.step_s, time.high_s / time.step_s) == pytest.approx(USUAL_INTERVAL)
    assert time.basis == "predicted"
    assert "data sheet" in time.dominant_assumption


def test_a_measured_processor_is_not_guessed_at():
    time = told(known=Knowledge(Rates(HOST_RATES))).time
    assert "measured" in time.dominant_assumption


def test_what_a_data_sheet_does_not_say_stays_unknown():
    assert told(precision="mixed_bfloat16").time.step_s is None
    assert told(threads=3).time.step_s is None
    assert told(backend="jax").time.step_s is None


def test_runs_are_not_compared_with_a_data_sheet_to_learn_from():
    assert told().uncalibrated.step_s is None
    assert told(known=Knowledge(Rates(HOST_RATES))).uncalibrated.step_s is not None


def test_what_a_glance_has_shown_counts_for_more_than_the_data_sheet():
    promised = usual_rates(MACHINE, "float32")
    twice = Glance(2 * promised.matmul_flops_per_s, 2 * promised.elementwise_bytes_per_s)
    known, promised = Knowledge(Rates(glance=twice)), told().time
    seen = told(known=known).time
    assert 0.5 <= seen.step_s / promised.step_s < 0.7  # launching takes as long
    assert "glance" in seen.dominant_assumption
    assert (seen.low_s / seen.step_s, seen.high_s / seen.step_s) == pytest.approx(USUAL_INTERVAL)


def test_a_measurement_counts_for_more_than_a_glance():
    known = Knowledge(Rates(host=HOST_RATES, glance=Glance(1e9, 1e9)))
    assert told(known=known).time == told(known=Knowledge(Rates(host=HOST_RATES))).time


@pytest.mark.parametrize(
    ("features", "floats"), [(("avx", "avx512f"), 16), (("avx", "fma"), 8), ((), 4), (("asimd",), 4)]
)
def test_a_vector_is_as_wide_as_the_widest_instructions(features, floats):
    assert vector_floats(Cpu(features=features)) == floats
