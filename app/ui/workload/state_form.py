"""What the workload form shows: entries to pick from and the chosen workload.  No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from app.core.types.workload import Dataset, ModelRef, Plan, Workload
from app.ui.kit.quantities import format_bytes, format_count, format_number
from app.ui.kit.speech import tr
from app.ui.session.recent import dataset_key, model_key

if TYPE_CHECKING:
    from app.catalog.models import ModelEntry
    from app.core.types.machine import GpuSpec, Machine

Entry = tuple[str, str]
"""Key and text; an empty key is a line between groups."""

LINE: Entry = ("", "")

SAMPLE_BATCH_SIZE = 256
SAMPLE_EPOCHS = 15


@dataclass(frozen=True)
class FormState:
    """The workload form."""

    models: tuple[Entry, ...] = ()
    datasets: tuple[Entry, ...] = ()
    devices: tuple[Entry, ...] = (("auto", "auto"), ("cpu", "CPU"))
    model: Entry = ("", "")
    dataset: Entry | None = None
    plan: Plan = field(default_factory=Plan)
    """What the fields show; the workload itself is the session's."""
    assumptions: tuple[str, ...] = ()
    scanning: str = ""
    enabled: bool = False
    interpreter: str = ""
    """The Python that trains; empty for this program's own."""
    interpreters: tuple[str, ...] = ()
    missing_frameworks: tuple[str, ...] = ()


def showing(state: FormState, workload: Workload) -> FormState:
    """The form with another workload in its fields."""
    model, data = workload.model, workload.dataset
    dataset = None if data is None else (dataset_key(data), dataset_text(data))
    return replace(state, model=(model_key(model), model.name), dataset=dataset, plan=workload.plan)


def short_count(count: int | None) -> str:
    """A number of parameters in three figures: ``25.6 M``."""
    if count is None:
        return ""
    for unit, name in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if count >= unit:
            return format_number(count / unit, ".3g", name)
    return str(count)


def model_entries(models: Sequence[ModelEntry]) -> tuple[Entry, ...]:
    """Catalog models as entries: title and number of parameters."""
    return tuple((m.name, " · ".join(filter(None, (m.title or m.name, _parameters(m.params))))) for m in models)


def _parameters(count: int | None) -> str:
    """A number of parameters that says what it counts."""
    return tr("{count} params").format(count=short_count(count)) if count is not None else ""


def picker_models(recent: Sequence[ModelRef], models: Sequence[ModelEntry]) -> tuple[Entry, ...]:
    """What was used lately, a line, and the rest of the catalog."""
    known = dict(model_entries(models))
    return _recent_first([(model_key(m), known.get(model_key(m), m.name)) for m in recent], model_entries(models))


def picker_datasets(recent: Sequence[Dataset], datasets: Sequence[Dataset]) -> tuple[Entry, ...]:
    """What was used lately, a line, and the rest of the catalog."""
    return _recent_first(list(dataset_entries(recent)), dataset_entries(datasets))


def _recent_first(recent: Sequence[Entry], entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """Two groups without repetition."""
    first = {key for key, _ in recent}
    rest = [entry for entry in entries if entry[0] not in first]
    return (*recent, LINE, *rest) if recent and rest else (*recent, *rest)


def dataset_text(dataset: Dataset) -> str:
    """A dataset in a few words."""
    count = format_count(dataset.samples) if dataset.samples is not None else ""
    size = format_bytes(dataset.bytes_on_disk) if dataset.bytes_on_disk is not None else ""
    return " · ".join(filter(None, (dataset.name, count, size)))


def dataset_entries(datasets: Sequence[Dataset]) -> tuple[Entry, ...]:
    """Datasets as entries."""
    return tuple((dataset_key(d), dataset_text(d)) for d in datasets)


def device_entries(machine: Machine) -> tuple[Entry, ...]:
    """Devices that a plan can name."""
    cards = tuple((f"gpu:{gpu.index}", f"GPU {gpu.index}: {gpu.name}") for gpu in machine.gpus)
    return (("auto", "auto"), ("cpu", "CPU"), *cards)


def gpu_entries(gpus: Sequence[GpuSpec]) -> tuple[Entry, ...]:
    """All cards of the table."""
    return tuple((g.name, f"{g.name} · {format_bytes(g.memory_bytes)}") for g in gpus)


def _named(name: str) -> str:
    """A name without what writers disagree about."""
    return "".join(letter for letter in name.lower() if letter.isalnum())


def sample_workload(models: Sequence[ModelEntry], datasets: Sequence[Dataset]) -> Workload | None:
    """What the first start shows: the Fashion-MNIST network of the founding case, or the first model."""
    if not models:
        return None
    wanted = [m for m in models if "fashion" in _named(m.name)] or list(models)
    data = next((d for d in datasets if "fashion" in _named(d.name)), None)
    plan = Plan(batch_size=SAMPLE_BATCH_SIZE, optimizer="adam", epochs=SAMPLE_EPOCHS)
    return Workload(ModelRef("catalog", wanted[0].name), data, plan)


def trace_key(workload: Workload) -> tuple[object, ...]:
    """What a trace depends on: two workloads with one key share a step graph."""
    plan, data = workload.plan, workload.dataset
    shape = (data.name, data.sample_shape, data.classes, data.path) if data is not None else None
    return (workload.model, shape, workload.input_shape, workload.classes, *plan.traced)
