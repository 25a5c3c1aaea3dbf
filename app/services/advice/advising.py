"""Advice for one workload: what to change, and what to buy."""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from pathlib import Path

from app.catalog.clouds import CloudOffer
from app.catalog.gpu_names import match_reported
from app.catalog.prices import Price, prices_of
from app.core.advising.conditions import would_matter
from app.core.advising.input_proposals import cache_sizes
from app.core.advising.recommend import larger_batch_words, nothing_to_gain, recommend
from app.core.advising.surroundings import Surroundings
from app.core.advising.tried import tried_in_vain
from app.core.advising.upgrades import compare
from app.core.pipeline.input_cost import SampleCost, assumed_cost
from app.core.pipeline.waiting import first_epoch_words, stage_shares, waiting_words
from app.core.predict.corrections import Calibration, calibrate, for_another_plan, input_only
from app.core.predict.time import sample_elements
from app.core.types.advice import Advice, Electricity
from app.core.types.errors import InvalidWorkload
from app.core.types.machine import GpuSpec, GpuSupport, Machine
from app.core.types.measurement import Doubt, Measurement, RunResult
from app.core.types.prediction import Prediction, basis_words
from app.core.types.stepgraph import StepGraph
from app.core.types.text import Text, join, phrase
from app.core.types.workload import Plan, Workload
from app.services.advice.cards_for_sale import left_out
from app.services.advice.shelf import Question, Shelf
from app.services.advice.shopping import upgrade_candidates
from app.services.predictor.predictor import Predictor


@dataclass(frozen=True)
class Shop:
    """What can be bought or rented, and what is known of the buyer's machine besides its parts."""

    gpus: tuple[GpuSpec, ...]
    clouds: tuple[CloudOffer, ...]
    prices: tuple[Price, ...]
    electricity: Electricity | None = None
    psu_watts: float | None = None
    support: tuple[GpuSupport, ...] = ()


def advise(
    known: Predictor,
    workload: Workload,
    machine: Machine,
    graph: StepGraph,
    shop: Shop,
    measured: Measurement | None = None,
) -> Advice:
    """Recommendations and upgrades for a workload; uses the newest matching run, or the one given.

    A changed plan of which there is no run is corrected by what today's run taught, each stage of the step by its own
    measurement, so that "before" and "after" stand on the same ground.  A change whose graph nobody has traced is not
    recommended.

    Args:
        known: Graphs, rates and runs.
        workload: What to train.
        machine: On which machine.
        graph: The workload's traced step.
        shop: What can be bought or rented.
        measured: A run of this workload that is not in the history, such as one recorded on another machine.
    """
    taught = _taught(known, workload, machine, graph, measured)
    given = measured is not None
    now = known.predict(workload, machine, graph, taught if given else None, only=given)
    asking = _Asking(known, workload, machine, graph, for_another_plan(taught) if taught else None, given)
    cost = _cost(workload, machine, graph, taught)
    around = _surroundings(asking, now, shop, measured)
    other_plan = functools.cache(asking.other_plan)
    found = recommend(workload, now, other_plan, graph, cost=cost, taught=taught, around=around)
    question = Question(workload, now, cost, shop.psu_watts)
    shelf = Shelf(shop.gpus, shop.clouds, shop.prices)
    electricity = shop.electricity or first_electricity(shop.prices)
    is_measured = now.time.basis == "measured"
    return Advice(
        fit=now.fit,
        bound_by=now.time.bound_by,
        basis=basis_words(now),
        recommendations=found,
        upgrades=compare(now, upgrade_candidates(question, asking.elsewhere, shelf), electricity),
        notes=(*now.assumptions, *_notes(asking, now, cost), *left_out(question, shelf)),
        waits=join(
            " ",
            filter(
                None, (waiting_words(now.time, now.fit.device_name, measured=is_measured), first_epoch_words(now.time))
            ),
        ),
        stages=stage_shares(now.time.stages, measured=is_measured),
        nothing_to_gain=nothing_to_gain(now, found),
        electricity=electricity,
        prediction=now,
        tried=tried_in_vain(workload, now, other_plan, graph, cost, found),
        would_matter=would_matter(workload, now, cost),
    )


def tables_stamp(folder: Path) -> tuple[float, ...]:
    """When the user's own tables of cards, offers and prices were changed; 0 for one that is not there."""
    paths = [folder / name for name in ("gpus.csv", "clouds.csv", "prices.csv")]
    return tuple(path.stat().st_mtime if path.exists() else 0.0 for path in paths)


def first_electricity(prices: tuple[Price, ...]) -> Electricity | None:
    """The first price of a kilowatt hour in the table."""
    first = next(iter(prices_of("electricity", prices)), None)
    return Electricity(first.price, first.currency, Text(first.name), first.price_date) if first else None


@dataclass(frozen=True)
class _Asking:
    """Predictions for changed plans and machines, on the ground of today's run."""

    known: Predictor
    workload: Workload
    machine: Machine
    graph: StepGraph
    factors: Calibration | None
    given: bool
    """They are of a run that is not in the history."""

    def other_plan(self, plan: Plan) -> Prediction:
        """A changed plan on this machine; another batch by what the chart goes by.

        Raises:
            InvalidWorkload: Nobody has traced it.
        """
        changed = replace(self.workload, plan=plan)
        only_batch = replace(plan, batch_size=self.workload.plan.batch_size) == self.workload.plan
        fitting = self.graph if only_batch else self.known.graphs.get(changed)
        if fitting is None:
            raise InvalidWorkload(phrase("this change has not been traced yet"))
        if only_batch and not self.given:
            return self.known.predict(changed, self.machine, fitting, brief=True)
        return self.known.predict(changed, self.machine, fitting, self.factors, only=only_batch, brief=True)

    def elsewhere(self, other: Machine, plan: Plan) -> Prediction:
        """The workload on another machine; a run here still says what the input costs there.

        On another card what a run here measured of memory and of the device's speed does not hold.
        """
        same_card = other.gpus == self.machine.gpus
        factors = self.factors
        if factors is not None and not same_card:
            factors = input_only(factors)
        device = self.workload.plan.device if same_card else "auto"
        anywhere = replace(self.workload, plan=replace(plan, device=device))
        return self.known.predict(anywhere, other, self.graph, factors, only=True, brief=True)


def _taught(
    known: Predictor, workload: Workload, machine: Machine, graph: StepGraph, measured: Measurement | None
) -> Calibration | None:
    """What a run of this workload has taught: the one given, else those of the history."""
    if measured is None:
        return known.evidence.calibration(known.query(workload, machine, graph))
    before = known.predict(workload, machine, graph, None, only=True)
    plan, result = workload.plan, RunResult("succeeded", measured)
    on_card = before.card is not None
    return calibrate(result, before.memory, before.time, run_plan=plan, plan=plan, run_id=0, on_card=on_card)


def _cost(workload: Workload, machine: Machine, graph: StepGraph, taught: Calibration | None) -> SampleCost | None:
    """What a sample costs the host, as a run showed it or as usual."""
    if workload.dataset is None:
        return None
    assumed = assumed_cost(workload.dataset, machine, sample_elements(graph))
    return taught.stages.cost(assumed) if taught and taught.stages else assumed


def _surroundings(asking: _Asking, now: Prediction, shop: Shop, measured: Measurement | None) -> Surroundings:
    """What is known of the machine besides its parts."""
    gpu = now.card
    spec = match_reported(gpu.name, gpu.memory_total_bytes, shop.gpus) if gpu and not gpu.simulated else None
    backend = asking.workload.plan.backend
    broken = [s for s in shop.support if s.framework == backend and s.usable is False]
    on_card = None
    if gpu is None and broken:
        there = replace(asking.workload.plan, device=f"gpu:{broken[0].gpu_index}")
        try:
            on_card = asking.known.predict(replace(asking.workload, plan=there), asking.machine, asking.graph)
        except InvalidWorkload:
            on_card = None
    return Surroundings(shop.support, on_card, spec.tdp_w if spec else None, _doubts(asking, measured))


def _doubts(asking: _Asking, measured: Measurement | None) -> tuple[Doubt, ...]:
    """What was doubtful in the run that advice starts from."""
    if measured is not None:
        return measured.doubts
    return asking.known.evidence.newest_doubts(asking.workload)


def _notes(asking: _Asking, now: Prediction, cost: SampleCost | None) -> tuple[Text, ...]:
    """Sizes of the data in each form, and what a much larger batch would buy."""
    data = asking.workload.dataset
    words = [larger_batch_words(asking.workload, now, asking.other_plan)]
    if cost is not None and cost.from_files and data is not None and data.samples:
        words.append(cache_sizes(asking.machine, data.samples, cost))
    return tuple(word for word in words if word)
