"""Hardware to buy or rent, answered for the same workload on one axis: fits, time, price.

A faster part can only shorten what the step spends on it (Amdahl): the gain's upper bound is stated
beside every row, and "it waits for something else" is an answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from app.core.advice import Upgrade
from app.core.errors import InvalidWorkload
from app.core.prediction import Prediction
from app.core.units import GIB

MAX_GAIN = 100.0
"""A bound above this says only "the other part is negligible"."""

RENTED_HOURS = 200.0
"""What renting is compared by: 200 hours of training, a few weeks of evenings."""

WORTH_GAIN = 0.95
"""An upgrade is worth its price only if an epoch takes at most 95 % of the time."""


@dataclass(frozen=True)
class Candidate:
    """A machine with one part replaced, what that part costs, and the prediction for it."""

    kind: str
    name: str
    predict: Callable[[], Prediction]
    price: float | None
    price_date: str | None
    usd_per_hour: float | None = None


def ram_sizes_bytes(total_bytes: int | None) -> tuple[int, ...]:
    """Sizes of RAM worth buying above what is there."""
    sizes = (16 * GIB, 32 * GIB, 64 * GIB, 128 * GIB, 256 * GIB)
    return tuple(s for s in sizes if s > 1.2 * (total_bytes or 0))


def compare(now: Prediction, candidates: Iterable[Candidate]) -> tuple[Upgrade, ...]:
    """Every candidate as a row, best first.

    What fits stands before what does not, what gains before what does not, and then what costs least
    for each second that an epoch gets shorter (for each row that makes the workload fit: what costs least).
    """
    rows = []
    for candidate in candidates:
        try:
            after = candidate.predict()
        except InvalidWorkload:
            continue
        rows.append(_row(now, candidate, after))
    return tuple(sorted(rows, key=lambda row: _rank(now, row)))


def break_even_hours(price: float | None, usd_per_hour: float | None) -> float | None:
    """Hours of renting that cost as much as buying."""
    if not price or not usd_per_hour:
        return None
    return price / usd_per_hour


def gain_limit(now: Prediction, kind: str) -> float | None:
    """Upper bound of the speed-up that a part of this kind can bring: 1 / (share that it does not touch)."""
    step_s, parts = now.time.step_s, now.time.parts
    if step_s is None or parts is None:
        return None
    device_s = parts.compute_s + parts.memory_s + parts.overhead_s
    input_s = max(parts.input_s or 0.0, parts.disk_s or 0.0)
    untouched = {"gpu": input_s, "cpu": device_s, "disk": max(device_s, parts.input_s or 0.0), "ram": device_s}
    rest = untouched.get(kind, 0.0)
    return min(MAX_GAIN, step_s / rest) if rest > 0 else MAX_GAIN


def _row(now: Prediction, candidate: Candidate, after: Prediction) -> Upgrade:
    """One candidate's row."""
    time, fit = after.time, after.fit
    steps = time.epoch_s / time.step_s if time.epoch_s and time.step_s else None
    fits = None if fit.verdict == "unknown" else fit.verdict != "does_not_fit"
    limit = gain_limit(now, candidate.kind)
    return Upgrade(
        kind=candidate.kind,  # type: ignore[arg-type]
        name=candidate.name,
        fits=fits,
        max_batch_size=fit.max_batch_size,
        epoch_s=time.epoch_s,
        low_s=None if steps is None or time.low_s is None else time.low_s * steps,
        high_s=None if steps is None or time.high_s is None else time.high_s * steps,
        gain_limit=limit,
        price=candidate.price,
        price_date=candidate.price_date,
        break_even_hours=break_even_hours(candidate.price, candidate.usd_per_hour),
        why=_why(now, after, candidate.kind, limit),
        basis=f"{after.memory.basis} memory, {time.basis} time",
    )


def _why(now: Prediction, after: Prediction, kind: str, limit: float | None) -> str:
    """One sentence: what the part changes, or why it does not."""
    if now.fit.verdict == "does_not_fit" and after.fit.verdict in ("fits", "tight"):
        return "the workload fits"
    if after.fit.verdict == "does_not_fit":
        return "the workload does not fit"
    if limit is not None and limit < 1.05:
        waits = {"input": "its data to be decoded", "disk": "the disk"}.get(now.time.bound_by or "", "the device")
        return f"not worth it: each step waits for {waits}"
    if now.time.epoch_s and after.time.epoch_s and kind in ("gpu", "cloud"):
        ratio = now.time.epoch_s / after.time.epoch_s
        return f"about {ratio:.1f} times as fast as now" if ratio >= 1 else "slower than now"
    return "more room"


def _rank(now: Prediction, row: Upgrade) -> tuple[float, float, float]:
    """Fitting, then worth it, then cheap for what it saves."""
    misfit = {True: 0.0, None: 1.0, False: 2.0}[row.fits]
    price = row.price if row.price is not None else 1e9
    if row.kind == "cloud":
        price *= RENTED_HOURS
    if now.fit.verdict == "does_not_fit" or now.time.epoch_s is None or row.epoch_s is None:
        return (misfit, 0.0, price)
    saved_s = now.time.epoch_s - row.epoch_s
    worth = row.epoch_s <= WORTH_GAIN * now.time.epoch_s
    return (misfit, 0.0 if worth else 1.0, price / saved_s if worth else price)
