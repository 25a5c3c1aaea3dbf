"""What the Advice and Upgrades pages show.  No Qt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from app.core.pipeline.waiting import Wait, predicted_wait
from app.core.types.advice import Advice, Effect, Recommendation, Upgrade
from app.core.types.units import NOT_AVAILABLE
from app.presentation.figure import Figure, Mark
from app.presentation.problem import ErrorState
from app.ui.kit.quantities import format_count, format_date, format_number

Stage = Literal["empty", "working", "ready", "failed"]


@dataclass(frozen=True)
class Change:
    """A number before and after a recommendation, and whether that is better."""

    before: Figure
    after: Figure
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
    how: str = ""
    """How to do it in a program of one's own."""
    gain: str = ""
    """Upper bound of what a change of this kind can bring."""


@dataclass(frozen=True)
class AdviceState:
    """The Advice page."""

    stage: Stage = "empty"
    cards: tuple[CardState, ...] = ()
    basis: str = ""
    notes: tuple[str, ...] = ()
    error: ErrorState | None = None
    verifying: str = ""
    waits: str = ""
    """What a step waits for, in a sentence."""
    stages: tuple[tuple[str, float], ...] = ()
    """What a step spends its time with, as key and share."""
    nothing_to_gain: str = ""


@dataclass(frozen=True)
class UpgradeRow:
    """One thing to buy or rent."""

    kind: str
    name: str
    fits: bool | None
    largest_batch: str
    epoch: Figure
    total: Figure
    gain: str
    energy: str
    price: str
    price_date: str
    break_even: str
    why: str
    basis: str
    number: int = 0
    """Its place in the advice, best first."""
    order: tuple[float | str, ...] = ()
    """What each column is sorted by."""
    epoch_s: float | None = None
    amount: float | None = None
    """Price as a number: of the part, or of an hour."""
    currency: str = "USD"
    spend: float | None = None
    """What has to be paid: for the part, or for one training on what is rented."""
    worth: bool | None = None
    note: str = ""
    """What else it takes."""


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


def _better(before: float | None, after: float | None) -> bool | None:
    """Is less after than before; None if unknown or the same within a per cent."""
    if before is None or after is None or abs(after - before) <= 0.01 * max(abs(before), 1e-12):
        return None
    return after < before


def _epoch(effect: Effect, mark: Mark) -> Figure:
    """Epoch time with its interval."""
    if effect.epoch_s is None:
        return Figure()
    return Figure(effect.epoch_s, "seconds", mark, effect.low_s, effect.high_s)


def _memory(effect: Effect, mark: Mark) -> Figure:
    """Memory of an effect."""
    return Figure() if effect.memory_bytes is None else Figure(effect.memory_bytes, "bytes", mark)


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
        how=item.how,
        gain=_gain(item.gain_limit),
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
    return AdviceState(
        "ready",
        cards,
        advice.basis,
        advice.notes,
        waits=advice.waits or _waits(advice),
        stages=tuple((stage.name, stage.share) for stage in advice.stages),
        nothing_to_gain=advice.nothing_to_gain,
    )


LAST = float("inf")
"""Where a row without a value stands when its column is sorted."""
UNBOUNDED_GAIN = 50
"""A bound as high as this says nothing."""


def _gain(limit: float | None) -> str:
    """The most that a change can bring; empty where that says nothing."""
    return "" if limit is None or limit >= UNBOUNDED_GAIN else format_number(limit, ".3g", "×")


def _time(seconds: float | None, low_s: float | None, high_s: float | None) -> Figure:
    """A predicted time with its interval."""
    if seconds is None:
        return Figure()
    return Figure(seconds, "seconds", "predicted", low_s, high_s)


def upgrade_row(item: Upgrade, number: int = 0) -> UpgradeRow:
    """One row of the table."""
    suffix = " / h" if item.kind == "cloud" else ""
    return UpgradeRow(
        kind=item.kind,
        name=item.name,
        fits=item.fits,
        largest_batch=format_count(item.max_batch_size),
        epoch=_time(item.epoch_s, item.low_s, item.high_s),
        total=_time(item.total_s, item.total_low_s, item.total_high_s),
        gain=_gain(item.gain_limit),
        energy=format_number(item.energy_kwh, ".2g", "kWh"),
        price=format_number(item.price, ",.2f", f"{item.currency}{suffix}"),
        price_date=format_date(item.price_date) if item.price_date else NOT_AVAILABLE,
        break_even=format_number(item.break_even_hours, ",.0f", "h") if item.break_even_hours is not None else "–",
        why=item.why,
        basis=item.basis,
        number=number,
        order=_order(item),
        epoch_s=item.epoch_s,
        amount=item.price,
        currency=item.currency,
        spend=item.price if item.cost is None else item.cost,
        worth=item.worth,
        note=item.note,
    )


def _order(item: Upgrade) -> tuple[float | str, ...]:
    """What each column of the table is sorted by; what is not known comes last."""
    known = {True: 0.0, None: 1.0, False: 2.0}
    numbers = (item.epoch_s, item.total_s, item.price, item.energy_kwh, item.break_even_hours)
    epoch, total, price, energy, hours = (LAST if value is None else value for value in numbers)
    batch = LAST if item.max_batch_size is None else -item.max_batch_size
    date = item.price_date or ""
    high = LAST if item.high_s is None else item.high_s
    return (item.name.lower(), item.kind, known[item.fits], batch, epoch, total, price, date, energy, hours, high)


def upgrades_state(advice: Advice, today_s: float | None = None) -> UpgradesState:
    """The Upgrades page for an advice; ``today_s`` is an epoch on the machine as it is."""
    rows = tuple(upgrade_row(item, number) for number, item in enumerate(advice.upgrades))
    return UpgradesState("ready", rows, _waits(advice), advice.notes, today_s=today_s)


def _waits(advice: Advice) -> str:
    """What a step waits for, with its share if that is known."""
    wait = predicted_wait(advice.prediction.time) if advice.prediction is not None else None
    if wait is None and advice.bound_by is not None:
        wait = Wait(advice.bound_by)
    return wait.sentence if wait is not None else ""
