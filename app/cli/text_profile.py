"""What people read of memory over time and of a profiled step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text

from app.cli.text import plain_table
from app.core.runs.memory_course import telling
from app.core.types.memory_over_time import MemoryPoint, PeakComparison
from app.core.types.step_profile import StepProfile
from app.core.types.units import NOT_AVAILABLE, format_bytes, format_seconds, format_share
from app.presentation.figure import MARKS, memory_mark
from app.presentation.words import MARK_MEASURED
from app.services.benchmarks.peaks import layers_at_peak, verdict_words

if TYPE_CHECKING:
    from app.services.store.runs import Run

BAR_WIDTH = 40
_LAYERS = 10


def profile_text(run: Run) -> list[RenderableType]:
    """Memory over time, the largest layers at the peak and the step's time by layer; nothing without any."""
    measured = run.result.measurement
    if measured is None:
        return []
    parts: list[RenderableType] = []
    marks = [point for point in measured.memory_over_time if point.moment != "step"]
    if marks:
        shown = telling(marks, lambda point: (point.peak_bytes,))
        parts += [Text(), Text("Memory over time", style="bold"), moments_table(shown), *_left_out(marks, shown)]
    profile = measured.profile
    if profile is None:
        return parts + [Text(measured.profile_skipped, style="dim")] * bool(measured.profile_skipped)
    parts += [Text(), Text("One profiled step", style="bold"), _peak_line(profile)]
    parts += [Text(), _layers_table(run), Text(), _times_table(profile)]
    return parts


def moments_table(marks: Sequence[MemoryPoint]) -> RenderableType:
    """Needed, held and seen at epoch start, chosen batches and epoch end (case S3)."""
    columns = ("After", "Needed now", "Peak", "Held", "Process in RAM", "Seen on the card")
    table = plain_table("", *columns, numbers=columns)
    for point in marks:
        held, process, seen = (
            "" if size is None else format_bytes(size)
            for size in (point.held_bytes, point.process_bytes, point.seen_bytes)
        )
        table.add_row(
            point.name,
            format_seconds(point.t_s),
            format_bytes(point.current_bytes),
            f"{MARK_MEASURED} {format_bytes(point.peak_bytes)}",
            held,
            process,
            seen,
        )
    return table


def peak_bars(compared: PeakComparison) -> list[RenderableType]:
    """Peaks of runs as bars, at each moment as a table, and the answer in words."""
    most = max((peak for peak in compared.peaks if peak is not None), default=None)
    if most is None:
        return []
    width = max(len(name) for name in compared.names)
    lines = [Text(), Text("Peak memory", style="bold")]
    for name, peak in zip(compared.names, compared.peaks, strict=True):
        bar = "█" * max(1, round(BAR_WIDTH * peak / max(1, most))) if peak is not None else ""
        words = NOT_AVAILABLE if peak is None else f"{MARK_MEASURED} {format_bytes(peak)}"
        lines.append(Text(f"  {name:<{width}}  {bar:<{BAR_WIDTH}}  {words}"))
    parts: list[RenderableType] = [*lines, Text(verdict_words(compared))]
    if compared.rows:
        table = plain_table("Peak until", *compared.names, numbers=compared.names)
        shown = telling(compared.rows, lambda row: row.peaks)
        for row in shown:
            table.add_row(row.name, *("" if peak is None else format_bytes(peak) for peak in row.peaks))
        parts += [Text(), table, *_left_out(compared.rows, shown)]
    return parts


def _left_out(rows: Sequence[object], shown: Sequence[object]) -> list[RenderableType]:
    """How many moments a table does not show."""
    count = len(rows) - len(shown)
    words = f"  … and {count} moments between them without a higher peak; all with --json"
    return [Text(words, style="dim")] if count else []


def _peak_line(profile: StepProfile) -> Text:
    """How much at the peak, by whom, and of what."""
    if profile.peak_bytes is None:
        return Text("  " + ("; ".join(profile.notes) or "its memory is not available"))
    worth_naming = 0.005 * profile.peak_bytes
    sizes = [(name.replace("_", " "), size) for name, size in vars(profile.parts).items() if size >= worth_naming]
    named = [f"{name} {format_bytes(size)}" for name, size in sizes]
    where = profile.peak_operation or "an unnamed operation"
    lines = [
        f"  Peak {MARK_MEASURED} {format_bytes(profile.peak_bytes)} in {where}",
        f"  Held by the allocator: {format_bytes(profile.held_bytes)}",
        f"  Alive then: {', '.join(named)}",
    ]
    return Text("\n".join(lines))


def _layers_table(run: Run) -> RenderableType:
    """The largest layers at the peak, measured against predicted."""
    table = plain_table("Largest at the peak", "Kind", "Measured", "Predicted", numbers=("Measured", "Predicted"))
    mark = MARKS[memory_mark(run.prediction.memory.basis)] if run.prediction else ""
    measured = run.result.measurement
    for row in layers_at_peak(measured, run.prediction, _LAYERS) if measured else ():
        seen = "" if row.measured_bytes is None else f"{MARK_MEASURED} {format_bytes(row.measured_bytes)}"
        guess = "" if row.predicted_bytes is None else f"{mark} {format_bytes(row.predicted_bytes)}"
        table.add_row(row.name, row.kind, seen, guess)
    return table


def _times_table(profile: StepProfile) -> RenderableType:
    """Where the operations' time goes: by layer, or by kind of operation where no layer is known."""
    total_s = max(profile.operations_s, 1e-12)
    rows = [(layer.name, layer.kind, layer.time_s) for layer in profile.layers if layer.time_s > 0]
    if rows:
        rest_s = max(0.0, profile.operations_s - profile.layers_s - profile.update_s)
        others = (("update of the weights", "", profile.update_s), ("of no layer", "", rest_s))
        rows += [row for row in others if row[2] > 0]
    if not rows:
        rows = [(kind.kind, f"{kind.count} times", kind.time_s) for kind in profile.kinds]
    table = plain_table("Time of the operations", "Kind", "Time", "Share", numbers=("Time", "Share"))
    for name, kind, time_s in sorted(rows, key=lambda row: -row[2])[:_LAYERS]:
        table.add_row(name, kind, f"{MARK_MEASURED} {format_seconds(time_s)}", format_share(time_s / total_s))
    return table
