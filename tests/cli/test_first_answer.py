"""An estimate on a machine that nobody has measured: an answer at once, a better one when it is measured."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from app.cli.main import run
from app.core.types.errors import WorkerFailed
from app.core.types.machine import Cpu, DeviceProbe
from app.services.machine import this_machine
from app.services.machine.calibrate import Calibrated
from tests.core.machines import HOST_RATES, desktop

MACHINE = replace(desktop(), cpu=Cpu("Test CPU", physical_cores=8, usable_cores=8.0, max_clock_mhz=4000.0))
UNMEASURED = "has not been measured yet"


@pytest.fixture
def measured(tmp_path, monkeypatch, capsys):
    """What stood on stdout whenever a child was asked to measure the machine."""
    seen: list[str] = []

    def calibrate(*_asked, **_how):
        seen.append(capsys.readouterr().out)
        return Calibrated(DeviceProbe("cpu", "test"), HOST_RATES)

    monkeypatch.setenv("WILLITTRAIN_DATA_DIR", str(tmp_path))
    monkeypatch.setattr(this_machine, "read_machine", lambda: MACHINE)
    monkeypatch.setattr(this_machine, "calibrate_device", calibrate)
    return seen


def test_the_first_answer_is_there_before_the_machine_is_measured(measured, capsys):
    assert run(["estimate", "mlp"]) == 0
    (before,) = measured
    after = capsys.readouterr().out
    assert "Fits" in before
    assert "per step" in before
    assert UNMEASURED in before
    assert "rates measured on this machine" in after
    assert UNMEASURED not in after


def test_a_machine_that_was_measured_gets_one_answer(measured, capsys):
    run(["estimate", "mlp"])
    capsys.readouterr()
    assert run(["estimate", "mlp", "--batch-size", "64"]) == 0
    out = capsys.readouterr().out
    assert len(measured) == 1
    assert UNMEASURED not in out
    assert out.count("per step") == 1


def test_a_script_gets_one_document_from_the_measured_machine(measured, capsys):
    assert run(["estimate", "mlp", "--json"]) == 0
    assert measured == [""]
    assert "measured" in json.loads(capsys.readouterr().out)["time"]["dominant_assumption"]


def test_where_it_cannot_be_measured_a_glance_is_what_there_is(measured, monkeypatch, capsys):
    def fail(*_asked, **_how):
        raise WorkerFailed("it died")

    monkeypatch.setattr(this_machine, "calibrate_device", fail)
    assert run(["estimate", "mlp"]) == 0
    told = capsys.readouterr()
    assert "a glance at the processor" in told.out
    assert "could not be measured" in told.err
