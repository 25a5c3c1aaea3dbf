"""What a benchmark has found so far, and the figures that follow from it."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass, field

from app.core.pipeline.input_cost import held_in_ram_bytes
from app.core.runs.bottleneck import StepEvidence, first_epoch_s, without_input
from app.core.runs.steadiness import SpeedRange, speed_range, widened
from app.core.types.measurement import Doubt, MeasuredData, MeasuredMemory, Measurement
from app.core.types.text import phrase, verbatim
from app.core.types.units import format_share
from app.core.types.workload import Dataset, Plan, steps_per_epoch
from app.worker.backends.memory_readings import peak_rss_bytes
from app.worker.benchmark.memory import MemoryWatch
from app.worker.benchmark.profile import Profiled
from app.worker.benchmark.timing import FEWEST_STEPS, Series, StepTime, spread
from app.worker.data.file_reads import FileReads

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
    pass_starts: list[StepTime] = field(default_factory=list)
    """Uncounted steps that began a pass over the data."""
    filling: list[StepTime] = field(default_factory=list)
    """Steps of the first pass, while the cache was being filled; once it is full they do not count."""
    settled: bool = True
    peak_bytes: int | None = None
    """After the third step on one batch in memory."""
    later_peak_bytes: int | None = None
    data_only: Series | None = None
    compute_only_step_s: float | None = None
    copy_s: float = 0.0
    pipeline_samples: int | None = None
    """What the input pipeline says of its length."""
    reads: FileReads | None = None
    share_from_disk: float | None = None
    cached_sample_bytes: float | None = None
    drift: float | None = None
    reference_s: list[float] = field(default_factory=list)
    """Readings of the reference kernel before, beside and after the measurement."""
    loss_first: float | None = None
    loss_last: float | None = None
    notes: list[str] = field(default_factory=list)
    _is_filling: bool = False
    profiled: Profiled = Profiled()
    held_bytes: int | None = None
    """What the allocator held of the device at the end of the measurement, where it tells."""
    own_data: bool = False
    """The batches are those of the author's own program, which is all that is known of them."""
    needed_basis: str = ""
    """Who counted ``peak_bytes``, or why nobody did."""
    planned: bool = False
    """``peak_bytes`` is what a compiler plans: the allocator's own peak is another figure."""

    def __post_init__(self) -> None:
        self.memory = MemoryWatch(self.plan, self.dataset)

    @property
    def real_data(self) -> bool:
        """Were the batches read from the user's data?"""
        return self.own_data or (self.dataset is not None and self.dataset.real)

    def measurement(self) -> Measurement | None:
        """The figures, or None before the first step was counted."""
        if not self.times or self.first_step_s is None:
            return None
        series = Series(tuple(self.times), self.settled)
        started = Series((*self.pass_starts, *self.times), self.settled)
        start_s = started.pass_start_s()
        steps = steps_per_epoch(self.samples, self.plan.batch_size)
        step_s = series.mean_s() + start_s / steps if steps else series.mean_s()
        epoch_s = steps * step_s if steps else None
        evidence = self._evidence(step_s)
        return Measurement(
            step=widened(spread(series.total_s(self.plan.accumulate)), self._speed()),
            first_step_s=self.first_step_s,
            samples_per_s=self.plan.batch_size / step_s,
            epoch_s=epoch_s,
            memory=MeasuredMemory(
                self.peak_bytes,
                self.held_bytes or self.profiled.held_bytes,
                host_bytes=peak_rss_bytes(),
                needed_basis=verbatim(self.needed_basis),
            ),
            shares=evidence.shares(),
            bound_by=evidence.bound_by(),
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
            profile_skipped=verbatim(self.profiled.skipped),
            data=self._data(start_s, epoch_s),
            reference_s=statistics.median(self.reference_s) if self.reference_s else None,
        )

    def doubts(self) -> tuple[Doubt, ...]:
        """What casts doubt on the figures, each with a word for programs."""
        found = []
        if any(loss is not None and not math.isfinite(loss) for loss in (self.loss_first, self.loss_last)):
            text = phrase("the loss is not a number any more (NaN or infinite): this plan does not train")
            found.append(Doubt("not_finite", text))
        speed = self._speed()
        if speed.notable:
            text = phrase(
                "the machine's own speed moved by {move} during the run; the interval allows for it",
                move=format_share(speed.move),
            )
            found.append(Doubt("drift", text, speed.move))
        steps = len(self.times)
        if steps < FEWEST_STEPS:
            text = phrase(
                "only {steps} of at least {wanted} steps could be counted in the time given",
                steps=steps,
                wanted=FEWEST_STEPS,
            )
            found.append(Doubt("few_steps", text, steps))
        elif not self.settled:
            found.append(Doubt("unsettled", phrase("the step time did not settle within 3 % in the time given")))
        return tuple(found)

    def _speed(self) -> SpeedRange:
        """How the machine's own speed moved."""
        return speed_range(self.reference_s)

    def warnings(self) -> list[str]:
        """What casts doubt on the figures, in words."""
        found = [*self.notes, *(doubt.text for doubt in self.doubts())]
        first, later = self.peak_bytes, None if self.planned else self.later_peak_bytes
        if first and later and later > NOTABLE_GROWTH * first:
            more = later / first - 1
            found.append(
                phrase("later steps needed up to {more} more memory than the first three", more=format_share(more))
            )
        return found

    def _evidence(self, step_s: float) -> StepEvidence:
        """What the step waits for."""
        if not self.real_data:
            return without_input(step_s, self.copy_s)
        return StepEvidence(step_s, self.compute_only_step_s, self.data_only_step_s, self._read_s(), self.copy_s)

    def _read_s(self) -> float:
        """Seconds to read the files of one batch from where the measurement read them."""
        if self.reads is None or self.sample_bytes is None:
            return 0.0
        return self.reads.read_s(self.plan.batch_size * self.sample_bytes, self.share_from_disk)

    @property
    def data_only_step_s(self) -> float | None:
        """Seconds of a batch from the input pipeline alone, its share of the start of a pass included."""
        if self.data_only is None:
            return None
        steps = steps_per_epoch(self.samples, self.plan.batch_size)
        return self.data_only.mean_s() + (self.data_only.pass_start_s() / steps if steps else 0.0)

    @property
    def samples(self) -> int | None:
        """Samples of one pass, as the scan or else the pipeline counted them."""
        return (self.dataset.samples if self.dataset else None) or self.pipeline_samples

    def _filling_epoch_s(self) -> float | None:
        """The epoch that fills the cache, if the measurement saw it end."""
        steps = steps_per_epoch(self.samples, self.plan.batch_size)
        return steps * Series(tuple(self.filling), settled=False).mean_s() if steps and self.filling else None

    @property
    def sample_bytes(self) -> float | None:
        """Bytes that one sample takes on the disk."""
        size = self.dataset.bytes_on_disk if self.dataset else None
        return size / self.samples if size and self.samples else None

    def begin(self, begun: list[StepTime], *, filling: bool) -> None:
        """Note the steps in which the pipeline got going; ``filling`` if its cache was not full after them."""
        self.pass_starts = [taken for taken in begun if taken.begins_pass]
        self._is_filling = filling

    def count(self, taken: StepTime, *, cache_is_full: bool) -> None:
        """Count a step of the measure phase; with the first one from a full cache the counting begins anew."""
        if self._is_filling and cache_is_full:
            self._is_filling = False
            self.filling, self.times = self.times, []
            self.pass_starts = []
        self.times.append(taken)

    def count_disk(self, before: int | None, after: int | None, steps: int) -> None:
        """Note which share of the files' bytes came from the disk during so many steps."""
        if before is not None and after is not None and self.sample_bytes and self.real_data and steps:
            used = steps * self.plan.batch_size * self.sample_bytes
            self.share_from_disk = min(1.0, (after - before) / used)

    def _data(self, start_s: float, epoch_s: float | None) -> MeasuredData:
        """What was learnt of the user's files."""
        rate = self.reads.disk_bytes_per_s if self.reads else None
        size = self.dataset.bytes_on_disk if self.dataset else None
        return MeasuredData(
            pass_start_s=start_s if self.real_data else None,
            read_bytes_per_s=rate,
            share_from_disk=self.share_from_disk,
            first_epoch_s=self._filling_epoch_s() or first_epoch_s(epoch_s, size, rate, self.share_from_disk),
            cached_sample_bytes=self.cached_sample_bytes,
            cached_form="compact" if self.cached_sample_bytes else None,
            expansion=self._expansion(),
        )

    def _expansion(self) -> float | None:
        """RAM per byte on disk, None if either is not known; only images are decoded one by one."""
        cached, on_disk = self.cached_sample_bytes, self.sample_bytes
        if not cached or not on_disk or self.dataset is None:
            return None
        return held_in_ram_bytes(cached, decoded=self.dataset.kind == "images") / on_disk


def _finite(value: float | None) -> float | None:
    """A number that JSON can carry, or None."""
    return value if value is not None and math.isfinite(value) else None
