"""The whole of a training as JSON: what was predicted, and what was measured of it."""

from __future__ import annotations

import dataclasses
from typing import Any

from app.core.predict.whole import chance_by
from app.core.types.basis import Range
from app.core.types.whole import MeasuredWhole, PredictedWhole

Document = dict[str, Any]


def predicted_whole_json(whole: PredictedWhole | None, deadline_s: float | None = None) -> Document | None:
    """The phases in order, which of them needs most, and how long all takes; None for no training."""
    if whole is None:
        return None
    total = whole.total_s
    chance = None if deadline_s is None or total is None else chance_by(total, deadline_s)
    return {
        "phases": [
            {
                "kind": one.kind,
                "device_bytes": _range(one.device),
                "host_bytes": _range(one.host),
                "each_s": _range(one.each_s),
                "times": one.times,
            }
            for one in whole.phases
        ],
        "wall": whole.wall.kind if whole.wall is not None else None,
        "peak_bytes": _range(whole.wall.device if whole.wall is not None else None),
        "total_s": _range(total),
        "deadline_s": deadline_s,
        "chance_by_deadline": chance,
        "checkpoint": None
        if whole.saving is None
        else {**dataclasses.asdict(whole.saving), "each_s": _range(whole.saving.each_s)},
        "cache": {"bytes": whole.cache_bytes, "ends_epoch": whole.cache_ends_epoch},
        "told": list(whole.told),
    }


def measured_whole_json(whole: MeasuredWhole | None) -> Document | None:
    """The phases that were run, and what grew from epoch to epoch; None where that was not asked for."""
    if whole is None:
        return None
    growth = [{**dataclasses.asdict(one), "bytes_per_epoch": _range(one.bytes_per_epoch)} for one in whole.growth]
    return {**dataclasses.asdict(whole), "growth": growth}


def _range(told: Range | None) -> Document | None:
    """A value with its interval."""
    return None if told is None else {"value": told.value, "low": told.low, "high": told.high}
