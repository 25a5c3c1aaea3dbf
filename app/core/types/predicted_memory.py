"""Memory of a step as it was computed, never to be confused with a measured one.  Bytes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from app.core.types.basis import Explanation, Known, MemoryBasis, Range
from app.core.types.text import Text


@dataclass(frozen=True)
class MemoryParts:
    """Bytes alive at the peak, by what they are for (the names of torch/profiler ``Category``)."""

    weights: int = 0
    gradients: int = 0
    optimizer_state: int = 0
    activations: int = 0
    workspace: int = 0
    inputs: int = 0
    framework: int = 0

    @property
    def exact_bytes(self) -> int:
        """What is counted and not followed: a sum of known sizes."""
        return self.weights + self.optimizer_state + self.inputs

    def share_of(self, peak_bytes: int) -> float:
        """By what everything that is not known exactly is multiplied, so that the parts add up to a peak."""
        variable = self.gradients + self.activations + self.workspace
        return max(0, peak_bytes - self.exact_bytes) / variable if variable else 0.0

    def at(self, share: float) -> MemoryParts:
        """The parts with all that is not known exactly multiplied by a share (`share_of`)."""
        return replace(
            self,
            gradients=int(self.gradients * share),
            activations=int(self.activations * share),
            workspace=int(self.workspace * share),
        )


@dataclass(frozen=True)
class LayerMemory:
    """What one layer keeps alive at the peak."""

    name: str
    kind: str
    weights_bytes: int
    activation_bytes: int


_BASIS: dict[Known | None, MemoryBasis] = {"measured": "measured", "compiled": "compiled", "carried": "calibrated"}


class Need(NamedTuple):
    """The figures of a step's memory: what a `PredictedMemory` says in full, for one of many batches."""

    peak_bytes: int
    low_bytes: int
    high_bytes: int
    first_bytes: int | None
    """Up to the end of the first step; None if not known."""
    dataset_bytes: int = 0

    @property
    def range(self) -> Range:
        """The peak with its interval."""
        return Range(self.peak_bytes, self.low_bytes, self.high_bytes)

    def at(
        self, told: Range, known: Known | None = None, assumption: Text = Text(), lines: tuple[Explanation, ...] = ()
    ) -> Need:
        """The figures with another peak; the first step's follows."""
        peak, low, high = (round(bytes_) for bytes_ in told)
        own, held, first = self.peak_bytes - self.dataset_bytes, self.dataset_bytes, self.first_bytes
        factor = (peak - held) / own if own > 0 else 1.0
        first = None if first is None else held + int((first - held) * factor)
        return Need(peak, min(peak, low), max(peak, high), first, held)

    def beside(self, dataset_bytes: int) -> Need:
        """The figures with a dataset held beside the step."""
        peak, low, high = (bytes_ + dataset_bytes for bytes_ in self[:3])
        first = None if self.first_bytes is None else self.first_bytes + dataset_bytes
        return Need(peak, low, high, first, dataset_bytes)

    def with_first(self, first_bytes: int | None) -> Need:
        """With a first step that is known by itself, or not at all."""
        return self._replace(first_bytes=first_bytes)


@dataclass(frozen=True)
class PredictedMemory:
    """Memory of one step.

    ``allocator_peak_bytes`` is *needed* as the framework's allocator counts it; ``wanted_workspace_bytes`` is what the
    fastest kernels would like on top.  ``timeline`` holds (share of the step 0..1, live bytes).
    """

    allocator_peak_bytes: int
    low_bytes: int
    high_bytes: int
    wanted_workspace_bytes: int
    process_bytes: int | None
    """What the process takes of the host's memory besides the allocator's peak; None if nobody knows."""
    parts: MemoryParts
    basis: MemoryBasis
    dominant_assumption: Text
    largest_layers: tuple[LayerMemory, ...] = ()
    timeline: tuple[tuple[float, int], ...] = ()
    explanation: tuple[Explanation, ...] = ()
    first_step_peak_bytes: int | None = None
    """The allocator's peak up to the end of the first step, whose slots are new; None if not known."""
    shown_peak_bytes: int | None = None
    """What TensorFlow's own counter shows of a card that has room to try every kernel (`app.core.predict.autotuning`);
    no need.  None where nothing is tried, or nobody knows."""
    dataset_bytes: int = 0
    """What a dataset held as one array takes of the peak."""
    on_host: bool = False
    """The allocator takes its memory from the host's."""

    @property
    def device_bytes(self) -> int:
        """With what the framework takes of the device besides its allocator."""
        return self.allocator_peak_bytes + self.parts.framework

    @property
    def host_bytes(self) -> int | None:
        """The process on the host."""
        if self.process_bytes is None:
            return None
        return self.process_bytes + (self.allocator_peak_bytes if self.on_host else 0)

    @property
    def need(self) -> Need:
        """The figures alone."""
        first, held = self.first_step_peak_bytes, self.dataset_bytes
        return Need(self.allocator_peak_bytes, self.low_bytes, self.high_bytes, first, held)

    @property
    def range(self) -> Range:
        """The peak with its interval."""
        return self.need.range

    def at(
        self, told: Range, known: Known | None = None, assumption: Text = Text(), lines: tuple[Explanation, ...] = ()
    ) -> PredictedMemory:
        """The same step with another peak; all that follows from the peak follows (`Told.at`)."""
        moved = self.need.at(told)
        peak, exact = moved.peak_bytes, self.parts.exact_bytes - self.dataset_bytes
        share = 1.0 if peak == self.allocator_peak_bytes else self.parts.share_of(peak)
        return replace(
            self,
            allocator_peak_bytes=peak,
            low_bytes=moved.low_bytes,
            high_bytes=moved.high_bytes,
            parts=self.parts.at(share),
            basis=_BASIS.get(known, self.basis),
            dominant_assumption=assumption or self.dominant_assumption,
            explanation=(*self.explanation, *lines),
            largest_layers=tuple(
                replace(one, activation_bytes=int(one.activation_bytes * share)) for one in self.largest_layers
            ),
            timeline=tuple(
                (when, live if live < exact else exact + int((live - exact) * share)) for when, live in self.timeline
            ),
            first_step_peak_bytes=moved.first_bytes,
            shown_peak_bytes=_moved(self.shown_peak_bytes, self.first_step_peak_bytes, moved.first_bytes),
        )

    def with_first(self, first_bytes: int | None) -> PredictedMemory:
        """With a first step that is known by itself, or not at all."""
        shown = _moved(self.shown_peak_bytes, self.first_step_peak_bytes, first_bytes)
        return replace(self, first_step_peak_bytes=first_bytes, shown_peak_bytes=shown)


def _moved(shown_bytes: int | None, before_bytes: int | None, first_bytes: int | None) -> int | None:
    """What is shown where the first step moved: what is tried beside it stays."""
    if shown_bytes is None or before_bytes is None or first_bytes is None:
        return None
    return shown_bytes + first_bytes - before_bytes
