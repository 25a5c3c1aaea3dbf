"""Power source: on battery, laptops clock down and a benchmark means less."""

from __future__ import annotations

import sys
from pathlib import Path

import psutil

from app.core.types.machine import Battery
from app.probes.tree import ROOT, list_dir, read_int, read_text


def read_battery(root: Path = ROOT) -> Battery | None:
    """The battery of this machine, or of the recorded Linux machine under ``root``; None without one."""
    if root == ROOT and sys.platform != "linux":
        return _read_elsewhere()
    supplies = list_dir(root / "sys/class/power_supply")
    # A mouse or a headset is a battery too; its scope is "Device".
    batteries = [s for s in supplies if read_text(s / "type") == "Battery" and read_text(s / "scope") != "Device"]
    if not batteries:
        return None
    online = [read_int(s / "online") for s in supplies if read_text(s / "type") in ("Mains", "USB")]
    states = {read_text(s / "status") for s in batteries}
    if states & {"Charging", "Discharging"} or not online:
        known = states - {None, "Unknown"}
        plugged_in = "Discharging" not in known if known else None
    else:
        plugged_in = 1 in online
    charges = [c for c in (read_int(s / "capacity") for s in batteries) if c is not None]
    return Battery(plugged_in=plugged_in, percent=sum(charges) / len(charges) if charges else None)


def _read_elsewhere() -> Battery | None:
    """Windows and macOS through psutil."""
    found = psutil.sensors_battery() if hasattr(psutil, "sensors_battery") else None
    if found is None:
        return None
    return Battery(plugged_in=found.power_plugged, percent=float(found.percent))
