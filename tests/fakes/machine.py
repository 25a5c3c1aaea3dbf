"""A recorded machine: what the script says, and rates without figures."""

from __future__ import annotations

import threading
from dataclasses import replace

from app.core.types.machine import DeviceRates, FrameworkBuild, Gpu, Interpreter, Machine
from app.services.catalog.catalog import Catalog
from app.services.child.child_jobs import EventSink
from app.services.machine.doctor import Doctor
from app.services.machine.this_machine import ThisMachine
from app.services.settings import Settings
from app.services.store.history import History
from tests.fakes.figures import GPUS
from tests.fakes.script import Script


class FakeMachine(ThisMachine):
    """This machine, recorded."""

    def __init__(self, script: Script, settings: Settings, history: History, catalog: Catalog) -> None:
        super().__init__(settings, history, catalog, None)
        self.script = script

    def read(self, refresh: bool = False) -> Machine:
        self.script.note("machine")
        return self.script.real_machine

    def doctor(self, interpreters: tuple[str, ...] = (), cancel: threading.Event | None = None) -> Doctor:
        self.script.note("doctor")
        build = FrameworkBuild("tensorflow", "2.21.0", devices=("CPU:0",))
        found = Doctor(self.script.real_machine, (Interpreter("/usr/bin/python3", "3.11", (build,)),))
        return self.script.doctor or found

    def look(self) -> None:
        self.script.note("look")

    def rates(
        self, device: str, on_event: EventSink | None = None, cancel: threading.Event | None = None
    ) -> DeviceRates | None:
        self.script.note("rates")
        return DeviceRates(device, "tensorflow 2.21")

    def cached_rates(self, device: str) -> DeviceRates | None:
        return None

    def simulate(
        self,
        machine: Machine,
        *,
        gpu: str | None = None,
        ram_bytes: int | None = None,
        disk_bytes_per_s: float | None = None,
    ) -> Machine:
        self.script.note("simulate")
        parts: list[str] = []
        if gpu is not None:
            spec = next(g for g in GPUS if g.name == gpu)
            memory = spec.memory_bytes
            card = Gpu(0, "nvidia", spec.name, None, memory, 0, memory, compute_capability=(7, 5), simulated=True)
            machine = replace(machine, gpus=(card,))
            parts.append("gpu")
        if ram_bytes is not None:
            machine = replace(machine, ram=replace(machine.ram, total_bytes=ram_bytes, available_bytes=ram_bytes))
            parts.append("ram")
        if disk_bytes_per_s is not None:
            parts.append("disk")
        return replace(machine, simulated=tuple(parts))
