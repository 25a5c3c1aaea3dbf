"""Lessons as single runs teach them."""

from __future__ import annotations

from typing import Any

from app.core.predict.corrections import CALIBRATED_INTERVAL, REPEATED_INTERVAL, SCALED_INTERVAL, Calibration, Lesson
from app.core.predict.device_corrections import DeviceLessons
from app.core.predict.knowledge import Evidence, Knowledge, about
from app.core.predict.time import Rates


def known(rates: Rates, batch_size: int, *, lessons: DeviceLessons | None = None, **shown: Any) -> Knowledge:
    """What is known of one batch by ``shown`` (`Evidence`), and carried to all others."""
    return Knowledge(rates, lessons=lessons or DeviceLessons(), at=about(batch_size, Evidence(**shown)))


def of_memory(factor: float, *, exact: bool = True, run_id: int = 1) -> Lesson:
    """A run that needed so many times what was predicted."""
    width = REPEATED_INTERVAL if exact else CALIBRATED_INTERVAL
    return Lesson(factor, 1.0, run_id, exact, width, CALIBRATED_INTERVAL)


def of_time(factor: float, *, exact: bool = True, run_id: int = 1, width: float | None = None) -> Lesson:
    """A run that took so many times what was predicted."""
    single = REPEATED_INTERVAL if exact else SCALED_INTERVAL
    return Lesson(factor, 1.0, run_id, exact, single if width is None else width, SCALED_INTERVAL)


def calibration(
    memory: float | None, time: float | None, *, exact: bool = True, run_id: int = 1, on_card: bool = False
) -> Calibration:
    """What one run teaches."""
    return Calibration(
        None if memory is None else of_memory(memory, exact=exact, run_id=run_id),
        None if time is None else of_time(time, exact=exact, run_id=run_id),
        on_card,
    )
