"""Figures of the card table: rows with their predictions, judged by XLA, card, precision and family; pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from studies.accuracy.card_folder import Asked, Failed
from studies.accuracy.figures import Pair, share, summary

Figures = dict[str, float | int | None]
FEWEST = 3
"""Held rows that a figure needs at least, so that it does not give away a row."""

NEAR = 0.05
"""A largest batch so close below the true one counts as found."""


@dataclass(frozen=True)
class Answer:
    """What the product said of a row; bytes."""

    peak_bytes: int
    low_bytes: int
    high_bytes: int
    first_step_peak_bytes: int | None
    largest_batch: int | None
    allowed_mib: int | None
    """What may be used of the card."""
    compiled: bool
    """XLA compiles the step."""
    family: str


@dataclass(frozen=True)
class Judged:
    """A row, its truths and what was predicted."""

    asked: Asked
    told: Answer

    @property
    def steady(self) -> Pair | None:
        """The peak of a step."""
        truth, told = self.asked.steady_peak_bytes, self.told
        return None if truth is None else Pair(told.peak_bytes, truth, told.low_bytes, told.high_bytes)

    @property
    def again(self) -> Pair | None:
        """The same truth, measured a second time, against itself."""
        truth, again = self.asked.steady_peak_bytes, self.asked.steady_again_bytes
        return None if truth is None or again is None else Pair(again, truth)

    @property
    def first(self) -> Pair | None:
        """The peak of the first step, which has no interval."""
        truth, told = self.asked.first_step_peak_bytes, self.told.first_step_peak_bytes
        return None if truth is None or told is None else Pair(told, truth)

    @property
    def largest(self) -> Pair | None:
        """The largest batch, 0 where nothing is said to fit."""
        truth = self.asked.largest_batch
        return None if truth is None else Pair(self.told.largest_batch or 0, truth)


def by_xla(judged: Judged) -> str:
    """XLA off or on, as the step is trained."""
    return "XLA on" if judged.told.compiled else "XLA off"


WAYS: dict[str, Callable[[Judged], str]] = {
    "xla": by_xla,
    "cards": lambda j: f"{j.asked.card}, {by_xla(j)}",
    "precisions": lambda j: f"{j.asked.plan.precision}, {by_xla(j)}",
    "families": lambda j: f"{j.asked.family or j.told.family}, {by_xla(j)}",
}
"""By what the rows are put together, by the name of the answer's part."""


def answer_of(judged: Sequence[Judged], failed: Sequence[Failed]) -> dict[str, Any]:
    """The command's figures: the steady peak over all rows and by each of `WAYS`, the rest by XLA."""
    return {
        "table": "memory_card",
        **summary([j.steady for j in judged if j.steady is not None]),
        "baselines": {},
        "rows_judged": len(judged),
        "rows_without_answer": len(failed),
        "without_answer": [{"row": f.label, "why": f.why} for f in failed if f.group != "held"],
        **{name: figures_by(judged, way, steady_figures) for name, way in WAYS.items()},
        "again": again_figures(judged),
        "first_step": figures_by(judged, by_xla, first_figures),
        "largest_batch": figures_by(judged, by_xla, largest_figures),
        "rows": [_listed(j) for j in judged if j.asked.group != "held"],
    }


def figures_by(
    judged: Sequence[Judged], way: Callable[[Judged], str], figures: Callable[[Sequence[Judged]], Figures]
) -> dict[str, Figures]:
    """Figures of the rows of one name, for each half by itself.

    Held rows of names that have fewer than `FEWEST` of them are put together as "others", and left out if even
    those are fewer; what has no truth of this kind is left out.
    """
    found: dict[str, Figures] = {}
    for group in dict.fromkeys(j.asked.group for j in judged):
        by_name: dict[str, list[Judged]] = {}
        for j in judged:
            if j.asked.group == group and figures([j])["n"]:
                by_name.setdefault(way(j), []).append(j)
        if group == "held":
            few = [name for name, rows in by_name.items() if len(rows) < FEWEST]
            others = [j for name in few for j in by_name.pop(name)]
            if len(others) >= FEWEST:
                by_name["others"] = others
        found |= {f"{name}, {group}": figures(rows) for name, rows in sorted(by_name.items())}
    return found


def steady_figures(judged: Sequence[Judged]) -> Figures:
    """Of the peak of a step."""
    return summary([j.steady for j in judged if j.steady is not None])


def again_figures(judged: Sequence[Judged]) -> dict[str, Figures]:
    """Of rows that were measured twice: the second truth against the first, and what is told of the same rows."""
    twice = [j for j in judged if j.again is not None]
    itself = figures_by(twice, by_xla, lambda rows: summary([j.again for j in rows if j.again is not None]))
    told = figures_by(twice, by_xla, steady_figures)
    named = ((f"{name}, {what}", found[name]) for name in itself for what, found in (("again", itself), ("told", told)))
    return dict(named)


def first_figures(judged: Sequence[Judged]) -> Figures:
    """Of the first step."""
    return summary([j.first for j in judged if j.first is not None])


def largest_figures(judged: Sequence[Judged]) -> Figures:
    """Of the largest batch: does the predicted one train, is it near, is it both."""
    return figures_of_largest([j.largest for j in judged if j.largest is not None])


def figures_of_largest(pairs: Sequence[Pair]) -> Figures:
    """Of told largest batches against true ones."""
    return {
        "n": len(pairs),
        "trains": share([p.predicted <= p.truth for p in pairs]),
        "near": share([abs(p.error) <= NEAR for p in pairs]),
        "trains_and_near": share([-NEAR <= p.error <= 0 for p in pairs]),
        "median_signed_error": summary(pairs)["median_signed_error"],
    }


def _listed(judged: Judged) -> dict[str, object]:
    """A row as JSON has it."""
    steady, first, largest = judged.steady, judged.first, judged.largest
    return {
        "row": judged.asked.label,
        "card": judged.asked.card,
        "family": judged.asked.family or judged.told.family,
        "xla": "on" if judged.told.compiled else "off",
        "predicted_bytes": judged.told.peak_bytes,
        "low_bytes": judged.told.low_bytes,
        "high_bytes": judged.told.high_bytes,
        "truth_bytes": judged.asked.steady_peak_bytes,
        "error": steady.error if steady else None,
        "inside": steady.inside if steady else None,
        "first_step_peak_bytes": judged.told.first_step_peak_bytes,
        "first_step_truth_bytes": judged.asked.first_step_peak_bytes,
        "first_step_error": first.error if first else None,
        "largest_batch": judged.told.largest_batch,
        "largest_batch_truth": judged.asked.largest_batch,
        "largest_batch_error": largest.error if largest else None,
    }
