"""A sharper answer about memory, from a step that was compiled or from a few small steps.

The child (`app.worker.refining.refine`) records what the step asks of the allocator and replays it for some batch
sizes (`app.core.simulate.recorded_trace`).  A compiled step answers for its own batch only, a probe for every batch.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass, replace
from statistics import median
from typing import TypeVar

from app.core.predict.correction import Correction, Interval, apply
from app.core.simulate.recorded_trace import StepPeaks
from app.core.types.basis import Explanation, Range
from app.core.types.predicted_memory import Need, PredictedMemory
from app.core.types.text import phrase, verbatim
from app.core.types.units import MIB, format_bytes, format_share

COMPILED_INTERVAL = 0.01
"""On either side.  Compiled answers are within 0.6 % (docs/evidence.md, "Compiled steps"); studies/accuracy/refine."""

PROBE_INTERVAL = 0.04
PROBE_INTERVAL_PER_OCTAVE = 0.01
"""On either side, and more for each doubling of the batch from the probe's: kernels change, and the order in
which operations end shifts (studies/accuracy/refine)."""

AGREEMENT = 0.1
"""Beyond a tenth one of two ways of predicting has missed something; 5 % of the traced ones should
(studies/accuracy/memory)."""

SMALL_STEP_BYTES = 64 * MIB
SMALL_STEP_INTERVAL = 0.12
"""Below 64 MiB the threads' race moves the truth itself: by 2.7 % in the median, 13 % in one of ten nets
(docs/evidence.md, "Scatter of a peak")."""


@dataclass(frozen=True)
class Refined:
    """What the ``refine`` job returned.

    ``batch_sizes`` are those that were compiled, or run; ``peaks`` come in ascending order of the batch, and
    stand on lines between.  ``unmatched_share`` is that of `app.core.simulate.recorded_trace.RecordedTrace`,
    ``cap_share`` what an allocator must be allowed to take over its free peak (`app.core.simulate.survival`).
    """

    compiled: bool
    batch_sizes: tuple[int, ...]
    peaks: tuple[StepPeaks, ...]
    unmatched_share: float = 0.0
    cap_share: float = 1.0
    framework: str = ""
    seconds: float = 0.0

    def answers(self, batch_size: int) -> bool:
        """Can it say something about this batch?"""
        return not self.compiled or batch_size in self.batch_sizes

    def peak(self, batch_size: int) -> RefinedPeak:
        """The peak and its interval for one batch: the median over the recorded runs of steps, and their range.

        The upper end is what a training survives in, which may be more than the peak's own uncertainty.

        Raises:
            ValueError: The step was compiled for another batch.
        """
        if not self.answers(batch_size):
            raise ValueError(
                phrase(
                    "compiled for batch {batch_sizes}, asked for {batch_size}",
                    batch_sizes=self.batch_sizes[0],
                    batch_size=batch_size,
                )
            )
        first, low, peak, high = (int(bytes_) for bytes_ in _between(self.peaks, batch_size))
        width, reason = _width(self, batch_size, peak)
        enough = max(high * (1 + width), peak * self.cap_share)
        return RefinedPeak(peak, int(low * (1 - width)), int(enough), first, reason)


@dataclass(frozen=True)
class RefinedPeak:
    """The allocator's peak over two steps after the first, in bytes, with an interval and the reason for its width."""

    peak_bytes: int
    low_bytes: int
    high_bytes: int
    first_step_bytes: int
    reason: str


MemoryT = TypeVar("MemoryT", PredictedMemory, Need)


def refined_memory(memory: MemoryT, refined: Refined, batch_size: int, inputs_bytes: int) -> MemoryT:
    """The prediction with the refined peaks, of the first step and of later ones, in place of the traced ones.

    A compiled step is known to XLA, but a batch that happens to lie aligned is taken over and not copied
    (``TF_NewTensor``): the interval holds that too.  A probe ran the real thing, but carries sizes from a few
    samples to many, over kernels that change with the batch: where the traced prediction says something else
    altogether, the interval holds that as well.

    Args:
        memory: The traced step's.
        refined: It answers for this batch.
        batch_size: The batch.
        inputs_bytes: What the batch itself takes.
    """
    found, held = refined.peak(batch_size), memory.dataset_bytes
    traced = round(memory.range.value) - held
    difference = traced / max(1, found.peak_bytes) - 1
    if refined.compiled:
        found = replace(found, low_bytes=max(0, found.low_bytes - inputs_bytes))
    elif abs(difference) > AGREEMENT:
        found = replace(
            found,
            low_bytes=min(found.low_bytes, traced),
            high_bytes=max(found.high_bytes, traced),
            reason=phrase(
                "the traced graph says {difference}; only a run of this batch can tell",
                difference=format_share(difference, signed=True),
            ),
        )
    corrected = apply(memory, _correction(refined, found, traced, held))
    return corrected.with_first(found.first_step_bytes + held)


def _correction(refined: Refined, found: RefinedPeak, traced: int, held: int) -> Correction:
    """What a refined peak makes of a traced one, beside which a dataset is held."""
    how = (
        phrase("compiled without running")
        if refined.compiled
        else phrase("a few steps at small batches, scaled and replayed")
    )
    return Correction(
        factor=found.peak_bytes / traced,
        interval=Interval.about(Range(found.peak_bytes, found.low_bytes, found.high_bytes)),
        basis="compiled" if refined.compiled else "carried",
        assumption=verbatim(found.reason),
        explanation=(
            Explanation(phrase("refined"), format_bytes(found.peak_bytes), how, verbatim(refined.framework)),
            Explanation(
                phrase("the first step alone"), format_bytes(found.first_step_bytes), phrase("slots are new then")
            ),
        ),
        fixed=held,
    )


def _width(refined: Refined, batch_size: int, peak_bytes: int) -> tuple[float, str]:
    """Relative half-width of the interval, and why."""
    if refined.compiled:
        return COMPILED_INTERVAL, phrase(
            "XLA's own plan of the step's memory for batch {batch_size}", batch_size=batch_size
        )
    octaves = abs(math.log2(batch_size / max(refined.batch_sizes)))
    width = PROBE_INTERVAL + PROBE_INTERVAL_PER_OCTAVE * octaves + refined.unmatched_share
    if peak_bytes < SMALL_STEP_BYTES:
        width = max(width, SMALL_STEP_INTERVAL)
    low, high = min(refined.batch_sizes), max(refined.batch_sizes)
    return width, phrase(
        "sizes are lines through batch {low} and {high}, requests come in the order of batch {high}", low=low, high=high
    )


def _between(peaks: tuple[StepPeaks, ...], batch_size: int) -> tuple[float, ...]:
    """Bytes of the first step, then lowest, median and highest of the later ones, at any batch size.

    On the line through the batch sizes on both sides, or through the outer two beyond.
    """
    index = bisect_left(peaks, batch_size, key=lambda p: p.batch_size)
    if index < len(peaks) and peaks[index].batch_size == batch_size:
        return _figures(peaks[index])
    index = min(max(1, index), len(peaks) - 1)
    left, right = peaks[index - 1], peaks[index]
    share = (batch_size - left.batch_size) / (right.batch_size - left.batch_size)
    return tuple(a + share * (b - a) for a, b in zip(_figures(left), _figures(right), strict=True))


def _figures(peaks: StepPeaks) -> tuple[float, ...]:
    """Bytes of the first step, then lowest, median and highest of the later ones."""
    return peaks.first_bytes, min(peaks.later_bytes), median(peaks.later_bytes), max(peaks.later_bytes)
