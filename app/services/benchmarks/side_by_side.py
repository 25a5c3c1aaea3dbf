"""Can several children be alive at once: what is predicted of each against what this machine has now."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from app.core.pipeline.input_cost import decoded_bytes
from app.core.types.prediction import Prediction
from app.core.types.workload import Workload

Predicted = tuple[Workload, Prediction | None]


def fit_together(predicted: Sequence[Predicted], limit_bytes: int | None) -> bool:
    """Do all of them that run fit at once, by the upper ends of their intervals?

    What is not known is taken not to fit.

    Args:
        predicted: Workloads with their predictions.
        limit_bytes: Host memory that may be taken in all.
    """
    possible = that_run(predicted)
    host = [host_need_bytes(work, found) for work, found in possible if not _no_such_device(work, found)]
    if limit_bytes is None or any(need is None for need in host):
        return False
    return sum(need or 0 for need in host) <= limit_bytes and _fit_on_cards([p for _, p in possible if p is not None])


def that_run(predicted: Iterable[Predicted]) -> list[Predicted]:
    """Those that are not expected to fail: what does not fit even alone fails and is gone, and counts for nothing."""
    return [(work, found) for work, found in predicted if found is None or found.fit.verdict != "does_not_fit"]


def host_need_bytes(workload: Workload, found: Prediction | None) -> int | None:
    """Host memory that a child may take; None if nobody knows."""
    if found is None or found.memory.host_bytes is None:
        return None
    memory = found.memory
    more = memory.high_bytes - memory.allocator_peak_bytes if memory.parts.framework == 0 else 0
    dataset = workload.dataset
    cached = decoded_bytes(dataset) if workload.plan.cache == "ram" and dataset is not None else 0
    return None if cached is None else found.memory.host_bytes + more + cached


def _no_such_device(workload: Workload, found: Prediction | None) -> bool:
    """Was nothing predicted because the card is not there?  Its child ends at once."""
    return found is None and workload.plan.device.startswith("gpu:")


def _fit_on_cards(predictions: Sequence[Prediction]) -> bool:
    """Do those on the same card fit there together, each with a context of its own?"""
    cards = {found.fit.device_name for found in predictions if found.memory.parts.framework}
    return all(_fit_on_card([found for found in predictions if found.fit.device_name == name]) for name in cards)


def _fit_on_card(predictions: Sequence[Prediction]) -> bool:
    """Likewise on one card, whose first context is already taken off what is allowed."""
    allowed = predictions[0].fit.allowed_bytes
    contexts = sum(found.memory.parts.framework for found in predictions[1:])
    return allowed is not None and sum(found.memory.high_bytes for found in predictions) + contexts <= allowed
