"""What runs that other people shared say of a workload, for machines like the one that is asked about.

A shared run passes the same way as one's own: it is compared with what is said here of its own plan
(`RunEvidence.lesson`), and a time taken while its machine was throttled teaches nothing.  Only what becomes of the
errors differs (`app.core.predict.strangers`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from app.catalog.gpu_names import match_reported
from app.core.predict.strangers import Strangers
from app.core.simulate.device import TargetDevice, choose_device
from app.core.types.errors import InvalidWorkload
from app.core.types.machine import Gpu, GpuSpec
from app.core.types.plan import Plan
from app.core.types.run import Run
from app.services.predictor.query import Query
from app.services.predictor.run_evidence import RunEvidence

MOST_DOUBLINGS = 3.0
"""A run of another batch says less the farther it is: an eighth to eight times the one that is asked about."""
MOST_PLANS = 8
"""Different plans of shared runs that are compared, the nearest first; each is simulated once."""
SAME_CARD_MEMORY = 0.1
"""Relative; drivers report a little less than what is sold, and cards of one name come with half or double."""


@dataclass(frozen=True)
class SharedEvidence:
    """Shared runs, to be looked through for a question.

    Attributes:
        own: Compares a run with what is said of its plan here.
        runs: The shared ones, each with a number of its own below 0.
        cards: The table, by which a driver's name and a simulated card's are known to be the same.
    """

    own: RunEvidence
    runs: tuple[Run, ...] = ()
    cards: tuple[GpuSpec, ...] = ()

    def of_plans(self, query: Query) -> Callable[[Plan], Strangers]:
        """What they say of a query's plan at any batch; the runs are looked through once."""
        alike = [run for run in self._of_model(query) if self._is_like(run, query.device)]
        here = [_on(run, query) for run in alike if self.own.same_step(run, query)]
        errors = lru_cache(None)(lambda index: self._errors(here[index], query))

        def of(plan: Plan) -> Strangers:
            near = [index for index, run in enumerate(here) if _doublings(run, plan) <= MOST_DOUBLINGS]
            near.sort(key=lambda index: _doublings(here[index], plan))
            found = [errors(index) for index in _of_few_plans(near, here)]
            memory = tuple(memory for memory, _ in found if memory is not None)
            return Strangers(memory, tuple(time for _, time in found if time is not None))

        return of

    def _of_model(self, query: Query) -> Sequence[Run]:
        """The runs of a network of the catalog; nobody else's file is known by its name."""
        model = query.workload.model
        return [run for run in self.runs if model.kind == "catalog" and run.workload.model.name == model.name]

    def _is_like(self, run: Run, device: TargetDevice) -> bool:
        """Did a run use a device like this: the same card, or the same processor with as many cores."""
        used = choose_device(run.machine, run.workload.plan.device)
        if used.gpu is None or device.gpu is None:
            both = used.gpu is None and device.gpu is None
            return both and (used.name, used.host_threads) == (device.name, device.host_threads)
        one, other = used.gpu.memory_total_bytes, device.gpu.memory_total_bytes
        if one is None or other is None or abs(one - other) > SAME_CARD_MEMORY * other:
            return False
        return self._name(used.gpu) == self._name(device.gpu)

    def _name(self, gpu: Gpu) -> str:
        """What a card is called in the table, or by its driver."""
        spec = match_reported(gpu.name, gpu.memory_total_bytes, self.cards)
        return spec.name if spec is not None else gpu.name

    def _errors(self, run: Run, query: Query) -> tuple[float | None, float | None]:
        """Logarithms of measured over predicted, of memory and of time; None where either is unknown."""
        try:
            lesson = self.own.lesson(run, query, query.graph)
        except InvalidWorkload:  # a plan of theirs that cannot be had here
            return None, None
        if lesson is None:
            return None, None
        time = lesson.time if lesson.teaches_time else None
        memory = math.log(lesson.memory.factor) if lesson.memory and lesson.memory.predicted else None
        return memory, math.log(time.factor) if time and time.predicted else None


def _on(run: Run, query: Query) -> Run:
    """A run as if its device were called here what it is called in the question."""
    plan, data, ours = (
        replace(run.workload.plan, device=query.plan.device),
        run.workload.dataset,
        query.workload.dataset,
    )
    if data is not None and ours is not None and (data.name, data.samples) == (ours.name, ours.samples):
        data = ours  # with what is known here of its files
    return replace(run, workload=replace(run.workload, model=query.workload.model, dataset=data, plan=plan))


def _doublings(run: Run, plan: Plan) -> float:
    """How far a run's batch is from another."""
    return abs(math.log2(run.workload.plan.batch_size / plan.batch_size))


def _of_few_plans(near: Sequence[int], runs: Sequence[Run]) -> list[int]:
    """Those of the first few different plans."""
    plans = list(dict.fromkeys(runs[index].workload.plan for index in near))[:MOST_PLANS]
    return [index for index in near if runs[index].workload.plan in plans]
