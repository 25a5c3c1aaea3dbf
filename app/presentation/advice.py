"""Advice in words and rows, the same for the command line and for reports: what a change does, what hardware brings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app.core.types.advice import Advice, Effect, Upgrade
from app.core.types.text import Text, join, phrase
from app.core.types.units import format_bytes, format_number, format_seconds
from app.presentation.figure import Figure
from app.presentation.words import MARK_PREDICTED

Say = Callable[[str], str]
"""Says a text in a language; a plain string stays."""

KINDS = {"ram": "RAM", "disk": phrase("Disk"), "gpu": "GPU", "cpu": "CPU", "cloud": phrase("Cloud")}
FITS = {True: phrase("fits"), False: phrase("does not fit"), None: phrase("cannot tell")}

SHOWN_OF_A_KIND = 3
UNBOUNDED_GAIN = 50
SAME = 0.02
"""Memory or time that changes by less is not worth its words."""


@dataclass(frozen=True)
class UpgradeRow:
    """Hardware in a table; every cell is a text, empty where nothing is known or nothing is to be said."""

    number: str
    kind: str
    name: str
    fits: str
    batch: str
    time: str
    interval: str
    price: str
    pays_off: str
    date: str


def effect_words(before: Effect, after: Effect, mark: str = "") -> Text:
    """What a change does, for example ``memory 4.1 GiB → ~ 2.3 GiB``; empty if unknown or hardly anything.

    Args:
        before: As the plan is.
        after: With the change.
        mark: Says where the time before comes from.
    """
    words = []
    if before.memory_bytes and after.memory_bytes and _differs(before.memory_bytes, after.memory_bytes):
        words.append(
            phrase(
                "memory {memory} → {mark_predicted} {memory2}",
                memory=format_bytes(before.memory_bytes),
                mark_predicted=MARK_PREDICTED,
                memory2=format_bytes(after.memory_bytes),
            )
        )
    if before.epoch_s and after.epoch_s and _differs(before.epoch_s, after.epoch_s):
        first = join(" ", filter(None, (mark, format_seconds(before.epoch_s))))
        becomes = join(" ", (MARK_PREDICTED, format_seconds(after.epoch_s)))
        if after.low_s is None:
            words.append(phrase("epoch {first} → {becomes}", first=first, becomes=becomes))
        else:
            words.append(
                phrase(
                    "epoch {first} → {becomes} ({low} to {high})",
                    first=first,
                    becomes=becomes,
                    low=format_seconds(after.low_s),
                    high=format_seconds(after.high_s),
                )
            )
    return join(" · ", words)


def recommendation_rows(advice: Advice, mark: str = "") -> tuple[tuple[str, str, str], ...]:
    """Title, reason and effect of each free change, best first."""
    return tuple(
        (
            phrase("{title} (changes what is learnt)", title=one.title) if one.changes_result else one.title,
            one.why,
            effect_words(one.before, one.after, mark),
        )
        for one in advice.recommendations
    )


def shown(upgrades: tuple[Upgrade, ...]) -> tuple[Upgrade, ...]:
    """The best rows of each kind, and the first of a kind that is not worth it: "RAM or GPU?" is always answered."""
    counted: dict[str, int] = {}
    rows = []
    for one in upgrades:
        counted[one.kind] = counted.get(one.kind, 0) + 1
        if counted[one.kind] <= (1 if one.worth is False else SHOWN_OF_A_KIND):
            rows.append(one)
    return tuple(rows)


def time_title(epochs: int) -> Text:
    """What the times of `upgrade_rows` are of."""
    return phrase("{epochs} epochs", epochs=format_number(epochs, ",")) if epochs > 1 else phrase("Epoch")


def upgrade_rows(upgrades: tuple[Upgrade, ...], epochs: int) -> tuple[UpgradeRow, ...]:
    """Hardware as comparable rows, with the time of the whole training if that is several epochs."""
    return tuple(_row(str(number), one, epochs > 1) for number, one in enumerate(shown(upgrades), start=1))


def _row(number: str, one: Upgrade, several: bool) -> UpgradeRow:
    """One part or offer."""
    seconds = one.total_s if several else one.epoch_s
    ends = (one.total_low_s, one.total_high_s) if several else (one.low_s, one.high_s)
    time = Figure(seconds, "seconds", "predicted", *ends)
    return UpgradeRow(
        number,
        KINDS[one.kind],
        one.name,
        FITS[one.fits],
        "" if one.max_batch_size is None else format_number(one.max_batch_size, ","),
        time.marked if time.known else "",
        time.range if time.known else "",
        price_words(one),
        pays_off_words(one),
        one.price_date or "",
    )


def answers(upgrades: tuple[Upgrade, ...], say: Say = str) -> tuple[str, ...]:
    """The answer to each row of `upgrade_rows` in a sentence, after its number; rows with the same answer share it."""
    numbers: dict[str, list[str]] = {}
    for number, one in enumerate(shown(upgrades), start=1):
        numbers.setdefault(answer_words(one, say), []).append(str(number))
    return tuple(f"{', '.join(rows)}: {answer}" for answer, rows in numbers.items() if answer)


def answer_words(one: Upgrade, say: Say = str) -> str:
    """Why it is worth its price or not; a star where it takes something else besides."""
    limit, words = gain_words(one.gain_limit), [one.why]
    if limit and "not worth it" not in one.why and one.epoch_s is not None:
        words.append(phrase("at most {limit}", limit=limit))
    if one.energy_kwh is not None and one.energy_kwh >= 0.1:
        words.append(phrase("up to {energy_kwh} kWh", energy_kwh=format_number(one.energy_kwh, ".1f")))
    return "; ".join(map(say, words)) + (" *" if one.note else "")


def extras(upgrades: tuple[Upgrade, ...], say: Say = str) -> tuple[str, ...]:
    """What the rows with a star take besides, each said once."""
    kinds = {one.note: KINDS[one.kind] for one in reversed(shown(upgrades)) if one.note}
    return tuple(f"{say(kind)}: {say(note)}" for note, kind in kinds.items())


def gain_words(gain_limit: float | None) -> Text:
    """How much faster this part alone can make it at most; a bound that says nothing is left out."""
    if gain_limit is None or gain_limit >= UNBOUNDED_GAIN:
        return Text()
    digits = 2 if gain_limit < 2 else 1 if gain_limit < 10 else 0
    return phrase("{factor} ×", factor=format_number(gain_limit, f".{digits}f"))


def price_words(upgrade: Upgrade) -> Text:
    """A price; an hour of a cloud machine says so, with what a training costs."""
    if upgrade.price is None:
        return phrase("not available")
    if upgrade.kind != "cloud":
        return _money(upgrade.price, ",.0f", upgrade.currency)
    hour = _money(upgrade.price, ",.2f", f"{upgrade.currency}/h")
    run = (
        []
        if upgrade.cost is None or upgrade.cost < 0.01
        else [phrase("{cost} a training", cost=format_number(upgrade.cost, ",.2f"))]
    )
    return join("\n", (hour, *run))


def _money(price: float, form: str, currency: str) -> Text:
    """An amount of money and its currency, which may be one per hour."""
    return phrase("{price} {currency}", price=format_number(price, form), currency=currency)


def pays_off_words(upgrade: Upgrade) -> Text:
    """Hours of renting, and trainings, that cost as much as buying."""
    if upgrade.break_even_hours is None or not upgrade.worth:
        return Text()
    runs = (
        []
        if upgrade.break_even_runs is None
        else [phrase("{break_even_runs} trainings", break_even_runs=format_number(upgrade.break_even_runs, ",.0f"))]
    )
    return join(
        "\n",
        (
            phrase("{break_even_hours} h rented", break_even_hours=format_number(upgrade.break_even_hours, ",.0f")),
            *runs,
        ),
    )


def price_notes(advice: Advice, say: Say = str) -> tuple[str, ...]:
    """From when the prices are, and what electricity was counted with."""
    dates: dict[str, list[str]] = {}
    for one in shown(advice.upgrades):
        if one.price_date:
            dates.setdefault(say(one.price_date), []).append(say(KINDS[one.kind]))
    words = [f"{', '.join(dict.fromkeys(kinds))}: {date}" for date, kinds in dates.items()]
    power = advice.electricity
    if power is not None:
        source = ", ".join(say(text) for text in (power.name, power.price_date) if text)
        price = _money(power.price, ".2f", f"{power.currency}/kWh")
        words.append(f"{say(phrase('electricity'))}: {say(price)} ({source})")
    return tuple(words)


def _differs(one: float, other: float) -> bool:
    """Is the difference worth words."""
    return abs(one - other) > SAME * one
