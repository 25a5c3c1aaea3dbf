"""Apple silicon: one memory for processor and graphics.

``ioreg`` tells cores and use of the graphics without special rights; ``sysctl`` the rest.
"""

from __future__ import annotations

import re
import sys

from app.core.types.machine import Gpu
from app.core.types.text import phrase
from app.probes.commands import Ask, ask, sysctl
from app.probes.tree import Probed, explained, whole

_REASONS = {
    "compute_capability": phrase("only NVIDIA cards have one"),
    "cuda_cores": phrase("only NVIDIA cards have them"),
    "power_w": phrase("macOS tells it only to root"),
    "power_limit_w": phrase("macOS does not tell it"),
    "temperature_c": phrase("macOS does not tell it"),
    "pcie_generation": phrase("the graphics are part of the chip"),
    "pcie_width": phrase("the graphics are part of the chip"),
    "pcie_generation_max": phrase("the graphics are part of the chip"),
    "pcie_width_max": phrase("the graphics are part of the chip"),
}


def read_apple(run: Ask = ask) -> list[Probed[Gpu]]:
    """The graphics of an Apple chip; none on other machines.  ``run`` can be a recorded answer."""
    if run is ask and sys.platform != "darwin":
        return []
    values = sysctl(("machdep.cpu.brand_string", "hw.memsize", "iogpu.wired_limit_mb"), run)
    name = values.get("machdep.cpu.brand_string", "")
    if not name.startswith("Apple"):
        return []
    total = whole(values.get("hw.memsize"))
    described = run(["/usr/sbin/ioreg", "-r", "-d", "1", "-w", "0", "-c", "IOAccelerator"]) or ""
    used, busy = _value(described, "In use system memory"), _value(described, "Device Utilization %")
    allowed = _allowed_bytes(total, whole(values.get("iogpu.wired_limit_mb")))
    gpu = Gpu(
        vendor="Apple",
        name=f"{name} GPU",
        unified=True,
        memory_total_bytes=total,
        memory_used_bytes=used,
        memory_free_bytes=None if allowed is None or used is None else max(0, allowed - used),
        num_sms=_value(described, "gpu-core-count"),
        utilization_percent=None if busy is None else float(busy),
    )
    return [explained(gpu, _REASONS, phrase("macOS does not tell it"))]


def _allowed_bytes(total: int | None, limit_mib: int | None) -> int | None:
    """What Metal lets the graphics wire: the user's limit, else 2/3 up to 36 GiB of memory and 3/4 above.

    The defaults are what ``recommendedMaxWorkingSetSize`` answers on such machines.
    """
    if limit_mib:
        return limit_mib * 1024**2
    if total is None:
        return None
    return total * 2 // 3 if total <= 36 * 1024**3 else total * 3 // 4


def _value(text: str, key: str) -> int | None:
    """A number from ioreg's listing, where keys look like ``"key"=1`` or ``"key" = 1``."""
    match = re.search(re.escape(f'"{key}"') + r"\s*=\s*(\d+)", text)
    return whole(match[1]) if match else None
