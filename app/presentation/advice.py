"""Advice: what a change does, what hardware brings and costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.core.types.advice import Advice, Effect, Recommendation, Tried
from app.core.types.prediction import Prediction
from app.core.types.text import Text, join, phrase, sentence
from app.presentation.estimate import model_lines, verdict_lines
from app.presentation.figure import Figure, Mark, time_mark
from app.presentation.layout import BLANK, Block, Line, Points, Table, points
from app.presentation.upgrades import buying_blocks, gain_words
from app.presentation.words import LEGEND

WOULD_MATTER = phrase("What would have to be different for RAM, disk or card to matter")
SAME = 0.02
"""Memory or time that changes by less is not worth its words."""


@dataclass(frozen=True)
class Change:
    """A number before and after a recommendation, and whether that is better; None where it is much the same."""

    before: Figure
    after: Figure

    @property
    def better(self) -> bool | None:
        """Is less after than before."""
        before, after = self.before.amount, self.after.amount
        if before is None or after is None or abs(after - before) <= SAME * max(abs(before), 1e-12):
            return None
        return after < before


@dataclass(frozen=True)
class ChangeRow:
    """A recommendation as it is shown."""

    item: Recommendation
    memory: Change
    epoch: Change
    verified: str = ""
    """Outcome of the verifying run, if there was one."""

    @property
    def effect(self) -> Text:
        """What it does, for example ``memory 4.1 GiB → ~ 2.3 GiB``; empty if unknown or hardly anything."""
        words = []
        if self.memory.better is not None:
            before, after = self.memory.before, self.memory.after
            words.append(phrase("memory {before} → {after}", before=before.marked, after=after.marked))
        if self.epoch.better is not None:
            before, after = self.epoch.before, self.epoch.after
            text = phrase("epoch {before} → {after}", before=before.marked, after=after.marked)
            words.append(phrase("{text} ({range})", text=text, range=after.range) if after.range else text)
        return join(" · ", words)

    @property
    def gain(self) -> Text:
        """The most that a change of this kind can bring; empty where that says nothing."""
        return gain_words(self.item.gain_limit)


def change_rows(advice: Advice, mark: Mark, verified: Mapping[str, str] | None = None) -> tuple[ChangeRow, ...]:
    """The free changes, best first.

    Args:
        advice: What would be better.
        mark: Where the numbers come from that the advice starts with.
        verified: Outcomes of runs that verified recommendations, by their ids.
    """
    return tuple(_change(one, mark, (verified or {}).get(one.id, "")) for one in advice.recommendations)


def advice_blocks(prediction: Prediction, advice: Advice) -> tuple[Block, ...]:
    """All of an advice: the verdict, what to change, what to buy or rent."""
    return (
        *verdict_lines(prediction),
        BLANK,
        *model_lines(prediction.model, prediction.plan),
        *what_to_do(advice, time_mark(prediction.time.basis), prediction.plan.epochs),
        Line(LEGEND, "soft"),
    )


def what_to_do(advice: Advice, mark: Mark, epochs: int) -> tuple[Block, ...]:
    """What to change, what costs least first, then what to buy or rent."""
    changes = change_rows(advice, mark)
    lines = [Line(phrase("What to change, what costs least first"), "title")]
    lines += [Line(advice.waits, indent=1)] * bool(advice.waits)
    if not changes:
        nothing = advice.nothing_to_gain or phrase("the plan is good as it is")
        lines.append(Line(phrase("Nothing to gain: {nothing}.", nothing=nothing), indent=1))
    for number, one in enumerate(changes, start=1):
        lines += _change_lines(number, one)
    return (
        *lines,
        *tried_tables(advice, mark),
        *(buying_blocks(advice, epochs) if advice.upgrades else ()),
        *remarks(advice),
        BLANK,
        Line(phrase("The advice stands on {basis}.", basis=advice.basis), "soft"),
    )


def tried_tables(advice: Advice, mark: Mark) -> tuple[Table, ...]:
    """What was tried and why it does not help, and apart from it what would need less memory."""
    apart = [[one for one in advice.tried if one.smaller is smaller] for smaller in (False, True)]
    titles = phrase("What else was tried"), phrase("The way to a smaller memory, where it becomes short")
    return tuple(_tried_table(title, rows, mark) for title, rows in zip(titles, apart, strict=True) if rows)


def remarks(advice: Advice) -> tuple[Points, ...]:
    """What would have to be different for hardware to matter, and what to know besides."""
    matters = points(WOULD_MATTER, tuple(map(sentence, advice.would_matter)))
    return (*matters, *points(phrase("Please note"), advice.notes))


def _tried_table(title: Text, tried: Sequence[Tried], mark: Mark) -> Table:
    """Changes beside the plan as it is, which stands first."""
    columns = (phrase("Change"), phrase("Memory"), phrase("One epoch"), phrase("Why it does not help"))
    rows = [(_change(one.change, mark, ""), one) for one in tried]
    now = rows[0][0]
    first = (phrase("As it is"), _known(now.memory.before), _known(now.epoch.before), Text())
    others = (
        (row.item.title, _known(row.memory.after), _known(row.epoch.after), sentence(one.reason)) for row, one in rows
    )
    return Table(columns, (first, *others), (1, 2), title)


def _known(figure: Figure) -> Text:
    """A figure with its mark; nothing where it is not known."""
    return figure.marked if figure.known else Text()


def _change(one: Recommendation, mark: Mark, verified: str) -> ChangeRow:
    """A recommendation with its numbers, which a run may have verified."""
    after: Mark = "measured" if verified == "succeeded" else ("scaled" if mark != "predicted" else "predicted")

    def epoch(effect: Effect, its: Mark) -> Figure:
        return (
            Figure() if effect.epoch_s is None else Figure(effect.epoch_s, "seconds", its, effect.low_s, effect.high_s)
        )

    def memory(effect: Effect, its: Mark) -> Figure:
        return Figure() if effect.memory_bytes is None else Figure(effect.memory_bytes, "bytes", its)

    return ChangeRow(
        one,
        Change(memory(one.before, mark), memory(one.after, after)),
        Change(epoch(one.before, mark), epoch(one.after, after)),
        verified,
    )


def _change_lines(number: int, row: ChangeRow) -> list[Line]:
    """One step of the ladder."""
    one, effect = row.item, row.effect
    other = phrase("  (changes what is learnt)") if one.changes_result else Text()
    lines = [
        Line(phrase("{number}. {title}", number=number, title=one.title), "strong", other, 1),
        Line(one.why, indent=2),
    ]
    if row.gain and row.epoch.better is not None:
        effect = phrase("{effect} · nothing of this kind gains more than {limit}", effect=effect, limit=row.gain)
    lines += [Line(effect, indent=2)] * bool(effect)
    return lines + [Line(phrase("How: {how}", how=one.how), "soft", indent=2)] * bool(one.how)
