"""Which of a script's trainings an answer is about, and what is known of the others."""

from __future__ import annotations

import os

from app.core.types.captured import Captured, Training
from app.core.types.text import Text, join, phrase, plural, verbatim
from app.core.types.units import format_count, format_number, format_seconds

MOST_SHOWN = 8
"""So many trainings are shown, and the others counted."""


def training_lines(captured: Captured) -> list[Text]:
    """This training with its line, and the others as far as they were seen or stand in the source."""
    which = phrase("training {fit} of {of}", fit=str(captured.fit), of=str(captured.of))
    if captured.of_is == "source" and captured.of > 1:
        which = phrase("training {fit} of {of} in the source", fit=str(captured.fit), of=str(captured.of))
    place = _place(captured.file, captured.cell, captured.line)
    if place:  # a thread of a library's has none
        which = phrase("{which} ({place})", which=which, place=place)
    prepared = format_seconds(captured.prepared_s or 0.0)
    this = phrase("{which}, reached {prepared} after the script began", which=which, prepared=prepared)
    lines = [this, *_seen(captured)]
    if captured.of_is == "source":
        lines += _unseen(captured)
    return lines


def _seen(captured: Captured) -> list[Text]:
    """The other trainings that the script came to, those of one line together, and what they are in all."""
    others = [one for one in captured.trainings if one.fit != captured.fit]
    lines = [_words(one) for one in others[:MOST_SHOWN]]
    if len(others) > MOST_SHOWN:
        rest = len(others) - MOST_SHOWN
        lines.append(plural("and {n} more training", "and {n} more trainings", rest, n=str(rest)))
    count = len(captured.same_line)
    if count > 1:
        times = format_number(captured.trainings_like_this, ".3g")
        lines.append(
            phrase(
                "{count} trainings at this line, together {times} × this one: the total is their sum",
                count=str(count),
                times=times,
            )
        )
    return lines


def _unseen(captured: Captured) -> list[Text]:
    """What the source says of trainings that nothing has come to."""
    seen = {str(one.line) if one.cell is None else f"cell {one.cell}:{one.line}" for one in captured.trainings}
    others = [line for line in captured.other_lines if line not in seen]
    lines = []
    if others:
        lines.append(
            plural(
                "another training stands at line {lines}: --fit {next} answers for it",
                "other trainings stand at lines {lines}: --fit {next} answers for the next one",
                len(others),
                lines=", ".join(others[:MOST_SHOWN]),
                next=str((captured.fit or 0) + 1),
            )
        )
    if captured.in_loop:
        lines.append(phrase("the line stands in a loop: --count-fits counts how often it trains, and adds it up"))
    return lines


def _words(one: Training) -> Text:
    """One training in a line."""
    parts = [
        verbatim(one.optimizer or ""),
        phrase("batch {size}", size=format_count(float(one.batch_size))),
        phrase("{epochs} epochs", epochs=format_count(float(one.epochs))),
    ]
    return phrase(
        "training {fit} ({place}): {settings}",
        fit=str(one.fit),
        place=_place(one.file, one.cell, one.line),
        settings=join(", ", [part for part in parts if part]),
    )


def _place(file: str | None, cell: int | None, line: int | None) -> Text:
    """Where a training is called."""
    name = os.path.basename(file) if file else ""
    if cell is not None:
        return phrase("{file}, cell {cell}, line {line}", file=name, cell=str(cell), line=str(line))
    return verbatim(f"{name}:{line}" if name else "")
