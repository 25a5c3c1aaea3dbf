"""Models and data that were used lately, newest first: the top of each picker's list."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from app.core.workload import Dataset, ModelRef, Workload

MOST = 6
T = TypeVar("T", ModelRef, Dataset)


class Memory(Protocol):
    """Where the lists are kept over a restart."""

    recent_models: tuple[ModelRef, ...]
    recent_datasets: tuple[Dataset, ...]


class Recent:
    """The two lists.

    Args:
        memory: Read at every question and written at every change.
    """

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    @property
    def models(self) -> tuple[ModelRef, ...]:
        """Newest first."""
        return self._memory.recent_models

    @property
    def datasets(self) -> tuple[Dataset, ...]:
        """Newest first."""
        return self._memory.recent_datasets

    def note(self, workload: Workload) -> bool:
        """Put what a workload uses on top; True if that changes a list."""
        before = self.models, self.datasets
        self._memory.recent_models = _on_top(workload.model, self.models, model_key)
        if workload.dataset is not None:
            self._memory.recent_datasets = _on_top(workload.dataset, self.datasets, dataset_key)
        return (self.models, self.datasets) != before


def model_key(model: ModelRef) -> str:
    """What tells models apart in a list: the name in the catalog, or file and function."""
    return model.name if model.kind == "catalog" else f"{model.path}:{model.function or ''}"


def dataset_key(dataset: Dataset) -> str:
    """What tells data apart in a list: the name, or file and function."""
    return dataset.name if dataset.path is None else f"{dataset.path}:{dataset.function or ''}"


def _on_top(item: T, known: tuple[T, ...], key: Callable[[T], str]) -> tuple[T, ...]:
    """A list with an item first and no other of its key."""
    return (item, *(other for other in known if key(other) != key(item)))[:MOST]

