"""Advice for one workload: what to change, and what to buy."""

from __future__ import annotations

from dataclasses import dataclass, replace

from app.catalog.clouds import CloudOffer
from app.catalog.prices import Price
from app.core.advice import Advice
from app.core.calibration import for_another_plan
from app.core.errors import InvalidWorkload
from app.core.machine import GpuSpec, Machine
from app.core.prediction import Prediction
from app.core.recommend import recommend
from app.core.stepgraph import StepGraph
from app.core.upgrades import compare
from app.core.workload import Plan, Workload
from app.services.knowledge import Knowledge
from app.services.shopping import upgrade_candidates


@dataclass(frozen=True)
class Shop:
    """What can be bought or rented."""

    gpus: tuple[GpuSpec, ...]
    clouds: tuple[CloudOffer, ...]
    prices: tuple[Price, ...]


def advise(known: Knowledge, workload: Workload, machine: Machine, graph: StepGraph, shop: Shop) -> Advice:
    """Recommendations and upgrades for a workload; uses the newest matching run.

    A changed plan of which there is no run is corrected by the factors of today's run, so that "before" and
    "after" stand on the same ground.  A change whose graph nobody has traced is not recommended.

    Args:
        known: Graphs, rates and runs.
        workload: What to train.
        machine: On which machine.
        graph: The workload's traced step.
        shop: What can be bought or rented.
    """
    now = known.predict(workload, machine, graph)
    taught = known.calibration(workload, machine, graph)
    factors = for_another_plan(taught) if taught else None

    def predict(plan: Plan) -> Prediction:
        changed = replace(workload, plan=plan)
        fitting = known.graph(changed)
        if fitting is None:
            raise InvalidWorkload("this change has not been traced yet")
        return known.predict(changed, machine, fitting, factors)

    def elsewhere(other: Machine) -> Prediction:
        anywhere = replace(workload, plan=replace(workload.plan, device="auto"))
        return known.predict(anywhere, other, graph)

    shelf = upgrade_candidates(now, elsewhere, shop.gpus, shop.clouds, shop.prices)
    return Advice(
        fit=now.fit,
        bound_by=now.time.bound_by,
        basis=f"{now.memory.basis} memory, {now.time.basis} time",
        recommendations=recommend(workload, now, predict, graph),
        upgrades=compare(now, shelf),
        notes=now.assumptions,
    )
