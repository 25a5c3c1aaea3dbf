"""Joules from counters and from power."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.types.energy import EnergyMeter, epoch_energy


def test_a_counter_gives_its_difference():
    meter = EnergyMeter()
    for t_s, joules in ((0.0, 1000.0), (1.0, 1250.0), (2.0, 1500.0)):
        meter.add_counter(t_s, joules)
    assert (meter.joules, meter.seconds, meter.mean_w()) == (500.0, 2.0, 250.0)


def test_a_counter_that_starts_anew_is_followed_and_one_that_falls_is_not():
    meter = EnergyMeter()
    meter.add_counter(0.0, 90.0, 100.0)
    meter.add_counter(1.0, 10.0, 100.0)
    assert meter.joules == 20.0
    meter.add_counter(2.0, 5.0)
    assert (meter.joules, meter.seconds) == (20.0, 1.0)


def test_power_is_taken_to_change_evenly():
    meter = EnergyMeter()
    meter.add_power(0.0, 100.0)
    meter.add_power(2.0, 300.0)
    assert meter.joules == 400.0


def test_a_pause_is_not_counted():
    meter = EnergyMeter()
    meter.add_power(0.0, 100.0)
    meter.add_power(1.0, 100.0)
    meter.pause()
    meter.add_power(100.0, 100.0)
    assert (meter.joules, meter.seconds) == (100.0, 1.0)


def test_an_epoch_costs_power_times_its_length_and_what_is_missing_has_a_reason():
    gpu = EnergyMeter(joules=600.0, seconds=2.0)
    found = epoch_energy(gpu, EnergyMeter(), 60.0, gpu_reason="no card", cpu_reason="only root")
    assert (found.gpu_w, found.gpu_epoch_j, found.gpu_reason) == (300.0, 18_000.0, "")
    assert (found.cpu_w, found.cpu_epoch_j, found.cpu_reason) == (None, None, "only root")
    unknown = epoch_energy(gpu, gpu, None, gpu_reason="", cpu_reason="")
    assert (unknown.gpu_w, unknown.gpu_epoch_j) == (300.0, None)
    assert "samples" in unknown.gpu_reason


@given(st.lists(st.tuples(st.floats(0.01, 2.0), st.floats(0.0, 1000.0)), min_size=2, max_size=50))
def test_mean_power_lies_between_least_and_most(readings):
    meter, t_s = EnergyMeter(), 0.0
    for span_s, watts in readings:
        meter.add_power(t_s := t_s + span_s, watts)
    watts = [w for _, w in readings]
    assert min(watts) - 1e-6 <= meter.mean_w() <= max(watts) + 1e-6
    assert meter.mean_w() == pytest.approx(meter.joules / meter.seconds)
