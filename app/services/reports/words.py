"""The fixed words of the command line and of reports: verdicts, marks, parts, bounds, outcomes.

The window has the same words, translated (`app.ui.kit.words`).
"""

from __future__ import annotations

from app.core.types.text import Text, join, phrase, verbatim
from app.core.types.units import format_bytes, format_seconds, format_share

MARK_MEASURED = "✓"
MARK_SCALED = "≈"
MARK_PREDICTED = "~"
LEGEND = phrase(
    "{mark_measured} measured here · {mark_scaled} scaled from your run · {mark_predicted} predicted",
    mark_measured=MARK_MEASURED,
    mark_scaled=MARK_SCALED,
    mark_predicted=MARK_PREDICTED,
)

VERDICTS = {
    "fits": phrase("Fits"),
    "tight": phrase("Tight"),
    "does_not_fit": phrase("Does not fit"),
    "unknown": phrase("Cannot tell"),
}
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
    "weights": phrase("Weights"),
    "gradients": phrase("Gradients"),
    "optimizer_state": phrase("Optimizer"),
    "activations": phrase("Activations"),
    "workspace": phrase("Workspace"),
    "inputs": phrase("Input batch"),
    "framework": phrase("Framework"),
}

BOUNDS = {
    "compute": phrase("computing"),
    "memory": phrase("memory traffic of the device"),
    "overhead": phrase("the framework's overhead for each operation"),
    "input": phrase("the input pipeline"),
    "disk": phrase("the disk"),
}

OUTCOMES = {
    "succeeded": phrase("Succeeded"),
    "out_of_memory": phrase("Out of memory"),
    "failed": phrase("Failed"),
    "cancelled": phrase("Cancelled"),
    "crashed": phrase("Crashed"),
}

MODES = {"train": phrase("training"), "inference": phrase("inference")}


def estimate_mark(basis: str) -> str:
    """The mark of what a run corrects but does not itself measure: the parts of the memory, the host process."""
    return MARK_PREDICTED if MEMORY_MARKS[basis] == MARK_PREDICTED else MARK_SCALED


def bound_words(bound: str | None, share: float | None = None) -> Text:
    """What the training waits for, with its share of a step, for example ``computing (74 %)``."""
    if bound is None:
        return phrase("not known")
    words = BOUNDS.get(bound, bound)
    return phrase("{words} ({share})", words=words, share=format_share(share)) if share is not None else verbatim(words)


def byte_range(low_bytes: float | None, high_bytes: float | None) -> Text:
    """An interval of sizes, for example ``3.8 GiB to 4.4 GiB``."""
    return phrase("{low} to {high}", low=format_bytes(low_bytes), high=format_bytes(high_bytes))


def time_range(low_s: float | None, high_s: float | None) -> Text:
    """An interval of durations, for example ``4.4 s to 6.3 s``."""
    return phrase("{low} to {high}", low=format_seconds(low_s), high=format_seconds(high_s))


def shape_words(shape: tuple[int | None, ...]) -> Text:
    """A shape as people write it: ``28 × 28 × 1``; a free dimension is ``?``."""
    return join(" × ", ("?" if size is None else str(size) for size in shape)) or phrase("one number")


def difference_words(predicted: float | None, measured: float | None) -> Text:
    """How far an estimate was from the measurement, for example ``+4 %``; empty if either is unknown."""
    if predicted is None or not measured:
        return Text()
    return format_share((predicted - measured) / measured, signed=True)
