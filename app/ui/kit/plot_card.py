"""A card with a plot and its table twin; the plot is made when the card is shown and has something to draw."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from PySide6.QtCore import QEvent
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFileDialog, QFrame, QMenu, QStackedWidget, QVBoxLayout, QWidget

from app.core.types.errors import StoreError
from app.core.types.visible import visible_cell
from app.services.whole_write import write_export
from app.ui.kit import style
from app.ui.kit.basics import Card, DataTable, ElidedLabel, button
from app.ui.kit.one_a_turn import OneATurn
from app.ui.kit.speech import said, tr

if TYPE_CHECKING:
    from app.ui.kit.plot_base import Plot

PlotT = TypeVar("PlotT", bound="Plot")
Rows = Callable[[], Sequence[Sequence[str]]]
MOST_ROWS = 200
"""Rows of the table twin; a file of the data holds all."""


class PlotCard(Card, Generic[PlotT]):
    """Title, subtitle, chart or table, and a menu to look closer and to save.

    Args:
        title: Shown, and the accessible name of plot and table.
        headers: Columns of the table twin.
        factory: Makes the plot; called once, when the card is seen with something to draw: that loads pyqtgraph.
        height: Of the chart.
    """

    def __init__(
        self,
        title: str,
        headers: Sequence[str],
        factory: Callable[[], PlotT],
        *,
        height: int = 220,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(title, parent)
        self._factory = factory
        self._headers = tuple(headers)
        self._plot: PlotT | None = None
        self._waiting: Callable[[PlotT], None] | None = None
        self._reading = ElidedLabel()
        self._reading.setProperty("role", "accent")
        self._reading.hide()
        self.head.addWidget(self._reading, 1)
        self.table_button = button(tr("Table"), quiet=True, name=tr("{title} as a table").format(title=title))
        self.table_button.setCheckable(True)
        self.head.addWidget(self.table_button)
        self.menu_button = button("⋯", quiet=True, name=tr("More about {title}").format(title=title))
        menu = QMenu(self)
        menu.aboutToShow.connect(self._fill_menu)
        self.menu_button.setMenu(menu)
        self.head.addWidget(self.menu_button)
        self.stack = QStackedWidget()
        self.stack.setFixedHeight(height)
        self._table: DataTable | None = None
        self._worn: object = None
        self.place = QFrame()
        self.place.setObjectName("plotPlace")
        self._drawn_in = QVBoxLayout(self.place)
        self._drawn_in.setContentsMargins(0, 0, 0, 0)
        self.stack.addWidget(self.place)
        self.body.addWidget(self.stack)
        self.table_button.toggled.connect(self._on_table_toggled)
        self._rows: Rows = list

    def _fill_menu(self) -> None:
        """Zoom and save; made when it is first opened."""
        menu = self.menu_button.menu()
        if menu.actions():
            return
        menu.addAction(tr("Zoom in"), lambda: self._with_plot(lambda plot: plot.zoom_in()))
        menu.addAction(tr("Zoom out"), lambda: self._with_plot(lambda plot: plot.zoom_out()))
        menu.addAction(tr("Show everything"), lambda: self._with_plot(lambda plot: plot.show_all()))
        menu.addSeparator()
        menu.addAction(tr("Save as picture (PNG) …"), lambda: self._ask_and_save("png"))
        menu.addAction(tr("Save as drawing (SVG) …"), lambda: self._ask_and_save("svg"))
        menu.addAction(tr("Save the data (CSV) …"), lambda: self._ask_and_save("csv"))

    @property
    def table(self) -> DataTable:
        """The table twin; made when it is first asked for."""
        if self._table is None:
            self._table = DataTable(tr("{title}, table").format(title=self.title.text()), self._headers)
            self.stack.addWidget(self._table)
        return self._table

    @property
    def plot(self) -> PlotT | None:
        """The plot, or None before the card was first shown."""
        return self._plot

    def draw(self, how: Callable[[PlotT], None], rows: Rows) -> None:
        """Update: ``how`` paints the plot now or when it is made, ``rows`` fills the table when it is seen."""
        self._rows = rows
        if self._plot is not None:
            how(self._plot)
        else:
            self._waiting = how
            if self.isVisible():
                self._make_soon()
        if self.table_button.isChecked():
            self._fill_table()

    def save(self, path: Path) -> None:
        """Write plot or data to a file, as its ending says.

        Raises:
            StoreError: It cannot be written.
        """
        kind = path.suffix.lower()
        if kind == ".csv":
            write_export(path, self._csv())
            return
        self.make_plot()
        assert self._plot is not None
        write_export(path, self._plot.svg() if kind == ".svg" else self._plot.png())

    def _csv(self) -> bytes:
        """The table twin, all rows of it."""
        text = io.StringIO()
        csv.writer(text).writerows([[visible_cell(cell) for cell in row] for row in [self._headers, *self._rows()]])
        return text.getvalue().encode()

    def _ask_and_save(self, kind: str) -> None:
        """Ask where to, and say it in place of the subtitle if that cannot be."""
        name = f"{self.title.text()}.{kind}"
        path, _ = QFileDialog.getSaveFileName(self, tr("Save “{title}”").format(title=self.title.text()), name)
        if not path:
            return
        try:
            self.save(Path(path if Path(path).suffix else f"{path}.{kind}"))
        except StoreError as error:
            self.show_reading("; ".join(map(said, (error.message, error.received, error.hint))))

    def _with_plot(self, do: Callable[[PlotT], None]) -> None:
        """Do something with the plot, if it is there."""
        if self._plot is not None:
            do(self._plot)

    def show_reading(self, text: str) -> None:
        """Show values under the mouse in place of the subtitle."""
        self._reading.set_full_text(text)
        self._reading.setVisible(bool(text))
        self.subtitle.setVisible(not text)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: D102 - Qt's name
        super().showEvent(event)
        if self._waiting is not None:
            self._make_soon()
        self._restyle()

    def _make_soon(self) -> None:
        """Make the plot in a turn of its own: the plots of a page together take several frames."""
        OneATurn.of(self).add(self, self._make_seen)

    def _make_seen(self) -> None:
        """Make the plot unless its page was left meanwhile."""
        if self.isVisible():
            self.make_plot()

    def make_plot(self) -> None:
        """Make the plot now and show it; nothing if it is already there."""
        if self._plot is not None:
            return
        self._plot = self._factory()
        self._worn = style.current()
        self._plot.widget.setAccessibleName(self.title.text())
        self._plot.pointer.hovered.connect(self.show_reading)
        if self._waiting is not None:
            self._waiting(self._plot)
            self._waiting = None
        self._drawn_in.addWidget(self._plot.widget)

    def customEvent(self, event: QEvent) -> None:  # noqa: D102 - Qt's name
        if isinstance(event, style.ThemeEvent):
            OneATurn.of(self).add(self, self._restyle)

    def _restyle(self) -> None:
        """Give a plot that is seen the colours of the theme; a style changes for many other reasons."""
        if self._plot is not None and self.isVisible() and self._worn is not style.current():
            self._worn = style.current()
            self._plot.restyle()

    def _fill_table(self) -> None:
        """Show the newest rows."""
        rows = list(self._rows())[:MOST_ROWS]
        self.table.fill(rows, numbers_from=0)

    def _on_table_toggled(self, checked: bool) -> None:
        """Switch between chart and table."""
        if checked:
            self._fill_table()
        self.stack.setCurrentWidget(self.table if checked else self.place)
