"""Traced graphs: in memory, on disk, shipped with the program, or by arithmetic on another precision's.

Everything here answers at once.  What a child has traced is handed in (`GraphCache.keep`), so that the next start
knows it too.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from app.catalog import typed_json
from app.catalog.convolution_scratch import ShippedScratch
from app.catalog.models import ModelEntry
from app.core.predict.estimate import Estimator
from app.core.simulate.precision import cast_graph
from app.core.types.captured import Captured
from app.core.types.errors import BadModel
from app.core.types.plan import Plan
from app.core.types.stepgraph import StepGraph
from app.core.types.text import phrase
from app.core.types.workload import Workload
from app.services.child.variables import tracing_interpreter
from app.services.predictor.simulations import Simulations
from app.services.settings import Settings
from app.services.store.cache import trim_cache
from app.services.store.graph_key import GraphKey
from app.services.store.graph_store import GraphStore, graph_from_json
from app.services.store.json_store import JsonStore
from app.services.store.model_contents import ModelContents
from app.services.store.shipped_graphs import shipped_graph

CAST = "cast"
MOST_KEPT = 12
"""Graphs in memory: a network with the changes that advice tries.  Simulated steps of a large one take much memory."""


class GraphCache:
    """The graphs of workloads by their `GraphKey`, those that were asked about last in memory with their estimators.

    Args:
        settings: Folders.
        contents: What the user's files hold; part of every key.
        interpreter: Whose framework traces; likewise.
        entry: Finds the catalog's entry of a workload's model.

    Attributes:
        contents: Likewise.
        simulations: What was simulated of the graphs.
    """

    def __init__(
        self,
        settings: Settings,
        contents: ModelContents,
        interpreter: str | None,
        entry: Callable[[Workload], ModelEntry | None],
    ) -> None:
        self._settings = settings
        self._scratch = ShippedScratch()
        self._interpreter = interpreter
        self._entry = entry
        self._stored = GraphStore(settings.cache_dir / "graphs")
        self._captured = JsonStore(settings.cache_dir / "graphs" / "captured.json", Captured)
        self.contents = contents
        self.simulations = Simulations(settings)
        self._kept: OrderedDict[GraphKey | int, Estimator] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, workload: Workload) -> StepGraph | None:
        """The traced graph of a workload's model; None if nobody has traced it yet.

        Raises:
            BadModel: The model's file is gone.
        """
        key = self.key(workload)
        known = self._recall(key)
        if known is not None:
            return known.graph
        stored = self._stored.load(key.name) or shipped_graph(workload, self._entry(workload))
        if stored is None:
            return self._cast(workload, key)
        return self._remember(key, self._estimator(stored)).graph

    def estimator(self, graph: StepGraph) -> Estimator:
        """The estimator of a graph, with the steps that it has simulated; of one that has no key as well."""
        with self._lock:
            known = next((one for one in self._kept.values() if one.graph is graph), None)
        return known or self._remember(id(graph), self._estimator(graph))

    def captured(self, workload: Workload) -> Captured | None:
        """What the author of a workload's model wrote, if it has been traced as written.

        Raises:
            BadModel: The model's file is gone.
        """
        return self._captured.load(self.key(_as_asked(workload)).name)

    def keep(
        self, workload: Workload, traced: dict[str, Any], before: str | None, *, as_written: bool = False
    ) -> StepGraph:
        """Keep what the ``trace`` job answered, under the content that the child has read.

        Args:
            workload: What was traced.
            traced: The answer.
            before: Digest of the model's file before the child read it.  If it is another now, or another file that
                the child has read, nobody can say which of the two was traced, and the answer counts once.
            as_written: The child left the precision to the model's author.
        """
        modules, read = traced.pop("own_files", {}), traced.pop("read_files", {})
        if not as_written and (author := self.captured(workload)) is not None:
            traced["model"]["captured"] = typed_json.plain(author)
        graph = graph_from_json(traced)
        if before == self.file_digest(workload) and self.contents.are_as_read(workload.model, read):
            content = self.contents.learn(workload.model, before, modules, read)
            if as_written and graph.model.captured is not None:
                self._captured.save(self._key_of(_as_asked(workload), content).name, graph.model.captured)
                workload = _in_precision(workload, graph.precision)
            key = self._key_of(workload, content)
            with self._lock:
                self._kept.pop(key, None)
            self._remember(key, self._estimator(graph))
            self._stored.keep(key.name, traced)
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

    def key(self, workload: Workload) -> GraphKey:
        """What a workload's graph is found under, as its model's file is now.

        Raises:
            BadModel: The model's file is gone.
        """
        try:
            return self._key_of(workload, self.contents.of(workload.model))
        except OSError as error:
            raise _unreadable(error) from error

    def _cast(self, workload: Workload, key: GraphKey) -> StepGraph | None:
        """The graph for another precision, by arithmetic on the one for float32 if that is known.

        What arithmetic cannot tell is the layout of a step that a card runs op by op, which is another one in 16 bits.
        """
        plan = workload.plan
        if plan.precision == "float32" or plan.int8:
            return None
        traced = self.get(replace(workload, plan=replace(plan, precision="float32")))
        if traced is None or (plan.jit is False and traced.on_cuda is not None):
            return None
        key = replace(key, framework=(*key.framework, CAST))
        known = self._recall(key)
        if known is None and (graph := cast_graph(traced, plan.precision)) is not None:
            known = self._remember(key, self._estimator(graph))
        return None if known is None else known.graph

    def _estimator(self, graph: StepGraph) -> Estimator:
        """An estimator that knows what was simulated at earlier starts."""
        return Estimator(graph, self.simulations.of(graph), self._scratch)

    def _recall(self, key: GraphKey) -> Estimator | None:
        """What is in memory, which is then the newest."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def _remember(self, key: GraphKey | int, made: Estimator) -> Estimator:
        """Keep one in memory; the oldest is forgotten when there are too many.  Whoever was first counts."""
        with self._lock:
            kept = self._kept.setdefault(key, made)
            self._kept.move_to_end(key)
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
            return kept

    def _key_of(self, workload: Workload, content: str) -> GraphKey:
        """What a workload's graph is found under for one content of its file."""
        interpreter = tracing_interpreter(workload.plan.backend, self._interpreter)
        return GraphKey.of(workload, content, interpreter, self.contents.of_data(workload))


def _as_asked(workload: Workload) -> Workload:
    """The question before anybody knows the author's precision."""
    return _in_precision(workload, Plan().precision)


def _in_precision(workload: Workload, precision: str) -> Workload:
    """The same in another precision."""
    return replace(workload, plan=replace(workload.plan, precision=precision))  # type: ignore[arg-type]


def _unreadable(error: OSError) -> BadModel:
    """The model's file is gone or not ours to read."""
    return BadModel(phrase("cannot read the model's file"), received=str(error))
