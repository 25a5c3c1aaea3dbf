"""Names for what an answer depends on, so that a changed machine or framework asks again."""

from __future__ import annotations

import functools
import hashlib
import os
from importlib import metadata
from pathlib import Path

from app.catalog import typed_json
from app.core.types.machine import Machine

FRAMEWORKS = ("tensorflow", "tensorflow-cpu", "keras", "jax", "torch")
VISIBILITY = ("CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "KERAS_BACKEND")

RATES_VERSION, CARD_RATES_VERSION = 3, 4
"""Changes whenever other things are measured of a processor, of a card."""


def rates_key(machine: Machine, device: str, interpreter: str | None) -> str:
    """Everything that rates depend on: processor or card, its cores, whose TensorFlow it is, and whose kernels."""
    index = device.removeprefix("gpu:")
    card = next((g for g in machine.gpus if device.startswith("gpu:") and str(g.index) == index), None)
    name = (card.uuid or card.name) if card else None
    on_host = device == "cpu"
    version, kernels = (RATES_VERSION, machine.onednn) if on_host else (CARD_RATES_VERSION, None)
    return _digest(
        [version, device, machine.cpu.name, machine.cpu.usable_cores, name, framework_stamp(interpreter), kernels]
    )


def support_key(machine: Machine, interpreter: str | None, backend: str = "tensorflow") -> str:
    """Everything that decides which cards a framework can use."""
    cards = [(g.index, g.name, g.uuid) for g in machine.gpus]
    hidden = [os.environ.get(name) for name in VISIBILITY]
    others = [backend] * (backend != "tensorflow")
    return _digest([cards, machine.nvidia_driver, hidden, framework_stamp(interpreter), *others])


def framework_stamp(interpreter: str | None) -> tuple[str, ...]:
    """What changes when somebody installs another framework there, without loading one."""
    if interpreter is None:
        return _own_versions()
    path = Path(os.path.expanduser(interpreter))
    packages = sorted(path.parent.parent.glob("lib/python*/site-packages")) or [path]
    return (str(path), *(str(p.stat().st_mtime_ns) for p in packages if p.exists()))


@functools.cache
def _own_versions() -> tuple[str, ...]:
    """Versions of the frameworks beside this program."""
    found = []
    for name in FRAMEWORKS:
        try:
            found.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            continue
    return tuple(found)


def _digest(described: list[object]) -> str:
    """A short name for values."""
    return hashlib.sha256(typed_json.encode_english(described)).hexdigest()[:32]
