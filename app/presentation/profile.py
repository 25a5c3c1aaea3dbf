"""Memory over the course of a run, its profiled step beside what was predicted, and the peaks of several runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.core.runs.memory_course import compare_peaks, telling
from app.core.types.measurement import Measurement
from app.core.types.memory_over_time import MemoryPoint, PeakComparison
from app.core.types.prediction import Prediction
from app.core.types.run import Run
from app.core.types.step_profile import StepProfile
from app.core.types.text import Text, join, phrase, plural
from app.core.types.units import NOT_AVAILABLE, format_bytes, format_count, format_number, format_seconds, format_share
from app.presentation.figure import MARKS, Mark, measured, memory_mark
from app.presentation.layout import BLANK, Block, Line, Table, marked

LISTED_LAYERS = 12
BAR_WIDTH = 40
WORTH_NAMING = 0.005
"""Share of the peak from which on a part of it is named."""

MOMENTS = (
    phrase("After"),
    phrase("Time"),
    phrase("Needed now"),
    phrase("Peak"),
    phrase("Held"),
    phrase("Process in RAM"),
    phrase("Driver sees"),
)
LAYERS = (
    phrase("Layer"),
    phrase("Kind"),
    phrase("Measured"),
    phrase("Predicted"),
    phrase("Time"),
    phrase("Share of the time"),
)
_ALIVE = {
    "weights": phrase("weights"),
    "optimizer_state": phrase("optimizer state"),
    "forward": phrase("forward pass"),
    "backward": phrase("backward pass"),
    "update": phrase("update"),
    "scratch": phrase("scratch"),
    "compiled": phrase("the compiled step"),
    "other": phrase("other"),
}


@dataclass(frozen=True)
class LayerRow:
    """One layer at the peak: measured by the profiled step against predicted; None where one does not know it."""

    name: str
    kind: str
    measured_bytes: int | None
    predicted_bytes: int | None


@dataclass(frozen=True)
class MemoryCurve:
    """One run's memory over time, to be laid over others': seconds since the measurement began, and bytes."""

    run_id: int
    name: str
    points: tuple[MemoryPoint, ...]


def profile_blocks(run: Run) -> tuple[Block, ...]:
    """Memory over time, the layers at the peak and where the step's time went; nothing where none is known."""
    found = run.result.measurement
    if found is None:
        return ()
    over_time = moments_table(found)
    blocks: list[Block] = [over_time, *left_out(moments(found), over_time)] if over_time.rows else []
    if found.profile is None:
        return (*blocks, *[Line(found.profile_skipped, "soft")] * bool(found.profile_skipped))
    return (*blocks, *peak_lines(found.profile), layers_table(run), times_table(found.profile))


def moments(found: Measurement) -> list[MemoryPoint]:
    """The moments that have a name: the beginning and end of epochs, and chosen batches."""
    return [point for point in found.memory_over_time if point.moment != "step"]


def moments_table(found: Measurement) -> Table:
    """Needed, held and seen at those moments at which something is new (case S3)."""
    rows = tuple(
        (
            point.name,
            format_seconds(point.t_s),
            *(
                _sized(size, "measured")
                for size in (
                    point.current_bytes,
                    point.peak_bytes,
                    point.held_bytes,
                    point.process_bytes,
                    point.seen_bytes,
                )
            ),
        )
        for point in telling(moments(found), lambda point: (point.peak_bytes,))
    )
    return Table(MOMENTS, rows, (1, 2, 3, 4, 5, 6), phrase("Memory over time"))


def peak_lines(profile: StepProfile) -> tuple[Line, ...]:
    """How much at the peak, in which operation, and of what."""
    title = Line(phrase("One profiled step"), "title")
    if profile.peak_bytes is None:
        notes = join("; ", profile.notes) or phrase("its memory is not available")
        return (title, Line(notes, indent=1))
    sizes = {key: size for key, size in vars(profile.parts).items() if size >= WORTH_NAMING * profile.peak_bytes}
    alive = join(", ", (join(" ", (_ALIVE[key], format_bytes(size))) for key, size in sizes.items()))
    return (title, Line(peak_words(profile), indent=1), Line(phrase("Alive then: {parts}", parts=alive), indent=1))


def peak_words(profile: StepProfile) -> Text:
    """How much at the peak, and in which operation."""
    if profile.peak_bytes is None:
        return Text()
    return phrase(
        "{size} in {operation}, {held} held by the allocator",
        size=measured(profile.peak_bytes, "bytes").marked,
        operation=profile.peak_operation or phrase("an unnamed operation"),
        held=format_bytes(profile.held_bytes),
    )


def layers_table(run: Run) -> Table:
    """The largest layers at the peak, measured and predicted, with the time of their operations."""
    found, prediction = run.result.measurement, run.prediction
    profile = found.profile if found is not None else None
    mark: Mark = memory_mark(prediction.memory.basis) if prediction is not None else "none"
    times = {layer.name: layer.time_s for layer in profile.layers} if profile is not None else {}
    whole_s = (profile.operations_s if profile is not None else 0.0) or 1.0
    rows = tuple(
        (
            row.name,
            row.kind,
            _sized(row.measured_bytes, "measured"),
            _sized(row.predicted_bytes, mark),
            measured(times[row.name], "seconds").marked if row.name in times else "",
            format_share(times[row.name] / whole_s) if row.name in times else "",
        )
        for row in (layers_at_peak(found, prediction, LISTED_LAYERS) if found is not None else ())
    )
    return Table(LAYERS, rows, (2, 3, 4, 5), phrase("Layers at the peak of the profiled step"))


def times_table(profile: StepProfile) -> Table:
    """Where the operations' time goes: by layer, or by kind of operation where no layer is known."""
    rows: list[tuple[str, str, float]] = [(one.name, one.kind, one.time_s) for one in profile.layers if one.time_s > 0]
    if rows:
        rest_s = max(0.0, profile.operations_s - profile.layers_s - profile.update_s)
        others = ((phrase("update of the weights"), "", profile.update_s), (phrase("of no layer"), "", rest_s))
        rows += [row for row in others if row[2] > 0]
    else:
        rows = [(one.kind, _times(one.count), one.time_s) for one in profile.kinds]
    whole_s = max(profile.operations_s, 1e-12)
    told = tuple(
        (name, kind, measured(time_s, "seconds").marked, format_share(time_s / whole_s))
        for name, kind, time_s in sorted(rows, key=lambda row: -row[2])[:LISTED_LAYERS]
    )
    columns = (phrase("Operations"), phrase("Kind"), phrase("Time"), phrase("Share of the time"))
    return Table(columns, told, (2, 3), phrase("Time of the operations"))


def compare_runs(runs: Sequence[Run]) -> PeakComparison:
    """The allocator's peaks of runs: of each moment that case S3 names, and of the whole run."""
    found = [run.result.measurement for run in runs]
    points = [m.memory_over_time if m else () for m in found]
    return compare_peaks([run_name(run) for run in runs], points, [_peak_bytes(m) for m in found])


def peaks_blocks(runs: Sequence[Run]) -> tuple[Block, ...]:
    """Peaks of runs as bars, the answer in words, and the peaks at each moment; nothing if nobody counted any."""
    compared = compare_runs(runs)
    most = max((peak for peak in compared.peaks if peak is not None), default=None)
    if most is None:
        return ()
    bars = tuple(
        (
            name,
            "█" * max(1, round(BAR_WIDTH * peak / max(1, most))) if peak is not None else "",
            _sized(peak, "measured") if peak is not None else NOT_AVAILABLE,
        )
        for name, peak in zip(compared.names, compared.peaks, strict=True)
    )
    table = peaks_table(compared)
    rest: tuple[Block, ...] = (BLANK, table, *left_out(compared.rows, table)) if table.rows else ()
    return (Table(("", "", ""), bars, (2,), phrase("Peak memory")), BLANK, Line(verdict_words(compared)), *rest)


def peaks_table(compared: PeakComparison) -> Table:
    """Peaks of several runs until each moment at which something is new."""
    rows = tuple(
        (row.name, *(_sized(peak, "measured") for peak in row.peaks))
        for row in telling(compared.rows, lambda row: row.peaks)
    )
    return Table((phrase("Peak until"), *compared.names), rows, tuple(range(1, len(compared.names) + 1)))


def left_out(rows: Sequence[object], shown: Table) -> tuple[Line, ...]:
    """How many moments a table does not show."""
    count = len(rows) - len(shown.rows)
    words = plural(
        "… and {n} moment between them without a higher peak; all with --json",
        "… and {n} moments between them without a higher peak; all with --json",
        count,
        n=format_count(count),
    )
    return (Line(words, "soft", indent=1),) if count else ()


def curves(runs: Sequence[Run]) -> tuple[MemoryCurve, ...]:
    """The memory curves of those runs that have one."""
    return tuple(
        MemoryCurve(run.run_id, run_name(run), run.result.measurement.memory_over_time)
        for run in runs
        if run.result.measurement is not None and run.result.measurement.memory_over_time
    )


def run_name(run: Run) -> Text:
    """A run in few words."""
    return phrase(
        "Run {run_id} {model}, batch {batch_size}",
        run_id=run.run_id,
        model=run.workload.model.name,
        batch_size=format_count(run.workload.plan.batch_size),
    )


def verdict_words(compared: PeakComparison) -> Text:
    """Which run needs most memory, and by what; says so if that is not known."""
    largest, smallest, more = compared.largest, compared.smallest, compared.more_bytes
    if largest is None or smallest is None or more is None:
        return phrase("Which needs more memory is not known: fewer than two of the runs could count it.")
    if more == 0:
        return phrase("All need the same: {peaks}.", peaks=format_bytes(compared.peaks[largest]))
    least = compared.peaks[smallest]
    times = (
        phrase(", {peaks} times as much", peaks=format_number((compared.peaks[largest] or 0) / least, ".2f"))
        if least
        else ""
    )
    return phrase(
        "{names} needs most: {more} more than {names2}{times}.",
        names=compared.names[largest],
        more=format_bytes(more),
        names2=compared.names[smallest],
        times=times,
    )


def layers_at_peak(found: Measurement, predicted: Prediction | None, count: int = 10) -> tuple[LayerRow, ...]:
    """The layers with most memory at the profiled step's peak, and those that were predicted to be.

    Weights, their optimizer state and everything that the layer's operations had made and was still alive.
    """
    seen = {} if found.profile is None else {layer.name: layer for layer in found.profile.layers}
    guessed = {} if predicted is None else {layer.name: layer for layer in predicted.memory.largest_layers}
    rows = [
        LayerRow(
            name,
            (seen.get(name) or guessed[name]).kind,
            None if name not in seen else seen[name].weights_bytes + seen[name].activation_bytes,
            None if name not in guessed else guessed[name].weights_bytes + guessed[name].activation_bytes,
        )
        for name in dict.fromkeys([*seen, *guessed])
    ]
    rows.sort(key=lambda row: -max(row.measured_bytes or 0, row.predicted_bytes or 0))
    return tuple(rows[:count])


def _sized(size: int | None, mark: Mark) -> Text:
    """A size after its mark; nothing where it is not known."""
    return Text() if size is None else marked(MARKS[mark], format_bytes(size))


def _times(count: int) -> Text:
    """How often an operation ran."""
    return plural("{n} time", "{n} times", count, n=format_count(count))


def _peak_bytes(found: Measurement | None) -> int | None:
    """The most that a run needed: in its first steps or while measuring."""
    if found is None:
        return None
    peaks = [point.peak_bytes for point in found.memory_over_time]
    return max([*peaks, found.memory.allocator_peak_bytes or 0]) or None
