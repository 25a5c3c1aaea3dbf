"""Hardware to buy or rent: what it brings, what it costs, and whether it is worth that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.core.types.advice import Advice, Upgrade, UpgradeKind
from app.core.types.text import Text, join, phrase, sentence
from app.core.types.units import format_count, format_number
from app.presentation.figure import Figure, Mark
from app.presentation.layout import BLANK, Block, Line, Table, points
from app.presentation.words import KINDS

FITS = {True: phrase("fits"), False: phrase("does not fit"), None: phrase("cannot tell")}

SHOWN_OF_A_KIND = 3
UNBOUNDED_GAIN = 50
OWN_PRICES = phrase("your own prices: a prices.csv or clouds.csv in the settings folder replaces ours row by row")


@dataclass(frozen=True)
class UpgradeRow:
    """Hardware in a table: its texts, and what it is made of."""

    number: int
    """Its place in the advice, best first."""
    item: Upgrade

    @property
    def kind(self) -> str:
        """What is bought or rented."""
        return KINDS[self.item.kind]

    @property
    def fits(self) -> Text:
        """Does the training fit."""
        return FITS[self.item.fits]

    @property
    def epoch(self) -> Figure:
        """One epoch with it."""
        return Figure(self.item.epoch_s, "seconds", _mark_of(self.item.epoch_s), self.item.low_s, self.item.high_s)

    @property
    def total(self) -> Figure:
        """All epochs of the plan with it."""
        one = self.item
        return Figure(one.total_s, "seconds", _mark_of(one.total_s), one.total_low_s, one.total_high_s)

    @property
    def batch(self) -> Text:
        """The largest batch that fits."""
        return Text() if self.item.max_batch_size is None else format_count(self.item.max_batch_size)

    @property
    def energy(self) -> Text:
        """What one training takes at most."""
        energy = self.item.energy_kwh
        return Text() if energy is None else phrase("{energy} kWh", energy=format_number(energy, ".2g"))

    @property
    def spend(self) -> float | None:
        """What has to be paid: for the part, or for one training on what is rented."""
        return self.item.price if self.item.cost is None else self.item.cost


QUESTION = phrase("RAM, disk, another card, or rent?")
ASKED: tuple[UpgradeKind, ...] = ("ram", "disk", "gpu", "cloud")
"""What the question is about, in its order."""


def best_rows(upgrades: Sequence[Upgrade]) -> tuple[UpgradeRow, ...]:
    """The best of each kind that is asked about: the answer before any table."""
    rows = [UpgradeRow(number, one) for number, one in enumerate(upgrades, start=1)]
    firsts = (next((row for row in rows if row.item.kind == kind), None) for kind in ASKED)
    return tuple(row for row in firsts if row is not None)


def best_words(row: UpgradeRow) -> Text:
    """What the best of a kind gains, costs and when it has paid off, in a sentence."""
    one = row.item
    pays = phrase("pays off after {time}", time=pays_off_words(one)) if pays_off_words(one) else Text()
    price = dated_price(one) if one.price is not None else Text()
    return sentence(join("; ", filter(None, (one.answer or one.why, price, pays))), ".")


def buying_blocks(advice: Advice, epochs: int) -> tuple[Block, ...]:
    """Hardware: a table, the answer to each of its rows, and what to know of the prices."""
    hidden = len(advice.upgrades) - len(shown(advice.upgrades))
    more = phrase("… and {hidden} more with --json", hidden=format_count(hidden))
    best = [
        phrase("{kind}: {name}. {answer}", kind=row.kind, name=row.item.shown, answer=best_words(row))
        for row in best_rows(advice.upgrades)
    ]
    return (
        *points(QUESTION, best),
        upgrade_table(advice.upgrades, epochs),
        BLANK,
        *(Line(answer, indent=1) for answer in answers(advice.upgrades)),
        *([Line(more, "soft", indent=1)] if hidden else []),
        *points(phrase("* What else it takes"), extras(advice.upgrades)),
        *points(phrase("Prices"), (*price_notes(advice), OWN_PRICES)),
    )


def upgrade_table(upgrades: tuple[Upgrade, ...], epochs: int) -> Table:
    """The best hardware of each kind, with the time of the whole training if that is several epochs."""
    time = phrase("{epochs} epochs", epochs=format_count(epochs)) if epochs > 1 else phrase("Epoch")
    columns = ["", phrase("Kind"), phrase("Name"), phrase("Fits"), phrase("Batch"), time]
    columns += [phrase("Interval"), phrase("Price"), phrase("As of"), phrase("Pays off after")]
    rows = tuple(_upgrade(UpgradeRow(number, one), epochs > 1) for number, one in enumerate(shown(upgrades), start=1))
    title = phrase("What to buy or rent, best of each kind first")
    return Table(tuple(columns), rows, (0, 4, 5, 7), title, spare=(6, 9, 4, 1))


def shown(upgrades: tuple[Upgrade, ...]) -> tuple[Upgrade, ...]:
    """The best rows of each kind, and the first of a kind that is not worth it: "RAM or GPU?" is always answered."""
    counted: dict[str, int] = {}
    rows = []
    for one in upgrades:
        counted[one.kind] = counted.get(one.kind, 0) + 1
        if counted[one.kind] <= (1 if one.worth is False else SHOWN_OF_A_KIND):
            rows.append(one)
    return tuple(rows)


def _upgrade(row: UpgradeRow, several: bool) -> tuple[str, ...]:
    """One part or offer as texts."""
    one, time = row.item, row.total if several else row.epoch
    told = (time.marked, time.range) if time.known else ("", "")
    price = (price_words(one), one.price_date or "", pays_off_words(one))
    return (str(row.number), row.kind, one.shown, row.fits, row.batch, *told, *price)


def answers(upgrades: tuple[Upgrade, ...]) -> tuple[Text, ...]:
    """The answer to each row of `upgrade_table` in a sentence, after its number; rows with the same answer share it."""
    numbers: dict[Text, list[str]] = {}
    for number, one in enumerate(shown(upgrades), start=1):
        numbers.setdefault(answer_words(one), []).append(str(number))
    told = ((", ".join(rows), answer) for answer, rows in numbers.items() if answer)
    return tuple(join(": ", (rows, answer)) for rows, answer in told)


def answer_words(one: Upgrade) -> Text:
    """Why it is worth its price or not; a star where it takes something else besides."""
    limit, words = gain_words(one.gain_limit), [one.why]
    if limit and "not worth it" not in one.why and one.epoch_s is not None:
        words.append(phrase("at most {limit}", limit=limit))
    if one.energy_kwh is not None and one.energy_kwh >= 0.1:
        words.append(phrase("up to {energy_kwh} kWh", energy_kwh=format_number(one.energy_kwh, ".1f")))
    return join("", (join("; ", filter(None, words)), " *" if one.note else ""))


def extras(upgrades: tuple[Upgrade, ...]) -> tuple[Text, ...]:
    """What the rows with a star take besides, each said once."""
    kinds = {one.note: KINDS[one.kind] for one in reversed(shown(upgrades)) if one.note}
    return tuple(join(": ", (kind, note)) for note, kind in kinds.items())


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
    return join(", ", (hour, *run))


def dated_price(upgrade: Upgrade) -> Text:
    """A price and when it was asked for; that of a launch day says so."""
    if upgrade.price is None or not upgrade.price_date:
        return price_words(upgrade)
    return phrase("{price}, as of {date}", price=price_words(upgrade), date=upgrade.price_date)


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
        else [phrase("{break_even_runs} trainings", break_even_runs=_about(upgrade.break_even_runs))]
    )
    hours = phrase("{break_even_hours} h rented", break_even_hours=_about(upgrade.break_even_hours))
    return join(", ", (hours, *runs))


def _about(count: float) -> Text:
    """A count in two figures: nobody knows prices and times to a single training."""
    return format_number(float(f"{count:.2g}"), ",.0f")


def price_notes(advice: Advice) -> tuple[Text, ...]:
    """From when the prices are, and what electricity was counted with."""
    dates: dict[Text, dict[str, None]] = {}
    for one in shown(advice.upgrades):
        if one.price_date:
            dates.setdefault(one.price_date, {})[KINDS[one.kind]] = None
    told = [join(": ", (join(", ", kinds), date)) for date, kinds in dates.items()]
    power = advice.electricity
    if power is not None:
        source = join(", ", filter(None, (power.name, power.price_date)))
        price = _money(power.price, ".2f", f"{power.currency}/kWh")
        told.append(phrase("electricity: {price} ({source})", price=price, source=source))
    return tuple(told)


def _mark_of(amount: float | None) -> Mark:
    """What hardware brings is predicted, or not known."""
    return "none" if amount is None else "predicted"
