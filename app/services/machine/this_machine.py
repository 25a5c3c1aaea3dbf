"""This machine: what it has, which cards a framework can use, and what children have measured of it."""

from __future__ import annotations

import threading
from dataclasses import replace
from functools import partial

from app.catalog.gpu_names import find_gpu
from app.core.timing.host_prior import computing_cores
from app.core.types.errors import StoreError, WorkerFailed
from app.core.types.machine import DeviceProbe, DeviceRates, GpuSupport, Machine
from app.core.types.track_record import TrackRecord
from app.probes.glance import glance
from app.probes.machine import read_machine
from app.services.catalog.catalog import Catalog
from app.services.child.child_jobs import EventSink
from app.services.child.variables import usable_cards
from app.services.child.worker_process import run_worker
from app.services.machine.calibrate import Calibrated, beside_others, busy_now, calibrate_device
from app.services.machine.card_facts import with_catalog_rates
from app.services.machine.device_facts import DeviceFacts
from app.services.machine.doctor import Doctor, examine
from app.services.machine.simulate import simulate
from app.services.settings import Settings
from app.services.store.cache_keys import support_key
from app.services.store.history import History
from app.services.store.json_store import JsonStore


class ThisMachine:
    """Read once, asked often.

    Args:
        settings: Where answers are kept.
        history: Knows how good predictions have been here.
        catalog: Has the card table.
        interpreter: The Python that trains; this program's own if None.

    Attributes:
        facts: What was measured of devices, of this machine and of others that were asked about.
    """

    def __init__(self, settings: Settings, history: History, catalog: Catalog, interpreter: str | None) -> None:
        self.facts = DeviceFacts(settings, interpreter)
        self._history = history
        self._catalog = catalog
        self._interpreter = interpreter
        self._support = JsonStore(settings.cache_dir / "support.json", list[int])
        self._reasons = JsonStore(settings.cache_dir / "support_reasons.json", list[GpuSupport])
        self._machine: Machine | None = None
        self._lock = threading.RLock()

    def read(self, refresh: bool = False) -> Machine:
        """This machine, read once and again on ``refresh``."""
        with self._lock:
            if self._machine is None or refresh:
                self._machine = with_catalog_rates(read_machine(), self._catalog.gpus())
            return self._machine

    def doctor(self, interpreters: tuple[str, ...] = (), cancel: threading.Event | None = None) -> Doctor:
        """Machine, frameworks of each interpreter, and which card each can use; asks children.

        Raises:
            Cancelled: The user cancelled.
        """
        machine = self.read(refresh=True)
        asked = interpreters or ((self._interpreter,) if self._interpreter else ())
        found = examine(partial(run_worker, cancel=cancel), asked, machine)
        ours = found.interpreters[0].path if found.interpreters else None
        for backend, cards in usable_cards(found.support, (None, "", ours)).items():
            self.facts.usable[backend] = cards
            self._support.save(support_key(machine, self._interpreter, backend), sorted(cards))
        own = [support for support in found.support if support.interpreter in (None, "", ours)]
        self._reasons.save(support_key(machine, self._interpreter), own)
        return replace(found, probes=self._probes(machine), track_record=self._record_if_readable())

    def usable_cards(self, backend: str = "tensorflow") -> frozenset[int] | None:
        """Indices of the cards that a framework can use; asks a child once per framework and driver.

        None if there is no card to ask about, or no such framework.
        """
        machine = self.read()
        if backend not in self.facts.usable and machine.gpus:
            stored = self._support.load(support_key(machine, self._interpreter, backend))
            if stored is None:
                self.doctor()
            else:
                self.facts.usable[backend] = frozenset(stored)
        return self.facts.usable.get(backend)

    def support(self) -> tuple[GpuSupport, ...]:
        """Which framework can use which card and why not, as `doctor` last found; empty if nobody has asked."""
        return tuple(self._reasons.load(support_key(self.read(), self._interpreter)) or ())

    def cached_rates(self, device: str) -> DeviceRates | None:
        """The measured rates of ``cpu`` or ``gpu:N``, if they have been measured; answers at once."""
        return self.facts.rates(self.read(), device)

    def look(self) -> None:
        """Have a glance at the processor (a fifth of a second), if nobody has measured it or had one."""
        machine = self.read()
        known = self.facts.measured(machine, "cpu") is not None or self.facts.glance(machine) is not None
        cores = computing_cores(machine.cpu)
        if not known and cores is not None:
            self.facts.keep_glance(machine, glance(cores))

    def measured(self, device: str) -> bool:
        """Has all of ``cpu`` or ``gpu:N`` been measured; answers at once."""
        known = self.facts.measured(self.read(), device)
        return known is not None and known.complete

    def rates(
        self, device: str, on_event: EventSink | None = None, cancel: threading.Event | None = None
    ) -> DeviceRates | None:
        """The rates of ``cpu`` or ``gpu:N``, measured in a child if nobody has done it before.

        The same child runs the tiny steps of the device's probe, so that both cost one start of the framework.  A
        measurement that was interrupted goes on where it stopped; one beside other programs is made anew when these
        are gone.
        """
        known = self.facts.measured(self.read(), device)
        stale = known is not None and beside_others(known) and not busy_now()
        if known is not None and known.complete and not stale and self.cached_probe(device) is not None:
            return self.cached_rates(device)
        begun = known if known is not None and not known.complete and not stale else None
        try:
            found = calibrate_device(
                self.read(),
                device,
                interpreter=self._interpreter,
                rates=known is None or stale or not known.complete,
                timed=begun.operations if begun else (),
                on_event=on_event,
                cancel=cancel,
                keep=partial(self._keep, device),
            )
        except WorkerFailed:
            if known is None:
                raise
            return self.cached_rates(device)
        self._keep(device, found)
        return self.cached_rates(device)

    def _keep(self, device: str, found: Calibrated) -> None:
        """Keep what a child has measured; of an interrupted measurement too."""
        self.facts.keep_probe(self.read(), device, found.probe)
        if found.rates is not None:
            self.facts.keep_rates(self.read(), device, found.rates)

    def cached_probe(self, device: str) -> DeviceProbe | None:
        """What tiny steps have shown of ``cpu`` or ``gpu:N``, if they have been run; answers at once."""
        return self.facts.probe(self.read(), device)

    def simulate(
        self,
        machine: Machine,
        *,
        gpu: str | None = None,
        ram_bytes: int | None = None,
        disk_bytes_per_s: float | None = None,
    ) -> Machine:
        """A machine with parts replaced by others.

        Args:
            machine: The machine; it is not changed.
            gpu: Name of a card of the table, the only one of the new machine.
            ram_bytes: RAM in total.
            disk_bytes_per_s: Speed of the disk that holds the data.

        Raises:
            UsageError: There is no such card, or a size makes no sense.
        """
        spec = find_gpu(gpu, self._catalog.gpus()).spec if gpu else None
        return simulate(machine, gpu=spec, ram_bytes=ram_bytes, disk_bytes_per_s=disk_bytes_per_s)

    def _record_if_readable(self) -> TrackRecord | None:
        """The product's own error; a history that cannot be read shall not silence the doctor."""
        try:
            return self._history.track_record()
        except StoreError:
            return None

    def _probes(self, machine: Machine) -> tuple[DeviceProbe, ...]:
        """What is known of the devices by tiny steps."""
        devices = ("cpu", *(f"gpu:{gpu.index}" for gpu in machine.gpus))
        return tuple(probe for probe in map(self.cached_probe, devices) if probe is not None)
