"""Advice in a few words, for a report: what a change does, what hardware brings and costs."""

from __future__ import annotations

from app.core.advice import Advice, Effect, Upgrade
from app.core.units import format_bytes, format_seconds
from app.services.words import MARK_PREDICTED, time_range

KINDS = {"ram": "RAM", "disk": "Disk", "gpu": "GPU", "cpu": "CPU", "cloud": "Cloud"}
FITS = {True: "fits", False: "does not fit", None: "cannot tell"}
SHOWN_UPGRADES = 10


def recommendation_rows(advice: Advice) -> tuple[tuple[str, str, str], ...]:
    """Title, reason and effect of each free change, best first."""
    return tuple(
        (one.title + (" (changes what is learnt)" if one.changes_result else ""), one.why,
         effect_words(one.before, one.after))
        for one in advice.recommendations
    )  # fmt: skip


def upgrade_rows(advice: Advice) -> tuple[tuple[str, ...], ...]:
    """Kind, name, fits, largest batch, epoch, price and its date of the best hardware."""
    return tuple(
        (
            KINDS[one.kind],
            one.name,
            FITS[one.fits],
            "" if one.max_batch_size is None else f"{one.max_batch_size:,}",
            "" if one.epoch_s is None else f"{MARK_PREDICTED} {format_seconds(one.epoch_s)}",
            price_words(one),
            one.price_date or "",
        )
        for one in advice.upgrades[:SHOWN_UPGRADES]
    )


def effect_words(before: Effect, after: Effect) -> str:
    """What a change does, for example ``memory 4.1 GiB → ~ 2.3 GiB``; empty if unknown."""
    words = []
    if before.memory_bytes is not None and after.memory_bytes is not None:
        becomes = f"{MARK_PREDICTED} {format_bytes(after.memory_bytes)}"
        words.append(f"memory {format_bytes(before.memory_bytes)} → {becomes}")
    if before.epoch_s is not None and after.epoch_s is not None:
        interval = f" ({time_range(after.low_s, after.high_s)})" if after.low_s is not None else ""
        becomes = f"{MARK_PREDICTED} {format_seconds(after.epoch_s)}{interval}"
        words.append(f"epoch {format_seconds(before.epoch_s)} → {becomes}")
    return ", ".join(words)


def price_words(upgrade: Upgrade) -> str:
    """A price; an hour of a cloud machine says so."""
    if upgrade.price is None:
        return "not available"
    return f"{upgrade.price:,.2f} {upgrade.currency}" + (" per hour" if upgrade.kind == "cloud" else "")
