"""The user's yes to a file as it is, without asking."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from app.core.types.workload import Dataset, ModelRef
from app.services.models.own_code import read_own


def own_model(path: Path | str, function: str, name: str = "") -> ModelRef:
    """A function of a file, which may run as the file is now."""
    return allowed(ModelRef("code", name or f"{Path(path).name}:{function}", str(path), function, trusted=True))


def allowed(model: ModelRef) -> ModelRef:
    """A model whose file may run as it is now."""
    return replace(model, trusted=True, consent=tuple(read_own(model.path or "").digests.values()))


def allowed_data(data: Dataset) -> Dataset:
    """Likewise of data."""
    return replace(data, trusted=True, consent=tuple(read_own(data.path or "").digests.values()))
