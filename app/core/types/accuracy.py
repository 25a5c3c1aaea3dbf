"""How good the predictions of a version are: figures that the tables of `studies/accuracy` printed, as stored."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from app.core.types.text import Text

PeerQuantity = Literal["memory", "time"]
PeerStatistic = Literal["median", "average"]


@dataclass(frozen=True)
class Scaled:
    """Step times on one card, scaled from a measured one on another; errors are relative."""

    n: int
    median_error: float | None
    p95_error: float | None
    coverage: float | None


@dataclass(frozen=True)
class SameRows:
    """What another predictor published for measured rows, and the error of ours on the same (None: no figure)."""

    peer: str
    of: PeerQuantity
    n: int
    median_error: float | None
    p95_error: float | None
    ours: float | None


@dataclass(frozen=True)
class Figures:
    """The answer of one table; errors and shares are relative, and None is what the table does not tell.

    Attributes:
        n: Rows with an answer.
        coverage: Share of truths inside the interval that was told.
        truth_spread: How far repeats of one and the same truth lie apart, in the median.
        wrongly_fits: Share of the runs that failed that were said to fit.
        wrongly_refused: Share of the runs that worked that were said not to fit.
        tight_of_ran: Share of the runs that worked that were said to be tight.
        wrong: Share of the verdicts that were the opposite of what happened.
        baselines: The same by simple ways, by their names.
        one_card: Given a measured step on one other card.
        peers: Other predictors on the same rows.
    """

    n: int
    median_error: float | None = None
    p95_error: float | None = None
    coverage: float | None = None
    truth_spread: float | None = None
    wrongly_fits: float | None = None
    wrongly_refused: float | None = None
    tight_of_ran: float | None = None
    wrong: float | None = None
    baselines: dict[str, float | None] = field(default_factory=dict)
    one_card: Scaled | None = None
    peers: tuple[SameRows, ...] = ()


@dataclass(frozen=True)
class StoredTable:
    """A table's answer, and when, of which sources and on which machine its command printed it."""

    name: str
    date: str
    commit: str
    machine: str
    figures: Figures


@dataclass(frozen=True)
class Published:
    """The error that a paper states of its own predictor, on data of its own."""

    name: str
    of: PeerQuantity
    statistic: PeerStatistic
    error: float
    what: Text
    source: str


@dataclass(frozen=True)
class Accuracy:
    """Everything that is stored of a version."""

    tables: tuple[StoredTable, ...]
    published: tuple[Published, ...]

    def table(self, name: str) -> StoredTable | None:
        """A table by its command's name; None if it was not run."""
        return next((one for one in self.tables if one.name == name), None)
