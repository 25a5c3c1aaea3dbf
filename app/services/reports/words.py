"""The fixed words of the command line and of reports: verdicts, marks, parts, bounds, outcomes.

The window has the same words, translated (`app.ui.kit.words`).
"""

from __future__ import annotations

from app.core.types.units import format_bytes, format_seconds, format_share
from app.core.types.workload import Plan

MARK_MEASURED = "✓"
MARK_SCALED = "≈"
MARK_PREDICTED = "~"
LEGEND = f"{MARK_MEASURED} measured here · {MARK_SCALED} scaled from your run · {MARK_PREDICTED} predicted"

VERDICTS = {"fits": "Fits", "tight": "Tight", "does_not_fit": "Does not fit", "unknown": "Cannot tell"}
VERDICT_ICONS = {"fits": "✔", "tight": "!", "does_not_fit": "✘", "unknown": "?"}

MEMORY_MARKS = {
    "formula": MARK_PREDICTED,
    "traced": MARK_PREDICTED,
    "compiled": MARK_PREDICTED,
    "calibrated": MARK_SCALED,
    "measured": MARK_MEASURED,
}
TIME_MARKS = {"predicted": MARK_PREDICTED, "scaled": MARK_SCALED, "measured": MARK_MEASURED}

PARTS = {
    "weights": "Weights",
    "gradients": "Gradients",
    "optimizer_state": "Optimizer",
    "activations": "Activations",
    "workspace": "Workspace",
    "inputs": "Input batch",
    "framework": "Framework",
}

BOUNDS = {
    "compute": "computing",
    "memory": "memory traffic of the device",
    "overhead": "the framework's overhead for each operation",
    "input": "the input pipeline",
    "disk": "the disk",
}

OUTCOMES = {
    "succeeded": "Succeeded",
    "out_of_memory": "Out of memory",
    "failed": "Failed",
    "cancelled": "Cancelled",
    "crashed": "Crashed",
}

FRAMEWORKS = {"jax": "on JAX", "torch": "on PyTorch"}
MODES = {"train": "training", "inference": "inference"}


def estimate_mark(basis: str) -> str:
    """The mark of what a run corrects but does not itself measure: the parts of the memory, the host process."""
    return MARK_PREDICTED if MEMORY_MARKS[basis] == MARK_PREDICTED else MARK_SCALED


def bound_words(bound: str | None, share: float | None = None) -> str:
    """What the training waits for, with its share of a step, for example ``computing (74 %)``."""
    if bound is None:
        return "not known"
    words = BOUNDS.get(bound, bound)
    return f"{words} ({format_share(share)})" if share is not None else words


def byte_range(low_bytes: float | None, high_bytes: float | None) -> str:
    """An interval of sizes, for example ``3.8 GiB to 4.4 GiB``."""
    return f"{format_bytes(low_bytes)} to {format_bytes(high_bytes)}"


def time_range(low_s: float | None, high_s: float | None) -> str:
    """An interval of durations, for example ``4.4 s to 6.3 s``."""
    return f"{format_seconds(low_s)} to {format_seconds(high_s)}"


def shape_words(shape: tuple[int | None, ...]) -> str:
    """A shape as people write it: ``28 × 28 × 1``; a free dimension is ``?``."""
    return " × ".join("?" if size is None else str(size) for size in shape) or "one number"


def variant_words(plan: Plan) -> list[str]:
    """The framework, where it is another than usual, and what a plan changes in the model itself, one entry each."""
    words = [] if plan.backend == "tensorflow" else [FRAMEWORKS[plan.backend]]
    words += [] if plan.lora_rank is None else [f"LoRA rank {plan.lora_rank}"]
    words += ["int8 weights"] * plan.int8
    words += [f"without {', '.join(plan.leave_out)}"] * bool(plan.leave_out)
    words += [] if plan.sequence_length is None else [f"sequence length {plan.sequence_length}"]
    return words if plan.image_size is None else [*words, f"images {shape_words(plan.image_size)}"]


def difference_words(predicted: float | None, measured: float | None) -> str:
    """How far an estimate was from the measurement, for example ``+4 %``; empty if either is unknown."""
    if predicted is None or not measured:
        return ""
    return format_share((predicted - measured) / measured, signed=True)
