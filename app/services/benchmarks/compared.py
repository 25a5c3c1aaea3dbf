"""What came of a comparison: each variant's run, the ratios, and who waits for data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.core.runs.comparison import METHOD, Ratio, waits_for_data
from app.core.types.run import Run
from app.core.types.text import phrase
from app.core.types.units import format_number
from app.services.child.watch import Event


@dataclass(frozen=True)
class VariantEvent:
    """Something happened to one variant; progress of the whole comparison comes as a plain `Progress`."""

    label: str
    event: Event


@dataclass(frozen=True)
class VariantRun:
    """One variant: its run, stored like any other, and its seconds per sample in each round."""

    label: str
    run: Run
    sample_s: tuple[float | None, ...] = ()

    @property
    def total_s(self) -> float | None:
        """Measured time for all epochs of the plan; None if the data's size is not known."""
        found = self.run.result.measurement
        return None if found is None or found.epoch_s is None else found.epoch_s * self.run.workload.plan.epochs

    @property
    def waits_for_data(self) -> bool:
        """Does it wait for its data?"""
        found = self.run.result.measurement
        return found is not None and waits_for_data(
            on_gpu="GPU" in self.run.result.environment.get("device", ""),
            gpu_percent=found.gpu_percent,
            cpu_percent=found.cpu_percent,
            bound_by=found.bound_by,
        )


@dataclass(frozen=True)
class Comparison:
    """What was compared, and what can be said; ``winner`` is None if nobody is faster than all others beyond chance.

    ``interleaved`` tells that the variants took turns; else they ran one after the other, again and again.
    """

    variants: tuple[VariantRun, ...]
    ratios: tuple[Ratio, ...]
    winner: str | None
    diagnosis: str | None
    interleaved: bool
    method: str = METHOD
    cancelled: bool = False


def diagnosis(runs: Sequence[VariantRun]) -> str | None:
    """Which variants wait for their data, in words; None if none does."""
    words = []
    for one in runs:
        found = one.run.result.measurement
        if found is None or not one.waits_for_data:
            continue
        busy = ""
        if found.gpu_percent is not None and found.cpu_percent is not None:
            busy = phrase(
                ": the card was busy {gpu_percent} % of the time, the processor {cpu_percent} %",
                gpu_percent=format_number(found.gpu_percent, ".0f"),
                cpu_percent=format_number(found.cpu_percent, ".0f"),
            )
        words.append(phrase("{label} waits for data{busy}", label=one.label, busy=busy))
    return "; ".join(words) or None
