"""What the Advice and Upgrades pages show.  No Qt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from app.core.advice import Advice, Effect, Recommendation, Upgrade
from app.core.units import NOT_AVAILABLE
from app.ui.quantities import format_bytes, format_count, format_date, format_number, format_seconds
from app.ui.state import ErrorState, Mark, Number, seconds_interval

Stage = Literal["empty", "working", "ready", "failed"]


@dataclass(frozen=True)
class Change:
    """A number before and after a recommendation, and whether that is better."""

    before: Number
    after: Number
    better: bool | None


@dataclass(frozen=True)
class CardState:
    """One recommendation."""

    id: str
    title: str
    why: str
    changes: dict[str, Any]
    memory: Change
    epoch: Change
    changes_result: bool
    free: bool
    basis: str
    verified: str = ""
    """Outcome of the verifying run, if there was one."""


@dataclass(frozen=True)
class AdviceState:
    """The Advice page."""

    stage: Stage = "empty"
    cards: tuple[CardState, ...] = ()
    bound_by: str | None = None
    basis: str = ""
    notes: tuple[str, ...] = ()
    error: ErrorState | None = None
    verifying: str = ""


@dataclass(frozen=True)
class UpgradeRow:
    """One thing to buy or rent."""

    kind: str
    name: str
    fits: bool | None
    largest_batch: str
    epoch: Number
    gain: str
    price: str
    price_date: str
    break_even: str
    why: str
    basis: str


@dataclass(frozen=True)
class UpgradesState:
    """The Upgrades page."""

    stage: Stage = "empty"
    rows: tuple[UpgradeRow, ...] = ()
    bound_by: str | None = None
    notes: tuple[str, ...] = ()
    error: ErrorState | None = None


def _better(before: float | None, after: float | None) -> bool | None:
    """Is less after than before; None if unknown or the same within a per cent."""
    if before is None or after is None or abs(after - before) <= 0.01 * max(abs(before), 1e-12):
        return None
    return after < before


def _epoch(effect: Effect, mark: Mark) -> Number:
    """Epoch time with its interval."""
    if effect.epoch_s is None:
        return Number()
    return Number(format_seconds(effect.epoch_s), mark, seconds_interval(effect.low_s, effect.high_s))


def _memory(effect: Effect, mark: Mark) -> Number:
    """Memory of an effect."""
    return Number() if effect.memory_bytes is None else Number(format_bytes(effect.memory_bytes), mark)


def card_state(item: Recommendation, mark: Mark, verified: str = "") -> CardState:
    """One card; ``mark`` is the mark of the advice's basis."""
    before, after = item.before, item.after
    after_mark: Mark = "measured" if verified == "succeeded" else ("scaled" if mark != "predicted" else "predicted")
    return CardState(
        id=item.id,
        title=item.title,
        why=item.why,
        changes=dict(item.changes),
        memory=Change(
            _memory(before, mark), _memory(after, after_mark), _better(before.memory_bytes, after.memory_bytes)
        ),
        epoch=Change(_epoch(before, mark), _epoch(after, after_mark), _better(before.epoch_s, after.epoch_s)),
        changes_result=item.changes_result,
        free=item.free,
        basis=item.basis,
        verified=verified,
    )


def advice_state(advice: Advice, mark: Mark, verified: dict[str, str] | None = None) -> AdviceState:
    """The Advice page for an advice.

    Args:
        advice: From the façade.
        mark: Mark of the prediction that the advice starts from.
        verified: Outcomes of runs that verified recommendations, by id.
    """
    done = verified or {}
    cards = tuple(card_state(item, mark, done.get(item.id, "")) for item in advice.recommendations)
    return AdviceState("ready", cards, advice.bound_by, advice.basis, advice.notes)


def upgrade_row(item: Upgrade) -> UpgradeRow:
    """One row of the table."""
    epoch = Number()
    if item.epoch_s is not None:
        epoch = Number(format_seconds(item.epoch_s), "predicted", seconds_interval(item.low_s, item.high_s))
    suffix = " / h" if item.kind == "cloud" else ""
    return UpgradeRow(
        kind=item.kind,
        name=item.name,
        fits=item.fits,
        largest_batch=format_count(item.max_batch_size),
        epoch=epoch,
        gain=format_number(item.gain_limit, ".1f", "×"),
        price=format_number(item.price, ",.2f", f"{item.currency}{suffix}"),
        price_date=format_date(item.price_date) if item.price_date else NOT_AVAILABLE,
        break_even=format_number(item.break_even_hours, ",.0f", "h") if item.break_even_hours is not None else "–",
        why=item.why,
        basis=item.basis,
    )


def upgrades_state(advice: Advice) -> UpgradesState:
    """The Upgrades page for an advice."""
    return UpgradesState("ready", tuple(upgrade_row(u) for u in advice.upgrades), advice.bound_by, advice.notes)
