"""Models and data that were used lately, newest first: the top of each picker's list."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from app.core.types.workload import Dataset, ModelRef, Workload

MOST = 6
T = TypeVar("T")


class Memory(Protocol):
    """Where the lists are kept over a restart."""

    recent_models: tuple[ModelRef, ...]
    recent_datasets: tuple[Dataset, ...]


class Recent:
    """The two lists.

    Args:
        memory: Read once, and written at every change.

    Attributes:
        models: Newest first.
        datasets: Newest first.
    """

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self.models: tuple[ModelRef, ...] = memory.recent_models
        self.datasets: tuple[Dataset, ...] = memory.recent_datasets

    def note(self, workload: Workload) -> bool:
        """Put what a workload uses on top; True if that changes a list."""
        changed = False
        if self.models[:1] != (workload.model,):
            self.models = self._memory.recent_models = _on_top(workload.model, self.models, model_key)
            changed = True
        if workload.dataset is not None and self.datasets[:1] != (workload.dataset,):
            self.datasets = self._memory.recent_datasets = _on_top(workload.dataset, self.datasets, dataset_key)
            changed = True
        return changed


def model_key(model: ModelRef) -> str:
    """What tells models apart in a list: the name in the catalog, or file and function."""
    return model.name if model.kind == "catalog" else f"{model.path}:{model.function or ''}"


def dataset_key(dataset: Dataset) -> str:
    """What tells data apart in a list: the name, or file and function."""
    return dataset.name if dataset.path is None else f"{dataset.path}:{dataset.function or ''}"


def _on_top(item: T, known: tuple[T, ...], key: Callable[[T], str]) -> tuple[T, ...]:
    """A list with an item first and no other of its key."""
    return (item, *(other for other in known if key(other) != key(item)))[:MOST]
