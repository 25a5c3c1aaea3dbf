"""What people read of advice: what a step waits for, the ladder of changes, then hardware to buy or rent."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from app.cli.text import list_text, model_text, plain_table, verdict_text
from app.core.types.advice import Advice, Recommendation
from app.core.types.prediction import Prediction
from app.presentation.advice import (
    answers,
    effect_words,
    extras,
    gain_words,
    price_notes,
    shown,
    time_title,
    upgrade_rows,
)
from app.presentation.figure import MARKS, time_mark
from app.presentation.words import LEGEND

OWN_PRICES = "your own prices: a prices.csv or clouds.csv in the settings folder replaces ours row by row"


def advice_text(prediction: Prediction, advice: Advice) -> RenderableType:
    """All of an advice."""
    parts: list[RenderableType] = [verdict_text(prediction)]
    parts += [_indented(advice.waits)] if advice.waits else []
    parts += [Text(), model_text(prediction.model, prediction.plan)]
    parts += [Text(), Text("What to change, what costs least first", style="bold")]
    if not advice.recommendations:
        parts.append(_indented(f"Nothing to gain: {advice.nothing_to_gain or 'the plan is good as it is'}."))
    mark = MARKS[time_mark(prediction.time.basis)]
    parts += [_recommendation(number, one, mark) for number, one in enumerate(advice.recommendations, start=1)]
    if advice.upgrades:
        parts += _upgrades(advice, prediction.plan.epochs)
    parts += list_text("Please note", advice.notes)
    parts += [Text(), Text(f"Basis: {advice.basis}", style="dim"), Text(LEGEND, style="dim")]
    return Group(*parts)


def _upgrades(advice: Advice, epochs: int) -> list[RenderableType]:
    """Hardware: a table, the answer to each of its rows, and what to know of the prices."""
    parts: list[RenderableType] = [Text(), Text("What to buy or rent, best of each kind first", style="bold")]
    time = time_title(epochs)
    table = plain_table(
        "",
        "Kind",
        "Name",
        "Fits",
        "Batch",
        time,
        "Interval",
        "Price",
        "Pays off after",
        numbers=("", "Batch", time, "Price"),
    )
    for row in upgrade_rows(advice.upgrades, epochs):
        table.add_row(
            row.number, row.kind, row.name, row.fits, row.batch, row.time, row.interval, row.price, row.pays_off
        )
    parts += [table, Text(), *(_indented(answer) for answer in answers(advice.upgrades))]
    hidden = len(advice.upgrades) - len(shown(advice.upgrades))
    parts += [Text(f"  … and {hidden} more with --json", style="dim")] if hidden else []
    parts += list_text("* What else it takes", extras(advice.upgrades))
    parts += list_text("Prices", [*price_notes(advice), OWN_PRICES])
    return parts


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


def _indented(text: str) -> RenderableType:
    """A line below a heading."""
    return Padding(Text(text), (0, 0, 0, 2))
