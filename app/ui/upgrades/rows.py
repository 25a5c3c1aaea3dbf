"""An upgrade as a row of the table: its texts, what it is sorted by and what is said below it."""

from __future__ import annotations

from app.core.types.advice import Upgrade
from app.core.types.units import NOT_AVAILABLE
from app.presentation.upgrades import UpgradeRow, answer_words, dated_price, pays_off_words, price_words
from app.ui.kit.basics import sentence
from app.ui.kit.quantities import interval_text, written
from app.ui.kit.speech import said, tr

LAST = float("inf")
"""Where a row without a value stands when its column is sorted."""


def cells(row: UpgradeRow) -> tuple[str, ...]:
    """One row as texts."""
    one = row.item
    return (
        one.shown,
        row.kind,
        row.fits,
        row.batch,
        row.epoch.marked,
        row.total.marked,
        price_words(one),
        one.price_date or NOT_AVAILABLE,
        row.energy,
        pays_off_words(one),
        interval_text(row.epoch),
    )


def sorted_by(column: int, one: Upgrade) -> float | str:
    """What a column of the table is sorted by; what is not known comes last."""
    known = {True: 0.0, None: 1.0, False: 2.0}
    numbers = (one.epoch_s, one.total_s, one.price, one.energy_kwh, one.break_even_hours, one.high_s)
    epoch, total, price, energy, hours, high = (LAST if value is None else value for value in numbers)
    batch = LAST if one.max_batch_size is None else -one.max_batch_size
    date = one.price_date or ""
    name = said(one.shown).lower()
    return (name, one.kind, known[one.fits], batch, epoch, total, price, date, energy, hours, high)[column]


def answer_lines(row: UpgradeRow) -> list[str]:
    """Why a row helps or not, what a narrow table leaves out, and what its seller calls it."""
    one, parts = row.item, []
    if interval_text(row.epoch):
        text = tr("One epoch: {time} ({interval}).")
        parts.append(text.format(time=written(row.epoch), interval=interval_text(row.epoch)))
    if one.price is not None and one.price_date:
        parts.append(f"{said(dated_price(one))}.")
    if row.total.known:
        parts.append(tr("All epochs: {time}.").format(time=said(row.total.marked)))
    if row.batch:
        parts.append(tr("Largest batch: {batch}.").format(batch=said(row.batch)))
    if row.energy:
        parts.append(tr("Energy of the card: at most {energy}.").format(energy=said(row.energy)))
    if pays_off := pays_off_words(one):
        parts.append(tr("Pays off after {time}.").format(time=said(pays_off)))
    if one.label:
        parts.append(tr("Its seller calls it {name}.").format(name=said(one.name)))
    told = (sentence(answer_words(one)), " ".join(parts), sentence(one.note), sentence(one.basis))
    return list(filter(None, told))
