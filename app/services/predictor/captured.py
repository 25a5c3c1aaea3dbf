"""A workload as the author of its model wrote it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from app.core.types.captured import Captured
from app.core.types.text import phrase
from app.core.types.workload import Dataset, Workload


def with_captured(workload: Workload, captured: Captured, given: Collection[str]) -> Workload:
    """The workload with the author's settings where the user gave none, and as many samples as their ``fit`` takes.

    Args:
        workload: What is asked about.
        captured: What its author wrote.
        given: The options of its plan that the user chose.

    Raises:
        InvalidWorkload: What the user chose cannot be had beside what the author wrote.
    """
    plan = captured.plan(workload.plan, given)
    if workload.dataset is not None or captured.fit is None:
        return replace(workload, plan=plan)
    data = Dataset(name=phrase("the script's own data"), samples=captured.samples)
    return replace(workload, plan=plan, dataset=data, trainings=captured.trainings_like_this)
