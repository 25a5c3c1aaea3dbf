"""Refined answers on disk, found again by what they were made from."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
from pathlib import Path
from typing import Any

import msgspec

import app
from app.core.memory.device import TargetDevice
from app.core.memory.recording import StepPeaks
from app.core.memory.refined import Refined
from app.core.step.optimizers import UpdateOptions
from app.core.workload import Plan
from app.services.store.compressed_store import CompressedStore

_MADE_BY = (
    "worker/refining/*.py", "worker/recording/requests.py", "worker/recording/wire.py", "core/memory/recording.py",
    "core/memory/survival.py", "core/memory/bfc.py",
)  # fmt: skip
"""Files whose change makes stored answers worthless."""


class RefinedStore(CompressedStore[Refined]):
    """Answers of the ``refine`` job under a folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, refined_from_json, "the refined answer")


def refined_key(graph_key: str, plan: Plan, device: TargetDevice, *, probe: int | None) -> str:
    """A name for everything an answer depends on: the graph, the optimizer, the device and this program.

    Args:
        graph_key: Name of the traced graph (`app.services.store.graph_store`).
        plan: Its batch size counts only for a compiled step.
        device: The device that ran or compiled; on the host the number of its threads counts too.
        probe: The batch size that was run; None for a compiled step.
    """
    threads = device.host_threads if device.gpu is None else None
    batch = plan.batch_size if probe is None else probe
    step = dataclasses.replace(
        plan, batch_size=batch, jit=probe is None, epochs=1, device="auto", data="pipeline",
        clipnorm=None, global_clipnorm=None, clipvalue=None, weight_decay=None,
    )  # fmt: skip
    update = dataclasses.astuple(UpdateOptions.of(plan))
    described = [graph_key, _maker_digest(), msgspec.to_builtins(step), update, device.name, threads]
    return hashlib.sha256(msgspec.json.encode(described)).hexdigest()[:32]


def refined_from_json(answer: dict[str, Any]) -> Refined:
    """Read the answer of the ``refine`` job.

    Raises:
        KeyError: A field is missing.
    """
    return Refined(
        compiled=answer["compiled"],
        batch_sizes=tuple(answer["batch_sizes"]),
        peaks=tuple(StepPeaks(p["batch_size"], p["first_bytes"], tuple(p["later_bytes"])) for p in answer["peaks"]),
        unmatched_share=answer["unmatched_share"],
        cap_share=answer["cap_share"],
        framework=answer["framework"],
        seconds=answer["seconds"],
    )


@functools.cache
def _maker_digest() -> str:
    """Changes whenever the code that records does."""
    root = Path(app.__file__).parent
    digest = hashlib.sha256()
    for pattern in _MADE_BY:
        for path in sorted(root.glob(pattern)):
            digest.update(path.read_bytes())
    return digest.hexdigest()
