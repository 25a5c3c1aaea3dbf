"""The Pythons that can train: those that are here, and one that this program makes."""

from __future__ import annotations

import threading

from app.services.datasets.scan import Report
from app.services.machine.this_machine import ThisMachine
from app.services.runtimes.find import Runtime, find_runtimes
from app.services.runtimes.make import make_and_ask
from app.services.runtimes.recipe import extras_for, plan_runtime
from app.services.settings import Settings


class Runtimes:
    """Finds and makes runtimes; which one is used the settings say.

    Args:
        settings: The one in use, and the user's data folder.
        machine: This machine, whose driver decides what a new one needs.
    """

    def __init__(self, settings: Settings, machine: ThisMachine) -> None:
        self._settings = settings
        self._machine = machine

    def find(self) -> tuple[Runtime, ...]:
        """Pythons of this machine and the frameworks in each, the one in use first; takes a second or two."""
        return find_runtimes(self._settings)

    def make(self, report: Report, cancel: threading.Event | None = None) -> str:
        """Make a Python environment with TensorFlow in the user's data folder; downloads about a gigabyte.

        Args:
            report: Called with (share done or None, words).
            cancel: Ends it within a second; an older environment works on then.

        Returns:
            Its Python; nothing is chosen yet.

        Raises:
            MachineUnavailable: There is no Python to make it from, or no room.
            WorkerFailed: It could not be made; the error has the last lines.
            StoreError: The folder cannot be written.
            Cancelled: The user cancelled.
        """
        recipe = plan_runtime(self._settings, extras_for(self._machine.read().nvidia_driver))
        return str(make_and_ask(recipe, report, cancel or threading.Event()))
