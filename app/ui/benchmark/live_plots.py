"""The live plots of a run side by side: only those that the machine has values for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from app.core.types.measurement import PhaseSpan
from app.core.types.units import format_number
from app.ui.benchmark.state_live import Curves
from app.ui.kit.basics import button, heading
from app.ui.kit.plain import set_tooltip
from app.ui.kit.plot_card import PlotCard
from app.ui.kit.quantities import axis_unit
from app.ui.kit.speech import tr

if TYPE_CHECKING:
    from app.ui.benchmark.live_plot import LivePlot

HEIGHT = 168
NARROW = 740
BETWEEN_PLOTS_MS = 2
PERCENT_TOP = 130.0
"""Room for the legend above 100 %."""


@dataclass(frozen=True)
class Spec:
    """One plot; ``always`` is shown while it runs, before there is a value."""

    title: str
    label: str
    units: str
    curves: dict[str, str]
    top: float | None = None
    limit: str = ""
    always: bool = False
    without: tuple[str, str] = ("", "")
    """A curve, and what is said while the others are there without it."""


class LivePlots(QWidget):
    """Draws the curves of a run; a pause holds the picture while the run goes on."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        head = QHBoxLayout()
        title_of = heading(title)
        head.addWidget(title_of)
        head.addStretch(1)
        self.pause = button(tr("Hold the plots"), quiet=True)
        self.pause.setCheckable(True)
        set_tooltip(self.pause, tr("The run goes on; the picture stays as it is"))
        self.pause.toggled.connect(self._on_paused)
        self.pause.hide()
        head.addWidget(self.pause)
        column.addLayout(head)
        self._grid = QGridLayout()
        self._grid.setSpacing(12)
        column.addLayout(self._grid)
        self._title = title_of
        self._specs = self._all_specs()
        self.cards: dict[int, PlotCard[LivePlot]] = {}
        """Those that were shown so far, by the place of their spec."""
        self._shown: tuple[tuple[int, ...], int] = ((), 0)
        self._latest: tuple[Curves, Sequence[PhaseSpan], float | None] = ({}, (), None)
        self._live = True
        self._waiting: list[int] = []
        self._refresh = QTimer(self)
        self._refresh.setSingleShot(True)
        self._refresh.setInterval(BETWEEN_PLOTS_MS)
        self._refresh.timeout.connect(self._draw_next)

    def _all_specs(self) -> tuple[Spec, ...]:
        """Every plot there can be."""
        cpu, gpu = tr("CPU"), tr("GPU")
        memory = {
            "needed_gib": tr("needed, peak"),
            "current_gib": tr("needed now"),
            "held_gib": tr("held"),
            "seen_gib": tr("driver sees"),
            "card_gib": tr("all programs"),
        }
        use = {"cpu_percent": cpu, "gpu_percent": gpu, "others_percent": tr("other programs")}
        return (
            Spec(tr("Step time"), tr("Time"), "ms", {"step_ms": tr("step")}, always=True),
            Spec(
                tr("Memory of the training"),
                tr("Memory"),
                "GiB",
                memory,
                None,
                tr("limit"),
                True,
                ("held_gib", tr("what is held is not told while it runs")),
            ),
            Spec(tr("Processor use"), tr("Use"), "%", use, PERCENT_TOP, always=True),
            Spec(
                tr("RAM of the process"),
                tr("RAM"),
                "GiB",
                {"ram_gib": tr("process"), "swap_gib": tr("swap of the machine")},
                always=True,
            ),
            Spec(tr("Disk"), tr("Rate"), "MB/s", {"read_mb_s": tr("read"), "write_mb_s": tr("written, all programs")}),
            Spec(tr("Power"), tr("Power"), "W", {"cpu_w": cpu, "gpu_w": gpu}),
            Spec(tr("Temperature"), tr("Temperature"), "°C", {"cpu_c": cpu, "gpu_c": gpu}),
            Spec(tr("Clock"), tr("Clock"), "MHz", {"cpu_mhz": cpu, "gpu_mhz": gpu}),
        )

    def _card(self, spec: Spec) -> PlotCard[LivePlot]:
        """One plot with its table twin."""
        seconds = tr("Seconds")

        def make() -> LivePlot:
            from app.ui.benchmark.live_plot import LivePlot

            return LivePlot(spec.label, spec.units, seconds, spec.curves, top=spec.top, limit=spec.limit)

        headers = (seconds, *(f"{name} ({axis_unit(spec.units)[0]})" for name in spec.curves.values()))
        return PlotCard(spec.title, headers, make, height=HEIGHT, parent=self)

    def set_title(self, title: str) -> None:
        """Say whether the run goes on."""
        self._title.setText(title)

    def set_curves(
        self, curves: Curves, phases: Sequence[PhaseSpan], limit_gib: float | None, *, live: bool = True
    ) -> None:
        """Draw a run so far.

        Args:
            curves: By name.
            phases: Bands under the curves.
            limit_gib: Memory that the training may use, if known.
            live: Values may still come; else a plot without a line is left out.
        """
        self._live = live
        self._latest = (curves, phases, limit_gib)
        if not self.pause.isChecked():
            self._draw()

    def _draw(self) -> None:
        """Show the latest state."""
        wanted = self._wanted()
        for index in wanted:
            if index not in self.cards:
                self.cards[index] = self._card(self._specs[index])
                self.cards[index].hide()
        self._arrange()
        waiting = [index for index in self._waiting if index in wanted]
        self._waiting = waiting + [index for index in wanted if index not in waiting]
        if not self._refresh.isActive():
            self._refresh.start()

    def _draw_next(self) -> None:
        """One plot in each event: all of them together would take several frames."""
        if self._waiting:
            self._draw_plot(self._waiting.pop(0))
            self._refresh.start()

    def _wanted(self) -> tuple[int, ...]:
        """The plots that have something to show; a run without values yet keeps those of the one before."""
        curves = self._latest[0]
        if not self._live:
            return tuple(i for i, spec in enumerate(self._specs) if has_lines(curves, tuple(spec.curves)))
        if not curves:
            return self._shown[0]
        return tuple(i for i, spec in enumerate(self._specs) if spec.always or any(n in curves for n in spec.curves))

    def _draw_plot(self, index: int) -> None:
        """Show the latest state in one plot."""
        curves, phases, limit_gib = self._latest
        spec, card = self._specs[index], self.cards[index]
        own = {name: curves[name] for name in spec.curves if name in curves}
        limit = limit_gib if spec.limit else None
        name, words = spec.without
        card.subtitle.set_full_text(words if own and name not in own else "")
        card.draw(partial(_paint, own, phases, limit), partial(rows, own, tuple(spec.curves), axis_unit(spec.units)[1]))

    def _arrange(self) -> None:
        """Put the plots that have something to show into two columns, or one where there is little room."""
        shown = self._wanted()
        # Of one column: a second one must not keep the page wide when the window becomes narrow.
        self.setMinimumWidth(self._widest())
        columns = 1 if self.width() < max(NARROW, 2 * self._widest() + self._grid.spacing()) else 2
        if (shown, columns) == self._shown:
            return
        self._shown = (shown, columns)
        for index, card in self.cards.items():
            self._grid.removeWidget(card)
            card.setVisible(index in shown)
        for place, index in enumerate(shown):
            self._grid.addWidget(self.cards[index], place // columns, place % columns)

    def _widest(self) -> int:
        """Pixels that a column needs for its widest title."""
        return max((card.minimumSizeHint().width() for card in self.cards.values()), default=0)

    def resizeEvent(self, event: object) -> None:  # noqa: D102 - Qt's name
        super().resizeEvent(event)  # type: ignore[arg-type]
        self._arrange()

    def _on_paused(self, paused: bool) -> None:
        """Hold the picture, or catch up."""
        self.pause.setText(tr("Go on") if paused else tr("Hold the plots"))
        self._waiting.clear()
        if not paused:
            self._draw()


def has_lines(curves: Curves, names: Sequence[str] = ()) -> bool:
    """Can a line be drawn, of some curves or of any: one point is none."""
    return any(len(curves[name][0]) > 1 for name in names or curves if name in curves)


def _paint(curves: Curves, phases: Sequence[PhaseSpan], limit: float | None, plot: LivePlot) -> None:
    """Hand a plot what it shows."""
    plot.set_curves(curves)
    plot.set_phases(phases)
    plot.set_limit(limit)


def rows(curves: Curves, names: Sequence[str], factor: float = 1.0) -> list[tuple[str, ...]]:
    """The table twin: one row per moment, newest first, the values times ``factor``."""
    moments = sorted({t for times, _ in curves.values() for t in times}, reverse=True)
    lookups = [dict(zip(*curves[name], strict=True)) if name in curves else {} for name in names]
    return [
        (format_number(t, ".1f"), *(format_number(look[t] * factor, ".4g") if t in look else "–" for look in lookups))
        for t in moments
    ]
