"""Two live readings of an NVIDIA card that a benchmark needs: why its clock is held down, and its energy."""

from __future__ import annotations

from typing import Any

from app.core.types.text import phrase
from app.probes.nvml import Nvml

_REASONS = (
    ("HwThermalSlowdown", phrase("thermal slowdown")),
    ("SwThermalSlowdown", phrase("thermal slowdown")),
    ("HwPowerBrakeSlowdown", phrase("power brake")),
    ("SwPowerCap", phrase("power limit")),
)
"""Names in NVML (``nvmlClocksEventReason…``) and in words; idle, application clocks and boost groups are no faults."""


def read_throttle(nvml: Nvml, handle: Any) -> str | None:
    """Why the clock is held down, comma between; empty if it is not, None if the card does not tell."""
    lib = nvml.library
    for name in ("nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"):
        call = getattr(lib, name, None)
        mask = None if call is None else nvml.read(call, handle)[0]
        if mask is not None:
            set_now = (words for reason, words in _REASONS if mask & getattr(lib, f"nvmlClocksThrottleReason{reason}"))
            return ", ".join(dict.fromkeys(set_now))
    return None


def read_energy_j(nvml: Nvml, handle: Any) -> float | None:
    """Joules since the driver was loaded (Volta and newer), or None."""
    millijoules, _ = nvml.read(nvml.library.nvmlDeviceGetTotalEnergyConsumption, handle)
    return None if millijoules is None else millijoules / 1000
