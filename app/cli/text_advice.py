"""What people read of advice: what a step waits for, the ladder of changes, then hardware to buy or rent."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from app.cli.text import list_text, model_text, plain_table, verdict_text
from app.core.advice import Advice, Effect, Recommendation, Upgrade
from app.core.prediction import Prediction
from app.core.units import format_bytes, format_seconds
from app.services.advice_words import FITS, KINDS
from app.services.words import LEGEND, TIME_MARKS, time_range

SHOWN_OF_A_KIND = 3
UNBOUNDED_GAIN = 50
SAME = 0.02
"""Memory or time that changes by less is not worth its words."""


def advice_text(prediction: Prediction, advice: Advice) -> RenderableType:
    """All of an advice."""
    parts: list[RenderableType] = [verdict_text(prediction)]
    parts += [Padding(Text(advice.waits), (0, 0, 0, 2))] if advice.waits else []
    parts += [Text(), model_text(prediction.model, prediction.plan)]
    parts += [Text(), Text("What to change, what costs least first", style="bold")]
    if not advice.recommendations:
        parts.append(Padding(Text(f"Nothing to gain: {advice.nothing_to_gain or 'the plan is good as it is'}."),
                             (0, 0, 0, 2)))  # fmt: skip
    mark = TIME_MARKS[prediction.time.basis]
    parts += [_recommendation(number, one, mark) for number, one in enumerate(advice.recommendations, start=1)]
    if advice.upgrades:
        parts += [Text(), Text("What to buy or rent, best of each kind first", style="bold")]
        parts += [upgrade_table(advice.upgrades, prediction.plan.epochs), Text(), *answers_text(advice.upgrades)]
        hidden = len(advice.upgrades) - len(shown(advice.upgrades))
        parts += [Text(f"  … and {hidden} more with --json", style="dim")] if hidden else []
        kinds = {one.note: KINDS[one.kind] for one in reversed(shown(advice.upgrades)) if one.note}
        parts += list_text("* What else it takes", [f"{kind}: {note}" for note, kind in kinds.items()])
        parts += list_text("Prices", price_notes(advice))
    parts += list_text("Please note", advice.notes)
    parts += [Text(), Text(f"Basis: {advice.basis}", style="dim"), Text(LEGEND, style="dim")]
    return Group(*parts)


def effect_words(before: Effect, after: Effect, mark: str = "") -> str:
    """What a change does to memory and time, for example ``memory 4.1 GiB → 2.3 GiB``; empty if unknown."""
    words = []
    if before.memory_bytes and after.memory_bytes and _differs(before.memory_bytes, after.memory_bytes):
        words.append(f"memory {format_bytes(before.memory_bytes)} → {format_bytes(after.memory_bytes)}")
    if before.epoch_s and after.epoch_s and _differs(before.epoch_s, after.epoch_s):
        interval = f" ({time_range(after.low_s, after.high_s)})" if after.low_s is not None else ""
        first = f"{mark} {format_seconds(before.epoch_s)}".strip()
        words.append(f"epoch {first} → {format_seconds(after.epoch_s)}{interval}")
    return " · ".join(words)


def shown(upgrades: tuple[Upgrade, ...]) -> tuple[Upgrade, ...]:
    """The best rows of each kind, and the first of a kind that is not worth it: "RAM or GPU?" is always answered."""
    counted: dict[str, int] = {}
    rows = []
    for one in upgrades:
        counted[one.kind] = counted.get(one.kind, 0) + 1
        if counted[one.kind] <= (1 if one.worth is False else SHOWN_OF_A_KIND):
            rows.append(one)
    return tuple(rows)


def upgrade_table(upgrades: tuple[Upgrade, ...], epochs: int) -> RenderableType:
    """Hardware as comparable rows; the numbers are those of the answers below."""
    several = epochs > 1
    time = f"{epochs} epochs" if several else "Epoch"
    table = plain_table("", "Kind", "Name", "Fits", "Batch", time, "Interval", "Price", "Pays off after",
                        numbers=("", "Batch", time, "Price"))  # fmt: skip
    for number, one in enumerate(shown(upgrades), start=1):
        seconds = one.total_s if several else one.epoch_s
        ends = (one.total_low_s, one.total_high_s) if several else (one.low_s, one.high_s)
        table.add_row(
            str(number),
            KINDS[one.kind],
            one.name,
            FITS[one.fits],
            "" if one.max_batch_size is None else f"{one.max_batch_size:,}",
            "" if seconds is None else f"~ {format_seconds(seconds)}",
            "" if seconds is None or ends[0] is None else time_range(*ends),
            price_words(one),
            pays_off_words(one),
        )
    return table


def answers_text(upgrades: tuple[Upgrade, ...]) -> list[RenderableType]:
    """The answer to each row in a sentence; rows with the same answer share it."""
    numbers: dict[str, list[str]] = {}
    for number, one in enumerate(shown(upgrades), start=1):
        numbers.setdefault(answer_words(one), []).append(str(number))
    lines = [f"{', '.join(rows)}: {answer}" for answer, rows in numbers.items()]
    return [Padding(Text(line), (0, 0, 0, 2)) for line in lines]


def answer_words(one: Upgrade) -> str:
    """Why it is worth its price or not; a star where it takes something else besides."""
    limit = gain_words(one.gain_limit)
    bound = f"; at most {limit}" if limit and "not worth it" not in one.why and one.epoch_s is not None else ""
    energy = "" if one.energy_kwh is None or one.energy_kwh < 0.1 else f"; up to {one.energy_kwh:.1f} kWh"
    return f"{one.why}{bound}{energy}" + (" *" if one.note else "")


def gain_words(gain_limit: float | None) -> str:
    """How much faster this part alone can make it at most; a bound that says nothing is left out."""
    if gain_limit is None or gain_limit >= UNBOUNDED_GAIN:
        return ""
    digits = 2 if gain_limit < 2 else 1 if gain_limit < 10 else 0
    return f"{gain_limit:.{digits}f} ×"


def price_words(upgrade: Upgrade) -> str:
    """A price; an hour of a cloud machine says so, with what a training costs."""
    if upgrade.price is None:
        return "not available"
    if upgrade.kind != "cloud":
        return f"{upgrade.price:,.0f} {upgrade.currency}"
    run = "" if upgrade.cost is None or upgrade.cost < 0.01 else f"\n{upgrade.cost:,.2f} a training"
    return f"{upgrade.price:,.2f} {upgrade.currency}/h{run}"


def pays_off_words(upgrade: Upgrade) -> str:
    """Hours of renting, and trainings, that cost as much as buying."""
    if upgrade.break_even_hours is None or not upgrade.worth:
        return ""
    runs = upgrade.break_even_runs
    return f"{upgrade.break_even_hours:,.0f} h rented" + ("" if runs is None else f"\n{runs:,.0f} trainings")


def price_notes(advice: Advice) -> tuple[str, ...]:
    """From when the prices are, and what electricity was counted with."""
    dates: dict[str, list[str]] = {}
    for one in shown(advice.upgrades):
        if one.price_date:
            dates.setdefault(one.price_date, []).append(KINDS[one.kind])
    words = [f"{', '.join(dict.fromkeys(kinds))}: {date}" for date, kinds in dates.items()]
    power = advice.electricity
    if power is not None:
        since = f", {power.price_date}" if power.price_date else ""
        words.append(f"electricity: {power.price:.2f} {power.currency}/kWh ({power.name}{since})")
    return (*words, "your own prices: a prices.csv or clouds.csv in the settings folder replaces ours row by row")


def _recommendation(number: int, one: Recommendation, mark: str) -> RenderableType:
    """One step of the ladder."""
    title = Text(f"{number}. {one.title}", style="bold")
    if one.changes_result:
        title.append("  (changes what is learnt)", style="yellow")
    lines = [title, Text(one.why)]
    effect = effect_words(one.before, one.after, mark)
    limit = gain_words(one.gain_limit)
    if effect:
        bound = f" · nothing of this kind gains more than {limit}" if limit and "epoch" in effect else ""
        lines.append(Text(effect + bound, style="cyan"))
    if one.how:
        lines.append(Text(f"How: {one.how}", style="dim"))
    return Padding(Group(lines[0], Padding(Group(*lines[1:]), (0, 0, 0, 3))), (0, 0, 0, 2))


def _differs(one: float, other: float) -> bool:
    """Is the difference worth words."""
    return abs(one - other) > SAME * one
