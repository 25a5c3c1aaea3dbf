"""Step times of published tables against what the product says, from data sheets and given one card."""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from app.core.predict.estimate import Estimator
from app.core.predict.knowledge import Knowledge
from app.core.simulate.device import choose_device
from app.core.timing.card_rates import uses_tensor_cores
from app.core.timing.card_transfer import CardCase, transfer
from app.core.types.machine import Gpu
from app.core.types.stepgraph import StepGraph
from app.core.types.workload import Plan, Workload
from app.services.advisor import Advisor
from studies.accuracy.command import percent, signed, table
from studies.accuracy.figures import Pair, share, summary
from studies.accuracy.product import graph_of
from studies.accuracy.published import machine_with


@dataclass(frozen=True)
class Timed:
    """One measured configuration and the product's answer from data sheets."""

    card: str
    gpu: Gpu
    network: str
    batch: int
    settings: tuple[object, ...]
    """What else tells configurations apart: image side, precision, XLA."""
    pair: Pair
    flops: float
    bound_by: str
    case: CardCase

    @property
    def configuration(self) -> tuple[object, ...]:
        """The same on every card, apart from the batch."""
        return (self.network, *self.settings)


class Clock:
    """Asks the product for step times; every network is traced and simulated once.

    Args:
        advisor: The product.
        data_on_card: The table's batches were made on the card, so that nothing was copied there.
    """

    def __init__(self, advisor: Advisor, *, data_on_card: bool = False) -> None:
        self.advisor = advisor
        self._data_on_card = data_on_card
        self._estimators: dict[tuple[object, ...], Estimator] = {}

    def timed(
        self,
        name: str,
        workload: Workload,
        truth_s: float,
        settings: tuple[object, ...],
        label: str,
        host_clock_mhz: float | None = None,
    ) -> Timed | None:
        """The product's answer for one configuration on a card; None if it gives none."""
        machine = machine_with(self.advisor, name, host_clock_mhz)
        plan = workload.plan
        estimator = self._estimator(workload, label)
        time = estimator.predict(workload, machine, Knowledge()).time
        step = estimator.steps.card_step(plan, choose_device(machine, plan.device, None), machine)
        if time.step_s is None or step is None:
            return None
        flops = sum(op.flops.at(plan.batch_size) for op in estimator.graph.operations)
        pair = Pair(time.step_s, truth_s, time.low_s, time.high_s)
        bound = str(time.bound_by)
        case = CardCase(step, machine.gpus[0], plan.precision)
        return Timed(name, machine.gpus[0], label, plan.batch_size, settings, pair, flops, bound, case)

    def _estimator(self, workload: Workload, label: str) -> Estimator:
        """The network's."""
        key = (workload.model, workload.input_shape, workload.classes, workload.plan.precision)
        if key not in self._estimators:
            graph = graph_of(self.advisor, workload, label)
            self._estimators[key] = Estimator(without_copies(graph) if self._data_on_card else graph)
        return self._estimators[key]


def without_copies(graph: StepGraph) -> StepGraph:
    """The step where its batch is on the card before it begins."""
    on_cuda = None if graph.on_cuda is None else replace(graph.on_cuda, input_tensors=())
    return replace(graph, input_tensors=(), on_cuda=on_cuda)


def plan_for(batch: int, *, precision: str = "float32", xla: bool = False) -> Plan:
    """SGD on the card."""
    return Plan(batch, "sgd", precision, xla, device="gpu:0")  # type: ignore[arg-type]


def answer_of(
    name: str, found: list[Timed], read: int, *, any_batch: bool = False, spreads: Sequence[float] = ()
) -> dict[str, object]:
    """The figures, from data sheets alone and given one measured card.

    Args:
        name: Of the table.
        found: Its configurations.
        read: How many there were.
        any_batch: Scale also between cards that were measured at different batch sizes, per sample.
        spreads: How far the slowest repeat of a configuration lies above the quickest, where the table tells.
    """
    pairs = list(_same_on_two_cards(found, any_batch=any_batch))
    return {
        "table": name,
        **summary([t.pair for t in found]),
        "left_out": read - len(found),
        "truth_spread": statistics.median(spreads) if spreads else None,
        "one_card": _scaled(pairs),
        "one_card_plain_kernels": _scaled([p for p in pairs if _plain(p)]),
        "baselines": {
            "work / FP32 peak": _median(_peak_pairs(found)),
            "work / FP32 peak x its median efficiency": _median(_fitted_peak(found)),
            "one card, FP32 ratio": _by_ratio(pairs, _fp32),
            "one card, bandwidth ratio": _by_ratio(pairs, _bandwidth),
            "one card, geometric mean of the two": _by_ratio(pairs, lambda gpu: (_fp32(gpu) * _bandwidth(gpu)) ** 0.5),
            "one card, the two cards' median ratio of the other networks": _by_others(pairs),
        },
        "groups": {title: summary([t.pair for t in members]) for title, members in grouped(found).items()},
    }


def one_card_table(answer: dict[str, object]) -> str:
    """The product's scaling from one measured card, of all pairs, and of plain kernels of measured architectures."""
    rows = []
    for title in ("one_card", "one_card_plain_kernels"):
        figures = answer[title]
        assert isinstance(figures, dict)
        rows.append(
            (
                title.replace("_", " "),
                figures["n"],
                figures["out_of_range"],
                percent(figures["median_error"]),
                signed(figures["median_signed_error"]),
                percent(figures["p95_error"]),
                percent(figures["coverage"]),
                percent(figures["all_median_error"]),
            )
        )
    head = ("rows", "n", "out of range", "median", "signed", "p95", "coverage", "median with data sheets instead")
    return table("step time scaled from every other card", head, rows)


def _same_on_two_cards(found: list[Timed], *, any_batch: bool) -> Iterator[tuple[Timed, Timed]]:
    """Every configuration that was measured on two cards, both ways."""
    by_configuration: dict[tuple[object, ...], list[Timed]] = {}
    for timed in found:
        key = timed.configuration if any_batch else (*timed.configuration, timed.batch)
        by_configuration.setdefault(key, []).append(timed)
    for same in by_configuration.values():
        yield from ((a, b) for a, b in itertools.permutations(same, 2) if a.card != b.card)


def _scaled(pairs: list[tuple[Timed, Timed]]) -> dict[str, object]:
    """The product's own scaling, with its interval; pairs that it calls out of range are counted apart.

    ``all_median_error`` takes the data sheets' answer for these.
    """
    inside: list[Pair] = []
    outside: list[Pair] = []
    for origin, target in pairs:
        found = scaled(origin, target)
        (outside if found is None else inside).append(found or target.pair)
    figures = summary(inside)
    return {
        **{name: figures[name] for name in ("n", "median_error", "p95_error", "median_signed_error", "coverage")},
        "out_of_range": len(outside),
        "all_median_error": _median(inside + outside),
    }


def scaled(origin: Timed, target: Timed) -> Pair | None:
    """The step on the target's card, given the one measured on the origin's; None if out of range."""
    known = transfer(origin.pair.truth, None, origin.case, target.case, run_id=1)
    if known.factor is None:
        return None
    value = target.case.step.step_s * known.factor
    return Pair(value, target.pair.truth, value / known.width, value * known.width)


def _plain(pair: tuple[Timed, Timed]) -> bool:
    """Are both architectures measured, and no tensor cores involved."""
    cases = [timed.case for timed in pair]
    return all(c.architecture.measured and not uses_tensor_cores(c.gpu, c.precision) for c in cases)


def _by_ratio(pairs: list[tuple[Timed, Timed]], rate: Callable[[Gpu], float]) -> float | int | None:
    """Time per sample by the ratio of one rate."""
    return _median([Pair(_per_sample(a) * rate(a.gpu) / rate(b.gpu), _per_sample(b)) for a, b in pairs])


def _by_others(pairs: list[tuple[Timed, Timed]]) -> float | int | None:
    """By what the other networks of this very table took longer on the one card: knows more than anybody would."""
    ratios: dict[tuple[str, str, str], list[float]] = {}
    for a, b in pairs:
        ratios.setdefault((a.card, b.card, a.network), []).append(_per_sample(b) / _per_sample(a))
    learned = {
        key: [r for other, values in ratios.items() if other[:2] == key[:2] and other[2] != key[2] for r in values]
        for key in ratios
    }
    usable = [(a, b, learned[a.card, b.card, a.network]) for a, b in pairs]
    return _median([Pair(_per_sample(a) * statistics.median(known), _per_sample(b)) for a, b, known in usable if known])


def _per_sample(timed: Timed) -> float:
    """Measured seconds per sample."""
    return timed.pair.truth / timed.batch


def _fp32(gpu: Gpu) -> float:
    return gpu.fp32_flops_per_s or math.nan


def _bandwidth(gpu: Gpu) -> float:
    return gpu.memory_bandwidth_bytes_per_s or math.nan


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
        rows.append(
            (
                title,
                figures["n"],
                percent(_number(figures["median_error"])),
                signed(_number(figures["median_signed_error"])),
                percent(_number(figures["p95_error"])),
                percent(_number(figures["coverage"])),
                percent(share([t.bound_by == "compute" for t in members])),
            )
        )
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
    return [Pair(t.flops / _fp32(t.gpu), t.pair.truth) for t in found]


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
