"""The processor's clock, heat and energy, cheap enough to read ten times a second.

Linux only: ``cpufreq``, ``hwmon`` and ``powercap`` of sysfs.  The files are looked for once.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from app.core.types.text import phrase
from app.probes.tree import ROOT, list_dir, read_int, read_text

_SENSORS = ("coretemp", "k10temp", "zenpower", "cpu_thermal")
"""Drivers of processors' own thermometers: Intel, AMD, AMD (out of tree), Arm boards."""
_MOST_POLICIES = 8
NO_METER = phrase("the system tells no processor energy (powercap)")
NOT_ALLOWED = phrase("only root may read the processor's energy counter (since Linux 5.10)")


@dataclass(frozen=True)
class CpuLive:
    """Readings now; ``energy_j`` grows and starts anew at ``wraps_at_j``."""

    clock_mhz: float | None = None
    temperature_c: float | None = None
    energy_j: float | None = None
    wraps_at_j: float | None = None


class CpuMeters:
    """The files of one machine.

    Args:
        root: ``/``, or the root of a recorded Linux machine.

    Attributes:
        energy_reason: Why there is no energy; empty if there is.
    """

    def __init__(self, root: Path = ROOT) -> None:
        policies = list_dir(root / "sys/devices/system/cpu/cpufreq")
        self._clocks = [p / "scaling_cur_freq" for p in policies if p.name.startswith("policy")][:_MOST_POLICIES]
        chips = [c for c in list_dir(root / "sys/class/hwmon") if read_text(c / "name") in _SENSORS]
        self._temperature = next((c / "temp1_input" for c in chips), None)
        packages = [d for d in list_dir(root / "sys/class/powercap") if _is_package(d)]
        self._packages = [d for d in packages if read_int(d / "energy_uj") is not None]
        self.energy_reason = "" if self._packages else NOT_ALLOWED if packages else NO_METER

    def read(self) -> CpuLive:
        """All readings now."""
        clocks = [khz for path in self._clocks if (khz := read_int(path)) is not None]
        heat = None if self._temperature is None else read_int(self._temperature)
        energies = [read_int(d / "energy_uj") for d in self._packages]
        known = [uj for uj in energies if uj is not None]
        wraps = read_int(self._packages[0] / "max_energy_range_uj") if len(self._packages) == 1 else None
        return CpuLive(
            clock_mhz=sum(clocks) / len(clocks) / 1000 if clocks else None,
            temperature_c=None if heat is None else heat / 1000,
            energy_j=sum(known) / 1e6 if known and len(known) == len(energies) else None,
            wraps_at_j=None if wraps is None else wraps / 1e6,
        )


def _is_package(folder: Path) -> bool:
    """A whole processor package; AMD's are called ``intel-rapl`` too, and ``psys`` or ``core`` would count twice."""
    return (read_text(folder / "name") or "").startswith("package")
