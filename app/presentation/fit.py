"""What fills the memory: parts, the memories that are never mixed, layers, timeline and batch curve."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

from app.presentation.figure import AWAITED, Figure, estimate_mark
from app.presentation.layout import Table
from app.presentation.verdict import Stage, needed_figure
from app.presentation.whole import PhaseRow, phase_rows, phase_table, whole_lines, worth_showing
from app.presentation.words import short_name

if TYPE_CHECKING:  # the window paints without them
    from app.core.types.machine import Gpu
    from app.core.types.predicted_memory import LayerMemory
    from app.core.types.prediction import Prediction, Verdict

PART_ORDER = ("weights", "gradients", "optimizer_state", "activations", "workspace", "inputs")


@dataclass(frozen=True)
class Segment:
    """One part of the memory bar."""

    part: str
    size_bytes: int
    share: float = 0.0
    """Of all parts."""


@dataclass(frozen=True)
class MemoryRow:
    """One of the four memories (needed, held, seen by the driver, allowed) and the process in RAM."""

    kind: str
    size: Figure


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
    needed: Figure = AWAITED
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
    textbook_bytes: int | None = None
    """None too where nothing is known to compare it with."""
    textbook_reason: str = ""
    rule_of_thumb_bytes: int | None = None
    phases: tuple[PhaseRow, ...] = ()
    """Of the whole training; empty where a step says it all."""
    phase_table: Table | None = None
    """Their table twin."""
    whole_lines: tuple[str, ...] = ()
    """What the phases come to."""


def fit_state(prediction: Prediction, *, textbook: bool = False) -> FitState:
    """The Fit page for a prediction."""
    memory, fit = prediction.memory, prediction.fit
    total = device_total_bytes(prediction)
    others = max(0, total - fit.allowed_bytes) if total is not None and fit.allowed_bytes is not None else None
    whole = prediction.whole is not None and worth_showing(prediction)
    return FitState(
        segments=tuple(one for one in parts_of(prediction) if one.part in PART_ORDER),
        memories=memories_of(prediction),
        on_card=device_of(prediction) is not None,
        needed=needed_figure(prediction),
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
        textbook_bytes=None if textbook else prediction.textbook_bytes or None,
        textbook_reason=prediction.textbook_reason,
        rule_of_thumb_bytes=prediction.rule_of_thumb_bytes or None,
        phases=phase_rows(prediction) if whole else (),
        phase_table=phase_table(prediction) if whole else None,
        whole_lines=whole_lines(prediction) if whole else (),
    )


def parts_of(prediction: Prediction) -> tuple[Segment, ...]:
    """The parts of the predicted memory that take any, with the framework's own, which is not among what is needed."""
    sizes = {part: size for part, size in asdict(prediction.memory.parts).items() if size > 0}
    whole = sum(sizes.values())
    ordered = [part for part in PART_ORDER if part in sizes] + [part for part in sizes if part not in PART_ORDER]
    return tuple(Segment(part, sizes[part], sizes[part] / whole) for part in ordered)


def memories_of(prediction: Prediction) -> tuple[MemoryRow, ...]:
    """The memories, which are never mixed, and the process on the host.

    Of a card TensorFlow and JAX hold all that they may from the beginning on, PyTorch what it needs.
    """
    memory, fit = prediction.memory, prediction.fit
    on_card = device_of(prediction) is not None
    holds_all = on_card and prediction.plan.backend != "torch"
    mark = estimate_mark(memory.basis)
    needed, allowed = needed_figure(prediction), Figure(fit.allowed_bytes, "bytes")
    wanted = memory.wanted_workspace_bytes
    wish = (MemoryRow("wanted", Figure(wanted, "bytes", mark)),) if wanted else ()
    told = prediction.shown_peak_bytes
    shown = (MemoryRow("shown", Figure(told, "bytes", mark)),) if told is not None else ()
    seen = (MemoryRow("seen", Figure(memory.device_bytes, "bytes", mark)),) if on_card else ()
    return (
        MemoryRow("needed", needed),
        *wish,
        MemoryRow("held", allowed if holds_all else replace(needed, low=None, high=None)),
        *shown,
        *seen,
        MemoryRow("process", Figure(memory.host_bytes, "bytes", mark)),
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
