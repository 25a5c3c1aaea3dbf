"""Small arithmetic of device support: versions, code for a card, and CUDA_VISIBLE_DEVICES."""

from __future__ import annotations

import re
from collections.abc import Iterable

from app.core.types.machine import Gpu

BLACKWELL = (10, 0)
"""First compute capability on which code translated from older generations was seen to fail."""


def version_tuple(text: str) -> tuple[int, ...]:
    """The leading numbers of a version: ``2.21.0rc1`` is (2, 21, 0), an unknown one is ()."""
    match = re.match(r"\d+(\.\d+)*", text)
    return tuple(int(part) for part in match[0].split(".")) if match else ()


def has_kernels(codes: Iterable[str], capability: tuple[int, int]) -> bool:
    """Whether a build carries code that the card runs.

    Machine code (``sm_80``) runs on the same major version with the same or a higher minor.  Portable code
    (``compute_80``) is translated by the driver for later cards, but on Blackwell TensorFlow's fails with
    CUDA_ERROR_INVALID_PTX or takes half an hour (tensorflow #89272), so there it counts only for its own major.
    """
    for code in codes:
        made_for = code_capability(code)
        if code.endswith(("a", "f")):  # sm_90a: for this very chip
            if made_for == capability:
                return True
        elif made_for <= capability and (made_for[0] == capability[0] or _translated(code, capability)):
            return True
    return False


def _translated(code: str, capability: tuple[int, int]) -> bool:
    """Whether the driver translates the code for a card of a later major version."""
    return code.startswith("compute_") and capability < BLACKWELL


def code_capability(code: str) -> tuple[int, int]:
    """Compute capability of ``sm_120`` or ``compute_90``."""
    digits = re.sub(r"\D", "", code.partition("_")[2]) or "0"
    return int(digits[:-1] or 0), int(digits[-1])


def visible_entries(value: str) -> list[str]:
    """Entries up to the first invalid one, which ends the list (CUDA Programming Guide, "Environment Variables")."""
    entries: list[str] = []
    for entry in (part.strip() for part in value.split(",")):
        if not entry.isdecimal() and not entry.startswith(("GPU-", "MIG-")):
            break
        entries.append(entry)
    return entries


def visible(value: str | None, gpu: Gpu) -> bool:
    """Whether CUDA_VISIBLE_DEVICES leaves a card visible; None is "not set".

    CUDA numbers cards by speed unless CUDA_DEVICE_ORDER=PCI_BUS_ID; for cards of different kinds a number
    alone does not tell, and then the framework's answer decides.
    """
    if value is None:
        return True
    return any(
        entry == str(gpu.index) or (gpu.uuid is not None and not entry.isdecimal() and gpu.uuid.startswith(entry))
        for entry in visible_entries(value)
    )
