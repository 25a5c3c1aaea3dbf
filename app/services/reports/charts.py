"""The charts of a report as SVG: drawn once, for the page, for paper and for whoever reads with a screen reader.

Plain lines, bars and text with their colours beside them, so that a browser, a printer and Qt's SVG renderer draw
the same.  Every chart says in words what it shows.  ``say`` is the language: names of lines and titles are English
until they are drawn.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import ClassVar

from app.core.types.measurement import Measurement, Sample
from app.core.types.prediction import Prediction
from app.core.types.text import phrase
from app.core.types.units import format_bytes, format_count, format_seconds, format_share
from app.presentation.layout import Say

WIDTH, HEIGHT = 640, 190
LEFT, RIGHT, TOP, BOTTOM = 72, 12, 12, 34
BAR_HEIGHT, BAR_GAP, NAME_WIDTH, VALUE_WIDTH = 18, 8, 170, 120
BLUE, ORANGE, GREEN, RED, GREY = "#0072B2", "#D55E00", "#009E73", "#CC0000", "#767676"
"""Distinguishable with colour-blindness (Okabe & Ito 2008, "Color Universal Design")."""
TICKS = 4
TITLE_HEIGHT = 24
SCALE_ROOM = 2
"""The scale reaches at most to so many times what is needed."""

Points = Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Series:
    """One line of a chart."""

    name: str
    points: Points
    colour: str = BLUE
    dashed: bool = False


@dataclass(frozen=True)
class Chart:
    """A drawing ready to be put into a page; the title is inside, so that no page break comes between them."""

    kind: ClassVar = "chart"
    title: str
    svg: str


def charts_of(
    predicted: Prediction | None, measured: Measurement | None, samples: Sequence[Sample], say: Say = str
) -> list[Chart]:
    """Every chart of which there is something to show."""
    made = [
        _peaks(predicted, measured, say),
        _batches(predicted, say),
        _memory_over_time(measured, say),
        _memory_over_step(predicted, say) if not (measured and measured.memory_over_time) else None,
        _step_times(samples, say),
    ]
    return [chart for chart in made if chart is not None]


def _peaks(predicted: Prediction | None, measured: Measurement | None, say: Say) -> Chart | None:
    """What was predicted, what was measured and what is allowed, as bars on one scale."""
    memory, found = (predicted.memory if predicted else None), (measured.memory if measured else None)
    bars: list[tuple[str, int | None, str]] = [
        (phrase("predicted"), memory.allocator_peak_bytes if memory else None, BLUE),
        (phrase("measured: needed"), found.allocator_peak_bytes if found else None, GREEN),
        (phrase("measured: held"), found.held_bytes if found else None, GREY),
        (phrase("measured: seen by driver"), found.device_bytes if found else None, GREY),
        (phrase("allowed"), predicted.fit.allowed_bytes if predicted else None, ORANGE),
    ]
    known = [(name, size, colour) for name, size, colour in bars if size]
    if len(known) < 2:
        return None
    interval = (memory.low_bytes, memory.high_bytes) if memory else None
    title = phrase("Peaks of memory")
    return Chart(title, _bar_chart(title, known, interval, say))


def _batches(predicted: Prediction | None, say: Say) -> Chart | None:
    """Memory over the batch size, with what is allowed and the batch that was asked for."""
    curve = predicted.batch_curve if predicted else ()
    if predicted is None or len(curve) < 2:
        return None
    lines = [Series(phrase("needed"), [(point.batch_size, point.allocator_peak_bytes) for point in curve])]
    allowed = predicted.fit.allowed_bytes
    if allowed is not None:
        lines.append(Series(phrase("allowed"), [(p.batch_size, allowed) for p in curve], ORANGE, dashed=True))
    batch = predicted.plan.batch_size
    title = phrase("Memory and batch size (predicted)")
    return Chart(
        title,
        line_chart(
            title, lines, format_bytes, format_count, phrase("batch size"), logarithmic=True, mark_x=batch, say=say
        ),
    )


def _memory_over_time(measured: Measurement | None, say: Say) -> Chart | None:
    """What was needed and held while it ran."""
    points = measured.memory_over_time if measured else ()
    if len(points) < 2:
        return None
    lines = [
        Series(phrase("needed now"), [(p.t_s, p.current_bytes) for p in points]),
        Series(phrase("peak until then"), [(p.t_s, p.peak_bytes) for p in points], GREEN),
        Series(phrase("held"), [(p.t_s, p.held_bytes) for p in points if p.held_bytes is not None], GREY, dashed=True),
    ]
    shown = [line for line in lines if len(line.points) > 1]
    title = phrase("Memory while it ran (measured)")
    return Chart(title, line_chart(title, shown, format_bytes, format_seconds, phrase("time"), say=say))


def _memory_over_step(predicted: Prediction | None, say: Say) -> Chart | None:
    """What is alive in the course of one step."""
    points = predicted.memory.timeline if predicted else ()
    if len(points) < 2:
        return None
    title = phrase("Memory in one step (predicted)")
    alive = [Series(phrase("alive"), points)]
    return Chart(title, line_chart(title, alive, format_bytes, format_share, phrase("of the step"), say=say))


def _step_times(samples: Sequence[Sample], say: Say) -> Chart | None:
    """Step time over the run."""
    points = [(s.t_s, s.step_s) for s in samples if s.step_s is not None]
    if len(points) < 2:
        return None
    title = phrase("Step time (measured)")
    return Chart(
        title,
        line_chart(title, [Series(phrase("step"), points)], format_seconds, format_seconds, phrase("time"), say=say),
    )


def line_chart(
    title: str,
    lines: Sequence[Series],
    y_words: Callable[[float], str],
    x_words: Callable[[float], str],
    x_name: str,
    *,
    logarithmic: bool = False,
    mark_x: float | None = None,
    say: Say = str,
) -> str:
    """Lines over a common axis, from zero up.

    Args:
        title: Above the drawing.
        lines: At least one, of two points or more each.
        y_words: How a value is written.
        x_words: How a position is written.
        x_name: What the position is.
        logarithmic: Positions by their logarithm.
        mark_x: A position to mark.
        say: The language of names, figures and title.
    """
    xs = [x for line in lines for x, _ in line.points]
    top = max(y for line in lines for _, y in line.points) or 1.0

    def at_x(x: float) -> float:
        first, last, here = ((math.log(v) if logarithmic else v) for v in (min(xs), max(xs), x))
        return LEFT + (WIDTH - LEFT - RIGHT) * (here - first) / ((last - first) or 1.0)

    def at_y(y: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (1 - y / top)

    floor = at_y(0)
    ticks = [top * number / TICKS for number in range(TICKS + 1)]
    parts = [_line(LEFT, at_y(y), WIDTH - RIGHT, at_y(y), "#d0d7de") for y in ticks]
    parts += [_text(LEFT - 6, at_y(y) + 4, say(y_words(y)) if y else "0", "end") for y in ticks]
    for x, anchor in ((min(xs), "start"), (max(xs), "end")):
        parts.append(_text(at_x(x), floor + 14, say(x_words(x)) if x else "0", anchor))
    parts.append(_text((LEFT + WIDTH - RIGHT) / 2, floor + 14, say(x_name), "middle"))
    if mark_x is not None and min(xs) <= mark_x <= max(xs):
        parts += [
            _line(at_x(mark_x), TOP, at_x(mark_x), floor, RED, 2),
            _text(at_x(mark_x) + 4, TOP + 9, say(x_words(mark_x)), "start"),
        ]
    for line in lines:
        points = " ".join(f"{at_x(x):.1f},{at_y(y):.1f}" for x, y in line.points)
        dash = ' stroke-dasharray="5 4"' if line.dashed else ""
        parts.append(f'<polyline points="{points}" fill="none" stroke="{line.colour}" stroke-width="2"{dash}/>')
    parts += _legend([(line, say(line.name)) for line in lines], floor + 29)
    highest = "; ".join(
        say(phrase("{line} reaches up to {y}", line=line.name, y=y_words(max((y for _, y in line.points)))))
        for line in lines
    )
    across = say(phrase("over {x_name} from {x} to {x2}", x_name=x_name, x=x_words(min(xs)), x2=x_words(max(xs))))
    return _svg(say(title), HEIGHT, "".join(parts), f"{highest}; {across}")


def _bar_chart(title: str, bars: Sequence[tuple[str, int, str]], interval: tuple[int, int] | None, say: Say) -> str:
    """Bars of sizes; the interval belongs to the first.  What is allowed may reach far beyond the others' scale."""
    needed = max([*(size for name, size, _ in bars if name != "allowed"), *(interval or ())])
    longest = min(max(size for _, size, _ in bars), SCALE_ROOM * needed) if needed else 1
    longest = max(longest, needed)
    scale = (WIDTH - NAME_WIDTH - VALUE_WIDTH) / longest
    parts = []
    for number, (name, size, colour) in enumerate(bars):
        y = TOP + number * (BAR_HEIGHT + BAR_GAP)
        parts.append(_text(NAME_WIDTH - 8, y + 13, say(name), "end"))
        end = min(size, longest) * scale
        parts.append(f'<rect x="{NAME_WIDTH}" y="{y}" width="{end:.1f}" height="{BAR_HEIGHT}" fill="{colour}"/>')
        if number == 0 and interval is not None and name == "predicted":
            low, high = (NAME_WIDTH + value * scale for value in interval)
            parts += [
                _line(low, y + 9, high, y + 9, "#1b1f24"),
                _line(low, y + 4, low, y + 14, "#1b1f24"),
                _line(high, y + 4, high, y + 14, "#1b1f24"),
            ]
            end = max(end, high - NAME_WIDTH)
        beyond = " →" if size > longest else ""
        parts.append(_text(NAME_WIDTH + end + 6, y + 13, say(format_bytes(size)) + beyond, "start"))
    said = "; ".join(f"{say(name)} {say(format_bytes(size))}" for name, size, _ in bars)
    return _svg(say(title), TOP + len(bars) * (BAR_HEIGHT + BAR_GAP), "".join(parts), said)


def _legend(lines: Sequence[tuple[Series, str]], y: float) -> list[str]:
    """Names, as they are said, in their colours, where there is more than one."""
    parts, x = [], float(LEFT)
    for line, name in lines if len(lines) > 1 else ():
        look = f'stroke="{line.colour}" stroke-width="2"' + (' stroke-dasharray="5 4"' if line.dashed else "")
        parts.append(f'<line x1="{x:.0f}" y1="{y - 4:.0f}" x2="{x + 22:.0f}" y2="{y - 4:.0f}" {look}/>')
        parts.append(_text(x + 28, y, name, "start"))
        x += 48 + 7 * len(name)
    return parts


def _svg(title: str, height: float, inside: str, said: str) -> str:
    """A drawing below its title, with its words."""
    size = f'width="{WIDTH}" height="{TITLE_HEIGHT + height:.0f}" viewBox="0 0 {WIDTH} {TITLE_HEIGHT + height:.0f}"'
    bold = 'font-family="sans-serif" font-size="14" font-weight="bold" fill="#57606a"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}'
        f' role="img" aria-label="{escape(title)}: {escape(said)}"><text x="0" y="14" {bold}>{escape(title)}</text>'
        f'<g transform="translate(0 {TITLE_HEIGHT})">{inside}</g></svg>'
    )


def _line(x1: float, y1: float, x2: float, y2: float, colour: str, width: int = 1) -> str:
    """A straight line."""
    ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
    return f'<line {ends} stroke="{colour}" stroke-width="{width}"/>'


def _text(x: float, y: float, words: str, anchor: str) -> str:
    """A short text."""
    font = 'font-family="sans-serif" font-size="12" fill="#57606a"'
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {font}>{escape(words)}</text>'
