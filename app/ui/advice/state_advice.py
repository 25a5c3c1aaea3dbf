"""What the Advice and Upgrades pages show.  No Qt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from app.core.pipeline.waiting import Wait, predicted_wait
from app.core.types.advice import Advice
from app.presentation.advice import ChangeRow, change_rows, remarks, tried_tables
from app.presentation.figure import Mark
from app.presentation.layout import Points, Table
from app.presentation.problem import ErrorState
from app.presentation.upgrades import UpgradeRow

Stage = Literal["empty", "working", "ready", "failed"]


@dataclass(frozen=True)
class AdviceState:
    """The Advice page."""

    stage: Stage = "empty"
    cards: tuple[ChangeRow, ...] = ()
    basis: str = ""
    blocks: tuple[Table | Points, ...] = ()
    """What was tried in vain, and what to know besides."""
    error: ErrorState | None = None
    verifying: str = ""
    waits: str = ""
    """What a step waits for, in a sentence."""
    stages: tuple[tuple[str, float], ...] = ()
    """What a step spends its time with, as key and share."""
    nothing_to_gain: str = ""


@dataclass(frozen=True)
class UpgradesState:
    """The Upgrades page."""

    stage: Stage = "empty"
    rows: tuple[UpgradeRow, ...] = ()
    waits: str = ""
    """What a step waits for, in a sentence without a full stop."""
    notes: tuple[str, ...] = ()
    error: ErrorState | None = None
    today_s: float | None = None
    """One epoch on the machine as it is."""


def advice_state(advice: Advice, mark: Mark, verified: dict[str, str] | None = None) -> AdviceState:
    """The Advice page for an advice.

    Args:
        advice: From the façade.
        mark: Mark of the prediction that the advice starts from.
        verified: Outcomes of runs that verified recommendations, by id.
    """
    return AdviceState(
        "ready",
        change_rows(advice, mark, verified),
        advice.basis,
        (*tried_tables(advice, mark), *remarks(advice)),
        waits=advice.waits or _waits(advice),
        stages=tuple((stage.name, stage.share) for stage in advice.stages),
        nothing_to_gain=advice.nothing_to_gain,
    )


def upgrades_state(advice: Advice, today_s: float | None = None) -> UpgradesState:
    """The Upgrades page for an advice; ``today_s`` is an epoch on the machine as it is."""
    rows = tuple(UpgradeRow(number, item) for number, item in enumerate(advice.upgrades, start=1))
    return UpgradesState("ready", rows, _waits(advice), advice.notes, today_s=today_s)


def _waits(advice: Advice) -> str:
    """What a step waits for, with its share if that is known."""
    wait = predicted_wait(advice.prediction.time) if advice.prediction is not None else None
    if wait is None and advice.bound_by is not None:
        wait = Wait(advice.bound_by)
    return wait.sentence if wait is not None else ""
