"""A run: what it measured beside what was estimated before it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from app.core.types.measurement import Measurement
from app.core.types.prediction import Prediction
from app.core.types.text import Text
from app.presentation.figure import Figure, Mark, Unit, estimate_mark, measured
from app.presentation.words import QUANTITIES, difference_words


@dataclass(frozen=True)
class Comparison:
    """A quantity, estimated and measured."""

    quantity: str
    """A key of `app.presentation.words.QUANTITIES`."""
    estimated: Figure
    measured: Figure

    @property
    def name(self) -> Text:
        """What is compared."""
        return QUANTITIES[self.quantity]

    @property
    def difference(self) -> Text:
        """How far the estimate was from the measurement; empty if either is unknown."""
        return difference_words(self.estimated.amount, self.measured.amount)

    @property
    def known(self) -> bool:
        """There is something to show."""
        return self.estimated.known or self.measured.known


def comparisons(prediction: Prediction | None, found: Measurement | None) -> tuple[Comparison, ...]:
    """Estimate beside measured, one row a quantity; what was measured in an earlier run is an estimate of this one."""
    memory = found.memory if found is not None else None
    expected = _estimates(prediction) if prediction is not None else {}
    truth = {
        "step": measured(found.step.median_s, "seconds", found.step.low_s, found.step.high_s) if found else Figure(),
        "epoch": measured(found.epoch_s if found else None, "seconds"),
        "samples": measured(found.samples_per_s if found else None, "samples_per_s"),
        "memory": measured(memory.allocator_peak_bytes if memory else None, "bytes"),
        "held": measured(memory.held_bytes if memory else None, "bytes"),
        "seen": measured(memory.device_bytes if memory else None, "bytes"),
        "process": measured(memory.host_bytes if memory else None, "bytes"),
    }
    return tuple(Comparison(key, expected.get(key, Figure()), figure) for key, figure in truth.items())


def _estimates(prediction: Prediction) -> dict[str, Figure]:
    """What was predicted of each quantity."""
    time, memory = prediction.time, prediction.memory
    time_mark: Mark = "scaled" if time.basis == "measured" else time.basis
    mark = estimate_mark(memory.basis)

    def of_time(amount: float | None, unit: Unit = "seconds") -> Figure:
        return Figure(amount, unit, time_mark if amount is not None else "none", basis=time.explanation)

    needed = Figure(
        memory.allocator_peak_bytes, "bytes", mark, memory.low_bytes, memory.high_bytes, basis=memory.explanation
    )
    step = of_time(time.step_s)
    return {
        "step": replace(step, low=time.low_s, high=time.high_s) if step.known else step,
        "epoch": of_time(time.epoch_s),
        "samples": of_time(time.samples_per_s, "samples_per_s"),
        "memory": needed,
        "seen": Figure(memory.device_bytes, "bytes", mark),
        "process": Figure(memory.host_bytes, "bytes", mark),
    }
