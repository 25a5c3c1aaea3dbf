"""Columns of a table share the room there is: nothing scrolls sideways.

Figures are shown whole, long texts are shortened (a tooltip tells the whole), and where even that is too wide the
least important columns are left out; the tooltip of a row then says what stands in them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QHeaderView, QTableView

from app.ui.kit.plain import show_tooltip
from app.ui.kit.speech import tr

PADDING = 26
"""Left and right of a text: the style sheet's 8 and Qt's own 3 on each side, and a little air."""
ARROW = 18
"""Of the column that the rows are sorted by."""
LEAST = 110
NAME_LEAST = 170
"""A text that is shortened keeps this much, if it is as long; that of the stretched column keeps more."""
MEASURED_ROWS = 60
"""Rows that the widths are taken from."""


def share_out(
    wanted: Sequence[int],
    least: Sequence[int],
    room: int,
    stretched: int,
    *,
    dropped: Sequence[int] = (),
    figures: Collection[int] = (),
) -> tuple[int, ...]:
    """Divide the room of a table among its columns.

    Args:
        wanted: Pixels in which everything is seen; 0 for a column that is left out in any case.
        least: Pixels that a column cannot do without.
        room: Pixels of all columns together.
        stretched: The column that takes what is left.
        dropped: Columns that may be left out, the least important first.
        figures: Columns that are shortened only when the others have given all.

    Returns:
        Widths that add up to ``room``; 0 where a column is left out.
    """
    widths = list(wanted)
    needed = [min(want, keep) for want, keep in zip(wanted, least, strict=True)]
    for column in dropped:
        if sum(needed) <= room:
            break
        widths[column] = needed[column] = 0
    shown = tuple(widths)
    if sum(widths) > room:
        if sum(needed) > room:
            needed = [width if column in figures else 0 for column, width in enumerate(widths)]
            needed = needed if sum(needed) <= room else [0] * len(needed)
        widths = _lowered(widths, needed, room)
    widest = max(range(len(widths)), key=lambda column: (widths[column], shown[column]))
    taker = stretched if widths[stretched] else widest
    widths[taker] += max(0, room - sum(widths))
    return tuple(widths)


def _lowered(widths: list[int], least: list[int], room: int) -> list[int]:
    """The widest columns become narrower until all find room."""
    low, high = 0, max(widths)
    while low < high:
        level = (low + high + 1) // 2
        if sum(min(width, max(keep, level)) for width, keep in zip(widths, least, strict=True)) <= room:
            low = level
        else:
            high = level - 1
    return [min(width, max(keep, low)) for width, keep in zip(widths, least, strict=True)]


class FittedColumns(QObject):
    """Gives the columns of a table their widths whenever its texts or its room change.

    Args:
        view: The table.
        stretched: The column that takes what is left.
        figures: Columns that are shortened last.
        dropped: Columns that may be left out, the least important first; those without any text go before them.
    """

    def __init__(
        self, view: QTableView, stretched: int = 0, figures: Collection[int] = (), dropped: Sequence[int] = ()
    ) -> None:
        super().__init__(view)
        self._view = view
        self._stale = True
        self._left_out: frozenset[int] = frozenset()
        self._wanted: list[int] = []
        self._bare: list[int] = []
        self.stretched, self.figures, self.dropped = stretched, figures, dropped
        header = view.horizontalHeader()
        header.setMinimumSectionSize(0)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setTextElideMode(Qt.TextElideMode.ElideRight)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.viewport().installEventFilter(self)

    def leave_out(self, columns: Collection[int]) -> None:
        """Leave out columns in any case."""
        self._left_out = frozenset(columns)
        self.refit()

    def refit(self) -> None:
        """The texts have changed: measure them, now or when the table is seen."""
        self._stale = True
        if self._view.isVisible():
            self._fit()

    def hidden(self) -> list[int]:
        """Columns with texts that found no room."""
        header = self._view.horizontalHeader()
        return [c for c in range(len(self._wanted)) if c not in self._left_out and header.isSectionHidden(c)]

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: D102 - Qt's name
        if event.type() == QEvent.Type.Resize or (event.type() == QEvent.Type.Show and self._stale):
            self._fit()
        elif event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            show_tooltip(event.globalPos(), self.told(self._view.indexAt(event.pos())), self._view)
            return True
        return super().eventFilter(watched, event)

    def told(self, index: QModelIndex) -> str:
        """A cell in full, and what its row has in the columns that are left out."""
        if not index.isValid():
            return ""
        model, line = self._view.model(), tr("{column}: {value}")
        pairs = ((self._heading(c), str(model.index(index.row(), c).data() or "")) for c in self.hidden())
        lines = [line.format(column=name, value=value) for name, value in pairs if value]
        return "\n".join([str(index.data() or ""), *lines])

    def _heading(self, column: int) -> str:
        """What stands over a column."""
        return str(self._view.model().headerData(column, Qt.Orientation.Horizontal) or "")

    def _measure(self) -> None:
        """What every column wants."""
        model, metrics, header = self._view.model(), self._view.fontMetrics(), self._view.horizontalHeader()
        sorted_by = header.sortIndicatorSection() if header.isSortIndicatorShown() else -1
        self._wanted, self._bare = [], []
        for column in range(model.columnCount()):
            rows = range(min(model.rowCount(), MEASURED_ROWS))
            texts = {str(model.index(row, column).data() or "") for row in rows}
            heading = header.fontMetrics().horizontalAdvance(self._heading(column)) + ARROW * (column == sorted_by)
            widest = max((metrics.horizontalAdvance(text) for text in texts), default=0)
            self._wanted.append(0 if column in self._left_out else max(heading, widest) + PADDING)
            if not any(texts):
                self._bare.append(column)

    def _fit(self) -> None:
        """Set the widths."""
        if self._stale:
            self._measure()
            self._stale = False
        room, header = self._view.viewport().width(), self._view.horizontalHeader()
        if not self._wanted or room <= 0:
            return
        wanted = self._wanted
        least = [want if column in self.figures else min(want, LEAST) for column, want in enumerate(wanted)]
        least[self.stretched] = max(least[self.stretched], min(wanted[self.stretched], NAME_LEAST))
        dropped = sorted(self.dropped, key=lambda column: column not in self._bare)
        widths = share_out(wanted, least, room, self.stretched, dropped=dropped, figures=self.figures)
        for column, width in enumerate(widths):
            header.setSectionHidden(column, not width)
            if width and header.sectionSize(column) != width:
                header.resizeSection(column, width)
