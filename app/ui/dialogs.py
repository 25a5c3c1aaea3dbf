"""Opens the window's dialogs: simulate, settings, find, diagnostics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDialog

from app.ui.bridge import Outcome
from app.ui.commands import commands_of
from app.ui.state import ErrorState
from app.ui.state_form import gpu_entries
from app.ui.widgets.command_palette import CommandPalette
from app.ui.widgets.diagnostics_dialog import DiagnosticsDialog
from app.ui.widgets.dialogs import SettingsDialog, SimulateDialog
from app.ui.widgets.runtime_dialog import open_runtimes

if TYPE_CHECKING:
    from app.ui.wiring import Wiring

ERROR_FACTS = ("message", "expected", "received", "hint", "original")
"""What of an error goes into diagnostics."""


class Dialogs(QObject):
    """Each dialog is made when it is opened and deleted when it is closed.

    Args:
        wiring: Whose presenters the dialogs speak to.
    """

    def __init__(self, wiring: Wiring) -> None:
        super().__init__(wiring)
        self._wiring = wiring

    def open_simulate(self) -> None:
        """Pick other hardware."""
        wiring = self._wiring
        cards = gpu_entries(wiring.session.catalog.gpus)
        dialog = SimulateDialog(cards, wiring.session.simulation, wiring.window)
        dialog.simulated.connect(wiring.session.simulate)
        self._open(dialog)

    def open_settings(self) -> None:
        """Theme and length of a benchmark."""
        wiring, kept = self._wiring, self._wiring.window.settings
        dialog = SettingsDialog(kept.theme, kept.bench_seconds, wiring.window)
        dialog.theme_changed.connect(wiring.set_theme)
        dialog.seconds_changed.connect(wiring.set_seconds)
        self._open(dialog)

    def open_runtimes(self) -> None:
        """Choose the Python that trains, or have one made."""
        wiring = self._wiring
        open_runtimes(wiring.window, wiring.maker, wiring.runtime.choose_interpreter)

    def open_palette(self) -> None:
        """Find anything."""
        window = self._wiring.window
        CommandPalette(commands_of(self._wiring), window).open_over(window)

    def open_diagnostics(self, error: ErrorState | None = None) -> None:
        """Show what helps somebody else to see what went wrong."""
        wiring = self._wiring
        facts = {name: getattr(error, name) for name in ERROR_FACTS} if error is not None else {}
        machine, workload = wiring.session.real_machine, wiring.session.workload
        frameworks = tuple(filter(None, (wiring.machine.state.framework,)))

        def job() -> str:
            from app.services.diagnostics import diagnostics

            return diagnostics(facts, machine, workload, frameworks)

        wiring.runner.call("diagnostics", job, self._on_diagnostics)

    def _on_diagnostics(self, outcome: Outcome) -> None:
        """Show the text."""
        self._open(DiagnosticsDialog(outcome.value or "", self._wiring.window))

    @staticmethod
    def _open(dialog: QDialog) -> None:
        """Show a dialog; it is deleted when it is closed."""
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
