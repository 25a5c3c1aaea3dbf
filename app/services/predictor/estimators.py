"""The estimators of the graphs that were asked about last, with the steps that each has simulated."""

from __future__ import annotations

import threading

from app.core.predict.estimate import Estimator
from app.core.types.stepgraph import StepGraph

MOST_KEPT = 8


class Estimators:
    """Few, because a large network's simulated steps take much memory."""

    def __init__(self) -> None:
        self._kept: list[Estimator] = []
        self._lock = threading.Lock()

    def of(self, graph: StepGraph) -> Estimator:
        """The estimator of a graph; the oldest is forgotten when there are too many."""
        with self._lock:
            for known in self._kept:
                if known.graph is graph:
                    return known
            self._kept = [Estimator(graph), *self._kept[: MOST_KEPT - 1]]
            return self._kept[0]
