"""Which Python trains: those of this machine, and a button that has one made."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QItemSelectionModel, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QVBoxLayout, QWidget

from app.ui.kit.basics import DataTable, button, heading, muted, sentence, wrapped
from app.ui.kit.error_card import ErrorCard
from app.ui.kit.progress_bar import ProgressBar
from app.ui.kit.speech import tr
from app.ui.workload.runtime_maker import RuntimeMaker
from app.ui.workload.state_runtime import RuntimeState


class RuntimeDialog(QDialog):
    """Shows a `RuntimeState`; every choice counts at once, and closing it does not stop what is being made."""

    chosen = Signal(str)
    """Path of the Python that shall train."""
    make_requested = Signal()
    stop_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Which Python trains"))
        self.resize(760, 460)
        self._state = RuntimeState()
        layout = QVBoxLayout(self)
        layout.setSpacing(10)
        layout.addWidget(heading(tr("Training needs Keras with TensorFlow, JAX or PyTorch"), 1.1))
        self.hint = wrapped("")
        layout.addWidget(self.hint)
        headers = (tr("Python"), tr("What is in it"), tr("Where it lies"))
        self.table = DataTable(tr("Pythons on this machine"), headers)
        self.table.setSelectionBehavior(DataTable.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(DataTable.SelectionMode.SingleSelection)
        self.table.stretch(2)
        layout.addWidget(self.table, 1)
        self.error = ErrorCard()
        layout.addWidget(self.error)
        self.progress = ProgressBar(tr("Making a Python that can train"))
        self.words = muted()
        self.stop = button(tr("Stop"))
        self.bar = QWidget()
        row = QHBoxLayout(self.bar)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.progress, 1)
        row.addWidget(self.words)
        row.addWidget(self.stop)
        layout.addWidget(self.bar)
        buttons = QDialogButtonBox()
        self.make = button(tr("Make one with TensorFlow"))
        self.use = button(tr("Train with this Python"), primary=True)
        self.close_button = button(tr("Close"))
        buttons.addButton(self.make, QDialogButtonBox.ButtonRole.ResetRole)
        buttons.addButton(self.use, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.addButton(self.close_button, QDialogButtonBox.ButtonRole.RejectRole)
        layout.addWidget(buttons)
        buttons.rejected.connect(self.reject)
        self.make.clicked.connect(self.make_requested)
        self.stop.clicked.connect(self.stop_requested)
        self.use.clicked.connect(self._on_use)
        self.table.itemSelectionChanged.connect(self._update_use)
        self.set_state(self._state)

    def set_state(self, state: RuntimeState) -> None:
        """Show what there is and what happens."""
        if state.rows != self._state.rows:
            mark = tr("{version} · in use")
            self.table.fill(
                [
                    (mark.format(version=row.version) if row.in_use else row.version, row.frameworks, row.path)
                    for row in state.rows
                ],
                numbers_from=3,
            )
        self._state = state
        self.hint.setText(self._hint())
        self.error.set_error(state.error)
        self.bar.setVisible(state.making)
        self.make.setEnabled(not state.making)
        self.progress.set_share(state.share)
        self.words.setText(sentence(state.words))
        self._update_use()

    def _hint(self) -> str:
        """What the user can do."""
        if self._state.looking and not self._state.rows:
            return tr("Looking for Pythons on this machine …")
        if self._state.none_can_train:
            return tr(
                "None of them can train. This program can make one: it downloads about 700 MB, with NVIDIA's libraries "
                "3 GB, into your data folder. Networks of the catalog are estimated without one."
            )
        return tr("Choose the Python that traces models and trains, such as a training environment of yours.")

    def _selected(self) -> int | None:
        """The chosen row if it can train."""
        rows = [index.row() for index in self.table.selectionModel().selectedRows()]
        return rows[0] if rows and rows[0] < len(self._state.rows) and self._state.rows[rows[0]].can_train else None

    def select(self, row: int) -> None:
        """Choose a row as a click would."""
        self.table.selectionModel().select(
            self.table.model().index(row, 0),
            QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows,
        )

    def _update_use(self) -> None:
        """Only a Python that can train, and does not do so already, can be used."""
        row = self._selected()
        self.use.setEnabled(row is not None and not self._state.rows[row].in_use)

    def _on_use(self) -> None:
        """Tell which one was chosen."""
        row = self._selected()
        if row is not None:
            self.chosen.emit(self._state.rows[row].path)


def open_runtimes(parent: QWidget, maker: RuntimeMaker, choose: Callable[[str], None]) -> RuntimeDialog:
    """Open the dialog over a window.

    Args:
        parent: The window.
        maker: Finds and makes; goes on when the dialog is closed, and shows how far it is when opened again.
        choose: Takes the path of the Python that shall train.
    """
    dialog = RuntimeDialog(parent)
    maker.changed.connect(dialog.set_state)
    dialog.chosen.connect(choose)
    dialog.chosen.connect(dialog.accept)
    dialog.make_requested.connect(maker.make)
    dialog.stop_requested.connect(maker.cancel)
    dialog.finished.connect(dialog.deleteLater)
    dialog.set_state(maker.state)
    dialog.open()
    maker.look()
    return dialog
