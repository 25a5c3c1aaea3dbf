"""What people read of advice: the ladder of changes that cost nothing, then hardware to buy or rent."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from app.cli.text import list_text, model_text, plain_table, verdict_text
from app.core.advice import Advice, Effect, Recommendation, Upgrade
from app.core.prediction import Prediction
from app.core.units import format_bytes, format_seconds
from app.services.words import LEGEND, time_range

_KINDS = {"ram": "RAM", "disk": "Disk", "gpu": "GPU", "cpu": "CPU", "cloud": "Cloud"}
_FITS = {True: "fits", False: "does not fit", None: "cannot tell"}
SHOWN_UPGRADES = 12
UNBOUNDED_GAIN = 100


def advice_text(prediction: Prediction, advice: Advice) -> RenderableType:
    """All of an advice."""
    parts: list[RenderableType] = [verdict_text(prediction), Text(), model_text(prediction.model, prediction.plan)]
    parts += [Text(), Text("What to change, best first", style="bold")]
    if not advice.recommendations:
        parts.append(Text("  Nothing that would help: the plan is good as it is."))
    parts += [_recommendation(number, one) for number, one in enumerate(advice.recommendations, start=1)]
    if advice.upgrades:
        parts += [Text(), Text("What to buy or rent, best first", style="bold"), upgrade_table(advice.upgrades)]
        more = len(advice.upgrades) - SHOWN_UPGRADES
        parts += [Text(f"  … and {more} more with --json", style="dim")] if more > 0 else []
    parts += list_text("Please note", advice.notes)
    parts += [Text(), Text(f"Basis: {advice.basis}", style="dim"), Text(LEGEND, style="dim")]
    return Group(*parts)


def effect_words(before: Effect, after: Effect) -> str:
    """What a change does to memory and time, for example ``memory 4.1 GiB → 2.3 GiB``; empty if unknown."""
    words = []
    if before.memory_bytes is not None and after.memory_bytes is not None:
        words.append(f"memory {format_bytes(before.memory_bytes)} → {format_bytes(after.memory_bytes)}")
    if before.epoch_s is not None and after.epoch_s is not None:
        interval = f" ({time_range(after.low_s, after.high_s)})" if after.low_s is not None else ""
        words.append(f"epoch {format_seconds(before.epoch_s)} → {format_seconds(after.epoch_s)}{interval}")
    return " · ".join(words)


def upgrade_table(upgrades: tuple[Upgrade, ...]) -> RenderableType:
    """Hardware as comparable rows."""
    table = plain_table("Kind", "Name", "Fits", "Largest batch", "Epoch", "Gain at most", "Price",
                        numbers=("Largest batch", "Epoch", "Gain at most", "Price"))  # fmt: skip
    for one in upgrades[:SHOWN_UPGRADES]:
        epoch = "" if one.epoch_s is None else f"~ {format_seconds(one.epoch_s)}"
        table.add_row(
            _KINDS[one.kind],
            one.name if one.epoch_s is not None or not one.why else f"{one.name}\n{one.why}",
            _FITS[one.fits],
            "" if one.max_batch_size is None else f"{one.max_batch_size:,}",
            epoch,
            gain_words(one.gain_limit),
            price_words(one),
        )
    return table


def gain_words(gain_limit: float | None) -> str:
    """How much faster this part alone can make it at most; a bound that says nothing is left out."""
    if gain_limit is None or gain_limit >= UNBOUNDED_GAIN:
        return ""
    return f"{gain_limit:.1f} ×"


def price_words(upgrade: Upgrade) -> str:
    """A price with its date; an hour of a cloud machine says so."""
    if upgrade.price is None:
        return "not available"
    hourly = "/h" if upgrade.kind == "cloud" else ""
    dated = f" ({upgrade.price_date})" if upgrade.price_date else ""
    return f"{upgrade.price:,.2f} {upgrade.currency}{hourly}{dated}"


def _recommendation(number: int, one: Recommendation) -> RenderableType:
    """One step of the ladder."""
    title = Text(f"{number}. {one.title}", style="bold")
    if one.changes_result:
        title.append("  (changes what is learnt)", style="yellow")
    lines = [title, Text(one.why)]
    effect = effect_words(one.before, one.after)
    if effect:
        lines.append(Text(effect, style="cyan"))
    return Padding(Group(lines[0], Padding(Group(*lines[1:]), (0, 0, 0, 3))), (0, 0, 0, 2))
