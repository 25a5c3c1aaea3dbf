"""Recorded runtimes: none is found, and one is made at once."""

from __future__ import annotations

import threading

from app.core.types.errors import Cancelled
from app.core.types.text import verbatim
from app.services.datasets.scan import Report
from app.services.machine.this_machine import ThisMachine
from app.services.runtimes.find import Runtime
from app.services.runtimes.runtimes import Runtimes
from app.services.settings import Settings
from tests.fakes.script import Script


class FakeRuntimes(Runtimes):
    """Runtimes, recorded."""

    def __init__(self, script: Script, settings: Settings, machine: ThisMachine) -> None:
        super().__init__(settings, machine)
        self.script = script

    def find(self) -> tuple[Runtime, ...]:
        self.script.note("runtimes")
        return ()

    def make(self, report: Report, cancel: threading.Event | None = None) -> str:
        self.script.note("make_runtime")
        report(0.5, "installing")
        if cancel is not None and cancel.is_set():
            raise Cancelled(verbatim("cancelled"))
        return "/usr/bin/python3"
