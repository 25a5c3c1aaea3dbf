"""What a benchmark has found so far, and the figures that follow from it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from app.core.measurement import Doubt, MeasuredMemory, MeasuredShares, Measurement
from app.core.steadiness import SpeedRange, speed_range, widened
from app.core.workload import Dataset, Plan
from app.worker.benchmark_memory import MemoryWatch
from app.worker.benchmark_profile import Profiled
from app.worker.benchmark_timing import Series, StepTime, spread
from app.worker.memory_readings import peak_rss_bytes

NOTABLE_GROWTH = 1.05


@dataclass
class Findings:
    """Filled phase by phase; complete or not, `measurement` says what is known.

    ``times`` are the steps of the measure phase.  Times in seconds, sizes in bytes.
    """

    plan: Plan
    dataset: Dataset | None
    build_s: float | None = None
    first_step_s: float | None = None
    times: list[StepTime] = field(default_factory=list)
    settled: bool = True
    peak_bytes: int | None = None
    """After the third step on one batch in memory."""
    later_peak_bytes: int | None = None
    data_only_step_s: float | None = None
    compute_only_step_s: float | None = None
    copy_s: float = 0.0
    drift: float | None = None
    reference_s: list[float] = field(default_factory=list)
    """Readings of the reference kernel before, beside and after the measurement."""
    loss_first: float | None = None
    loss_last: float | None = None
    notes: list[str] = field(default_factory=list)
    profiled: Profiled = Profiled()

    def __post_init__(self) -> None:
        self.memory = MemoryWatch(self.plan, self.dataset)

    @property
    def real_data(self) -> bool:
        """Were the batches read from the user's data?"""
        return self.dataset is not None and self.dataset.real

    def measurement(self) -> Measurement | None:
        """The figures, or None before the first step was counted."""
        if not self.times or self.first_step_s is None:
            return None
        series = Series(tuple(self.times), self.settled)
        mean_s, batch = series.mean_s(), self.plan.batch_size
        samples = self.dataset.samples if self.dataset else None
        return Measurement(
            step=widened(spread(series.total_s(self.plan.accumulate)), self._speed()),
            first_step_s=self.first_step_s,
            samples_per_s=batch / mean_s,
            epoch_s=math.ceil(samples / batch) * mean_s if samples else None,
            memory=MeasuredMemory(self.peak_bytes, self.profiled.held_bytes, host_bytes=peak_rss_bytes()),
            shares=self._shares(series),
            bound_by=self._bound_by(),
            data_only_step_s=self.data_only_step_s,
            compute_only_step_s=self.compute_only_step_s,
            build_s=self.build_s,
            reference_drift=self.drift,
            loss_first=_finite(self.loss_first),
            loss_last=_finite(self.loss_last),
            reference_move=self._speed().move if len(self.reference_s) > 1 else None,
            doubts=self.doubts(),
            memory_over_time=self.memory.points(),
            profile=self.profiled.profile,
            profile_skipped=self.profiled.skipped,
        )

    def doubts(self) -> tuple[Doubt, ...]:
        """What casts doubt on the figures, each with a word for programs."""
        found = []
        if any(loss is not None and not math.isfinite(loss) for loss in (self.loss_first, self.loss_last)):
            text = "the loss is not a number any more (NaN or infinite): this plan does not train"
            found.append(Doubt("not_finite", text))
        speed = self._speed()
        if speed.notable:
            text = f"the machine's own speed moved by {speed.move:.0%} during the run; the interval allows for it"
            found.append(Doubt("drift", text, speed.move))
        if not self.settled:
            found.append(Doubt("unsettled", "the step time did not settle within 3 % in the time given"))
        return tuple(found)

    def _speed(self) -> SpeedRange:
        """How the machine's own speed moved."""
        return speed_range(self.reference_s)

    def warnings(self) -> list[str]:
        """What casts doubt on the figures, in words."""
        found = [*self.notes, *(doubt.text for doubt in self.doubts())]
        if self.peak_bytes and self.later_peak_bytes and self.later_peak_bytes > NOTABLE_GROWTH * self.peak_bytes:
            more = self.later_peak_bytes / self.peak_bytes - 1
            found.append(f"later steps needed up to {more:.0%} more memory than the first three")
        return found

    def _shares(self, series: Series) -> MeasuredShares:
        """How a step divides.

        Input is what the step would save if its data were always there: the time it visibly waited, or
        all by which it is longer than computing alone (on a CPU the two compete for the same cores).
        """
        mean_s = series.mean_s()
        copy = min(1.0, self.copy_s / mean_s)
        if not self.real_data:
            return MeasuredShares(0.0, copy, 1.0 - copy)
        if self.compute_only_step_s is None:
            return MeasuredShares()
        waited = max(series.mean_wait_s() / mean_s, 1 - self.compute_only_step_s / mean_s, 0.0)
        copy = min(copy, 1.0 - waited)
        return MeasuredShares(waited, copy, 1.0 - waited - copy)

    def _bound_by(self) -> str | None:
        """What limits the step: the slower of input and computation, since they overlap."""
        if not self.real_data:
            return "compute"
        if self.data_only_step_s is None or self.compute_only_step_s is None:
            return None
        return "input" if self.data_only_step_s > self.compute_only_step_s else "compute"


def _finite(value: float | None) -> float | None:
    """A number that JSON can carry, or None."""
    return value if value is not None and math.isfinite(value) else None
