"""What was simulated of graphs, taken up where an earlier start of the program left it."""

from __future__ import annotations

import functools
import threading
from weakref import WeakKeyDictionary

from app.core.predict.model_steps import Recall, Training
from app.core.simulate.simulated import SimulatedTraining
from app.core.types.stepgraph import StepGraph
from app.services.settings import Settings
from app.services.store.cache import trim_cache
from app.services.store.simulated_store import SimulatedStore, graph_digest, simulated_key


class Simulations:
    """Hands out what is known of trainings, and keeps what was added to it since.

    Args:
        settings: Where it lies, beside the graphs and within their limit.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._store = SimulatedStore(settings.cache_dir / "graphs")
        self._handed_out: WeakKeyDictionary[SimulatedTraining, tuple[str, int]] = WeakKeyDictionary()
        """The name of each, and how much was known of it on disk."""
        self._lock = threading.Lock()

    def of(self, graph: StepGraph) -> Recall:
        """What is known of a graph's trainings; read when one is asked about."""
        digest = functools.cache(lambda: graph_digest(graph))

        def recall(training: Training) -> SimulatedTraining:
            name = simulated_key(digest(), training)
            known = self._store.load(name) or SimulatedTraining()
            with self._lock:
                self._handed_out[known] = (name, known.answers)
            return known

        return recall

    def keep(self) -> None:
        """Keep what was simulated since the last time.

        Two processes that simulate the same at once write one after the other: what either has found out is true, and
        what is lost is simulated again.
        """
        with self._lock:
            grown = [(known, name) for known, (name, before) in self._handed_out.items() if known.answers > before]
            for known, name in grown:
                self._handed_out[known] = (name, known.answers)
                self._store.keep(name, known)
        if grown:
            trim_cache(self._settings)
