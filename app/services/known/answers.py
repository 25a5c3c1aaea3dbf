"""What children have answered: graphs, rates, probes, refinements, usable cards; kept on disk and in memory.

Everything here answers at once.  What a child has answered is handed in (``keep_…``), so that the next start knows
it too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from app.catalog.models import ModelEntry
from app.core.predict.refined import Refined
from app.core.predict.time import Rates
from app.core.simulate.device import TargetDevice, choose_device, is_elsewhere
from app.core.simulate.precision import cast_graph
from app.core.simulate.xla.choice import uses_xla
from app.core.types.errors import BadModel
from app.core.types.machine import DeviceProbe, DeviceRates, Machine, TimedOperation
from app.core.types.stepgraph import StepGraph
from app.core.types.text import phrase
from app.core.types.workload import Workload
from app.services import typed_json
from app.services.child.variables import tracing_interpreter
from app.services.settings import Settings
from app.services.store.cache import trim_cache
from app.services.store.cache_keys import rates_key
from app.services.store.graph_store import GraphStore, graph_from_json, graph_key
from app.services.store.json_store import JsonStore
from app.services.store.model_contents import ModelContents
from app.services.store.refined_store import RefinedStore, probes_nearest_first, refined_from_json, refined_key
from app.services.store.shipped_graphs import shipped_graph
from app.services.store.timed_operations import TimedOperations


class Answers:
    """Caches on disk and in memory.

    Args:
        settings: Folders.
        interpreter: Whose framework traces and trains; part of every key.
        entry: Finds the catalog's entry of a workload's model.

    Attributes:
        usable: Indices of the cards that each framework can use; one that nobody has asked yet is not there.
        contents: What the user's files hold.
    """

    def __init__(
        self, settings: Settings, interpreter: str | None, entry: Callable[[Workload], ModelEntry | None]
    ) -> None:
        self.usable: dict[str, frozenset[int]] = {}
        self._settings = settings
        self._interpreter = interpreter
        self._entry = entry
        self._graphs = GraphStore(settings.cache_dir / "graphs")
        self._rates = JsonStore(settings.cache_dir / "rates.json", DeviceRates)
        self._timed = TimedOperations(settings.cache_dir / "operations.json")
        self._probes = JsonStore(settings.cache_dir / "probes.json", DeviceProbe)
        self._refined = RefinedStore(settings.cache_dir / "refined")
        self.contents = ModelContents(settings.cache_dir / "graphs" / "imports.json")
        self._known_graphs: dict[str, StepGraph] = {}
        self._known_rates: dict[str, DeviceRates | None] = {}
        self._known_probes: dict[str, DeviceProbe | None] = {}
        self._known_refined: dict[str, Refined | None] = {}

    def device(self, workload: Workload, machine: Machine) -> TargetDevice:
        """The device that a plan means on a machine."""
        return choose_device(machine, workload.plan.device, self.usable.get(workload.plan.backend))

    def graph(self, workload: Workload) -> StepGraph | None:
        """The traced graph of a workload's model, from memory, disk or what ships with the program.

        Raises:
            BadModel: The model's file is gone.
        """
        key = self._graph_key(workload)
        if key not in self._known_graphs:
            stored = self._graphs.load(key) or shipped_graph(workload, self._entry(workload)) or self._cast(workload)
            if stored is None:
                return None
            self._known_graphs[key] = stored
        return self._known_graphs[key]

    def keep_graph(self, workload: Workload, traced: dict[str, Any], before: str | None) -> StepGraph:
        """Keep what the ``trace`` job answered, under the content that the child has read.

        Args:
            workload: What was traced.
            traced: The answer.
            before: Digest of the model's file before the child read it.  If it is another now, nobody can say which
                of the two was traced, and the answer counts once.
        """
        modules = traced.pop("own_files", {})
        graph = graph_from_json(traced)
        if before == self.file_digest(workload):
            key = self._key_of(workload, self.contents.learn(workload.model, before, modules))
            self._known_graphs[key] = graph
            self._graphs.keep(key, traced)
            trim_cache(self._settings)
        return graph

    def file_digest(self, workload: Workload) -> str | None:
        """Digest of the model's file alone; None for one of the catalog.

        Raises:
            BadModel: It cannot be read.
        """
        try:
            return self.contents.main(workload.model)
        except OSError as error:
            raise _unreadable(error) from error

    def rates(self, machine: Machine, device: str) -> DeviceRates | None:
        """The measured rates of ``cpu`` or ``gpu:N``, if somebody has measured them."""
        key = rates_key(machine, device, self._interpreter)
        if key not in self._known_rates:
            self._known_rates[key] = self._rates.load(key)
        return self._timed.join(key, self._known_rates[key])

    def rates_of(self, machine: Machine) -> Rates:
        """Measured rates of the host (if it is this machine's own processor) and of its cards."""
        host = None if "cpu" in machine.simulated else self.rates(machine, "cpu")
        found = {gpu.name: self.rates(machine, f"gpu:{gpu.index}") for gpu in machine.gpus if not gpu.simulated}
        return Rates(host, {name: rates for name, rates in found.items() if rates is not None})

    def keep_rates(self, machine: Machine, device: str, measured: DeviceRates) -> None:
        """Keep measured rates."""
        key = rates_key(machine, device, self._interpreter)
        self._rates.save(key, measured)
        self._known_rates[key] = measured

    def keep_operations(self, machine: Machine, device: str, found: list[TimedOperation]) -> None:
        """Keep operations that a refinement has timed alone; they count for every network."""
        self._timed.keep(rates_key(machine, device, self._interpreter), found)

    def probe(self, machine: Machine, device: str) -> DeviceProbe | None:
        """What tiny steps have shown of ``cpu`` or ``gpu:N``, if they have been run there."""
        key = rates_key(machine, device, self._interpreter)
        if key not in self._known_probes:
            self._known_probes[key] = self._probes.load(key)
        return self._known_probes[key]

    def probe_of(self, machine: Machine, device: TargetDevice) -> DeviceProbe | None:
        """What tiny steps have shown of a device; None for one that is not here."""
        if is_elsewhere(machine, device):
            return None
        return self.probe(machine, "cpu" if device.gpu is None else f"gpu:{device.gpu.index}")

    def keep_probe(self, machine: Machine, device: str, probe: DeviceProbe) -> None:
        """Keep what tiny steps have shown."""
        key = rates_key(machine, device, self._interpreter)
        self._probes.save(key, probe)
        self._known_probes[key] = probe

    def refined(self, workload: Workload, machine: Machine, graph: StepGraph) -> Refined | None:
        """What a refinement of this workload on this device has told, if there was one: of probes the nearest.

        It is TensorFlow's step that is refined.
        """
        device = self.device(workload, machine)
        if is_elsewhere(machine, device) or workload.plan.backend != "tensorflow":
            return None
        compiled = uses_xla(workload.plan, device, graph)
        probes = (None,) if compiled else probes_nearest_first(workload.plan.batch_size)
        model = self._graph_key(workload)
        found = (self._load_refined(refined_key(model, workload.plan, device, probe=probe)) for probe in probes)
        return next((refined for refined in found if refined is not None), None)

    def keep_refined(self, workload: Workload, machine: Machine, probe: int | None, answer: dict[str, Any]) -> None:
        """Keep what the ``refine`` job answered; ``probe`` is the batch size that was run, None if compiled."""
        key = refined_key(self._graph_key(workload), workload.plan, self.device(workload, machine), probe=probe)
        self._known_refined[key] = refined_from_json(answer)
        self._refined.keep(key, answer)
        trim_cache(self._settings)
        self.keep_operations(machine, "cpu", typed_json.convert(answer.get("operations", []), list[TimedOperation]))

    def _cast(self, workload: Workload) -> StepGraph | None:
        """The graph for another precision, by arithmetic on the one for float32 if that is known."""
        plan = workload.plan
        if plan.precision == "float32" or plan.int8:
            return None
        traced = self.graph(replace(workload, plan=replace(plan, precision="float32")))
        return None if traced is None else cast_graph(traced, plan.precision)

    def _graph_key(self, workload: Workload) -> str:
        """The name of a workload's graph as its file is now."""
        try:
            return self._key_of(workload, self.contents.of(workload.model))
        except OSError as error:
            raise _unreadable(error) from error

    def _key_of(self, workload: Workload, content: str) -> str:
        """The name of a workload's graph for one content of its file."""
        return graph_key(workload, content, tracing_interpreter(workload.plan.backend, self._interpreter))

    def _load_refined(self, key: str) -> Refined | None:
        if key not in self._known_refined:
            self._known_refined[key] = self._refined.load(key)
        return self._known_refined[key]


def _unreadable(error: OSError) -> BadModel:
    """The model's file is gone or not ours to read."""
    return BadModel(phrase("cannot read the model's file"), received=str(error))
