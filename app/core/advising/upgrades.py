"""Hardware to buy or rent, answered for the same workload on one axis: fits, time, price, energy, break-even.

A faster part can only shorten what the step spends on it (Amdahl): the gain's upper bound is stated beside every row,
and "it waits for something else" is an answer.  A part is judged with the changes of the plan that it makes possible:
more RAM with the cache that has room in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from app.core.pipeline.stages import UNBOUNDED, Part
from app.core.pipeline.stages import gain_limit as stage_limit
from app.core.pipeline.waiting import WAITS_FOR
from app.core.types.advice import Electricity, Upgrade, UpgradeKind
from app.core.types.errors import InvalidWorkload
from app.core.types.plan_values import cache_words
from app.core.types.prediction import Prediction, basis_words
from app.core.types.text import Text, join, phrase, verbatim
from app.core.types.units import GIB, format_number, format_seconds, format_share

RENTED_HOURS = 200.0
"""What renting is compared by where nobody knows how long a training takes: a few weeks of evenings."""

WORTH_GAIN = 0.95
"""An upgrade is worth its price only if an epoch takes at most 95 % of the time."""

DEVICES = ("gpu", "cloud")
"""Kinds of which each is another card."""

SAME_TIME = 1.001
"""Cards whose epochs differ by less take the same time."""

HARDLY = 1.2
"""A faster device that can gain no more than this, because it waits, is not worth its price."""
NOTICED = 1.005
"""Less than half a per cent is written as nothing."""

JOULES_PER_KWH = 3.6e6
S_PER_HOUR = 3600.0

Predict = Callable[[], Prediction]


@dataclass(frozen=True)
class Candidate:
    """A machine with one part replaced, what that part costs, and the prediction for it.

    ``variants`` are the same machine with changes of the plan, of which the fastest counts.
    """

    kind: UpgradeKind
    name: Text
    predict: Predict
    price: float | None
    price_date: Text | None
    usd_per_hour: float | None = None
    """Of renting it, or something like it."""
    variants: tuple[tuple[dict[str, Any], Predict], ...] = ()
    power_w: float | None = None
    note: Text = Text()
    currency: str = "USD"
    price_source: Text = Text()
    says: Text = Text()
    """What the part is or is not enough for, found by arithmetic."""
    usable: bool = True
    label: Text = Text()
    """What it is, where the name is only what its seller calls it."""
    too_much: Predict | None = None
    """The same with a cache that has no room: what it would cost to try."""


def ram_sizes_bytes(total_bytes: int | None) -> tuple[int, ...]:
    """Sizes of RAM worth buying above what is there."""
    sizes = (16 * GIB, 32 * GIB, 64 * GIB, 128 * GIB, 256 * GIB)
    return tuple(s for s in sizes if s > 1.2 * (total_bytes or 0))


def compare(
    now: Prediction, candidates: Iterable[Candidate], electricity: Electricity | None = None
) -> tuple[Upgrade, ...]:
    """Every candidate as a row, best first.

    What fits stands before what does not, what gains before what does not, and then what costs least for each second
    that an epoch gets shorter (for each row that makes the workload fit: what costs least).
    """
    found = [_row(now, candidate, electricity) for candidate in candidates]
    rows = _at_the_floor([one for one in found if one is not None])
    rent = _cheapest_rent(rows)
    compared = [_against_renting(row, rent, electricity) for row in rows]
    return tuple(sorted(compared, key=lambda row: _rank(now, row)))


def break_even_hours(price: float | None, usd_per_hour: float | None) -> float | None:
    """Hours of renting that cost as much as buying."""
    if not price or not usd_per_hour:
        return None
    return price / usd_per_hour


def gain_limit(now: Prediction, kind: str) -> float | None:
    """Upper bound of the speed-up that a part of this kind can bring; None where nobody knows the step's stages."""
    parts: dict[str, Part] = {"gpu": "gpu", "cpu": "cpu", "disk": "disk", "ram": "ram"}
    if now.time.stages is None:
        return None
    return stage_limit(now.time.stages, parts[kind]) if kind in parts else UNBOUNDED


def _row(now: Prediction, candidate: Candidate, electricity: Electricity | None) -> tuple[Upgrade, Prediction] | None:
    """One candidate's row and its prediction, None if it cannot be predicted at all."""
    best = _best_of(candidate)
    if best is None:
        return None
    changes, after = best
    time, fit = after.time, after.fit
    ratio = time.epoch_s / time.step_s if time.epoch_s and time.step_s else None
    spread = [None if edge is None or not time.step_s else edge / time.step_s for edge in (time.low_s, time.high_s)]
    limit = gain_limit(now, candidate.kind)
    waits = limit is not None and limit < HARDLY and now.time.bound_by in ("input", "disk")
    energy = _energy_kwh(candidate.power_w, after)
    hourly = candidate.usd_per_hour if candidate.kind == "cloud" else None
    cached = cache_words(after.plan.cache, after.plan.cache_share) if changes else Text()
    with_cache = phrase(", with {cache}", cache=cached) if changes else ""
    why = _why(now, after, candidate.kind, limit, with_cache)
    says = join("; ", filter(None, (candidate.says, _swapping(now, candidate))))
    row = Upgrade(
        kind=candidate.kind,
        name=candidate.name,
        fits=None if fit.verdict == "unknown" else fit.verdict != "does_not_fit",
        max_batch_size=fit.max_batch_size,
        epoch_s=time.epoch_s,
        low_s=None if ratio is None or time.low_s is None else time.low_s * ratio,
        high_s=None if ratio is None or time.high_s is None else time.high_s * ratio,
        gain_limit=limit,
        price=candidate.price,
        currency=candidate.currency,
        price_date=candidate.price_date,
        break_even_hours=break_even_hours(candidate.price, candidate.usd_per_hour) if hourly is None else None,
        why=phrase("{why}; {says}", why=why, says=says) if says else verbatim(why),
        basis=basis_words(after),
        worth=_worth(now, after) and not (waits and now.fit.verdict != "does_not_fit"),
        total_s=time.total_s,
        total_low_s=None if time.total_s is None or spread[0] is None else time.total_s * spread[0],
        total_high_s=None if time.total_s is None or spread[1] is None else time.total_s * spread[1],
        cost=None if hourly is None or time.total_s is None else hourly * time.total_s / S_PER_HOUR,
        energy_kwh=energy,
        energy_cost=None if energy is None or electricity is None else energy * electricity.price,
        changes=changes,
        note=candidate.note,
        price_source=candidate.price_source,
        usable=candidate.usable,
        label=candidate.label,
        answer=why,
    )
    return row, after


def _at_the_floor(found: list[tuple[Upgrade, Prediction]]) -> list[Upgrade]:
    """The rows; cards that all take the same least time say what it is that no card shortens."""
    times = [row.epoch_s for row, _ in found if row.kind in DEVICES and row.epoch_s is not None]
    floor_s = SAME_TIME * min(times, default=0.0)
    if sum(epoch_s <= floor_s for epoch_s in times) < 2:
        return [row for row, _ in found]
    return [
        replace(row, why=join("; ", (row.why, _floor_words(after))))
        if row.kind in DEVICES and row.worth and row.epoch_s is not None and row.epoch_s <= floor_s
        else row
        for row, after in found
    ]


def _floor_words(after: Prediction) -> Text:
    """What several cards wait for alike."""
    stages = after.time.stages
    waits = stages is not None and stages.waiting_share >= 1 - WORTH_GAIN
    held = phrase("the data") if waits else phrase("the processor that starts its operations")
    return phrase("as quick as any card gets here: each step waits for {held}, which no card shortens", held=held)


def _best_of(candidate: Candidate) -> tuple[dict[str, Any], Prediction] | None:
    """The plan as it is, or with the change that makes the part worth most."""
    answers: list[tuple[dict[str, Any], Prediction]] = []
    for changes, predict in (({}, candidate.predict), *candidate.variants):
        try:
            answers.append((changes, predict()))
        except InvalidWorkload:
            continue

    def pace(answer: tuple[dict[str, Any], Prediction]) -> tuple[float, float]:
        found = answer[1]
        misfit = float(found.fit.verdict == "does_not_fit")
        return (misfit, found.time.epoch_s if found.time.epoch_s is not None else float("inf"))

    return min(answers, key=pace) if answers else None


def _swapping(now: Prediction, candidate: Candidate) -> Text:
    """What an epoch would take with a cache that has no room, in words; empty where there is room."""
    if candidate.too_much is None:
        return Text()
    before_s, after_s = now.time.epoch_s, candidate.too_much().time.epoch_s
    if before_s is None or after_s is None:
        return Text()
    slower = phrase("slower than now") if after_s > before_s else phrase("far from what a cache with room gains")
    return phrase("swapping, an epoch would take {after}, {slower}", after=format_seconds(after_s), slower=slower)


def _energy_kwh(power_w: float | None, after: Prediction) -> float | None:
    """What the card takes at most for a training: its board power while it computes."""
    time = after.time
    if power_w is None or time.total_s is None or time.stages is None:
        return None
    return power_w * (1 - time.stages.waiting_share) * time.total_s / JOULES_PER_KWH


def _worth(now: Prediction, after: Prediction) -> bool | None:
    """Does it make the workload fit, or an epoch notably shorter."""
    if after.fit.verdict == "does_not_fit":
        return False
    if now.fit.verdict == "does_not_fit":
        return True
    if now.time.epoch_s is None or after.time.epoch_s is None:
        return None
    return after.time.epoch_s <= WORTH_GAIN * now.time.epoch_s


def _why(now: Prediction, after: Prediction, kind: str, limit: float | None, with_cache: str) -> Text:
    """One sentence: what the part changes, or why it does not."""
    if now.fit.verdict == "does_not_fit" and after.fit.verdict in ("fits", "tight"):
        return phrase("the workload fits")
    if after.fit.verdict == "does_not_fit":
        return phrase("the workload does not fit")
    before_s, after_s = now.time.epoch_s, after.time.epoch_s
    least = HARDLY if now.time.bound_by in ("input", "disk") else 1 / WORTH_GAIN
    if limit is not None and limit < least:
        faster = {
            "gpu": phrase("a faster card"),
            "cpu": phrase("a faster processor"),
            "ram": phrase("more RAM"),
            "disk": phrase("a faster disk"),
        }[kind]
        held = WAITS_FOR.get(now.time.bound_by or "", phrase("the device"))
        words = {"waits_for": held, "faster": faster}
        if limit < NOTICED:
            return phrase("not worth it: each step waits for {waits_for}; {faster} changes nothing", **words)
        limited = format_number(limit, ".2f")
        return phrase(
            "not worth it: each step waits for {waits_for}; {faster} gains {limit} × at most", **words, limit=limited
        )
    if before_s is None or after_s is None:
        return phrase("how fast it would be is not known before a run") if kind == "cpu" else phrase("more room")
    gain = before_s / after_s
    if gain < 1 / WORTH_GAIN and gain > WORTH_GAIN:
        stage = now.time.stages
        told = stage if kind == "gpu" else None
        idle = (
            phrase(": the device is idle {waiting_share} of each step", waiting_share=format_share(told.waiting_share))
            if told
            else ""
        )
        return phrase("not worth it: no faster{idle}", idle=idle)
    digits = 1 if gain < 10 else 0
    return (
        phrase(
            "about {gain} times as fast as now{with_cache}",
            gain=format_number(gain, f".{digits}f"),
            with_cache=with_cache,
        )
        if gain > 1
        else phrase("slower than now")
    )


def _cheapest_rent(rows: Iterable[Upgrade]) -> Upgrade | None:
    """The offer that a training costs least on."""
    offers = [row for row in rows if row.kind == "cloud" and row.fits and row.cost is not None]
    return min(offers, key=lambda row: row.cost or 0.0, default=None)


def _against_renting(row: Upgrade, rent: Upgrade | None, electricity: Electricity | None) -> Upgrade:
    """A card beside the cheapest way to rent: hours and trainings after which buying has cost less."""
    if row.kind != "gpu" or row.price is None or rent is None or not row.fits:
        return row
    hours = row.break_even_hours or break_even_hours(row.price, rent.price)
    same = electricity is not None and electricity.currency == row.currency
    saved = (rent.cost or 0.0) - (row.energy_cost or 0.0 if same else 0.0)
    return replace(row, break_even_hours=hours, break_even_runs=row.price / saved if saved > 0 else None)


def _rank(now: Prediction, row: Upgrade) -> tuple[float, float, float]:
    """Fitting, then worth it and usable as it is sold, then cheap for what it saves."""
    misfit = {True: 0.0, None: 1.0, False: 2.0}[row.fits] + 0.5 * (not row.usable)
    price = row.price if row.price is not None else 1e9
    if row.kind == "cloud":
        price *= RENTED_HOURS
    if now.fit.verdict == "does_not_fit" or now.time.epoch_s is None or row.epoch_s is None:
        return (misfit, 0.0 if row.worth else 1.0, price)
    saved_s = now.time.epoch_s - row.epoch_s
    return (misfit, 0.0, price / saved_s) if row.worth and saved_s > 0 else (misfit, 1.0, price)
