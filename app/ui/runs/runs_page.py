"""Every run made here: list, details, note, compare, save, delete with undo."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QMenu, QVBoxLayout, QWidget

from app.core.types.run import RunSummary
from app.presentation.history import record_lines, runs_table
from app.ui.kit.basics import Card, Scroll, button, heading, muted
from app.ui.kit.error_card import ErrorCard
from app.ui.kit.plain import set_tooltip
from app.ui.kit.rows_table import RowsTable
from app.ui.kit.speech import said, tr
from app.ui.runs.preview_dialog import PreviewDialog
from app.ui.runs.run_details import RunDetailsView
from app.ui.runs.saving import Preview
from app.ui.runs.state_runs import RunsState

COMPARED_AT_ONCE = 8
"""So many selected runs are compared without being asked for."""
LISTED = 6
"""Rows of the list that are seen at once."""
SHOWN = range(1, 11)
"""All columns but the run's number."""
NUMBERS = range(3, 7)
DROPPED = (8, 7, 5, 9)
"""Data, plan, samples and note give way where there is little room; the run's details below show them."""


class RunsPage(QWidget):
    """Renders a `RunsState`; emits what the user asks for."""

    filter_changed = Signal(str)
    run_selected = Signal(int)
    compare_requested = Signal(tuple)
    delete_requested = Signal(tuple)
    note_changed = Signal(int, str)
    reuse_requested = Signal(int)
    preview_requested = Signal(tuple, str)
    """Numbers of runs, and the ending of a file."""
    share_requested = Signal(tuple)
    """Numbers of runs, of which the first is shown to others."""
    save_requested = Signal(tuple, str, bool)
    """Numbers of runs, a file whose ending says how, and whether what tells who and where is left out."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Runs"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 10, 16, 16)
        layout.setSpacing(8)
        layout.addLayout(self._tools())
        self.record = muted(wrap=True)
        self.record.setAccessibleName(tr("How good the predictions were"))
        layout.addWidget(self.record)
        self.error = ErrorCard(self)
        layout.addWidget(self.error)
        self.empty = muted(wrap=True)
        layout.addWidget(self.empty)
        self._list = self._list_card()
        layout.addWidget(self._list)
        scroll = Scroll(self, margin=0)
        self.details = RunDetailsView(scroll.inner)
        self.details.note_changed.connect(self.note_changed)
        self.details.reuse_requested.connect(self.reuse_requested)
        scroll.body.addWidget(self.details)
        scroll.body.addStretch(1)
        layout.addWidget(scroll, 1)
        self._listed: tuple[RunSummary, ...] = ()
        self._rows: list[RunSummary] = []
        self._order: tuple[int, bool] = (0, True)
        self._newest = 0
        """Number of the newest run that was listed so far."""
        self._follows = True
        """Nobody who still looks at this page has chosen a run: the newest is shown."""
        self.set_state(RunsState())

    def _tools(self) -> QHBoxLayout:
        """Title, filter and buttons."""
        row = QHBoxLayout()
        row.addWidget(heading(tr("Runs on this machine"), 1.15))
        row.addStretch(1)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(tr("Filter by model, data, device, note …"))
        self.filter.setAccessibleName(tr("Filter runs"))
        self.filter.setClearButtonEnabled(True)
        self.filter.setMaximumWidth(280)
        self.filter.setMinimumWidth(116)
        self.filter.textChanged.connect(self.filter_changed)
        self.compare = button(tr("Compare"), name=tr("Compare the selected runs"))
        set_tooltip(self.compare, tr("Compares the selected runs; of a single one with the next in the list"))
        self.compare.clicked.connect(self.compare_selected)
        self.delete = button(tr("Delete"), name=tr("Delete the selected runs"))
        self.delete.clicked.connect(lambda: self.delete_requested.emit(self.selected_ids()))
        self.save = button(tr("Save"), name=tr("Save the selected runs"))
        self.save.setMenu(self._save_menu())
        self.share = button(tr("Share …"), name=tr("Make a picture and a text of the selected run"))
        set_tooltip(self.share, tr("A picture and a text for an issue, a chat or a paper, without names and folders"))
        self.share.clicked.connect(lambda: self.share_requested.emit(self.selected_ids()))
        for widget in (self.filter, self.compare, self.share, self.save, self.delete):
            row.addWidget(widget)
        return row

    def _save_menu(self) -> QMenu:
        """Kinds of files."""
        menu = QMenu(self)
        kinds = {
            "html": tr("Report (HTML) …"),
            "pdf": tr("Report (PDF) …"),
            "md": tr("Report (Markdown) …"),
            "json": tr("Everything (JSON) …"),
        }
        actions = {ending: menu.addAction(text) for ending, text in kinds.items()}
        for ending, action in actions.items():
            action.triggered.connect(lambda *_checked, ending=ending: self._preview(f".{ending}"))
        self._reports = [action for ending, action in actions.items() if ending != "json"]
        return menu

    def _preview(self, ending: str) -> None:
        """Ask for what a file would hold."""
        self.preview_requested.emit(self.selected_ids(), ending)

    def show_preview(self, preview: Preview) -> None:
        """Show what a file will hold, and once that is accepted ask where to."""
        dialog = PreviewDialog(preview, self)
        dialog.accepted.connect(lambda: self._ask_and_save(preview, dialog.redact.isChecked()))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _ask_and_save(self, preview: Preview, redact: bool) -> None:
        """Ask where to."""
        chosen, ending = preview.run_ids, preview.ending
        name = f"run {chosen[0]}{ending}" if len(chosen) == 1 else f"runs{ending}"
        path, _ = QFileDialog.getSaveFileName(self, tr("Save runs"), name)
        if path:
            self.save_requested.emit(chosen, path if Path(path).suffix else f"{path}{ending}", redact)

    def _list_card(self) -> Card:
        """The table of runs."""
        card = Card("", self, margin=4)
        headers = tuple(map(said, runs_table(()).pick(SHOWN).columns))
        self.table = RowsTable(
            tr("List of runs"), headers, numbers=NUMBERS, whole=(0, 2), stretched=9, dropped=DROPPED, parent=card
        )
        self.table.setSelectionMode(RowsTable.SelectionMode.ExtendedSelection)
        self.table.selected.connect(lambda _rows: self._on_selection_changed())
        self.table.sort_requested.connect(self._on_sort)
        card.body.addWidget(self.table)
        return card

    def selected_ids(self) -> tuple[int, ...]:
        """Numbers of the selected runs, from top to bottom."""
        return tuple(self._rows[row].run_id for row in self.table.selected_rows() if row < len(self._rows))

    def set_state(self, state: RunsState) -> None:
        """Show the list and what is selected in it."""
        self.error.set_error(state.error)
        self.record.setText(" ".join(map(said, record_lines(state.record))) if state.record else "")
        self.record.setVisible(state.record is not None)
        if state.rows != self._listed:
            self._listed = state.rows
            self._show_rows()
            self._choose_newest()
        self.empty.setText(self._empty_text(state))
        self.empty.setVisible(not state.rows)
        self._list.setVisible(bool(state.rows))
        self.details.set_state(state)
        self.details.setVisible(bool(state.rows))
        self._update_buttons()

    def _show_rows(self) -> None:
        """Sort the list; what was selected stays so."""
        chosen = set(self.selected_ids())
        column, descending = self._order
        self._rows = sorted(self._listed, key=lambda run: _sorted_by(column, run), reverse=descending)
        kept = [index for index, row in enumerate(self._rows) if row.run_id in chosen]
        self.table.fill(runs_table(self._rows).pick(SHOWN).rows, kept)
        self.table.show_order(column, descending=descending)
        self.table.fit_height(LISTED)

    def _choose_newest(self) -> None:
        """Show a new run, unless somebody who looks at this page has chosen another; and where none is chosen."""
        newest = max((run.run_id for run in self._rows), default=0)
        made = newest > self._newest and self._follows
        self._newest = max(self._newest, newest)
        if newest and (made or not self.selected_ids()):
            self.table.select_row([run.run_id for run in self._rows].index(newest), add=False)
            self._follows = True

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: D102 - Qt's name
        super().hideEvent(event)
        self._follows = True

    def _on_sort(self, column: int) -> None:
        """Sort by a column, a second time the other way round."""
        self._order = (column, not self._order[1] if column == self._order[0] else False)
        self._show_rows()

    def _empty_text(self, state: RunsState) -> str:
        """Why the list is empty."""
        if not state.loaded:
            return tr("Reading the history …")
        if state.filter_text:
            return tr("No run matches “{text}”.").format(text=state.filter_text)
        return tr(
            "No run yet. Press Ctrl+R to measure the present workload for a few seconds. Every run is kept here: its "
            "step time and memory beside the estimate made before, its curves, and your notes. From then on estimates "
            "are corrected by what was measured, and two runs can be compared."
        )

    def _update_buttons(self) -> None:
        """Comparing needs two runs, deleting a selected one."""
        count = len(self.selected_ids())
        self.compare.setEnabled(len(self._rows) >= 2)
        self.delete.setEnabled(count >= 1)
        self.save.setEnabled(count >= 1)
        self.share.setEnabled(count == 1)
        for action in self._reports:
            action.setEnabled(count == 1)

    def _on_selection_changed(self) -> None:
        """Ask for the details of a single selected run, or for a few side by side."""
        self._follows = False
        self._update_buttons()
        chosen = self.selected_ids()
        if len(chosen) == 1:
            self.run_selected.emit(chosen[0])
        elif 1 < len(chosen) <= COMPARED_AT_ONCE:
            self.compare_requested.emit(chosen)

    def compare_selected(self) -> None:
        """Compare what is selected; a single run with the next of the list, or the one before the last."""
        rows = self.table.selected_rows()
        if len(rows) > 1:
            self.compare_requested.emit(self.selected_ids())
        elif len(self._rows) > 1:
            row = rows[0] if rows else 0
            self.table.select_row(row)
            self.table.select_row(row + 1 if row + 1 < len(self._rows) else row - 1)


def _sorted_by(column: int, run: RunSummary) -> float | str:
    """What a column of the list is sorted by; what is not known comes first."""
    plan = f"{run.optimizer} · {run.precision} · {run.device}"
    numbers = (run.step_s, run.samples_per_s, run.allocator_peak_bytes)
    known = (-1.0 if number is None else float(number) for number in numbers)
    return (run.run_id, run.model, run.outcome, run.batch_size, *known, plan, run.dataset, run.note)[column]
