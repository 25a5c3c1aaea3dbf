"""What makes a machine slower than it could be at the moment: heat, battery, a power-saving setting, swapping."""

from __future__ import annotations

from pathlib import Path

from app.core.runs.doubts import Conditions
from app.core.types.text import Text, phrase
from app.probes import battery
from app.probes.tree import ROOT, list_dir, page_bytes, read_int, read_text

_SAVING_PROFILES = ("low-power", "quiet", "cool")
"""``/sys/firmware/acpi/platform_profile`` (Documentation/ABI/testing/sysfs-platform_profile)."""


def read_conditions(root: Path = ROOT) -> Conditions:
    """The state of this machine, or of the recorded Linux machine under ``root``."""
    supply = battery.read_battery(root)
    return Conditions(
        cpu_throttles=_throttles(root),
        power_saver=_power_saver(root),
        on_battery=None if supply is None or supply.plugged_in is None else not supply.plugged_in,
        swapped_bytes=_swapped_bytes(root),
    )


def _throttles(root: Path) -> int | None:
    """How often cores and packages were slowed down for their heat (Intel; AMD and Arm do not count)."""
    folders = [c / "thermal_throttle" for c in list_dir(root / "sys/devices/system/cpu") if c.name[3:].isdecimal()]
    counts = [read_int(f / name) for f in folders for name in ("core_throttle_count", "package_throttle_count")]
    known = [count for count in counts if count is not None]
    return sum(known) if known else None


def _power_saver(root: Path) -> Text | None:
    """The setting that saves power; "" if none does, None if the system has no such settings."""
    cpu = root / "sys/devices/system/cpu/cpu0/cpufreq"
    governor, driver = read_text(cpu / "scaling_governor"), read_text(cpu / "scaling_driver")
    preference = read_text(cpu / "energy_performance_preference")
    profile = read_text(root / "sys/firmware/acpi/platform_profile")
    if profile in _SAVING_PROFILES:
        return phrase("platform profile {profile}", profile=profile)
    # With intel_pstate and amd-pstate-epp "powersave" is the usual governor; the preference decides.
    if preference == "power":
        return phrase("energy preference power")
    if governor == "powersave" and preference is None and driver is not None and "pstate" not in driver:
        return phrase("governor powersave")
    return None if governor is None and profile is None else Text()


def _swapped_bytes(root: Path) -> int | None:
    """Bytes moved to and from swap since the start (``/proc/vmstat`` counts pages)."""
    pages = None
    for line in (read_text(root / "proc/vmstat") or "").splitlines():
        name, _, value = line.partition(" ")
        if name in ("pswpin", "pswpout"):
            pages = (pages or 0) + int(value)
    return None if pages is None else pages * page_bytes()
