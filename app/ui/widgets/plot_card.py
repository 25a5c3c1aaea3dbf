"""A card with a plot and its table twin; the plot is made when the card is first shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

from PySide6.QtCore import QEvent, QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QStackedWidget, QVBoxLayout, QWidget

from app.ui.widgets.basics import Card, DataTable, button

if TYPE_CHECKING:
    from app.ui.widgets.plots import Plot

PlotT = TypeVar("PlotT", bound="Plot")


class PlotCard(Card, Generic[PlotT]):
    """Title, subtitle, chart or table.

    Args:
        title: Shown, and the accessible name of plot and table.
        headers: Columns of the table twin.
        factory: Makes the plot; called once, when the card is first shown, because that loads pyqtgraph.
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
        self._plot: PlotT | None = None
        self._waiting: list[Callable[[PlotT], None]] = []
        self.table_button = button(self.tr("Table"), quiet=True, name=self.tr("{title} as a table").format(title=title))
        self.table_button.setCheckable(True)
        self.head.addWidget(self.table_button)
        self.stack = QStackedWidget()
        self.stack.setFixedHeight(height)
        self.table = DataTable(self.tr("{title}, table").format(title=title), headers)
        self.place = QFrame()
        self.place.setObjectName("plotPlace")
        QVBoxLayout(self.place).setContentsMargins(0, 0, 0, 0)
        self.stack.addWidget(self.place)
        self.stack.addWidget(self.table)
        self.body.addWidget(self.stack)
        self.table_button.toggled.connect(self._on_table_toggled)
        self._rows: Callable[[], Sequence[Sequence[str]]] = list

    @property
    def plot(self) -> PlotT | None:
        """The plot, or None before the card was first shown."""
        return self._plot

    def draw(self, how: Callable[[PlotT], None], rows: Callable[[], Sequence[Sequence[str]]]) -> None:
        """Update: ``how`` paints the plot now or when it is made, ``rows`` fills the table when it is seen."""
        self._rows = rows
        if self._plot is not None:
            how(self._plot)
        else:
            self._waiting = [how]
        if self.table_button.isChecked():
            self.table.fill(rows(), numbers_from=0)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: D102 - Qt's name
        super().showEvent(event)
        if self._plot is None:
            QTimer.singleShot(0, self, self.make_plot)

    def make_plot(self) -> None:
        """Make the plot now; nothing if it is already there."""
        if self._plot is not None:
            return
        self._plot = self._factory()
        self.place.layout().addWidget(self._plot.widget)
        self._plot.widget.setAccessibleName(self.title.text())
        for how in self._waiting:
            how(self._plot)
        self._waiting = []

    def changeEvent(self, event: QEvent) -> None:  # noqa: D102 - Qt's name
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and getattr(self, "_plot", None) is not None:
            self._plot.restyle()

    def _on_table_toggled(self, checked: bool) -> None:
        """Switch between chart and table."""
        if checked:
            self.table.fill(self._rows(), numbers_from=0)
        self.stack.setCurrentIndex(1 if checked else 0)
