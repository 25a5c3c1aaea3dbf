"""Which run of a model on another card says most of the card that is asked about."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from app.core.predict.corrections import same_plan
from app.core.runs.doubts import VOIDING
from app.core.simulate.device import TargetDevice, choose_device
from app.core.timing.card_steptime import CardStep
from app.core.timing.card_transfer import CardCase, Transfer, transfer
from app.core.types.machine import Machine
from app.core.types.plan import Plan
from app.core.types.run import Run

Model = Callable[[Plan, TargetDevice, Machine], CardStep | None]
"""The step of a plan on a card by its data sheet (`app.core.predict.model_steps.ModelSteps.card_step`)."""


def transfer_from(
    runs: Iterable[Run], plan: Plan, device: TargetDevice, machine: Machine, usable: frozenset[int] | None, model: Model
) -> Transfer | None:
    """What the best of some runs says of a card; None if none was on a card, or the card is not known.

    Args:
        runs: Of the same model and data, compiled alike, newest first.
        plan: What is asked about.
        device: The card that is asked about.
        machine: Where it is.
        usable: Indices of the cards that the framework can use.
        model: Models a step.
    """
    wanted = None if device.gpu is None else model(plan, device, machine)
    if wanted is None or device.gpu is None:
        return None
    here = CardCase(wanted, device.gpu, plan.precision)
    first = None
    for run in sorted(runs, key=lambda run: not same_plan(run.workload.plan, plan)):
        there = choose_device(run.machine, run.workload.plan.device, usable)
        modelled = None if there.gpu is None else model(run.workload.plan, there, run.machine)
        measured = run.result.measurement
        if modelled is None or there.gpu is None or measured is None or _void(run):
            continue
        known = transfer(
            measured.step.median_s,
            measured.shares.input,
            CardCase(modelled, there.gpu, run.workload.plan.precision),
            here,
            run_id=run.run_id,
        )
        if known.factor is not None:
            return known
        first = first or known
    return first


def _void(run: Run) -> bool:
    """Was the run's time taken while the machine was throttled, spilled or swapped."""
    measured = run.result.measurement
    return measured is not None and bool({doubt.kind for doubt in measured.doubts} & VOIDING)
