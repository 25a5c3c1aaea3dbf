"""Opens the window's dialogs: simulate, settings, find, diagnostics."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDialog, QVBoxLayout

from app.core.types.units import GIB, MIB
from app.presentation.accuracy import accuracy_blocks
from app.presentation.problem import ErrorState, error_facts, error_state
from app.ui.kit.bridge import Outcome
from app.ui.kit.diagnostics_dialog import DiagnosticsDialog
from app.ui.shell.accuracy_dialog import AccuracyDialog
from app.ui.shell.command_palette import CommandPalette
from app.ui.shell.commands import commands_of
from app.ui.shell.settings_dialog import SettingsDialog, SimulateDialog
from app.ui.shell.settings_more import SettingsMore
from app.ui.shell.store_presenter import StorePresenter
from app.ui.workload.runtime_dialog import open_runtimes
from app.ui.workload.state_form import gpu_entries

if TYPE_CHECKING:
    from app.services.settings import Settings
    from app.services.sharing.share import Share
    from app.ui.shell.wiring import Wiring


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
        """Theme, language, units and length of a benchmark, and what the command line shares."""
        wiring, kept = self._wiring, self._wiring.window.settings
        dialog = SettingsDialog(
            kept.theme, kept.bench_seconds, wiring.window, language=kept.language, decimal_sizes=kept.decimal_sizes
        )
        dialog.theme_changed.connect(wiring.set_theme)
        dialog.language_changed.connect(wiring.set_language)
        dialog.sizes_changed.connect(wiring.set_sizes)
        dialog.seconds_changed.connect(wiring.set_seconds)
        dialog.accuracy_requested.connect(self.open_accuracy)
        self._add_store(dialog)
        self._open(dialog)

    def _add_store(self, dialog: SettingsDialog) -> None:
        """The settings that the command line shares, above the dialog's buttons."""
        wiring, store = self._wiring, StorePresenter(self._wiring.session, dialog)
        more = SettingsMore(dialog)
        layout = dialog.layout()
        assert isinstance(layout, QVBoxLayout)
        layout.insertWidget(layout.count() - 2, more)
        more.align_with(dialog.form)
        store.changed.connect(more.set_state)
        more.clear_requested.connect(store.clear)
        more.reserve_changed.connect(lambda gib: wiring.runtime.change(partial(_with_reserve, gib)))
        more.electricity_changed.connect(lambda price: wiring.runtime.change(partial(_with_electricity, price)))
        more.limit_changed.connect(lambda mib: wiring.runtime.change(partial(_with_limit, mib)))
        more.runtimes_requested.connect(self.open_runtimes)
        store.look()

    def open_runtimes(self) -> None:
        """Find the Python that trains, or have one made."""
        wiring = self._wiring
        open_runtimes(wiring.window, wiring.maker, wiring.runtime.choose_interpreter)

    def open_palette(self) -> None:
        """Find anything."""
        window = self._wiring.window
        self._wiring.runs.set_active(True)
        CommandPalette(commands_of(self._wiring), window).open_over(window)

    def open_share(self, made: Share) -> None:
        """Show what others will see of a run or an answer."""
        from app.ui.share.share_dialog import ShareDialog

        dialog = ShareDialog(made, self._wiring.window)
        dialog.save_requested.connect(self._wiring.share.save)
        self._open(dialog)

    def open_accuracy(self) -> None:
        """Show how good the predictions of this version are."""
        wiring = self._wiring
        wiring.runner.call("accuracy", wiring.session.advisor.catalog.accuracy, self._on_accuracy)

    def _on_accuracy(self, outcome: Outcome) -> None:
        """Show the figures, or why they cannot be read."""
        if outcome.ending == "succeeded":
            self._open(AccuracyDialog(accuracy_blocks(outcome.value), self._wiring.window))
        else:
            self._wiring.session.fail(error_state(outcome.error))

    def open_diagnostics(self, error: ErrorState | None = None) -> None:
        """Show what helps somebody else to see what went wrong."""
        wiring = self._wiring
        facts = error_facts(error)
        machine, workload = wiring.session.real_machine, wiring.session.workload
        frameworks = tuple(filter(None, (wiring.machine.state.framework,)))

        def job() -> str:
            from app.services.reports.diagnostics import diagnostics

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


def _with_reserve(gib: float | None, settings: Settings) -> Settings:
    """Settings whose benchmarks leave so much memory to others."""
    return replace(settings, reserve_ram_bytes=None if gib is None else round(gib * GIB))


def _with_electricity(price: float | None, settings: Settings) -> Settings:
    """Settings that count energy at a price of one's own."""
    return replace(settings, electricity_price=price)


def _with_limit(mib: int, settings: Settings) -> Settings:
    """Settings that keep at most so much."""
    return replace(settings, cache_limit_bytes=mib * MIB)
