"""The turns of a comparison: how many and how long, and what a child measured in its own."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from app.core.runs.comparison import FEWEST_ROUNDS
from app.core.types.machine import Machine
from app.core.types.measurement import PhaseSpan, RunResult, Sample
from app.core.types.messages import Paused, Resume
from app.core.types.workload import Workload
from app.services.child.watch import mean

ROUNDS = 16
REAL_DATA_SHARE = 0.6
"""Share of the time for turns where data-only and compute-only follow."""
LONG_TURN_S = 2.5
REAL_LEAD_SHARE = 0.4
"""Share of a turn that does not count where a pipeline reads files: while a child waits, its pipeline fills the
buffers (``prefetch``), and steps that live on them would hide what they will wait for."""
GPU_WINDOW_S = 1.0
"""NVML's utilisation is a mean over up to a second (nvmlDeviceGetUtilizationRates): turns on a card are longer, and
what is read in their first second may be another variant's."""


def schedule(works: Collection[Workload], machine: Machine, seconds: float) -> tuple[int, Resume]:
    """Rounds, an even number fixed beforehand, and the turn.

    Turns are longer where a card takes part, or an input pipeline that fills its buffers between turns.

    Args:
        works: What is compared.
        machine: This machine.
        seconds: Time to measure each.
    """
    real = any(work.dataset is not None and work.dataset.real for work in works)
    on_card = bool(machine.gpus) and any(work.plan.device != "cpu" for work in works)
    share_s = seconds * (REAL_DATA_SHARE if real else 1.0)
    if not real and not on_card:
        return ROUNDS, Resume(share_s / ROUNDS)
    rounds = max(FEWEST_ROUNDS, min(ROUNDS, 2 * int(share_s / LONG_TURN_S / 2)))
    turn_s = max(LONG_TURN_S, share_s / rounds)
    return rounds, Resume(turn_s, REAL_LEAD_SHARE * turn_s if real else 0.0)


def of_own_turns(result: RunResult, paused: Sequence[Paused], machine: Machine) -> RunResult:
    """A run whose processor and card use count its own turns only.

    Args:
        result: What the child answered.
        paused: What it said at the end of each turn.
        machine: This machine.
    """
    found = result.measurement
    if found is not None:
        use = gpu_percent(result.samples, result.phases)
        found = replace(found, cpu_percent=_own_use(paused, machine), gpu_percent=use)
    return replace(result, measurement=found, phases=folded(result.phases), purpose="comparison")


def folded(phases: Sequence[PhaseSpan]) -> tuple[PhaseSpan, ...]:
    """Phases with turns and the pauses between them as one measurement."""
    spans: list[PhaseSpan] = []
    for span in phases:
        name = "measure" if span.name == "paused" else span.name
        if spans and spans[-1].name == name:
            spans[-1] = replace(spans[-1], end_s=span.end_s)
        else:
            spans.append(replace(span, name=name))
    return tuple(spans)


def gpu_percent(samples: Sequence[Sample], phases: Sequence[PhaseSpan]) -> float | None:
    """Mean use of the card in a child's turns, once the turn had lasted as long as the driver's window."""
    turns = [span for span in phases if span.name == "measure" and span.end_s is not None]
    return mean(
        [
            sample.gpu_percent
            for sample in samples
            if any(span.start_s + GPU_WINDOW_S <= sample.t_s <= (span.end_s or 0.0) for span in turns)
        ]
    )


def _own_use(paused: Sequence[Paused], machine: Machine) -> float | None:
    """Mean share of the usable cores that a child took in its turns, per cent."""
    seconds, cores = sum(one.seconds for one in paused), machine.cpu.usable_cores or machine.cpu.logical_cores
    if not seconds or not cores:
        return None
    return min(100.0, 100 * sum(one.cpu_s for one in paused) / seconds / cores)
