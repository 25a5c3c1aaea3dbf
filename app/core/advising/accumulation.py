"""Gradient accumulation: a wanted effective batch as batch × steps, where the batch itself does not fit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app.core.types.text import Text, phrase

POOR_DIVISOR = 0.5
"""A batch below this share of what may be used gets a word on a better effective batch nearby."""


@dataclass(frozen=True)
class Effort:
    """What a step of some plan takes; None where nobody knows."""

    peak_bytes: int | None = None
    step_s: float | None = None


@dataclass(frozen=True)
class Accumulation:
    """``batch_size`` × ``accumulate`` samples an update.

    ``peak_bytes`` of the allocator and ``update_s`` for all steps of an update are predicted; ``hint`` names a
    better effective batch nearby, if there is one.
    """

    effective_batch_size: int
    batch_size: int
    accumulate: int
    peak_bytes: int | None
    update_s: float | None
    hint: str = ""


def accumulate_to(
    effective: int, largest: int, predict: Callable[[int, int], Effort], fits: Callable[[int, int], bool]
) -> Accumulation | None:
    """The largest batch that divides the effective one and fits together with the gradients that are kept.

    Args:
        effective: Samples an update shall see.
        largest: The largest batch to use.
        predict: What (batch, steps an update) takes.
        fits: Does (batch, steps an update) fit; accumulating keeps a second copy of the gradients.

    Returns:
        None if not even one sample fits.
    """
    for batch in range(min(effective, largest), 0, -1):
        steps, left = divmod(effective, batch)
        if not left and fits(batch, steps):
            effort = predict(batch, steps)
            update_s = None if effort.step_s is None else steps * effort.step_s
            hint = _nearby(effective, largest) if batch < POOR_DIVISOR * min(effective, largest) else ""
            return Accumulation(effective, batch, steps, effort.peak_bytes, update_s, hint)
    return None


def _nearby(effective: int, largest: int) -> Text:
    """An effective batch close to the wanted one that divides well."""
    steps = -(-effective // largest)
    batch = -(-effective // steps)
    return phrase(
        "{effective} divides badly: {steps} would be {batch} × {steps2}",
        effective=effective,
        steps=steps * batch,
        batch=batch,
        steps2=steps,
    )
