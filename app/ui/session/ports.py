"""What the window asks of the façade: the part of `app.services.advisor.Advisor` that it calls.

A protocol instead of the class, so that the window imports nothing heavy before its first paint and so
that tests can put a recorded advisor in its place.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from app.core.types.advice import Advice
from app.core.types.machine import DeviceRates, GpuSpec, Machine
from app.core.types.prediction import Prediction
from app.core.types.stepgraph import StepGraph
from app.core.types.workload import Dataset, ModelRef, Workload

if TYPE_CHECKING:
    from app.catalog.models import ModelEntry
    from app.core.advising.variants import Wishes
    from app.services.benchmarks.batch_finder import BatchFinding
    from app.services.benchmarks.compared import Comparison
    from app.services.models.consent import TrustStore
    from app.services.runtimes.find import Runtime
    from app.services.settings import Settings
    from app.services.store.history import History
    from app.services.store.runs import Run

EventSink = Callable[[Any], None]


class AdvisorPort(Protocol):
    """The façade as the window sees it; everything may block except `cached_graph` and `estimate`."""

    history: History
    settings: Settings
    trust: TrustStore

    def with_settings(self, settings: Settings) -> AdvisorPort:
        """A façade with other settings, which are kept."""
        ...

    def models(self) -> tuple[ModelEntry, ...]:
        """Networks that can be named."""
        ...

    def datasets(self) -> tuple[Dataset, ...]:
        """Data that can be named."""
        ...

    def gpus(self) -> tuple[GpuSpec, ...]:
        """All cards of the table."""
        ...

    def machine(self, refresh: bool = False) -> Machine:
        """This machine."""
        ...

    def doctor(self, interpreters: tuple[str, ...] = (), cancel: threading.Event | None = None) -> Any:
        """What the framework can use; asks children."""
        ...

    def simulate(
        self,
        machine: Machine,
        *,
        gpu: str | None = None,
        ram_bytes: int | None = None,
        disk_bytes_per_s: float | None = None,
    ) -> Machine:
        """The machine with parts replaced."""
        ...

    def find_model(self, text: str, *, trust: bool = False) -> ModelRef:
        """A catalog name, a saved file or ``file.py:function``."""
        ...

    def find_dataset(
        self,
        text: str,
        report: Callable[[float | None, str], None] | None = None,
        cancel: threading.Event | None = None,
        *,
        trust: bool = False,
    ) -> Dataset:
        """A catalog name, a function in a file, or a folder or file, which is scanned."""
        ...

    def cached_graph(self, workload: Workload) -> StepGraph | None:
        """The traced graph, if there is one."""
        ...

    def graph(
        self,
        workload: Workload,
        on_event: EventSink | None = None,
        cancel: threading.Event | None = None,
        *,
        anew: bool = False,
    ) -> StepGraph:
        """The traced graph; traces in a child if needed, or all the same if ``anew``."""
        ...

    def files(self, model: ModelRef) -> dict[str, str]:
        """Digests by path of the files that decide about a model; reads them."""
        ...

    def rates(
        self, device: str, on_event: EventSink | None = None, cancel: threading.Event | None = None
    ) -> DeviceRates | None:
        """Rates of a device; measured in a child if needed."""
        ...

    def cached_rates(self, device: str) -> DeviceRates | None:
        """Rates of a device, if they were measured."""
        ...

    def estimate(self, workload: Workload, machine: Machine, graph: StepGraph) -> Prediction:
        """The answer, by arithmetic."""
        ...

    def anticipate(
        self, workload: Workload, machine: Machine, graph: StepGraph, cancel: threading.Event | None = None
    ) -> None:
        """Prepare for the next questions about a graph."""
        ...

    def quick_estimate(self, workload: Workload, machine: Machine) -> Prediction | None:
        """What can be said before a trace."""
        ...

    def advise(self, workload: Workload, machine: Machine, graph: StepGraph) -> Advice:
        """Recommendations and upgrades."""
        ...

    def advice_after(self, run: Run) -> Advice | None:
        """The advice that goes with a stored run."""
        ...

    def prepare_advice(
        self,
        workload: Workload,
        machine: Machine,
        on_event: EventSink | None = None,
        cancel: threading.Event | None = None,
    ) -> None:
        """Trace what `advise` would like to compare with."""
        ...

    def compare(
        self,
        workload: Workload,
        machine: Machine,
        wishes: Wishes,
        *,
        seconds: float = 20,
        on_event: EventSink | None = None,
        cancel: threading.Event | None = None,
    ) -> Comparison:
        """Train variants side by side and store their runs."""
        ...

    def find_batch(
        self,
        workload: Workload,
        machine: Machine,
        *,
        effective: int | None = None,
        on_event: EventSink | None = None,
        cancel: threading.Event | None = None,
    ) -> BatchFinding:
        """Try batches until the largest and the fastest are known; store the trials."""
        ...

    def bench(
        self,
        workload: Workload,
        machine: Machine,
        *,
        seconds: float = 20,
        on_event: EventSink | None = None,
        cancel: threading.Event | None = None,
    ) -> Run:
        """Train for some seconds in a child and store the run."""
        ...

    def runtimes(self) -> tuple[Runtime, ...]:
        """Pythons of this machine, and what is in each."""
        ...

    def make_runtime(self, report: Callable[[float | None, str], None], cancel: threading.Event | None = None) -> str:
        """Make a Python environment that can train; the path of its Python."""
        ...
