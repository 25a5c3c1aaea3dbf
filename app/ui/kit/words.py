"""The fixed words of the window, translated: verdicts, marks, parts, bounds, outcomes, phases."""

from __future__ import annotations

from app.presentation.problem import ALLOW, USE_PYTHON
from app.presentation.words import (
    MARK_NAMES,
    MEMORIES,
    MEMORY_HINTS,
    OUTCOMES,
    PART_HINTS,
    PARTS,
    PHASES,
    STOPPED_BY,
    VERDICTS,
)
from app.ui.kit.basics import sentence
from app.ui.kit.quantities import format_count
from app.ui.kit.speech import said, tr


def verdict(key: str) -> str:
    """One of the four fixed words."""
    return said(VERDICTS.get(key, VERDICTS["unknown"]))


def mark(key: str) -> str:
    """What a mark means."""
    return said(MARK_NAMES[key])


def part(key: str) -> str:
    """Name of a part of memory."""
    return said(PARTS.get(key, key))


def part_hint(key: str) -> str:
    """One line on what a part of memory is."""
    return said(PART_HINTS.get(key, ""))


def memory(key: str) -> str:
    """Name of one of the four memories."""
    return said(MEMORIES.get(key, key))


def memory_hint(key: str, *, on_card: bool) -> str:
    """What one of the four memories means; never mix them."""
    return said(MEMORY_HINTS["held_on_card" if on_card and key == "held" else key])


def outcome(key: str) -> str:
    """How a run ended."""
    return said(OUTCOMES.get(key, key))


def outcome_verdict(key: str) -> str:
    """The status colour and icon that go with an outcome."""
    bad = ("out_of_memory", "failed", "crashed")
    return "fits" if key == "succeeded" else "does_not_fit" if key in bad else "unknown"


def phase(key: str) -> str:
    """Name of a phase of a run."""
    return said(PHASES[key]) if key in PHASES else key.replace("_", " ").replace("-", " ").capitalize()


def short_phase(key: str) -> str:
    """Name of a phase where there is little room."""
    words = {
        "import": tr("Load"),
        "build": tr("Build"),
        "data": tr("Data"),
        "warm-up": tr("Warm"),
        "warmup": tr("Warm"),
    }
    return words.get(key, phase(key))


def measure(key: str) -> str:
    """What a start of the benchmark measures."""
    words = {
        "plan": tr("This plan"),
        "whole": tr("The whole training, shortened"),
        "device": tr("CPU against GPU"),
        "xla": tr("XLA on against off"),
        "precision": tr("float32 against mixed precision"),
        "threads": tr("All, half and one thread"),
        "data": tr("With and without a cache"),
        "batch": tr("The largest batch that runs"),
    }
    return words.get(key, key)


def stopped_by(key: str) -> str:
    """Why a search for the batch size ended."""
    return f"{sentence(STOPPED_BY.get(key, key))}."


def action(key: str) -> str:
    """What the button of a remedy says."""
    name, _, value = key.partition(":")
    if name == "apply_batch":
        return tr("Use batch {size}").format(size=format_count(int(value)))
    return {
        "measure": tr("Measure again"),
        ALLOW: tr("Look at it and let it run …"),
        USE_PYTHON: tr("Train with this Python"),
    }.get(name, "")
