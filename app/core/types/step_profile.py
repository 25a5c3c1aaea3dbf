"""One profiled step: its timeline, what lived at its peak and which layer made it, its time by layer and kind.

Operations run side by side on several threads, so their times add up to more than the step: a layer's share is one of
the *operations'* time.
"""

from __future__ import annotations

from dataclasses import dataclass

from app.core.types.allocator_events import TimelinePoint
from app.core.types.text import Text


@dataclass(frozen=True)
class OperationEvent:
    """One operation that ran; ``t_s`` counts from the beginning of the step."""

    t_s: float
    duration_s: float
    name: str
    kind: str
    thread: str = ""


@dataclass(frozen=True)
class KindTime:
    """All operations of one kind."""

    kind: str
    time_s: float
    count: int


@dataclass(frozen=True)
class MeasuredLayer:
    """What one layer kept alive at the peak of the profiled step, and how long its operations took.

    ``weights_bytes`` counts its optimizer state too, ``activation_bytes`` all that its operations had made and was
    still alive (forward and backward); `app.core.types.predicted_memory.LayerMemory` is predicted the same way.
    """

    name: str
    kind: str
    weights_bytes: int
    activation_bytes: int
    forward_s: float = 0.0
    backward_s: float = 0.0

    @property
    def time_s(self) -> float:
        """Time of all its operations."""
        return self.forward_s + self.backward_s


@dataclass(frozen=True)
class AliveParts:
    """What was alive at the peak by what made it; adds up to the peak.

    ``compiled`` is what a step that XLA compiled takes as a whole, which has no parts.  ``other`` is what was there
    before the step and is no variable of the model: the batch, constants, and what the allocator's rounding adds
    to the variables.
    """

    weights: int = 0
    optimizer_state: int = 0
    forward: int = 0
    backward: int = 0
    update: int = 0
    scratch: int = 0
    compiled: int = 0
    other: int = 0


@dataclass(frozen=True)
class StepProfile:
    """What one profiled step showed.  Bytes and seconds; None is "not available".

    ``step_s`` is the profiled step's own time; the run's figures come from steps that were not profiled.
    """

    step_s: float
    peak_bytes: int | None = None
    peak_operation: str = ""
    held_bytes: int | None = None
    timeline: tuple[TimelinePoint, ...] = ()
    parts: AliveParts = AliveParts()
    layers: tuple[MeasuredLayer, ...] = ()
    kinds: tuple[KindTime, ...] = ()
    operations_s: float = 0.0
    """Time of all operations, more than the step where they ran side by side."""
    layers_s: float = 0.0
    """What of it belongs to layers."""
    update_s: float = 0.0
    """What of it updated the weights."""
    operations: int = 0
    requests: int = 0
    trace_bytes: int | None = None
    """Size of the raw trace kept with the run."""
    notes: tuple[Text, ...] = ()
