"""A table of many rows: only what is seen is drawn, and a click on a heading sorts."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QItemSelectionModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QFrame, QTableView, QWidget

from app.ui.kit.columns import FittedColumns
from app.ui.kit.plain import plain_tip
from app.ui.kit.speech import said

Index = QModelIndex | QPersistentModelIndex
ROW_HEIGHT = 30


class RowsModel(QAbstractTableModel):
    """Texts by row and column; those of the core are translated when they are seen."""

    def __init__(self, headers: Sequence[str], numbers: Collection[int], parent: QWidget) -> None:
        super().__init__(parent)
        self._headers = tuple(headers)
        self._numbers = numbers
        self._rows: Sequence[Sequence[str]] = ()

    def set_rows(self, rows: Sequence[Sequence[str]]) -> None:
        """Replace all rows."""
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:  # noqa: D102 - Qt's name
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index | None = None) -> int:  # noqa: D102 - Qt's name
        return 0 if parent is not None and parent.isValid() else len(self._headers)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # noqa: D102 - Qt's name
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return said(self._rows[index.row()][index.column()])
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(said(self._rows[index.row()][index.column()]))
        return self._alignment(index.column()) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def headerData(  # noqa: D102 - Qt's name
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._headers[section]
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(self._headers[section])
        return self._alignment(section) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def _alignment(self, column: int) -> int:
        """Numbers stand at the right."""
        side = Qt.AlignmentFlag.AlignRight if column in self._numbers else Qt.AlignmentFlag.AlignLeft
        return int(side | Qt.AlignmentFlag.AlignVCenter)


class RowsTable(QTableView):
    """Emits `sort_requested` with a column, and `selected` with the rows that are chosen.

    Args:
        name: For a screen reader.
        headers: Of the columns.
        numbers: Columns of figures: aligned right and shortened last.
        whole: Other columns that are shortened last.
        stretched: The column that takes the spare room.
        dropped: Columns that may be left out where there is little room, the least important first.
    """

    sort_requested = Signal(int)
    selected = Signal(tuple)

    def __init__(
        self,
        name: str,
        headers: Sequence[str],
        *,
        numbers: Collection[int],
        stretched: int,
        whole: Collection[int] = (),
        dropped: Sequence[int] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self._model = RowsModel(headers, numbers, self)
        self.setModel(self._model)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        self.setShowGrid(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        self.columns = FittedColumns(self, stretched, {*numbers, *whole}, dropped)
        header.setSectionsClickable(True)
        header.sectionClicked.connect(self.sort_requested)
        self.selectionModel().selectionChanged.connect(self._on_selection)

    def fill(self, rows: Sequence[Sequence[str]], chosen: Sequence[int] = ()) -> None:
        """Replace all rows; ``chosen`` are selected without telling anybody."""
        self.selectionModel().blockSignals(True)
        self._model.set_rows(rows)
        self.selectionModel().blockSignals(False)
        self.columns.refit()
        for row in chosen:
            self.select_row(row, tell=False)

    def show_order(self, column: int, *, descending: bool) -> None:
        """Show which column the rows are sorted by."""
        header = self.horizontalHeader()
        header.setSortIndicatorShown(True)
        order = Qt.SortOrder.DescendingOrder if descending else Qt.SortOrder.AscendingOrder
        header.setSortIndicator(column, order)
        self.columns.refit()

    def select_row(self, row: int, *, tell: bool = True, add: bool = True) -> None:
        """Choose a row, as a click with Ctrl would."""
        flags = QItemSelectionModel.SelectionFlag.Rows
        flags |= QItemSelectionModel.SelectionFlag.Select if add else QItemSelectionModel.SelectionFlag.ClearAndSelect
        self.selectionModel().blockSignals(not tell)
        self.selectionModel().select(self._model.index(row, 0), flags)
        self.selectionModel().blockSignals(False)
        self.viewport().update()

    def selected_rows(self) -> tuple[int, ...]:
        """Chosen rows from top to bottom."""
        return tuple(sorted(index.row() for index in self.selectionModel().selectedRows()))

    def rowCount(self) -> int:
        """Number of rows; named as in Qt's own tables."""
        return self._model.rowCount()

    def text(self, row: int, column: int) -> str:
        """What a cell says."""
        return str(self._model.data(self._model.index(row, column)))

    def fit_height(self, most: int) -> None:
        """Be as high as the rows need, up to a number of rows."""
        rows = min(max(1, self.rowCount()), most)
        self.setFixedHeight(self.horizontalHeader().sizeHint().height() + rows * ROW_HEIGHT + 14)

    def _on_selection(self) -> None:
        """Tell which rows are chosen."""
        self.selected.emit(self.selected_rows())
