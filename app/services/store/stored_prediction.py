"""A prediction as JSON beside a run, in the words of every version of this program.

What follows from the rest of a prediction is not kept by `app.core.types.prediction`, but it stands in the row, so that
an older version reads it; and of a row that an older version wrote only what followed from something is taken back to
what it followed from.
"""

from __future__ import annotations

from typing import Any

import msgspec

from app.catalog import typed_json
from app.core.types.prediction import Prediction

_MEMORY = ("device_bytes", "host_bytes")
_TIME = ("epoch_s", "total_s", "samples_per_s", "bound_by", "bound_share", "first_epoch_s")

Row = dict[str, Any]


def encode(prediction: Prediction) -> str:
    """A prediction as JSON text."""
    row: Row = msgspec.json.decode(typed_json.encode(prediction))
    row["memory"] |= {name: getattr(prediction.memory, name) for name in _MEMORY}
    row["time"] |= {name: getattr(prediction.time, name) for name in _TIME}
    row["fit"]["headroom_bytes"] = prediction.fit.headroom_bytes
    return msgspec.json.encode(row).decode()


def decode(text: str) -> Prediction:
    """A prediction from JSON text, of this version or an older one.

    Raises:
        msgspec.DecodeError: It is no JSON, or describes something else.
    """
    row = typed_json.decode(text, Row)
    if any(not isinstance(row.get(name), dict) for name in ("memory", "fit", "time", "plan")):
        raise msgspec.ValidationError("this is no prediction")
    try:
        _upgrade_memory(row["memory"])
        _upgrade_time(row["time"], row["plan"])
        _upgrade_fit(row["fit"], row["memory"])
    except (TypeError, KeyError, AttributeError, ZeroDivisionError, OverflowError, ValueError) as error:
        raise msgspec.ValidationError(f"this is no prediction: {error}") from error
    return typed_json.convert(row, Prediction)


def _upgrade_memory(memory: Row) -> None:
    """What the process takes besides the peak: only a card has a framework's context among its parts."""
    if "process_bytes" in memory:
        return
    framework = memory.setdefault("parts", {}).get("framework", 0)
    if not framework:  # the textbook formula noted a card's context beside its parts only
        framework = memory["device_bytes"] - memory["allocator_peak_bytes"]
        memory["parts"]["framework"] = framework
    memory["on_host"] = not framework
    host = memory.get("host_bytes")
    memory["process_bytes"] = None if host is None else host - (0 if framework else memory["allocator_peak_bytes"])


def _upgrade_time(time: Row, plan: Row) -> None:
    """Steps of an epoch, and what holds the device."""
    if "schedule" in time:
        return
    step_s, epoch_s, first_s = time.get("step_s"), time.get("epoch_s"), time.get("first_epoch_s")
    steps = round(epoch_s / step_s) if step_s and epoch_s else None
    time["schedule"] = [plan.get("batch_size", 32), steps, plan.get("epochs", 1)]
    time["first_step_s"] = first_s / steps if first_s is not None and steps else None
    bound = time.get("bound_by")
    time["device_bound"] = "compute" if bound in ("input", "disk") else bound


def _upgrade_fit(fit: Row, memory: Row) -> None:
    """What was needed."""
    fit.setdefault("needed_bytes", memory["allocator_peak_bytes"])
