"""What others measured and predicted, with other frameworks: shown, not claimed.

    python -m studies.accuracy.context_tables [--data FOLDER] [--json]

Two tables of memory that the driver showed while PyTorch trained.  None of our figures is an error against them,
because another framework allocates otherwise; they tell what a prediction is up against.

* ``xmem_sample_rtx3060_rtx4060.csv`` (MIT licence): 25 runs with the answers of four published estimators.  Their
  errors are worked out here over the runs that did not die; ``died`` is the share of runs that died when they were
  given exactly the memory that the estimator asked for.
* ``schedtune_model_stats.csv`` (MIT licence): twelve CNNs at 224x224 and batch 8 to 64 on five cards.  ``cards apart``
  is the highest of the five over the lowest: the same network and batch, only the card differs.  ``ours`` is this
  product's answer for TensorFlow, SGD and float32 on a Tesla V100 with nothing else on it, for the networks of the
  catalog; the table does not name its optimizer.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass

from app.core.predict.estimate import Estimator
from app.core.predict.knowledge import Knowledge
from app.core.types.units import GIB, MIB
from app.core.types.workload import ModelRef, Plan, Workload
from app.services.advisor import Advisor
from studies.accuracy.command import finish, parser, percent, read_table, signed, table
from studies.accuracy.figures import Pair, share, summary
from studies.accuracy.product import graph_of, open_advisor
from studies.accuracy.published import machine_with

XMEM_TABLE = "xmem_sample_rtx3060_rtx4060.csv"
SCHEDTUNE_TABLE = "schedtune_model_stats.csv"
ESTIMATORS = ("xmem", "dnnmem", "schedtune", "llmem")
CARD = "Tesla V100"

Figures = dict[str, float | int | None]


@dataclass(frozen=True)
class OnFiveCards:
    """One network and batch of the SchedTune table."""

    model: str
    batch: int
    seen_bytes: tuple[int, ...]
    """What the driver showed on each card."""
    ours_bytes: int | None
    """Our answer for TensorFlow; None for a network that is not in the catalog."""

    @property
    def apart(self) -> float:
        """How much the cards differ."""
        return max(self.seen_bytes) / min(self.seen_bytes) - 1


def main() -> None:
    """Show both tables."""
    given = parser(__doc__).parse_args()
    estimators = estimator_figures(read_table(given.data, XMEM_TABLE))
    cards = on_five_cards(open_advisor(), read_table(given.data, SCHEDTUNE_TABLE))
    tables = (estimators_table(estimators), cards_table(cards))
    finish(answer_of(estimators, cards), as_json=given.json, tables=tables)


def estimator_figures(records: list[dict[str, str]]) -> dict[str, Figures]:
    """Error of each published estimator, and how often a run died with the memory that it asked for."""
    return {name: _figures_of(name, records) for name in ESTIMATORS}


def _figures_of(name: str, records: list[dict[str, str]]) -> Figures:
    """Figures of one estimator; -1 and an empty cell are no answer."""
    ran = [r for r in records if r["real_oom"] == "False"]
    asked = [(float(r[f"{name}_bytes"] or -1), int(r["ground_nvml_bytes"])) for r in ran]
    deaths = [r.get(f"{name}_oom_at_its_estimate") for r in ran]
    return {
        **summary([Pair(told, seen) for told, seen in asked if told > 0]),
        "died_with_what_it_asked_for": share([d == "True" for d in deaths if d]),
    }


def on_five_cards(advisor: Advisor, records: list[dict[str, str]]) -> list[OnFiveCards]:
    """The table by network and batch, with our own answer where the catalog has the network."""
    seen: dict[tuple[str, int], list[int]] = {}
    for r in records:
        seen.setdefault((r["model"], int(r["batchsize"])), []).append(int(float(r["peak mem usage"]) * MIB))
    known = {entry.name for entry in advisor.catalog.models()}
    estimators: dict[str, Estimator] = {}
    return [
        OnFiveCards(model, batch, tuple(found), _ours(advisor, model, batch, estimators) if model in known else None)
        for (model, batch), found in seen.items()
    ]


def _ours(advisor: Advisor, model: str, batch: int, estimators: dict[str, Estimator]) -> int:
    """Bytes that the driver would show for this network in TensorFlow."""
    workload = Workload(ModelRef("catalog", model), None, Plan(batch, "sgd", jit=False, device="gpu:0"))
    if model not in estimators:
        estimators[model] = Estimator(graph_of(advisor, workload, model))
    return estimators[model].predict(workload, machine_with(advisor, CARD), Knowledge()).memory.device_bytes


def answer_of(estimators: dict[str, Figures], cards: list[OnFiveCards]) -> dict[str, object]:
    """The figures; errors of our own are null, because nothing is claimed."""
    return {
        "table": "context",
        "n": len(cards),
        "median_error": None,
        "p95_error": None,
        "coverage": None,
        "median_cards_apart": statistics.median(c.apart for c in cards) if cards else None,
        "baselines": {},
        "estimators": estimators,
        "rows": [
            {
                "model": c.model,
                "batch": c.batch,
                "lowest_bytes": min(c.seen_bytes),
                "highest_bytes": max(c.seen_bytes),
                "ours_bytes": c.ours_bytes,
            }
            for c in cards
        ],
    }


def estimators_table(estimators: dict[str, Figures]) -> str:
    """The published estimators."""
    return table(
        "published estimators, PyTorch, against the driver",
        ("estimator", "n", "median", "signed", "p95", "worst", "died"),
        [
            (
                name,
                f["n"],
                percent(f["median_error"]),
                signed(f["median_signed_error"]),
                percent(f["p95_error"]),
                percent(f["worst_error"]),
                percent(f["died_with_what_it_asked_for"]),
            )
            for name, f in estimators.items()
        ],
    )


def cards_table(cards: list[OnFiveCards]) -> str:
    """One line for each network and batch."""
    return table(
        "PyTorch on five cards as the driver showed it, GiB; ours: TensorFlow on a V100",
        ("network", "batch", "lowest", "highest", "cards apart", "ours"),
        [
            (
                c.model,
                c.batch,
                min(c.seen_bytes) / GIB,
                max(c.seen_bytes) / GIB,
                percent(c.apart),
                c.ours_bytes / GIB if c.ours_bytes is not None else None,
            )
            for c in cards
        ],
    )


if __name__ == "__main__":
    main()
