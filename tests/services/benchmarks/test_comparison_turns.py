"""How long turns are, and what is read in a child's own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.types.machine import Cpu, Gpu, Machine, Ram
from app.core.types.measurement import PhaseSpan, Sample
from app.core.types.messages import Resume
from app.core.types.units import GIB
from app.core.types.workload import Dataset, ModelRef, Plan, Workload
from app.services.benchmarks.comparison_turns import LONG_TURN_S, ROUNDS, folded, gpu_percent, schedule

MACHINE = Machine(os="Linux", cpu=Cpu(name="c", usable_cores=2.0), ram=Ram(total_bytes=8 * GIB))
WORK = Workload(ModelRef("catalog", "x"), Dataset("d", samples=600), Plan(device="cpu"))


def test_phases_are_folded():
    spans = [
        PhaseSpan("warm-up", 0, 1),
        PhaseSpan("paused", 1, 2),
        PhaseSpan("measure", 2, 3),
        PhaseSpan("paused", 3, 4),
        PhaseSpan("done", 4, 5),
    ]
    assert folded(spans) == (PhaseSpan("warm-up", 0, 1), PhaseSpan("measure", 1, 4), PhaseSpan("done", 4, 5))


def test_a_card_is_read_once_the_drivers_window_lies_in_the_turn():
    phases = [PhaseSpan("paused", 0, 10), PhaseSpan("measure", 10, 12.5), PhaseSpan("paused", 12.5, 15)]
    uses = ((10.5, 99.0), (11.5, 20.0), (12.4, 30.0), (13, 99.0))
    samples = [Sample(t, "measure", gpu_percent=use) for t, use in uses]
    assert gpu_percent(samples, phases) == 25.0
    assert gpu_percent([], phases) is None


@pytest.mark.parametrize(("seconds", "rounds"), [(5, 6), (20, 8), (60, 16), (120, 16)])
def test_turns_on_a_card_are_longer(seconds: float, rounds: int):
    machine = replace(MACHINE, gpus=(Gpu(0, "NVIDIA", "card"),))
    on_card = replace(WORK, plan=replace(WORK.plan, device="gpu:0"))
    number, turn = schedule([WORK, on_card], machine, seconds)
    assert (number, number % 2) == (rounds, 0)
    assert (turn.seconds >= LONG_TURN_S, turn.lead_s) == (True, 0.0)
    assert schedule([WORK, WORK], machine, seconds) == (ROUNDS, Resume(seconds / ROUNDS))
    real = replace(WORK, dataset=Dataset("mine", real=True))
    _, turn = schedule([real, real], machine, seconds)
    assert 0 < turn.lead_s < turn.seconds
