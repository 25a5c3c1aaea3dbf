"""Step times of published tables against what the product says from data sheets; shared by two commands."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from app.core.estimate import Estimator
from app.core.estimate_time import Rates
from app.core.machine import GpuSpec
from app.core.workload import Plan, Workload
from app.services.advisor import Advisor
from tests.accuracy.command import percent, signed, table
from tests.accuracy.figures import Pair, share, summary
from tests.accuracy.product import graph_of
from tests.accuracy.published import card


@dataclass(frozen=True)
class Timed:
    """One measured configuration and the product's answer."""

    card: str
    spec: GpuSpec
    network: str
    settings: tuple[object, ...]
    """What else tells configurations apart: image side, batch, precision, XLA."""
    pair: Pair
    flops: float
    bound_by: str

    @property
    def configuration(self) -> tuple[object, ...]:
        """The same on every card."""
        return (self.network, *self.settings)


class Clock:
    """Asks the product for step times; every network is traced and simulated once."""

    def __init__(self, advisor: Advisor) -> None:
        self.advisor = advisor
        self._estimators: dict[tuple[object, ...], Estimator] = {}

    def timed(
        self, name: str, workload: Workload, truth_s: float, settings: tuple[object, ...], label: str
    ) -> Timed | None:
        """The product's answer for one configuration on a card; None if it gives none."""
        spec = card(self.advisor, name)
        machine = self.advisor.simulate(self.advisor.machine(), gpu=spec.name)
        plan = workload.plan
        key = (workload.model, workload.input_shape, workload.classes, plan.precision)
        if key not in self._estimators:
            self._estimators[key] = Estimator(graph_of(self.advisor, workload, label))
        estimator = self._estimators[key]
        time = estimator.predict(workload, machine, Rates()).time
        if time.step_s is None:
            return None
        flops = sum(op.flops.at(plan.batch_size) for op in estimator.graph.operations)
        pair = Pair(time.step_s, truth_s, time.low_s, time.high_s)
        return Timed(name, spec, label, settings, pair, flops, str(time.bound_by))


def plan_for(batch: int, *, precision: str = "float32", xla: bool = False) -> Plan:
    """SGD on the card."""
    return Plan(batch, "sgd", precision, xla, device="gpu:0")  # type: ignore[arg-type]


def answer_of(name: str, found: list[Timed], read: int) -> dict[str, object]:
    """The figures, from data sheets alone and given one measured card."""
    return {
        "table": name,
        **summary([t.pair for t in found]),
        "left_out": read - len(found),
        "one_card": scaled_figures(found, lambda a, b: b.pair.predicted / a.pair.predicted),
        "baselines": {
            "work / FP32 peak": _median(_peak_pairs(found)),
            "work / FP32 peak x its median efficiency": _median(_fitted_peak(found)),
            "one card, FP32 ratio": scaled_figures(
                found, lambda a, b: a.spec.fp32_flops_per_s / b.spec.fp32_flops_per_s
            )["median_error"],
            "one card, bandwidth ratio": scaled_figures(
                found, lambda a, b: a.spec.memory_bandwidth_bytes_per_s / b.spec.memory_bandwidth_bytes_per_s
            )["median_error"],
        },
        "groups": {title: summary([t.pair for t in members]) for title, members in grouped(found).items()},
    }  # fmt: skip


def scaled_figures(found: list[Timed], ratio: Callable[[Timed, Timed], float]) -> dict[str, object]:
    """Every configuration on every card, scaled from every other card where it was measured."""
    by_configuration: dict[tuple[object, ...], list[Timed]] = {}
    for timed in found:
        by_configuration.setdefault(timed.configuration, []).append(timed)
    pairs = [
        Pair(origin.pair.truth * ratio(origin, target), target.pair.truth)
        for same in by_configuration.values()
        for origin in same
        for target in same
        if origin.card != target.card
    ]
    figures = summary(pairs)
    return {name: figures[name] for name in ("n", "median_error", "p95_error", "median_signed_error")}


def grouped(found: list[Timed]) -> dict[str, list[Timed]]:
    """By card, by network and by the last setting where it has two values (precision, XLA)."""
    groups: dict[str, list[Timed]] = {}
    for timed in found:
        words = [s for s in timed.settings if isinstance(s, str)]
        for title in (f"card {timed.card}", f"network {timed.network}", *(f"with {w}" for w in words)):
            groups.setdefault(title, []).append(timed)
    return groups


def groups_table(found: list[Timed]) -> str:
    """Figures by group."""
    rows = []
    for title, members in grouped(found).items():
        figures = summary([t.pair for t in members])
        rows.append((
            title, figures["n"], percent(_number(figures["median_error"])),
            signed(_number(figures["median_signed_error"])), percent(_number(figures["p95_error"])),
            percent(_number(figures["coverage"])),
            percent(share([t.bound_by == "compute" for t in members])),
        ))  # fmt: skip
    head = ("rows", "n", "median", "signed", "p95", "coverage", "bound by compute")
    return table("step time from data sheets", head, rows)


def cells_table(found: list[Timed]) -> str:
    """Median signed error of every network on every card."""
    cards = list(dict.fromkeys(t.card for t in found))
    rows = []
    for network in dict.fromkeys(t.network for t in found):
        cells = []
        for name in cards:
            errors = [t.pair.error for t in found if t.network == network and t.card == name]
            cells.append(signed(statistics.median(errors)) if errors else "-")
        rows.append((network, *cells))
    short = [c.replace("GeForce ", "").replace("Tesla ", "").replace(" with Max-Q Design", " MQ") for c in cards]
    return table("median signed error by network and card", ("network", *short), rows)


def _peak_pairs(found: Iterable[Timed]) -> list[Pair]:
    """Work over the card's FP32 peak."""
    return [Pair(t.flops / t.spec.fp32_flops_per_s, t.pair.truth) for t in found]


def _fitted_peak(found: list[Timed]) -> list[Pair]:
    """The same, with the one efficiency that suits this very table best: kind to the baseline."""
    pairs = _peak_pairs(found)
    factor = statistics.median(p.truth / p.predicted for p in pairs)
    return [Pair(p.predicted * factor, p.truth) for p in pairs]


def _median(pairs: list[Pair]) -> float | int | None:
    """The median error."""
    return summary(pairs)["median_error"]


def _number(value: float | int | None) -> float | None:
    """As a float."""
    return None if value is None else float(value)
