"""Answers of earlier refinements, by workload and device; on disk and in memory."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from app.catalog import typed_json
from app.core.predict.refined import Refined
from app.core.simulate.device import is_elsewhere
from app.core.simulate.xla.choice import uses_xla
from app.core.types.machine import Machine, TimedOperation
from app.core.types.workload import Plan, Workload
from app.services.machine.device_facts import DeviceFacts
from app.services.predictor.graph_cache import GraphCache
from app.services.predictor.query import Query
from app.services.settings import Settings
from app.services.store.cache import trim_cache
from app.services.store.refined_store import RefinedStore, probes_nearest_first, refined_from_json, refined_key


class Refinements:
    """What compiled steps and probes at small batches have shown.

    Args:
        settings: Folders.
        graphs: Name the model that was refined.
        facts: Name the device; learn the operations that a refinement has timed.

    Attributes:
        changes: How many were kept; whoever keeps answers can see that they are old.
    """

    def __init__(self, settings: Settings, graphs: GraphCache, facts: DeviceFacts) -> None:
        self._settings = settings
        self._graphs = graphs
        self._facts = facts
        self._stored = RefinedStore(settings.cache_dir / "refined")
        self._known: dict[str, Refined | None] = {}
        self.changes = 0

    def get(self, query: Query) -> Refined | None:
        """What a refinement of this workload on this device has told, if there was one: of probes the nearest.

        It is TensorFlow's step that is refined.
        """
        return self.of_plans(query)(query.plan)

    def of_plans(self, query: Query) -> Callable[[Plan], Refined | None]:
        """The same for the query's plan at any batch."""
        asked, device, key = query.plan, query.device, query.key
        if key is None or is_elsewhere(query.machine, device) or asked.backend != "tensorflow":
            return lambda _plan: None
        if uses_xla(asked, device, query.graph):
            return lambda plan: self._load(refined_key(key.name, plan, device, probe=None))
        name = functools.cache(lambda probe: refined_key(key.name, asked, device, probe=probe))

        def nearest(plan: Plan) -> Refined | None:
            found = (self._load(name(probe)) for probe in probes_nearest_first(plan.batch_size))
            return next((refined for refined in found if refined is not None), None)

        return nearest

    def keep(self, workload: Workload, machine: Machine, probe: int | None, answer: dict[str, Any]) -> None:
        """Keep what the ``refine`` job answered; ``probe`` is the batch size that was run, None if compiled.

        Raises:
            BadModel: The model's file is gone.
        """
        device = self._facts.device(workload, machine)
        key = refined_key(self._graphs.key(workload).name, workload.plan, device, probe=probe)
        self._known[key] = refined_from_json(answer)
        self._stored.keep(key, answer)
        self.changes += 1
        trim_cache(self._settings)
        timed = typed_json.convert(answer.get("operations", []), list[TimedOperation])
        self._facts.keep_operations(machine, "cpu", timed)

    def _load(self, key: str) -> Refined | None:
        if key not in self._known:
            self._known[key] = self._stored.load(key)
        return self._known[key]
