"""Looking at a processor that nobody has measured."""

from __future__ import annotations

import pytest

from app.core.types.machine import Glance
from app.services.advisor import Advisor
from app.services.machine import this_machine
from app.services.settings import Folders, Settings
from app.services.store.history import History
from tests.core.machines import HOST_RATES, desktop

SEEN = Glance(1e11, 2e10)


@pytest.fixture
def settings(tmp_path, monkeypatch):
    """Of a machine whose glances are counted in ``looks``."""
    looks = []

    def counted(cores):
        looks.append(cores)
        return SEEN

    monkeypatch.setattr(this_machine, "read_machine", desktop)
    monkeypatch.setattr(this_machine, "glance", counted)
    return Settings(folders=Folders(tmp_path, tmp_path / "cache", tmp_path)), looks


def machine_of(settings):
    return Advisor(settings, History(settings.history_path)).machine


def test_one_look_is_enough_and_is_kept(settings):
    settings, looks = settings
    machine = machine_of(settings)
    machine.look()
    machine.look()
    again = machine_of(settings)
    again.look()
    assert looks == [desktop().cpu.usable_cores]
    assert again.facts.rates_of(again.read()).glance == SEEN


def test_nobody_looks_at_a_processor_that_was_measured(settings):
    settings, looks = settings
    machine = machine_of(settings)
    machine.facts.keep_rates(machine.read(), "cpu", HOST_RATES)
    machine.look()
    assert not looks
