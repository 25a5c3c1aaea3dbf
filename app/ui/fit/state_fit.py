"""What the Fit page shows: parts, the four memories, layers, timeline and batch curve.  No Qt."""

from __future__ import annotations

from dataclasses import dataclass

from app.core.types.machine import Gpu
from app.core.types.prediction import LayerMemory, Prediction, Verdict
from app.ui.fit.state_verdict import Stage
from app.ui.kit.quantities import format_bytes
from app.ui.kit.state import Number, bytes_interval, needed_number, short_name

PART_ORDER = ("weights", "gradients", "optimizer_state", "activations", "workspace", "inputs")


@dataclass(frozen=True)
class Segment:
    """One part of the memory bar."""

    part: str
    size_bytes: int


@dataclass(frozen=True)
class MemoryRow:
    """One of the four memories (needed, held, seen by the driver, allowed) and the process in RAM."""

    kind: str
    size: str
    interval: str = ""


@dataclass(frozen=True)
class CurvePoint:
    """One point of the batch chart."""

    batch_size: int
    needed_bytes: int
    samples_per_s: float | None


@dataclass(frozen=True)
class FitState:
    """The Fit page."""

    segments: tuple[Segment, ...] = ()
    memories: tuple[MemoryRow, ...] = ()
    on_card: bool = False
    needed: Number = Number()
    needed_bytes: int = 0
    low_bytes: int = 0
    high_bytes: int = 0
    allowed_bytes: int | None = None
    others_bytes: int | None = None
    total_bytes: int | None = None
    device: str = ""
    verdict: Verdict = "unknown"
    stage: Stage = "loading"
    curve: tuple[CurvePoint, ...] = ()
    batch_size: int = 1
    largest_batch: int | None = None
    best_batch: int | None = None
    layers: tuple[LayerMemory, ...] = ()
    timeline: tuple[tuple[float, int], ...] = ()
    assumptions: tuple[str, ...] = ()
    textbook: str = ""
    textbook_reason: str = ""
    rule_of_thumb: str = ""


def fit_state(prediction: Prediction, *, textbook: bool = False) -> FitState:
    """The Fit page for a prediction."""
    memory, fit = prediction.memory, prediction.fit
    total = device_total_bytes(prediction)
    others = max(0, total - fit.allowed_bytes) if total is not None and fit.allowed_bytes is not None else None
    parts = vars(memory.parts) if hasattr(memory.parts, "__dict__") else {}
    segments = tuple(Segment(part, parts[part]) for part in PART_ORDER if parts.get(part))
    return FitState(
        segments=segments,
        memories=_memories(prediction),
        on_card=device_of(prediction) is not None,
        needed=needed_number(prediction),
        needed_bytes=memory.allocator_peak_bytes,
        low_bytes=memory.low_bytes,
        high_bytes=memory.high_bytes,
        allowed_bytes=fit.allowed_bytes,
        others_bytes=others,
        total_bytes=total,
        device=short_name(fit.device_name),
        verdict=fit.verdict,
        stage="textbook" if textbook else "predicted",
        curve=tuple(CurvePoint(p.batch_size, p.allocator_peak_bytes, p.samples_per_s) for p in prediction.batch_curve),
        batch_size=prediction.plan.batch_size,
        largest_batch=fit.max_batch_size,
        best_batch=fit.best_batch_size,
        layers=memory.largest_layers,
        timeline=memory.timeline,
        assumptions=tuple(dict.fromkeys((*prediction.model.assumptions, *prediction.assumptions))),
        textbook=format_bytes(prediction.textbook_bytes) if prediction.textbook_bytes and not textbook else "",
        textbook_reason=prediction.textbook_reason,
        rule_of_thumb=format_bytes(prediction.rule_of_thumb_bytes) if prediction.rule_of_thumb_bytes else "",
    )


def _memories(prediction: Prediction) -> tuple[MemoryRow, ...]:
    """The four memories, which are never mixed, and the process on the host."""
    memory, fit = prediction.memory, prediction.fit
    on_card = device_of(prediction) is not None
    allowed = format_bytes(fit.allowed_bytes)
    needed = MemoryRow(
        "needed", format_bytes(memory.allocator_peak_bytes), bytes_interval(memory.low_bytes, memory.high_bytes)
    )
    wanted = memory.wanted_workspace_bytes
    wish = (MemoryRow("wanted", format_bytes(wanted)),) if wanted else ()
    seen = (MemoryRow("seen", format_bytes(memory.device_bytes)),) if on_card else ()
    return (
        needed,
        *wish,
        MemoryRow("held", allowed if on_card else needed.size),
        *seen,
        MemoryRow("process", format_bytes(memory.host_bytes)),
        MemoryRow("allowed", allowed),
    )


def device_of(prediction: Prediction) -> Gpu | None:
    """The card that the verdict is about, or None for host memory."""
    wanted = prediction.fit.device_name
    named = [gpu for gpu in prediction.machine.gpus if gpu.name and (gpu.name == wanted or gpu.name in wanted)]
    return named[0] if named else None


def device_total_bytes(prediction: Prediction) -> int | None:
    """Memory of the device that the verdict is about, with whatever others hold."""
    gpu = device_of(prediction)
    if gpu is not None:
        return gpu.memory_total_bytes
    ram = prediction.machine.ram
    sizes = [size for size in (ram.total_bytes, ram.limit_bytes) if size]
    return min(sizes) if sizes else None
