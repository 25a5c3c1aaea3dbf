"""Curves of a run that goes on: readings by name, kept within bounds.  No Qt."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.core.types.units import GIB

MAX_POINTS = 1200
"""Points kept per curve; beyond that every second one is dropped, so an hour stays bounded."""

Curves = Mapping[str, tuple[Sequence[float], Sequence[float]]]
"""Name to seconds since the start and values."""

SOURCES: dict[str, tuple[str, float]] = {
    "step_ms": ("step_s", 1e3),
    "needed_gib": ("peak_bytes", 1 / GIB),
    "current_gib": ("current_bytes", 1 / GIB),
    "held_gib": ("held_bytes", 1 / GIB),
    "seen_gib": ("gpu_memory_bytes", 1 / GIB),
    "card_gib": ("gpu_used_bytes", 1 / GIB),
    "cpu_percent": ("cpu_percent", 1.0),
    "gpu_percent": ("gpu_percent", 1.0),
    "others_percent": ("others_cpu_percent", 1.0),
    "ram_gib": ("ram_bytes", 1 / GIB),
    "swap_gib": ("swap_used_bytes", 1 / GIB),
    "read_mb_s": ("disk_read_bytes_per_s", 1e-6),
    "write_mb_s": ("disk_write_bytes_per_s", 1e-6),
    "cpu_w": ("cpu_power_w", 1.0),
    "gpu_w": ("gpu_power_w", 1.0),
    "cpu_c": ("cpu_temperature_c", 1.0),
    "gpu_c": ("gpu_temperature_c", 1.0),
    "cpu_mhz": ("cpu_clock_mhz", 1.0),
    "gpu_mhz": ("gpu_clock_mhz", 1.0),
}
"""Curve to the field of a `Reading` or a `Sample`, and what it is multiplied with."""


@dataclass
class LiveSeries:
    """Growing curves of a run."""

    curves: dict[str, tuple[array[float], array[float]]] = field(
        default_factory=lambda: {name: (array("d"), array("d")) for name in SOURCES}
    )
    stride: dict[str, int] = field(default_factory=dict)
    seen: dict[str, int] = field(default_factory=dict)

    def add(self, name: str, t_s: float, value: float | None) -> None:
        """Append a reading; unknown readings leave a gap, not a zero."""
        if value is None:
            return
        count = self.seen[name] = self.seen.get(name, -1) + 1
        stride = self.stride.setdefault(name, 1)
        if count % stride:
            return
        times, values = self.curves[name]
        times.append(t_s)
        values.append(value)
        if len(times) > MAX_POINTS:
            self.curves[name] = (times[::2], values[::2])
            self.stride[name] = stride * 2

    def take(self, event: Any) -> None:
        """Read a `Reading` or a `Sample` into the curves."""
        for name, (source, factor) in SOURCES.items():
            value = getattr(event, source, None)
            self.add(name, event.t_s, None if value is None else value * factor)

    def frozen(self) -> Curves:
        """A snapshot that nobody changes any more; curves without a point are left out."""
        return {name: (times[:], values[:]) for name, (times, values) in self.curves.items() if times}
