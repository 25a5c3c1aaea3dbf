"""The whole of a training: a row for each phase, what it comes to, and what grows in it."""

from __future__ import annotations

from dataclasses import dataclass

from app.core.predict.whole import chance_by
from app.core.types.basis import Range
from app.core.types.prediction import Prediction
from app.core.types.run import Run
from app.core.types.text import Text, join, phrase
from app.core.types.units import format_bytes, format_count, format_seconds, format_share
from app.core.types.whole import Growth, MeasuredWhole, PhaseKind, PredictedPhase, PredictedWhole
from app.presentation.figure import Figure, estimate_mark, measured, time_mark
from app.presentation.layout import BLANK, Block, Line, Table, points
from app.presentation.words import difference_words

TITLE = phrase("The whole training")
GROWTH = phrase("From epoch to epoch")
PHASE_NAMES: dict[PhaseKind, Text] = {
    "prepare": phrase("Getting ready"),
    "first_step": phrase("First step"),
    "training": phrase("First epoch"),
    "validation": phrase("Validation"),
    "saving": phrase("End of an epoch"),
    "later": phrase("Later epochs"),
}
PLACES = {
    "device": phrase("tensors that something keeps, such as a callback's list"),
    "host": phrase("memory of the process, such as arrays that something keeps or a cache that fills"),
    "tracing": phrase("the step is traced anew in each epoch, as by changing shapes or Python numbers as arguments"),
}


@dataclass(frozen=True)
class PhaseRow:
    """A phase as it is shown; a plot takes its amounts, a table its texts."""

    kind: PhaseKind
    name: Text
    device: Figure = Figure()
    host: Figure = Figure()
    each: Figure = Figure()
    times: int = 1
    highest: bool = False


def phase_rows(prediction: Prediction) -> tuple[PhaseRow, ...]:
    """The phases of a training; nothing where it is no training."""
    whole = prediction.whole
    if whole is None:
        return ()
    mark, clock = estimate_mark(prediction.memory.basis), time_mark(prediction.time.basis)
    return tuple(
        PhaseRow(
            one.kind,
            PHASE_NAMES[one.kind],
            _figure(one.device, "bytes", mark),
            _figure(one.host, "bytes", mark),
            _figure(one.each_s, "seconds", clock),
            one.times,
            one is whole.wall,
        )
        for one in whole.phases
    )


def course(rows: tuple[PhaseRow, ...]) -> tuple[PhaseRow, ...]:
    """The phases as they follow each other up to the end of a later epoch, where there is one."""
    known = {row.kind: row for row in rows}
    order: tuple[PhaseKind, ...] = ("prepare", "first_step", "training", "validation", "saving")
    again: tuple[PhaseKind, ...] = ("later", "validation", "saving") if "later" in known else ()
    return tuple(known[kind] for kind in (*order, *again) if kind in known)


def whole_blocks(prediction: Prediction, deadline_s: float | None = None) -> tuple[Block, ...]:
    """The whole of a training, where there is more to it than its steps.

    Args:
        prediction: What is predicted.
        deadline_s: Until when it has to end, counted from its beginning.
    """
    whole = prediction.whole
    if whole is None or not (worth_showing(prediction) or deadline_s is not None):
        return ()
    return (BLANK, phase_table(prediction), *(Line(one) for one in whole_lines(prediction, deadline_s)))


def worth_showing(prediction: Prediction) -> bool:
    """Is there a validation, a checkpoint or a later epoch?"""
    plan = prediction.plan
    return bool(plan.validation or plan.checkpoint_every or plan.restore_best or plan.epochs > 1)


def phase_table(prediction: Prediction) -> Table:
    """A row for each phase."""
    rows = tuple(
        (
            join(" ", (row.name, "◀")) if row.highest else row.name,
            row.device.marked,
            row.device.range,
            row.host.marked,
            row.each.marked if row.times == 1 else _often(row),
            row.each.range,
        )
        for row in phase_rows(prediction)
    )
    columns = (phrase("Phase"), phrase("Device"), phrase("Between"), phrase("RAM"), phrase("Time"), phrase("Between"))
    return Table(columns, rows, (1, 2, 3, 4, 5), TITLE)


def whole_lines(prediction: Prediction, deadline_s: float | None = None) -> tuple[Text, ...]:
    """What the phases come to, each in a sentence."""
    whole = prediction.whole
    if whole is None:
        return ()
    found = [_wall(whole), _total(prediction), _deadline(whole, deadline_s), _saving(whole), _cache(whole), *whole.told]
    return tuple(one for one in found if one)


def measured_blocks(run: Run) -> tuple[Block, ...]:
    """The phases that a run measured beside what was predicted of them, and what grew."""
    table = measured_table(run)
    return () if table is None else (BLANK, table, *points(GROWTH, grown_lines(run)))


def measured_table(run: Run) -> Table | None:
    """A row for each phase that a run measured, beside what was predicted of it; None where it ran steps only."""
    found = run.result.whole
    if found is None:
        return None
    predicted = run.prediction.whole if run.prediction is not None else None
    known = {one.kind: one for one in predicted.phases} if predicted is not None else {}
    rows = tuple(_measured_row(found, one.kind, known.get(one.kind)) for one in found.phases)
    columns = (
        phrase("Phase"),
        phrase("Device"),
        phrase("Estimate"),
        phrase("Difference"),
        phrase("RAM"),
        phrase("Estimate"),
        phrase("Time"),
    )
    return Table(columns, rows, (1, 2, 3, 4, 5, 6), phrase("The whole training, some of everything"))


def grown_lines(run: Run) -> tuple[Text, ...]:
    """What grows from epoch to epoch of a run of the whole; empty where it ran steps only."""
    found = run.result.whole
    if found is None:
        return ()
    return tuple(growth_words(one) for one in found.growth) or (phrase("nothing grows from epoch to epoch"),)


def growth_words(growth: Growth) -> Text:
    """What grows, where, and when it ends the training."""
    added = phrase(
        "each epoch leaves {size} behind ({low} to {high}): {place}",
        size=format_bytes(growth.bytes_per_epoch.value),
        low=format_bytes(growth.bytes_per_epoch.low),
        high=format_bytes(growth.bytes_per_epoch.high),
        place=PLACES[growth.place],
    )
    if growth.last_epoch is None:
        return added
    return phrase(
        "{added}; epoch {epoch} is the last that ends well", added=added, epoch=format_count(growth.last_epoch)
    )


def _measured_row(found: MeasuredWhole, kind: PhaseKind, told: PredictedPhase | None) -> tuple[str, ...]:
    """A phase that was run."""
    one = found.phase(kind)
    device, host = (one.device_bytes, one.host_bytes) if one is not None else (None, None)
    expected = told.device.value if told is not None and told.device is not None else None
    process = told.host.value if told is not None and told.host is not None else None
    return (
        PHASE_NAMES[kind],
        measured(device, "bytes").marked,
        format_bytes(expected),
        difference_words(expected, device),
        measured(host, "bytes").marked,
        format_bytes(process),
        measured(one.seconds if one is not None else None, "seconds").marked,
    )


def _often(row: PhaseRow) -> Text:
    """A time that comes again and again."""
    return phrase("{times} × {time}", times=format_count(row.times), time=row.each.marked)


def _figure(told: Range | None, unit: str, mark: str) -> Figure:
    """A range as it is shown."""
    if told is None:
        return Figure(unit=unit)  # type: ignore[arg-type]
    return Figure(told.value, unit, mark, told.low, told.high)  # type: ignore[arg-type]


def _wall(whole: PredictedWhole) -> Text:
    """Which phase needs most."""
    wall = whole.wall
    if wall is None or wall.device is None:
        return Text()
    needed = phrase("{phase} needs most: {size}", phase=PHASE_NAMES[wall.kind], size=format_bytes(wall.device.value))
    if whole.allowed_bytes is None:
        return needed
    return phrase("{needed} of {allowed} allowed", needed=needed, allowed=format_bytes(whole.allowed_bytes))


def _total(prediction: Prediction) -> Text:
    """How long it takes from its first line to its last."""
    total = prediction.whole.total_s if prediction.whole is not None else None
    if total is None:
        return Text()
    figure = _figure(total, "seconds", time_mark(prediction.time.basis))
    return phrase("From its first line to its end: {time} ({range})", time=figure.marked, range=figure.range)


def _deadline(whole: PredictedWhole, deadline_s: float | None) -> Text:
    """How likely it is done by then."""
    if deadline_s is None or whole.total_s is None:
        return Text()
    return phrase(
        "Done within {deadline}: with a probability of {chance}",
        deadline=format_seconds(deadline_s),
        chance=format_share(min(0.99, max(0.01, chance_by(whole.total_s, deadline_s)))),
    )


def _saving(whole: PredictedWhole) -> Text:
    """What a checkpoint is, and how often it is worth it."""
    saving = whole.saving
    if saving is None:
        return Text()
    return phrase(
        "A checkpoint takes {size} on disk and {time}; if something ends a training once a day, "
        "one every {every} loses least",
        size=format_bytes(saving.bytes_on_disk),
        time=format_seconds(saving.each_s.value),
        every=format_seconds(saving.worth_every_s),
    )


def _cache(whole: PredictedWhole) -> Text:
    """Whether a cache has room."""
    if not whole.cache_bytes:
        return Text()
    size = format_bytes(whole.cache_bytes)
    if whole.cache_ends_epoch is None:
        return phrase("The cache takes {size} of RAM when it is full, which there is", size=size)
    share = format_share(whole.cache_ends_epoch)
    return phrase(
        "The cache would take {size} of RAM: the memory ends after {share} of the first epoch", size=size, share=share
    )
