"""When a machine is measured again: the first time beside others, or not to its end."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.types.machine import DeviceProbe, TimedOperation
from app.services.advisor import Advisor
from app.services.machine import this_machine
from app.services.machine.calibrate import Calibrated
from app.services.settings import Folders, Settings
from app.services.store.history import History
from tests.core.machines import HOST_RATES, desktop

BUSY = replace(HOST_RATES, others_percent=70.0)


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """A machine whose measurement is told; ``asked`` holds what it was asked for, ``answers`` what it will say."""
    monkeypatch.setattr(this_machine, "read_machine", desktop)
    settings = Settings(folders=Folders(tmp_path, tmp_path / "cache", tmp_path))
    made = Advisor(settings, History(settings.history_path)).machine
    made.asked, made.answers = [], []

    def calibrate(*_given, rates, timed, **_how):
        made.asked.append((rates, tuple(timed)))
        return Calibrated(DeviceProbe("cpu", "test"), made.answers.pop(0))

    monkeypatch.setattr(this_machine, "calibrate_device", calibrate)
    return made


@pytest.mark.parametrize(("busy", "times"), [(True, 1), (False, 2)])
def test_rates_taken_beside_others_are_replaced_when_these_are_gone(machine, monkeypatch, busy, times):
    monkeypatch.setattr(this_machine, "busy_now", lambda: busy)
    machine.answers = [BUSY, HOST_RATES]
    machine.rates("cpu")
    found = machine.rates("cpu")
    assert len(machine.asked) == times
    assert found == (BUSY if busy else HOST_RATES)


def test_what_was_measured_alone_is_not_measured_again(machine, monkeypatch):
    monkeypatch.setattr(this_machine, "busy_now", lambda: pytest.fail("nobody needs to know"))
    machine.answers = [HOST_RATES]
    assert machine.rates("cpu") == machine.rates("cpu") == HOST_RATES
    assert machine.asked == [(True, ())]


def test_a_measurement_that_was_not_ended_is_told_what_it_knows(machine):
    known = (TimedOperation("Mul", (1.0,), 1.0, 1.0),)
    begun = replace(HOST_RATES, operations=known, complete=False)
    machine.answers = [begun, HOST_RATES]
    machine.rates("cpu")
    assert not machine.measured("cpu")
    assert machine.rates("cpu") == HOST_RATES
    assert machine.measured("cpu")
    assert machine.asked == [(True, ()), (True, known)]
