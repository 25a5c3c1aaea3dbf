"""What is asked of the shops, and what is on their shelves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app.catalog.clouds import CloudOffer
from app.catalog.prices import Price
from app.core.pipeline.input_cost import SampleCost
from app.core.types.machine import GpuSpec, Machine
from app.core.types.prediction import Prediction
from app.core.types.workload import Plan, Workload

Predict = Callable[[Machine, Plan], Prediction]


@dataclass(frozen=True)
class Question:
    """What is asked of the shelf.

    Attributes:
        workload: What to train.
        now: The prediction for it on today's machine.
        cost: What a sample costs the host; None without a dataset.
        psu_watts: Of the power supply; None if the user did not say.
    """

    workload: Workload
    now: Prediction
    cost: SampleCost | None = None
    psu_watts: float | None = None

    @property
    def machine(self) -> Machine:
        """Today's."""
        return self.now.machine

    @property
    def samples(self) -> int | None:
        """In the dataset."""
        return self.workload.dataset.samples if self.workload.dataset else None


@dataclass(frozen=True)
class Shelf:
    """Tables of what is sold."""

    gpus: tuple[GpuSpec, ...]
    clouds: tuple[CloudOffer, ...]
    prices: tuple[Price, ...]
