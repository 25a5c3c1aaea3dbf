"""A shown run or answer as one picture, light and dark: how it ended, memory on one scale, the numbers, where it ran.

Drawn as SVG of plain shapes and single lines of text, of which Qt makes a PNG (`app.ui.share.draw_png`) for an issue, a
chat or a paper.  ``say`` is the language.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Literal

from app.core.types.prediction import Prediction
from app.core.types.text import join, phrase
from app.core.types.units import format_bytes
from app.core.types.visible import visible
from app.presentation.estimate import WEIGHTS
from app.presentation.figure import Figure
from app.presentation.fit import parts_of
from app.presentation.layout import Line, Say
from app.presentation.run import Comparison, comparisons, headline
from app.presentation.verdict import needs_words, verdict_state
from app.presentation.words import LEGEND, PARTS, VERDICT_ICONS, VERDICTS
from app.services.reports.view import COLOURS
from app.services.sharing.shown import Shown
from app.services.sharing.words import made_with, plan_line, title_of, where_line

Theme = Literal["light", "dark"]

WIDTH, HEIGHT, MARGIN = 880, 440, 32
FULL = WIDTH - 2 * MARGIN
LEGEND_TOP, BARS_TOP, BAR_HEIGHT, BAR_STEP = 150, 166, 24, 34
NAME_WIDTH, VALUE_WIDTH = 120, 120
TILES_TOP, TILE_HEIGHT, TILE_GAP = 270, 92, 12
LETTER, BOLD_LETTER = 0.51, 0.58
"""Width of a usual letter over the size of its font: what a line has room for."""
SCALE_ROOM = 2.0
"""The scale reaches at most to so many times what is needed."""
LEAST_SHARE = 0.01
"""A smaller part cannot be seen and has no name."""
BESIDE = "framework"
"""The part that is not among what is needed."""
TILES = ("memory", "step", "samples", "epoch")


@dataclass(frozen=True)
class Look:
    """The colours of a theme; texts have at least 4.5 : 1 on ground and tile (WCAG 2.1, 1.4.3)."""

    ground: str
    tile: str
    border: str
    ink: str
    soft: str
    good: str
    warning: str
    bad: str

    def of(self, weight: str) -> str:
        """The colour of a verdict or an ending by its weight."""
        return {"good": self.good, "warning": self.warning, "bad": self.bad}.get(weight, self.ink)


LOOKS: dict[Theme, Look] = {
    "light": Look("#FFFFFF", "#F3F5F8", "#D8DCE3", "#1A1F29", "#59616E", "#16803A", "#8A5A08", "#C4262E"),
    "dark": Look("#1D2128", "#272C35", "#414955", "#ECEEF2", "#ABB3BF", "#4CC38A", "#F0B449", "#FF8078"),
}


def picture(shown: Shown, theme: Theme, say: Say = str) -> str:
    """The picture as SVG, with the same in words for who cannot see it."""
    look, rows = (
        LOOKS[theme],
        {row.quantity: row for row in comparisons(shown.prediction, shown.run.result.measurement)},
    )
    answer = answer_line(shown)
    title, plan, ending, rest = (say(text) for text in (title_of(shown), plan_line(shown), answer.text, answer.rest))
    line_y, ending_width = 118, len(ending) * 20 * BOLD_LETTER
    parts = [
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{look.ground}"/>',
        _text(MARGIN, 52, title, look.ink, 26, bold=True, room=FULL),
        _text(MARGIN, 80, plan, look.soft, 15, room=FULL),
        f'<text x="{MARGIN}" y="{line_y}" xml:space="preserve" {_font(20, bold=True)}'
        f' fill="{look.of(answer.weight)}">{_safe(ending)}'
        f'<tspan font-size="16" font-weight="normal" fill="{look.ink}">'
        f"{_safe(_cut(rest, 16, FULL - ending_width))}</tspan></text>",
        *_bars(shown, rows["memory"], look, say),
        *(part for index, name in enumerate(TILES) for part in _tile(index, rows[name], look, say)),
        _text(MARGIN, 388, say(where_line(shown)), look.ink, 14, room=FULL),
        _text(MARGIN, 414, say(LEGEND), look.soft, 12),
        _text(WIDTH - MARGIN, 414, say(made_with(shown)), look.soft, 12, anchor="end"),
    ]
    said = f"{title}. {plan}. {ending}{rest}. {say(where_line(shown))}"
    size = f'width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{_safe(said)}">'
    return f"{head}{''.join(parts)}</svg>"


def answer_line(shown: Shown) -> Line:
    """How a run ended, or the verdict of an answer."""
    told = shown.prediction
    if shown.measured or told is None:
        return headline(shown.run)
    verdict = told.fit.verdict
    word = join(" ", (VERDICT_ICONS[verdict], VERDICTS[verdict]))
    return Line(word, WEIGHTS[verdict], phrase(" — {needs}", needs=needs_words(verdict_state(told))))


def _bars(shown: Shown, memory: Comparison, look: Look, say: Say) -> Iterator[str]:
    """Memory as estimated, by what it is for, and as measured, on one scale with what is allowed."""
    told = shown.prediction
    allowed = told.fit.allowed_bytes if told is not None else None
    known = [size for size in (memory.estimated.amount, memory.estimated.high, memory.measured.amount) if size]
    if not known:
        return
    most = min(max(*known, allowed or 0), SCALE_ROOM * max(known))
    scale = (FULL - NAME_WIDTH - VALUE_WIDTH) / most
    left = MARGIN + NAME_WIDTH
    yield from _legend(shown, look, say)
    rows = [(phrase("Estimate"), memory.estimated), (phrase("Measured"), memory.measured)]
    drawn = [(name, figure) for name, figure in rows if figure.amount]
    for index, (name, figure) in enumerate(drawn):
        y, width = BARS_TOP + index * BAR_STEP, (figure.amount or 0) * scale
        middle = y + BAR_HEIGHT / 2
        yield _text(MARGIN, middle + 5, say(name), look.soft, 14, room=NAME_WIDTH)
        if figure is memory.estimated and told is not None:
            yield from _parts(told, left, y, scale)
            yield from _interval(figure, left, middle, scale, look)
            width = max(width, (figure.high or 0) * scale)
        else:
            yield _rect(left, y, width, BAR_HEIGHT, look.good)
        yield _text(left + width + 10, middle + 5, say(figure.marked), look.ink, 14, bold=True)
    if allowed is not None:
        yield from _allowed(allowed, left, scale, most, len(drawn), look, say)


def _legend(shown: Shown, look: Look, say: Say) -> Iterator[str]:
    """What the bars are, and the colours of the parts of the estimate."""
    x, caption = float(MARGIN), say(phrase("Memory at the peak"))
    yield _text(x, LEGEND_TOP, caption, look.ink, 13, bold=True)
    x += len(caption) * 13 * BOLD_LETTER + 36
    for part in parts_of(shown.prediction) if shown.prediction is not None else ():
        name = say(PARTS[part.part])
        if part.share >= LEAST_SHARE and part.part != BESIDE:
            yield _rect(x, LEGEND_TOP - 10, 10, 10, COLOURS[part.part])
            yield _text(x + 15, LEGEND_TOP, name, look.soft, 12)
            x += 32 + len(name) * 12 * LETTER


def _parts(told: Prediction, left: float, y: float, scale: float) -> Iterator[str]:
    """The parts of what is needed, side by side."""
    for part in parts_of(told):
        if part.part != BESIDE:
            yield _rect(left, y, part.size_bytes * scale, BAR_HEIGHT, COLOURS[part.part])
            left += part.size_bytes * scale


def _interval(figure: Figure, left: float, y: float, scale: float, look: Look) -> Iterator[str]:
    """A whisker over the end of a bar."""
    if figure.low is None or figure.high is None:
        return
    low, high = left + figure.low * scale, left + figure.high * scale
    yield _line(low, y, high, y, look.ink, 2)
    for end in (low, high):
        yield _line(end, y - 6, end, y + 6, look.ink, 2)


def _allowed(allowed: int, left: float, scale: float, most: float, bars: int, look: Look, say: Say) -> Iterator[str]:
    """A line at what is allowed, or a word that it lies beyond the scale."""
    y = BARS_TOP + bars * BAR_STEP
    words = say(phrase("allowed {size}", size=format_bytes(allowed)))
    if allowed > most:
        yield _text(left, y + 12, f"{words} →", look.soft, 13)
        return
    x = left + allowed * scale
    yield _line(x, BARS_TOP - 6, x, y - 4, look.bad, 2)
    yield _text(x, y + 12, words, look.soft, 13, anchor="middle" if x < WIDTH - 2 * VALUE_WIDTH else "end")


def _tile(index: int, row: Comparison, look: Look, say: Say) -> Iterator[str]:
    """One quantity: what was measured, else the estimate; and below it the other, or the interval."""
    width = (FULL - (len(TILES) - 1) * TILE_GAP) / len(TILES)
    x, inner = MARGIN + index * (width + TILE_GAP), width - 28
    first, second = (row.measured, row.estimated) if row.measured.known else (row.estimated, Figure())
    below = join(" · ", filter(None, (second.marked, row.difference))) if second.known else first.range
    yield _rect(x, TILES_TOP, width, TILE_HEIGHT, look.tile, round_by=8)
    yield _text(x + 14, TILES_TOP + 26, say(row.name), look.soft, 13, room=inner)
    size, colour = (20, look.ink) if first.known else (15, look.soft)
    yield _text(x + 14, TILES_TOP + 54, say(first.marked), colour, size, bold=first.known, room=inner)
    yield _text(x + 14, TILES_TOP + 78, say(below), look.soft, 13, room=inner)


def _text(
    x: float,
    y: float,
    words: str,
    colour: str,
    size: int,
    *,
    bold: bool = False,
    anchor: str = "start",
    room: float = 0,
) -> str:
    """A line of text; what has no room ends with dots."""
    told = _cut(words, size, room, BOLD_LETTER if bold else LETTER) if room else words
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text {place} {_font(size, bold=bold)} fill="{colour}">{_safe(told)}</text>'


def _font(size: int, *, bold: bool = False) -> str:
    """A font that every system has."""
    return f'font-family="sans-serif" font-size="{size}" font-weight="{"bold" if bold else "normal"}"'


def _cut(words: str, size: int, room: float, letter: float = LETTER) -> str:
    """As much of a line as there is room for."""
    most = max(1, int(room / (size * letter)))
    return words if len(words) <= most else f"{words[: most - 1].rstrip(' ·')}…"


def _safe(words: str) -> str:
    """A text that ends no element and hides nothing."""
    return escape(visible(words))


def _rect(x: float, y: float, width: float, height: float, colour: str, round_by: int = 0) -> str:
    """A filled box."""
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="{round_by}" fill="{colour}"/>'


def _line(x1: float, y1: float, x2: float, y2: float, colour: str, width: int) -> str:
    """A straight line."""
    ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
    return f'<line {ends} stroke="{colour}" stroke-width="{width}"/>'
