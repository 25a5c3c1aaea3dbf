"""How good the product's own predictions have been: errors and hits over the newest runs."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from app.core.types.text import Text, phrase
from app.core.types.track_record import Errors, Judged, PastRun, TrackRecord


def track_record(past: Sequence[PastRun]) -> TrackRecord | None:
    """The record over some runs; None if none of them can be compared."""
    compared = [run for run in past if run.memory or run.time]
    if not compared:
        return None
    inside = sum(all(found.inside for found in (run.memory, run.time) if found) for run in compared)
    memory = _errors([(run, run.memory) for run in compared if run.memory])
    time = _errors([(run, run.time) for run in compared if run.time])
    return TrackRecord(len(compared), inside, memory, time)


def record_title(record: TrackRecord) -> Text:
    """Which runs a record is about."""
    return phrase("your last run") if record.runs == 1 else phrase("your last {runs} runs", runs=record.runs)


def record_words(record: TrackRecord) -> str:
    """The record in a few words, such as ``memory median 2 %, time median 6 %, 11 of 12 inside the interval``."""
    medians = [
        phrase("{name} median {percent}", name=name, percent=percent_words(errors.median_error))
        for name, errors in (("memory", record.memory), ("time", record.time))
        if errors is not None
    ]
    return ", ".join(
        [*medians, phrase("{inside} of {runs} inside the interval", inside=record.inside, runs=record.runs)]
    )


def percent_words(share: float) -> str:
    """A share as percent, with a decimal where it matters: ``0.4 %``, ``12 %``."""
    return f"{100 * share:.1f} %" if share < 0.0995 else f"{100 * share:.0f} %"


def _errors(judged: list[tuple[PastRun, Judged]]) -> Errors | None:
    """Errors of one quantity."""
    if not judged:
        return None
    run, worst = max(judged, key=lambda item: abs(item[1].error))
    return Errors(
        runs=len(judged),
        median_error=median(abs(found.error) for _, found in judged),
        inside=sum(found.inside for _, found in judged),
        worst_error=worst.error,
        worst_run_id=run.run_id,
        worst_model=run.model,
    )
