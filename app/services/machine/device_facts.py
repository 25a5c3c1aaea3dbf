"""What children have measured of devices: rates, probes, timed operations, usable cards; kept on disk.

Everything here answers at once.  What a child has answered is handed in (``keep_…``), so that the next start knows
it too.
"""

from __future__ import annotations

from app.core.predict.time import Rates
from app.core.simulate.device import TargetDevice, choose_device, is_elsewhere
from app.core.types.machine import DeviceProbe, DeviceRates, Glance, Machine, TimedOperation
from app.core.types.workload import Workload
from app.services.settings import Settings
from app.services.store.cache_keys import rates_key
from app.services.store.json_store import JsonStore
from app.services.store.timed_operations import TimedOperations


class DeviceFacts:
    """Measured facts by device.

    Args:
        settings: Folders.
        interpreter: Whose framework measures; part of every key.

    Attributes:
        usable: Indices of the cards that each framework can use; one that nobody has asked yet is not there.
    """

    def __init__(self, settings: Settings, interpreter: str | None) -> None:
        self.usable: dict[str, frozenset[int]] = {}
        self._interpreter = interpreter
        self._rates = JsonStore(settings.cache_dir / "rates.json", DeviceRates)
        self._timed = TimedOperations(settings.cache_dir / "operations.json")
        self._probes = JsonStore(settings.cache_dir / "probes.json", DeviceProbe)
        self._glances = JsonStore(settings.cache_dir / "glances.json", Glance)

    def device(self, workload: Workload, machine: Machine) -> TargetDevice:
        """The device that a plan means on a machine."""
        return choose_device(machine, workload.plan.device, self.usable.get(workload.plan.backend))

    def measured(self, machine: Machine, device: str) -> DeviceRates | None:
        """The rates of ``cpu`` or ``gpu:N`` as they were measured, without what refinements have timed."""
        return self._rates.load(rates_key(machine, device, self._interpreter))

    def rates(self, machine: Machine, device: str) -> DeviceRates | None:
        """The measured rates of ``cpu`` or ``gpu:N``, if somebody has measured them."""
        key = rates_key(machine, device, self._interpreter)
        return self._timed.join(key, self._rates.load(key))

    def rates_of(self, machine: Machine) -> Rates:
        """Measured rates of the host (if it is this machine's own processor) and of its cards."""
        host = None if "cpu" in machine.simulated else self.rates(machine, "cpu")
        found = {gpu.name: self.rates(machine, f"gpu:{gpu.index}") for gpu in machine.gpus if not gpu.simulated}
        cards = {name: rates for name, rates in found.items() if rates is not None}
        return Rates(host, cards, None if "cpu" in machine.simulated else self.glance(machine))

    def glance(self, machine: Machine) -> Glance | None:
        """What the processor has shown at a glance, if somebody has looked."""
        return self._glances.load(rates_key(machine, "cpu", self._interpreter))

    def keep_glance(self, machine: Machine, seen: Glance) -> None:
        """Keep what a glance has shown."""
        self._glances.save(rates_key(machine, "cpu", self._interpreter), seen)

    def keep_rates(self, machine: Machine, device: str, measured: DeviceRates) -> None:
        """Keep measured rates."""
        self._rates.save(rates_key(machine, device, self._interpreter), measured)

    def keep_operations(self, machine: Machine, device: str, found: list[TimedOperation]) -> None:
        """Keep operations that a refinement has timed alone; they count for every network."""
        self._timed.keep(rates_key(machine, device, self._interpreter), found)

    def probe(self, machine: Machine, device: str) -> DeviceProbe | None:
        """What tiny steps have shown of ``cpu`` or ``gpu:N``, if they have been run there."""
        return self._probes.load(rates_key(machine, device, self._interpreter))

    def probe_of(self, machine: Machine, device: TargetDevice) -> DeviceProbe | None:
        """What tiny steps have shown of a device; None for one that is not here."""
        if is_elsewhere(machine, device):
            return None
        return self.probe(machine, "cpu" if device.gpu is None else f"gpu:{device.gpu.index}")

    def keep_probe(self, machine: Machine, device: str, probe: DeviceProbe) -> None:
        """Keep what tiny steps have shown."""
        self._probes.save(rates_key(machine, device, self._interpreter), probe)
